//! Turns bytes into text: encodings, HTML, filters.

pub(super) mod temporary;
pub(super) mod decode;
pub(super) mod transcode;
pub(super) mod html;
pub(super) mod filter;

//! Turns bytes into text: encodings, HTML and other markup, subtitles, documents of office programs, filters.

pub(super) mod temporary;
pub(super) mod decode;
pub(super) mod transcode;
pub(super) mod html;
pub(super) mod markup;
pub(super) mod subtitles;
pub(super) mod extract;
pub(super) mod filter;

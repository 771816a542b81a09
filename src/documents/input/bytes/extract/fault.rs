//! `ExtractFault`: why no text can be extracted from a document.

use std::io;

use serde::{Deserialize, Serialize};
use zip::result::ZipError;

use crate::documents::input::messages::said;

/// The reason why no text can be extracted from a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::documents::input) enum ExtractFault {
    /// The document is broken or ends early; the words say how.
    Damaged(String),
    /// The process that extracts its text failed; the words say how.
    Failed(String),
    /// The document needs a password or a key.
    Encrypted,
    /// The text, or a part that it is extracted from, has more bytes than a document may have.
    TooLarge,
}

/// The result of a step of extraction.
pub(super) type Extracted<T = ()> = Result<T, ExtractFault>;

impl ExtractFault {
    /// A document without the part with this name.
    pub(super) fn without(part: &str) -> Self {
        Self::Damaged(format!("it has no part {part}"))
    }
}

impl From<io::Error> for ExtractFault {
    fn from(error: io::Error) -> Self {
        Self::Damaged(said(&error))
    }
}

impl From<ZipError> for ExtractFault {
    fn from(error: ZipError) -> Self {
        match error {
            ZipError::InvalidArchive(_) => Self::Damaged("its list of parts is broken".to_owned()),
            ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
                Self::Damaged("it is packed in a way that is not supported".to_owned())
            }
            error => Self::Damaged(said(&error)),
        }
    }
}

impl From<quick_xml::Error> for ExtractFault {
    fn from(_: quick_xml::Error) -> Self {
        Self::Damaged("its XML is broken".to_owned())
    }
}

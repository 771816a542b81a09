//! `RemovalSettings`: which shingles are removed from every document before it is compared.

use std::path::PathBuf;

use crate::base::error::{Error, Result};

/// The shingles to remove. Default: none.
#[derive(Debug, Clone, Default)]
pub struct RemovalSettings {
    /// Files and folders of texts whose shingles are removed.
    pub templates: Vec<PathBuf>,
    /// Maximum number of documents that may contain a shingle; more frequent shingles are removed too.
    pub max_df: Option<MaxDf>,
}

impl RemovalSettings {
    /// The label that users see for a removed part of a text.
    pub fn words(&self) -> &'static str {
        match (self.templates.is_empty(), self.max_df) {
            (true, Some(_)) => "frequent",
            _ => "handed out",
        }
    }

    /// Checks the values that the types cannot check.
    ///
    /// # Errors
    /// When `max_df` is 0 documents, or a percentage that is not above 0 and at most 100.
    pub fn check(&self) -> Result<()> {
        match self.max_df {
            Some(MaxDf::Documents(0)) => Err(Error::MaxDf("0 documents".to_owned())),
            Some(MaxDf::Percent(share)) if !(share > 0.0 && share <= 100.0) => Err(Error::MaxDf(format!("{share} %"))),
            _ => Ok(()),
        }
    }
}

/// Maximum number of documents that may contain a shingle. Documents with equal texts count as one, and empty ones are
/// not counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MaxDf {
    /// A number of documents, at least 1.
    Documents(u64),
    /// A percentage of the documents, above 0 and at most 100.
    Percent(f64),
}

impl MaxDf {
    /// Maximum number of documents that may contain a shingle, out of `num_documents`.
    pub(crate) fn most(self, num_documents: u64) -> u64 {
        match self {
            Self::Documents(most) => most,
            Self::Percent(share) => {
                let is_exceeded = |most: u64| most as f64 * 100.0 > share * num_documents as f64;
                // Rounding makes this wrong by at most one.
                let most = (share * num_documents as f64 / 100.0) as u64;
                if is_exceeded(most) { most.saturating_sub(1) } else { most + u64::from(!is_exceeded(most + 1)) }
            }
        }
    }
}

impl std::str::FromStr for MaxDf {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            "give a number of documents of 1 or more, or a share of them above 0% and up to 100%, such as 5%".to_owned()
        };
        if let Some(percent) = text.strip_suffix('%') {
            let percent: f64 = percent.trim_end().parse().map_err(|_| expected())?;
            return if percent > 0.0 && percent <= 100.0 { Ok(Self::Percent(percent)) } else { Err(expected()) };
        }
        text.parse().ok().filter(|&most| most > 0).map(Self::Documents).ok_or_else(expected)
    }
}

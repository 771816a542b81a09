//! `Answer` and `AnswerRecord`: what a person says about a pair, and the line that stores it.

use serde::{Deserialize, Serialize};

use crate::records::Name;

/// A person's answer about a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The documents are duplicates.
    Yes,
    /// The documents are not duplicates.
    No,
    /// The person does not decide.
    Skip,
    /// The previous answer about the pair is withdrawn.
    Undone,
}

/// A line of the file of answers. Later versions only add keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerRecord<'a> {
    /// The name of the first document of the pair.
    #[serde(borrow)]
    pub a: Name<'a>,
    /// The name of the second document of the pair.
    #[serde(borrow)]
    pub b: Name<'a>,
    /// The similarity of the pair when it was shown.
    pub jaccard: f64,
    /// The answer about the pair.
    pub answer: Answer,
    /// A remark about the pair. An empty one withdraws the previous remark; a line without one keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

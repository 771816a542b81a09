//! `Fault`: one difference between a result and its documents.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::base::error::Result;
use crate::records::Name;

/// A difference between a result and what its documents give. One line of `dedup check --json`; later versions only add
/// keys.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fault {
    /// The kind of difference.
    pub fault: FaultKind,
    /// The file with the difference: the name of a file of the result, or the path of an input as given. Absent for
    /// lines of a file of pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<Name<'static>>,
    /// The line of `pairs.jsonl`, of `documents.jsonl` or of the file of pairs, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The first document of the pair, or the document of the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<Name<'static>>,
    /// The second document of the pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<Name<'static>>,
    /// The key whose value differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The value in the result; null if the key is absent there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Value>,
    /// The value that the documents give; null if the key does not belong there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Value>,
    /// The exact similarity of a pair that is missing or not reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jaccard: Option<f64>,
    /// Further explanation, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// The kind of a [`Fault`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// A value of a line differs from the value that the documents give.
    Value,
    /// The line cannot be read as a pair.
    NotAPair,
    /// The inputs have no document with a name of the line.
    UnknownDocument,
    /// A run with these settings does not report the pair.
    NotReported,
    /// An earlier line has the same pair.
    Repeated,
    /// A run with these settings reports the pair, but no line has it.
    Missing,
    /// A file of the result, or an input, is not as it was when the result was saved.
    Changed,
    /// A line about a document is missing, or is about no document of the inputs.
    Document,
}

impl Fault {
    /// A fault of this kind, without any place.
    pub(super) fn new(fault: FaultKind) -> Self {
        Self {
            fault,
            file: None,
            line: None,
            a: None,
            b: None,
            key: None,
            found: None,
            expected: None,
            jaccard: None,
            detail: None,
        }
    }

    /// Adds the line of a file to the fault.
    pub(super) fn at(self, file: Option<&str>, line: u64) -> Self {
        Self { file: file.map(text_name), line: Some(line), ..self }
    }

    /// Adds an explanation to the fault.
    pub(super) fn because(self, detail: impl Into<String>) -> Self {
        Self { detail: Some(detail.into()), ..self }
    }

    /// Adds the names of the two documents to the fault.
    pub(super) fn of_pair(self, a: Name<'static>, b: Name<'static>) -> Self {
        Self { a: Some(a), b: Some(b), ..self }
    }
}

/// Receives each difference when it is found.
pub type FaultSink<'a> = &'a mut (dyn FnMut(&Fault) -> Result<()> + Send + 'a);

/// A sink, and the number of differences that it received.
pub(super) struct CountedFaults<'a> {
    sink: FaultSink<'a>,
    pub(super) num: u64,
}

impl<'a> CountedFaults<'a> {
    pub(super) fn new(sink: FaultSink<'a>) -> Self {
        Self { sink, num: 0 }
    }

    pub(super) fn add(&mut self, fault: &Fault) -> Result<()> {
        self.num += 1;
        (self.sink)(fault)
    }
}

/// A text as a name.
pub(super) fn text_name(text: &str) -> Name<'static> {
    Name::Text(text.to_owned().into())
}

/// The keys whose values differ between two objects, each with its value in `found` and in `expected`: first the keys of
/// `expected` in their order, then other keys of `found`.
pub(super) fn differences(found: &Map<String, Value>, expected: &Map<String, Value>) -> Vec<(String, Value, Value)> {
    let value = |object: &Map<String, Value>, key: &str| object.get(key).cloned().unwrap_or(Value::Null);
    let others = found.keys().filter(|key| !expected.contains_key(*key));
    let keys = expected.keys().chain(others);
    // A key with the value null differs from an absent key.
    let differs = |key: &&String| found.get(*key) != expected.get(*key);
    keys.filter(differs).map(|key| (key.clone(), value(found, key), value(expected, key))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn differences_are_changed_missing_and_added_keys() {
        let object = |value: Value| value.as_object().unwrap().clone();
        let found = object(json!({"a": "x", "jaccard": 0.5, "extra": 1, "none": null}));
        let expected = object(json!({"a": "x", "jaccard": 0.25, "shared": 7}));
        assert_eq!(
            differences(&found, &expected),
            [
                ("jaccard".to_owned(), json!(0.5), json!(0.25)),
                ("shared".to_owned(), Value::Null, json!(7)),
                ("extra".to_owned(), json!(1), Value::Null),
                ("none".to_owned(), Value::Null, Value::Null),
            ]
        );
        assert_eq!(differences(&expected, &expected), []);
    }
}

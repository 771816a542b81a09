//! `ReadingDifference`: a setting of the inputs that differs between a saved result and a run.

use crate::base::shown::shown;

/// A setting of the inputs that differs between a saved result and a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadingDifference {
    /// The name of the setting in the saved result, such as `input-format`.
    pub name: String,
    /// The values of the saved result; no values for a switch that is on, `None` for a setting without a value.
    pub saved: Option<Vec<String>>,
    /// The values of the run, in the same form.
    pub given: Option<Vec<String>>,
}

impl ReadingDifference {
    /// The difference in words: `it was saved with html strip, and this run is without html`.
    ///
    /// * `name`: the name of the setting in the message, such as the flag of a program.
    pub fn in_words(&self, name: &str) -> String {
        let words = |values: Option<&[String]>| match values {
            None => format!("without {name}"),
            Some([]) => format!("with {name}"),
            Some(values) => {
                let values: Vec<String> = values.iter().map(|value| format!("{name} {}", shown(value))).collect();
                format!("with {}", values.join(" "))
            }
        };
        let (saved, given) = (words(self.saved.as_deref()), words(self.given.as_deref()));
        format!("it was saved {saved}, and this run is {given}")
    }
}

//! Review: shows the pairs of a saved result nearest to its threshold one by one, and derives a better threshold from a
//! person's answers.
//!
//! `questions` puts pairs in order, and `answers` contains a person's answers and the file that stores them. `texts`
//! reads the two documents of a pair again. `cuts` measures every threshold on the answers, and `record` is the form of
//! these measures for scripts. This module does not depend on a terminal.

mod answers;
mod cuts;
mod questions;
mod record;
mod texts;

pub use self::answers::{Answer, AnswerFile, AnswerRecord, Answers};
pub use self::cuts::{Cuts, ThresholdCut};
pub use self::questions::{Question, Review};
pub use self::record::{CutRecord, ReviewRecord};
pub use self::texts::PairTexts;

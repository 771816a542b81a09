//! Review: shows the pairs of a saved result nearest to its threshold one by one, and derives a better threshold from a
//! person's answers.
//!
//! `questions` puts pairs in order, and `answers` contains a person's answers and the file that stores them: lines, or the rows
//! of an `answer_table`, in an `answer_encoding`. `texts` reads the two documents of a pair again. `cuts` measures every threshold on the answers, and `record` is the form of
//! these measures for scripts. This module does not depend on a terminal.

mod answer;
mod answer_encoding;
mod answer_table;
mod answers;
mod cuts;
mod questions;
mod record;
mod texts;

pub use self::answer::{Answer, AnswerRecord};
pub use self::answers::{AnswerFile, Answers};
pub use self::cuts::{Cuts, ThresholdCut};
pub use self::questions::{Question, Review};
pub use self::record::{CutRecord, ReviewRecord};
pub use self::texts::PairTexts;

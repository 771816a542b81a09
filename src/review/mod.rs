//! Review: a saved result in; the pairs nearest to its threshold, one by one, and from a person's answers a better threshold out.
//!
//! `questions` puts pairs in order, `answers` is what a person says of them and the file that keeps it, `texts` reads the two
//! documents of a pair again, `cuts` measures every threshold on the answers, `record` is their form for scripts. Nothing here
//! knows of terminals.

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

//! Messages: all text that people read on stderr.
//!
//! A message begins with `dedup: `. An error or a skipped input is `dedup: WHAT: what happened; what to do`. A warning is
//! `dedup: warning: `, a fact about the run `dedup: note: `, advice `dedup: hint: `, and a written file `dedup: wrote `.
//! Lines without `dedup: ` are the summary at the end of a run: a sentence, or rows of a name and a value.

mod foreign;
mod foreign_commands;
mod narrow_terminal;
mod number;
mod pace;
mod setting_flags;
mod similar;

mod advice;

mod audit;
mod checked;
mod compared;
mod matches;
mod overlaps;

mod problem;

mod failure;
mod forecast;
mod report;
mod run_notes;
mod skipped;
mod summary;

mod contamination;
mod corpus;
pub(crate) mod index;

pub(crate) mod usage;
pub(crate) mod waiting;
mod warnings;

pub(crate) use self::checked::{checked, fault};
pub(crate) use self::contamination::contamination;
pub(crate) use self::corpus::{copied_whole, cut, cut_examples, left, planned, written};
pub(crate) use self::failure::{Failure, Result};
pub(crate) use self::forecast::forecast;
pub(crate) use self::number::{banding, counted, percent, plain_percent};
pub(crate) use self::overlaps::{group_pairs, overlaps, overlaps_printed};
pub(crate) use self::problem::problem_line;
pub(crate) use self::report::{Reporter, beside_bar, clear_bar, has_error, line};
pub(crate) use self::setting_flags::flag_of;
pub(crate) use self::similar::{instead_of, one_of, similar};
pub(crate) use self::summary::{for_people, nothing_found, printed, summary, summary_without_copies, wrote};
pub(crate) use self::warnings::{hardly_covered, warnings, without_value};

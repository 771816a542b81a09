//! `stale_documents`: reads every text again that an index refers to, and finds those that are no longer there.

use std::path::Path;

use super::file::OpenFor;
use super::reader::IndexReader;
use super::text_reader::TextReader;
use crate::error::{Error, IndexError, Result};
use crate::observe::{Observer, Stage};
use crate::problem::{Problem, Reason};

/// Bytes of pages that are kept.
const CACHE_BYTES: u64 = 4 << 20;

/// Passes on the documents of an index whose texts are no longer where it refers to, in its order; returns how many there are.
/// None of an index that has its texts.
///
/// # Errors
/// When the file is no index, or damaged where it says what it is. Blocks of texts that are damaged are left to
/// [`check_index`](crate::check_index).
pub fn stale_documents(index: &Path, observer: &dyn Observer, sink: &mut dyn FnMut(&Problem)) -> Result<u64> {
    let reader = IndexReader::open(index, OpenFor::Read, CACHE_BYTES)?;
    let mut num_stale = 0;
    if reader.referred.is_none() {
        return Ok(num_stale);
    }
    let mut texts = TextReader::new(&reader);
    observer.begin(Stage::Index);
    observer.total(reader.state.next.into());
    for number in 0..reader.state.next {
        observer.advance(1, 1, 0);
        if reader.is_removed(number)? {
            continue;
        }
        match reader.document(number).and_then(|document| texts.read(&document)) {
            Ok(_) | Err(Error::Index(IndexError::Damaged { .. })) => {}
            Err(Error::Index(IndexError::Stale { name, fault })) => {
                num_stale += 1;
                sink(&problem_of(name, &fault));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(num_stale)
}

/// What is said of a text that is no longer there.
///
/// * `name`: of its document.
/// * `fault`: what is wrong.
pub(super) fn problem_of(name: String, fault: &str) -> Problem {
    let detail = format!("{fault} since it was indexed; {}", IndexError::STALE_REMEDY);
    Problem::error(name, Reason::Stale, detail)
}

//! `stale_documents`: reads every text that an index refers to again, and finds the texts that have changed or are
//! missing.

use std::path::Path;

use super::reader::IndexReader;
use super::text_reader::TextReader;
use crate::base::error::{Error, IndexError, Result};
use crate::base::observe::{Observer, Stage};
use crate::base::problem::{Problem, Reason};
use crate::index::database::file::OpenFor;

/// The size of the page cache in bytes.
const CACHE_BYTES: u64 = 4 << 20;

/// Passes on the documents of an index whose texts have changed or are missing, in the order of the index; returns
/// their number. Finds nothing in an index that stores its texts.
///
/// # Errors
/// When the file is not an index, or the description of the index is damaged. Damaged blocks of texts are not reported;
/// [`check_index`](crate::index::check_index) finds them.
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

/// The problem of a text that has changed or is missing.
///
/// * `name`: the name of its document.
/// * `fault`: the fault of the text.
pub(crate) fn problem_of(name: String, fault: &str) -> Problem {
    Problem::error(name, Reason::Stale, format!("{fault} since it was indexed"))
}

//! `ItemNames`: the document names of the messages of a mailbox and the pages of a web crawl.
//!
//! An item has the name `file!id`. An item without an id, or whose id was used before, has the name `file!:place`.

use std::collections::HashSet;

use xxhash_rust::xxh3::xxh3_128;

use super::batch_writer::BatchWriter;
use super::content::Content;
use crate::base::problem::{Problem, Reason};

/// Maximum bytes of an id that becomes a name.
const MOST_BYTES: usize = 4096;

/// The ids of the items so far; about 24 bytes for each.
#[derive(Debug, Default)]
pub(super) struct ItemNames {
    ids: HashSet<u128>,
    /// The number of items whose id was used before.
    repeated: u64,
}

impl ItemNames {
    /// The document name of the next item.
    ///
    /// * `place`: the item's place in the file.
    pub(super) fn next(&mut self, container: Content, id: Option<&str>, place: u64) -> Vec<u8> {
        // A name that begins with a colon could be the name of a place.
        let is_name = |id: &&str| !id.is_empty() && !id.starts_with(':');
        let id = id.map(str::trim).filter(|id| id.len() <= MOST_BYTES && is_name(id));
        match id {
            Some(id) if self.ids.insert(xxh3_128(id.as_bytes())) => container.member_name(id.as_bytes()),
            id => {
                self.repeated += u64::from(id.is_some());
                container.member_name(format!(":{place}").as_bytes())
            }
        }
    }

    /// Reports how many items have an id that was used before.
    ///
    /// * `what`: one item and its id, and several items and theirs.
    pub(super) fn report(&self, out: &mut BatchWriter, container: Content, what: (&str, &str)) {
        let what = match self.repeated {
            0 => return,
            1 => format!("1 {}", what.0),
            number => format!("{number} {}", what.1),
        };
        let detail = format!("{what} used before; compared under the name of the place, as in `!:120`");
        let note = Problem::note(container.place(), Reason::RepeatedId, detail);
        out.problem(Problem { number: self.repeated, ..note });
    }
}

//! `there_already`: normalised texts in; what an index has of each, out.

use std::collections::HashMap;

use super::reader::IndexReader;
use super::runs::keys_of;
use super::state::RunKind;
use crate::error::Result;

/// A document that has a text, and where texts of it are stored.
pub(super) struct ThereAlready {
    pub(super) first: u32,
    /// The hash of a text before it was normalised, and its number.
    pub(super) stored: Vec<(u64, u32)>,
}

/// What the index has of normalised texts, where it has any.
///
/// * `pool`: shares the work where it is much.
pub(super) fn there_already(
    reader: &IndexReader,
    mut contents: Vec<u128>,
    pool: Option<&rayon::ThreadPool>,
) -> Result<HashMap<u128, ThereAlready>> {
    contents.sort_unstable();
    contents.dedup();
    let mut there: HashMap<u128, ThereAlready> = HashMap::new();
    reader.for_each_document(RunKind::Hashes, &keys_of(&contents), pool, &mut |tag, number| {
        let content = contents[tag as usize];
        if there.contains_key(&content) || reader.content(number)? != content {
            return Ok(());
        }
        let document = reader.document(number)?;
        let first = reader.document(document.first)?;
        let stored = vec![(document.raw, document.text), (first.raw, first.text)];
        there.insert(content, ThereAlready { first: document.first, stored });
        Ok(())
    })?;
    Ok(there)
}

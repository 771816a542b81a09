//! `there_already`: finds the stored documents and texts for normalised texts.

use std::collections::HashMap;

use crate::base::error::Result;
use crate::index::database::state::RunKind;
use crate::index::key_runs::sorted_runs::keys_of;
use crate::index::read::reader::IndexReader;

/// A document of the index with a certain normalised text, and its stored texts.
pub(crate) struct KnownTexts {
    pub(crate) first: u32,
    /// The hash of each original text, and the number under which the text is stored.
    pub(crate) stored: Vec<(u64, u32)>,
}

/// The known documents for each normalised text; texts that the index does not have are missing.
///
/// * `pool`: shares large amounts of work.
pub(crate) fn there_already(
    reader: &IndexReader,
    mut contents: Vec<u128>,
    pool: Option<&rayon::ThreadPool>,
) -> Result<HashMap<u128, KnownTexts>> {
    contents.sort_unstable();
    contents.dedup();
    let mut there: HashMap<u128, KnownTexts> = HashMap::new();
    reader.for_each_document(RunKind::Hashes, &keys_of(&contents), pool, &mut |tag, number| {
        let content = contents[tag as usize];
        if there.contains_key(&content) || reader.content(number)? != content {
            return Ok(());
        }
        let document = reader.document(number)?;
        let first = reader.document(document.first)?;
        let stored = vec![(document.raw, document.text), (first.raw, first.text)];
        there.insert(content, KnownTexts { first: document.first, stored });
        Ok(())
    })?;
    Ok(there)
}

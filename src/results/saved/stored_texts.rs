//! `only_documents` and `name_in_index`: finds the documents of a result in the indexes that store them.

use std::collections::BTreeSet;
use std::path::Path;

use crate::documents::input::{Against, StoredInput, path_bytes, unnumbered};

/// The second side of a corpus that reads some documents of indexes again; `None` without such documents.
///
/// * `stored`: the indexes of the result.
/// * `wanted`: the path of the index and the name of each document.
pub(crate) fn only_documents<'k>(
    stored: &[StoredInput],
    wanted: impl Iterator<Item = (Vec<u8>, &'k [u8])> + Clone,
) -> Option<Against> {
    let only = stored.iter().filter_map(|stored| {
        let of_index = wanted.clone().filter(|(index, _)| *index == path_bytes(stored.path()));
        let names: BTreeSet<Vec<u8>> =
            of_index.flat_map(|(_, name)| [name.to_vec(), unnumbered(name).to_vec()]).collect();
        (!names.is_empty()).then(|| stored.clone().only(names))
    });
    let stored: Vec<StoredInput> = only.collect();
    let paths = stored.iter().map(StoredInput::path).map(Path::to_owned).collect();
    (!stored.is_empty()).then(|| Against { paths, stored, ..Against::default() })
}

/// The name of a document in its index, by its name in a result: there, a number distinguishes it from a document of the same
/// name in another input.
///
/// * `find`: finds a document by its name in the index.
pub(crate) fn name_in_index<T>(name: &[u8], find: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
    find(name).or_else(|| find(unnumbered(name)))
}

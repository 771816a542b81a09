//! The files of a run's own: those behind the standard streams, and the lists that it reads.

use std::path::Path;

use dedup_scan::{OwnFiles, OwnUse};

use crate::cli::streams::{raw_stderr, raw_stdout};

/// The files behind the standard streams, and these lists, each by its flag.
pub(super) fn own_files<const N: usize>(lists: [(&'static str, Option<&Path>); N]) -> OwnFiles {
    let lists = lists.into_iter().filter_map(|(flag, list)| Some((list?.metadata(), OwnUse::List(flag))));
    let streams = [(raw_stdout(), OwnUse::Output), (raw_stderr(), OwnUse::Messages)];
    let streams = streams.into_iter().map(|(stream, own)| (stream.and_then(|stream| stream.metadata()), own));
    let mut own_files = OwnFiles::default();
    for (metadata, own) in streams.chain(lists) {
        if let Ok(metadata) = metadata {
            own_files.add(&metadata, own);
        }
    }
    own_files
}

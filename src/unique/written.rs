//! `write_corpus`: writes a corpus in the form of its layout, and counts its documents.

use super::convert::write_converted;
use super::fates::Fate;
use super::form::OutputForm;
use super::settings::Written;
use super::write::{BeforeName, CorpusWriter};
use crate::base::error::Result;
use crate::documents::document::DocId;

/// Writes the whole corpus of a writer.
///
/// * `before`: as for [`CorpusWriter::run`]; the numbers of kept and removed documents are not counted yet.
///
/// # Errors
/// When a file has changed, cannot be read or written, or contains a value that the form cannot have; and when the run
/// was cancelled, or `before` fails.
pub(super) fn write_corpus(writer: &CorpusWriter, pool: &rayon::ThreadPool, before: BeforeName) -> Result<Written> {
    let written = match &writer.layout.form {
        OutputForm::Records(conversion) => write_converted(writer, conversion, pool, before),
        OutputForm::OneFile(_) | OutputForm::Folder => writer.run(pool, before),
    }?;
    let (mut kept, mut removed) = (0, 0);
    for document in 0..writer.fates.len() {
        match writer.fates.of(DocId::new(document)) {
            Fate::Kept | Fate::Edited(_) => kept += 1,
            Fate::Removed => removed += 1,
            Fate::Skipped => {}
        }
    }
    // Files that are copied whole keep their duplicates.
    let returned: u64 = written.copied_whole.iter().map(|copied| copied.removed).sum();
    Ok(Written { kept: kept + returned, removed: removed - returned, ..written })
}

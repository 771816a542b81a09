//! `list_documents`: runs only the first pass, and reports the fate of each document.

use super::settings::Settings;
use super::summary::Summary;
use crate::base::error::Result;
use crate::base::observe::{Observer, Stage};
use crate::base::problem::{Problem, Reason};
use crate::documents::document::{DocId, Documents};
use crate::documents::input::{Against, Sources};
use crate::records::{DocumentRecord, Name, PairSide, Source, Treatment};
use crate::search::corpus;
use crate::search::corpus::{CodeSummary, DocumentSizes, Listed};

/// Receives the record of each document, and of each input that was skipped, in document order.
pub type DocumentSink<'a> = &'a mut (dyn FnMut(&DocumentRecord) -> Result<()> + 'a);

/// Reads all documents and reports the fate of each, in document order, without comparing them.
///
/// * `sink`: receives a record for every document, and for every input that was skipped.
///
/// The returned summary counts no candidates and no pairs.
///
/// # Errors
/// When the run cannot be done, or when `sink` fails.
pub fn list_documents(
    settings: &Settings,
    observer: &dyn Observer,
    sink: &mut dyn FnMut(&DocumentRecord) -> Result<()>,
) -> Result<Summary> {
    settings.check()?;
    let pool = settings.thread_pool()?;
    let sources = Sources::new(settings.cancel.clone());
    observer.begin(Stage::Read);
    let read = corpus::read(settings.corpus(), &sources, observer, &pool, true)?;
    let documents = read.corpus.into_documents();
    pass_on_list(&documents, &read.list, settings.input.against.as_ref(), false, sink)?;
    // This check comes after the list, since the list contains skipped inputs too.
    read.summary.check_read()?;
    Ok(Summary::new(settings, None).with_read(read.summary))
}

/// Passes on a record for each entry of the list.
///
/// * `against`: the other side of the run.
/// * `has_hashes`: whether records have the hashes of texts.
pub(super) fn pass_on_list(
    documents: &Documents,
    list: &[Listed],
    against: Option<&Against>,
    has_hashes: bool,
    sink: &mut dyn FnMut(&DocumentRecord) -> Result<()>,
) -> Result<()> {
    let has_old = against.is_some_and(Against::is_old);
    let mut side = against.filter(|_| !has_old).map(|_| PairSide::A);
    let mut is_old = false;
    for listed in list {
        let record = match listed {
            Listed::Against => {
                side = side.map(|_| PairSide::B);
                is_old = has_old;
                continue;
            }
            Listed::Document(document, sizes) => record_of_document(documents, *document, sizes, has_hashes),
            Listed::Skipped(problem) => record_of_skipped(problem),
        };
        sink(&DocumentRecord { side, old: is_old.then_some(true), ..record })?;
    }
    Ok(())
}

/// The record of a document, without its side.
fn record_of_document<'a>(
    documents: &'a Documents,
    document: DocId,
    sizes: &DocumentSizes,
    has_hashes: bool,
) -> DocumentRecord<'a> {
    let first = documents.first_of_text(document);
    let treatment = match first {
        None if sizes.is_emptied => Treatment::Emptied,
        None => Treatment::Empty,
        Some(first) if first != document => Treatment::Copy,
        Some(_) if sizes.is_short => Treatment::Short,
        Some(_) => Treatment::Used,
    };
    let hashed = first.filter(|_| has_hashes);
    DocumentRecord {
        bytes: Some(sizes.num_bytes),
        tokens: Some(sizes.num_tokens),
        shingles: Some(sizes.num_shingles),
        disguises: Some(sizes.disguises).filter(|disguises| !disguises.is_none()),
        syntax: sizes.code.map(|code| code.syntax.map(|syntax| syntax.name().into())),
        unclosed: sizes.code.map(|code| code.unclosed).filter(|&unclosed| unclosed > 0),
        few_tokens: sizes.code.and_then(|_| CodeSummary::is_few(sizes.num_tokens).then_some(true)),
        copy_of: first.filter(|&first| first != document).map(|first| Name::new(documents.name(first))),
        source: documents.origin(document).map(Source::new),
        text_hash: hashed.map(|_| format!("{:032x}", documents.content(document)).into()),
        occurrences: hashed.map(|_| documents.num_shingles(document)),
        ..bare_record(Name::new(documents.name(document)), treatment)
    }
}

/// The record of an input that was skipped, without its side.
fn record_of_skipped(problem: &Problem) -> DocumentRecord<'_> {
    let is_binary = problem.reason == Reason::Binary;
    let treatment = if is_binary { Treatment::Binary } else { Treatment::Skipped };
    DocumentRecord {
        reason: Some(problem.reason),
        detail: Some(problem.detail.as_str().into()),
        ..bare_record(Name::Text(problem.place.as_str().into()), treatment)
    }
}

/// A record with nothing but a name and a treatment.
fn bare_record(name: Name<'_>, treatment: Treatment) -> DocumentRecord<'_> {
    DocumentRecord {
        name,
        treatment,
        bytes: None,
        tokens: None,
        shingles: None,
        disguises: None,
        syntax: None,
        unclosed: None,
        few_tokens: None,
        copy_of: None,
        side: None,
        old: None,
        reason: None,
        detail: None,
        source: None,
        text_hash: None,
        occurrences: None,
    }
}

//! `list_documents` runs only the first pass and reports the fate of each document; `find_duplicates_and_list` does so
//! after a complete run.

use super::search::{Search, Searched};
use super::settings::Settings;
use super::summary::Summary;
use crate::base::error::Result;
use crate::base::observe::{Observer, Stage};
use crate::base::problem::Reason;
use crate::compare::passages::PassageSettings;
use crate::documents::document::Documents;
use crate::documents::input::{Against, Sources};
use crate::records::{DocumentRecord, Name, PairSide, Source, Treatment};
use crate::search::corpus;
use crate::search::corpus::{CodeSummary, Listed};
use crate::search::pairs::PairSink;

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
    pass_on(&documents, &read.list, settings.input.against.as_ref(), false, sink)?;
    // This check comes after the list, since the list contains skipped inputs too.
    read.summary.check_read()?;
    Ok(Summary::new(settings, None).with_read(read.summary))
}

/// Finds duplicate pairs as [`find_duplicates`](super::find_duplicates) does, and afterwards reports the fate of each
/// document, with the hash of its text.
///
/// * `passages`: the definition of a passage, if pairs are to be passed on with their passages.
/// * `list`: receives a record for every document, and for every input that was skipped, in document order.
///
/// # Errors
/// When the run cannot be done, or a sink fails.
pub fn find_duplicates_and_list(
    settings: &Settings,
    passages: Option<PassageSettings>,
    observer: &dyn Observer,
    sink: &mut dyn PairSink,
    list: &mut dyn FnMut(&DocumentRecord) -> Result<()>,
) -> Result<Summary> {
    search_and_list(settings, passages, observer, sink, Some(list)).map(|searched| searched.summary)
}

/// Finds duplicate pairs, and then passes on a list of all documents if `list` is given.
pub(crate) fn search_and_list(
    settings: &Settings,
    passages: Option<PassageSettings>,
    observer: &dyn Observer,
    sink: &mut dyn PairSink,
    list: Option<DocumentSink>,
) -> Result<Searched> {
    let search = Search::new(settings, observer).printed().with_passages(passages).with_list(list.is_some());
    let searched = search.run(sink)?;
    if let Some(list) = list {
        pass_on(&searched.documents, &searched.list, settings.input.against.as_ref(), true, list)?;
    }
    Ok(searched)
}

/// Passes on a record for each entry of the list.
///
/// * `against`: the other side of the run.
/// * `hashes`: whether records have the hashes of texts.
fn pass_on(
    documents: &Documents,
    list: &[Listed],
    against: Option<&Against>,
    hashes: bool,
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
            Listed::Document(document, sizes) => {
                let first = documents.first_of_text(*document);
                let treatment = match first {
                    None if sizes.is_emptied => Treatment::Emptied,
                    None => Treatment::Empty,
                    Some(first) if first != *document => Treatment::Copy,
                    Some(_) if sizes.is_short => Treatment::Short,
                    Some(_) => Treatment::Used,
                };
                DocumentRecord {
                    name: Name::new(documents.name(*document)),
                    treatment,
                    bytes: Some(sizes.num_bytes),
                    tokens: Some(sizes.num_tokens),
                    shingles: Some(sizes.num_shingles),
                    disguises: Some(sizes.disguises).filter(|disguises| !disguises.is_none()),
                    syntax: sizes.code.map(|code| code.syntax.map(|syntax| syntax.name().into())),
                    unclosed: sizes.code.map(|code| code.unclosed).filter(|&unclosed| unclosed > 0),
                    few_tokens: sizes.code.and_then(|_| CodeSummary::is_few(sizes.num_tokens).then_some(true)),
                    copy_of: first.filter(|first| first != document).map(|first| Name::new(documents.name(first))),
                    side,
                    old: is_old.then_some(true),
                    reason: None,
                    detail: None,
                    source: documents.origin(*document).map(Source::new),
                    text_hash: first
                        .filter(|_| hashes)
                        .map(|_| format!("{:032x}", documents.content(*document)).into()),
                    occurrences: first.filter(|_| hashes).map(|_| documents.num_shingles(*document)),
                }
            }
            Listed::Skipped(problem) => {
                let is_binary = problem.reason == Reason::Binary;
                DocumentRecord {
                    name: Name::Text(problem.place.as_str().into()),
                    treatment: if is_binary { Treatment::Binary } else { Treatment::Skipped },
                    bytes: None,
                    tokens: None,
                    shingles: None,
                    disguises: None,
                    syntax: None,
                    unclosed: None,
                    few_tokens: None,
                    copy_of: None,
                    side,
                    old: is_old.then_some(true),
                    reason: Some(problem.reason),
                    detail: Some(problem.detail.as_str().into()),
                    source: None,
                    text_hash: None,
                    occurrences: None,
                }
            }
        };
        sink(&record)?;
    }
    Ok(())
}

//! `RepeatCutRecord`: a part that was cut, and its first occurrence; one JSON object for each.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::Range;

use rayon::prelude::*;
use serde::Serialize;

use super::editor::{LocatedPart, TextEditor};
use crate::base::error::{CorpusError, Error, Result};
use crate::documents::document::{DocId, Documents, OffsetsOf};
use crate::records::Name;
use crate::search::repeats::{RepeatedRun, TokenPosition};

/// The number of cuts whose places are determined together.
const CUTS: usize = 4096;

/// A part of a document that was cut. Later versions only add keys.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RepeatCutRecord<'a> {
    /// The part that is cut.
    #[serde(flatten)]
    pub cut: CutPlace<'a>,
    /// The number of tokens.
    pub tokens: u32,
    /// The first occurrence of the tokens with which the part begins, which may be followed by tokens that are repeated
    /// from elsewhere; omitted when the part is the first occurrence itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<CutPlace<'a>>,
    /// The text of the part.
    #[serde(skip)]
    pub text: String,
}

/// A part of a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CutPlace<'a> {
    /// The name of the document.
    pub document: Name<'a>,
    /// The first and the last line, from 1 and inclusive.
    pub lines: [u64; 2],
    /// The first byte, from 0, and the byte after the last one.
    pub bytes: [usize; 2],
    /// The bytes that the places count; omitted when they are the bytes of the file.
    #[serde(rename = "of", skip_serializing_if = "OffsetsOf::is_file")]
    pub offsets_of: OffsetsOf,
}

/// Receives cuts in document order.
pub type CutSink<'s> = &'s mut (dyn FnMut(&RepeatCutRecord) -> io::Result<()> + Send);

/// Tokens of documents, by document.
type Wanted = BTreeMap<DocId, Vec<Range<u32>>>;
/// The parts of these tokens.
type Located = HashMap<(DocId, Range<u32>), LocatedPart>;

/// Passes on a record for each run, in the thread pool of the run.
///
/// * `runs`: the runs of documents that stay, in order.
/// * `min_run`: the number of tokens in a run.
///
/// # Errors
/// When a document has changed, or the sink fails.
pub(in crate::unique) fn list<'d>(
    documents: &'d Documents,
    editor: &TextEditor,
    runs: impl Iterator<Item = &'d RepeatedRun>,
    min_run: u32,
    sink: CutSink,
) -> Result<()> {
    let first = |run: &RepeatedRun| {
        let TokenPosition { document, token } = run.first;
        (DocId::new(document as usize), token..token + min_run)
    };
    let mut runs = runs.peekable();
    while runs.peek().is_some() {
        let part: Vec<&RepeatedRun> = runs.by_ref().take(CUTS).collect();
        let mut wanted = Wanted::new();
        for run in &part {
            for (document, tokens) in [(run.document(), run.start..run.end), first(run)] {
                wanted.entry(document).or_default().push(tokens);
            }
        }
        let wanted: Vec<(DocId, Vec<Range<u32>>)> = wanted.into_iter().collect();
        let located = wanted.into_par_iter().map(|(document, tokens)| {
            let parts = editor.located(document, &tokens)?;
            Ok(tokens.into_iter().map(move |tokens| (document, tokens)).zip(parts).collect::<Vec<_>>())
        });
        let located: io::Result<Vec<_>> = located.collect();
        let located: Located = located.map_err(changed)?.into_iter().flatten().collect();
        for run in part {
            let of = |document: DocId, tokens: Range<u32>| {
                let LocatedPart { original, .. } = &located[&(document, tokens)];
                CutPlace {
                    document: Name::new(documents.name(document)),
                    lines: original.lines,
                    bytes: [original.bytes.start, original.bytes.end],
                    offsets_of: documents.located(document).offsets_of(),
                }
            };
            let (document, tokens) = (run.document(), run.start..run.end);
            let (first_document, first_tokens) = first(run);
            let is_first = first_document == document && first_tokens.start == run.start;
            let record = RepeatCutRecord {
                cut: of(document, tokens.clone()),
                tokens: run.end - run.start,
                first: (!is_first).then(|| of(first_document, first_tokens)),
                text: located[&(document, tokens)].text.clone(),
            };
            sink(&record).map_err(Error::Output)?;
        }
    }
    Ok(())
}

fn changed(error: io::Error) -> Error {
    Error::Corpus(CorpusError::CannotRewrite { place: "the list of cuts".to_owned(), why: error.to_string() })
}

//! `find_cuts`: finds the repeated parts of a corpus, and the documents that become too short.

use rayon::prelude::*;

use super::corpus::UniqueCorpus;
use super::cut::{CorpusCuts, CutSettings};
use super::jobs::Fingerprints;
use crate::base::error::{CorpusError, Error, Result};
use crate::base::observe::Observer;
use crate::documents::document::DocId;
use crate::documents::input::{ByName, Inputs, TreeFile, TreeKind, codec_of_name, each_file, path_bytes};
use crate::search::corpus::ReadCorpus;
use crate::search::repeats::{FoundRepeats, RepeatedRun, RepeatedRuns, WordCounter, find_repeats};
use crate::search::run::Settings;

/// The factor by which compressed inputs are assumed to grow.
const UNPACKED: u64 = 4;

/// Finds the repeated parts of a corpus, to be cut when it is written.
///
/// Memory: as for [`find_duplicates`](crate::search::find_duplicates) without signatures, and 20 bytes for each cut.
/// Sorted data beyond [`Resources::memory_bytes`](crate::base::Resources) is written to a temporary file.
///
/// # Errors
/// When the run fails, the shingles have no order, or a document has changed since it was first read.
///
/// # Panics
/// When the settings specify two sides.
pub fn find_cuts(settings: &Settings, cut: &CutSettings, observer: &dyn Observer) -> Result<UniqueCorpus> {
    assert!(settings.input.against.is_none(), "one corpus");
    let mut settings = settings.clone();
    settings.input.with_source = true;
    settings.input.with_offsets = true;
    settings.input.container_items = ByName::collected();
    settings.shingles = cut.repeats.grams(&settings.shingles)?;
    let inputs = settings.corpus().inputs();
    let (prints, input_bytes) = (Fingerprints::of(inputs), input_bytes(inputs));
    let FoundRepeats { documents, sources, pool, summary, runs } =
        find_repeats(&settings, cut.repeats, cut.drop_shorter, input_bytes, observer)?;
    let stages = settings.corpus();
    let corpus = ReadCorpus { observer, settings: stages, removal: None, documents: &documents, sources: &sources };
    let dropped = pool.install(|| too_short(corpus, cut, &runs))?;
    let cuts = CorpusCuts { settings: *cut, runs, sources, dropped };
    Ok(UniqueCorpus::new(settings, documents, Vec::new(), prints, Some(summary), pool).with_cuts(cuts))
}

/// The number of tokens of some runs.
fn num_tokens(runs: &[RepeatedRun]) -> u64 {
    runs.iter().map(|run| u64::from(run.end - run.start)).sum()
}

/// The approximate size of the inputs, unpacked.
fn input_bytes(inputs: Inputs) -> u64 {
    let mut num_bytes = 0;
    let seen = each_file(inputs, &mut |TreeFile { path, kind, .. }| {
        if let TreeKind::File(metadata) = kind {
            let is_packed = codec_of_name(path_bytes(path)).is_some();
            num_bytes += metadata.len() * if is_packed { UNPACKED } else { 1 };
        }
        Ok(())
    });
    seen.expect("nothing here fails");
    num_bytes
}

/// The documents that have too few tokens left, in order, with the number of tokens left.
fn too_short(corpus: ReadCorpus<'_>, cut: &CutSettings, runs: &RepeatedRuns) -> Result<Vec<(DocId, u64)>> {
    let documents = corpus.documents;
    if cut.drop_shorter == 0 {
        return Ok(Vec::new());
    }
    let is_short = |&(_, left): &(DocId, u64)| left < cut.drop_shorter;
    let all: Vec<DocId> = documents.with_text().collect();
    if cut.repeats.unit.kind().is_none() {
        let left = |document: DocId| u64::from(runs.length(document)) - num_tokens(runs.of(document));
        return Ok(all.into_iter().map(|document| (document, left(document))).filter(is_short).collect());
    }
    let rereader = corpus.rereader();
    let words_left = |words: &mut WordCounter, &document: &DocId| {
        let first = documents.first_of_text(document).expect("documents with a text");
        rereader.read_again(first, &mut |text, _| {
            // Each line of the text is a token.
            let gone = runs.of(document);
            let is_kept = |number: usize| !gone.iter().any(|run| (run.start..run.end).contains(&(number as u32)));
            let lines = text.split(|&byte| byte == b'\n').enumerate().filter(|&(number, _)| is_kept(number));
            words.count(&lines.map(|(_, line)| line).collect::<Vec<_>>().join(&b'\n'))
        })
    };
    let left: Vec<Option<u64>> = all.par_iter().map_init(WordCounter::new, words_left).collect();
    match rereader.into_problems().into_iter().next() {
        Some(problem) => Err(Error::Corpus(CorpusError::Changed(problem.place))),
        None => Ok(all.into_iter().zip(left).filter_map(|(it, left)| Some((it, left?))).filter(is_short).collect()),
    }
}

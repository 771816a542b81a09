//! `shares`: how similar each document of a corpus is to one of them, by exact comparison with all.

use rayon::prelude::*;

use crate::base::error::{Error, Result};
use crate::base::flat::per_thread::PerThread;
use crate::compare::passages::Aligner;
use crate::compare::verify::{Threshold, Verifier};
use crate::documents::document::DocId;
use crate::search::corpus::{ReadCorpus, Tools};
use crate::search::matching::MatchSettings;
use crate::text::removal::remaining_tokens;

/// The similarity of each other document that has something in common with a document. Documents that match by passages
/// have the share of the shorter one that passages cover.
///
/// # Errors
/// When a document changed since it was read.
pub(super) fn shares(
    corpus: ReadCorpus,
    pool: &rayon::ThreadPool,
    matching: Option<MatchSettings>,
    a: DocId,
) -> Result<Vec<(DocId, f64)>> {
    let (documents, removal) = (corpus.documents, corpus.removal);
    let rereader = corpus.rereader();
    let tokens_of = |text: &[u8], tools: &mut Tools| remaining_tokens(&mut tools.shingler, removal, text.to_vec());
    let firsts: Vec<DocId> = documents.with_text().filter(|&id| documents.is_first(id)).collect();
    let of_firsts = pool.install(|| {
        let Some(first) = documents.first_of_text(a) else { return Vec::new() };
        let mut read =
            |text: &[u8], tools: &mut Tools| (tools.verifiable_set_of(text), matching.map(|_| tokens_of(text, tools)));
        let Some((set, tokens)) = rereader.read_again(first, &mut read) else { return Vec::new() };
        let verifiers = PerThread::new(corpus.threads(), || {
            (Verifier::new(&set), matching.map(|matching| Aligner::new(matching.passages)))
        });
        let share = |&other: &DocId| {
            let share = rereader.read_again(other, &mut |text, tools| {
                let mut worker = verifiers.get();
                let (verifier, aligner) = &mut *worker;
                if let (Some(aligner), Some(tokens)) = (aligner, &tokens) {
                    let alignment = aligner.align(tokens, &tokens_of(text, tools));
                    return alignment.coverage_a().max(alignment.coverage_b());
                }
                let other = tools.verifiable_set_of(text);
                let shared = verifier.verify_shared(&other, Threshold::ZERO);
                shared.map_or(0.0, |shared| set.similarity(&other, shared))
            });
            Some((other, share?))
        };
        firsts.par_iter().filter_map(share).collect()
    });
    if let Some(problem) = rereader.into_problems().into_iter().next() {
        return Err(Error::Changed(problem));
    }
    let with_copies = of_firsts.into_iter().filter(|&(_, share)| share > 0.0).flat_map(|(first, share)| {
        std::iter::once(first).chain(documents.copies_of(first)).map(move |document| (document, share))
    });
    Ok(with_copies.filter(|&(document, _)| document != a).collect())
}

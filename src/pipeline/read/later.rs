//! Signing later: documents that were read already are read again and signed, now that it is known what is taken out.

use std::collections::HashSet;

use rayon::prelude::*;

use super::signing::Signing;
use super::sketches::PartSketches;
use super::{BandKeys, Corpus, Listed, Reading, Tables};
use crate::config::Config;
use crate::document::{DocId, Documents};
use crate::pipeline::Removed;
use crate::pipeline::reread::Rereader;
use crate::removal::Removal;

/// Texts that a thread signs at a time.
const TEXTS: usize = 64;

/// The signed texts of a corpus.
pub(in crate::pipeline) struct SignedLater {
    keys: BandKeys,
    runs: Vec<(usize, usize)>,
    sketches: Vec<PartSketches>,
    texts: Vec<Text>,
}

/// What has become of a first document.
struct Text {
    first: DocId,
    num_removed: u64,
    is_left: bool,
    /// Whether it could still be read.
    is_read: bool,
    /// Distinct shingles that are left, when documents are listed.
    num_distinct: u64,
}

impl SignedLater {
    /// Reads the first document of each text again and signs it; in the thread pool of the run.
    pub(in crate::pipeline) fn new(
        config: &Config,
        removal: &Removal,
        documents: &Documents,
        loader: &Rereader,
        lists: bool,
    ) -> Self {
        let tables = Tables::new(config);
        let firsts: Vec<DocId> =
            (0..documents.len()).map(DocId::new).filter(|&document| documents.is_first(document)).collect();
        let new_signing = || Signing::new(config, Reading::Sign(Some(removal)), lists);
        let sign = |signing: &mut Signing, firsts: &[DocId]| {
            let sign = |&first: &DocId| {
                // Alone: while others wait for this thread it must not take up their work.
                let signed = loader.read_again(first, &mut |text, _| {
                    let signed = signing.sign_alone(text);
                    if signed.is_some_and(|signed| signed.is_left) {
                        signing.add_keys(&tables.sketch_budget);
                    }
                    let listed = signed.filter(|_| signing.lists);
                    (signed, listed.map_or(0, |signed| signing.num_distinct(text, signed.cut.num_shingles)))
                });
                let (signed, num_distinct) = signed.unwrap_or_default();
                Text {
                    first,
                    num_removed: signed.map_or(0, |signed| signed.num_removed),
                    is_left: signed.is_some_and(|signed| signed.is_left),
                    is_read: signed.is_some(),
                    num_distinct,
                }
            };
            let texts: Vec<Text> = firsts.iter().map(sign).collect();
            let run = (tables.keys.append(&signing.keys), signing.keys.len() / signing.num_bands);
            signing.keys.clear();
            (run, (signing.sketches.take(), texts))
        };
        let signed: Vec<_> = firsts.par_chunks(TEXTS).map_init(new_signing, sign).collect();
        let (runs, signed): (Vec<_>, Vec<_>) = signed.into_iter().unzip();
        let (sketches, texts): (Vec<_>, Vec<_>) = signed.into_iter().unzip();
        Self { keys: tables.keys, runs, sketches, texts: texts.into_iter().flatten().collect() }
    }
}

impl Corpus {
    /// Takes the keys over, and the texts out that have none; returns what was taken out of the documents.
    pub(in crate::pipeline) fn take_signed(&mut self, signed: SignedLater, list: Option<&mut Vec<Listed>>) -> Removed {
        let SignedLater { keys, runs, sketches, texts } = signed;
        if let Some(list) = list {
            self.update(list, &texts);
        }
        let mut removed = Removed::default();
        for text in &texts {
            for _ in 0..=self.documents.copies_of(text.first).len() {
                removed.add(text.num_removed, text.is_read && !text.is_left);
            }
        }
        let gone: HashSet<DocId> = texts.iter().filter(|text| !text.is_left).map(|text| text.first).collect();
        self.documents.forget_texts(&gone);
        (self.keys, self.runs, self.sketches, self.firsts_only) = (keys, runs, sketches, true);
        removed
    }

    /// Lists what is left of each document.
    fn update(&self, list: &mut [Listed], texts: &[Text]) {
        for listed in list {
            let Listed::Document(document, sizes) = listed else { continue };
            let Some(first) = self.documents.first_of_text(*document) else { continue };
            if let Ok(at) = texts.binary_search_by_key(&first, |text| text.first)
                && texts[at].is_read
            {
                sizes.num_shingles = texts[at].num_distinct;
                sizes.is_emptied = !texts[at].is_left;
            }
        }
    }
}

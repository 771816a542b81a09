//! `SecondReading`: reads the distinct texts again and signs them, once the removed shingles and the weights are known.
//!
//! It is needed where the first reading could only count: the frequent shingles to remove, or the weights by document
//! frequency, are known only after the last document. It reads the first document of each text, since all copies have
//! the same signature.

use std::collections::HashSet;

use rayon::prelude::*;

use super::band_keys::{BandKeys, KeyRun};
use super::keyed_documents::KeyedDocuments;
use super::reading::Corpus;
use super::report::Listed;
use super::reread::Rereader;
use super::signing::{Reading, Signing};
use super::stage_settings::StageSettings;
use super::summary::Removed;
use crate::base::error::Result;
use crate::documents::document::{DocId, Documents};
use crate::text::removal::Removal;

/// The number of texts in a thread's unit of work.
const TEXTS: usize = 64;

/// The distinct texts of a corpus, signed without the removed shingles.
pub(crate) struct SecondReading {
    keys: BandKeys,
    runs: Vec<KeyRun>,
    texts: Vec<Text>,
}

/// The result for one distinct text, by its first document.
struct Text {
    first: DocId,
    num_removed: u64,
    has_remaining: bool,
    /// Whether the text could be read again.
    is_read: bool,
    /// The number of distinct shingles that were not removed, when documents are listed.
    num_distinct: u64,
}

impl SecondReading {
    /// Reads the first document of each text again and signs it, in the thread pool of the run.
    ///
    /// # Errors
    /// When memory is too small for the band keys.
    pub(crate) fn new(
        settings: StageSettings,
        removal: Option<&Removal>,
        documents: &Documents,
        rereader: &Rereader,
        lists: bool,
    ) -> Result<Self> {
        let keys = BandKeys::new(settings.banding, settings.filter, settings.memory().band_keys());
        let firsts: Vec<DocId> =
            (0..documents.len()).map(DocId::new).filter(|&document| documents.is_first(document)).collect();
        let new_signing = || Signing::new(settings, Reading::Sign(removal), lists);
        let sign = |signing: &mut Signing, firsts: &[DocId]| {
            let sign = |&first: &DocId| {
                let mut has_room = Ok(());
                // Only this thread signs the text: it holds the reader, and must not start other work while it waits.
                let signed = rereader.read_again(first, &mut |text, _| {
                    let signed = signing.sign_alone(text);
                    if signed.is_some_and(|signed| signed.has_remaining) {
                        has_room = signing.add_keys();
                    }
                    let listed = signed.filter(|_| signing.piece.lists);
                    (signed, listed.map_or(0, |signed| signing.num_distinct(text, signed.cut.num_shingles)))
                });
                let (signed, num_distinct) = signed.unwrap_or_default();
                has_room.map(|()| Text {
                    first,
                    num_removed: signed.map_or(0, |signed| signed.num_removed),
                    has_remaining: signed.is_some_and(|signed| signed.has_remaining),
                    is_read: signed.is_some(),
                    num_distinct,
                })
            };
            let texts: Vec<Text> = firsts.iter().map(sign).collect::<Result<_>>()?;
            Ok((signing.keys.move_to(&keys)?, texts))
        };
        let signed: Vec<_> = firsts.par_chunks(TEXTS).map_init(new_signing, sign).collect::<Result<_>>()?;
        let (runs, texts): (Vec<_>, Vec<_>) = signed.into_iter().unzip();
        Ok(Self { keys, runs, texts: texts.into_iter().flatten().collect() })
    }
}

impl Corpus {
    /// Replaces the band keys, and drops texts without remaining shingles. Returns what was removed from the documents.
    ///
    /// * `list`: the list of documents, in which the sizes are updated.
    pub(crate) fn take_signed(&mut self, signed: SecondReading, list: &mut [Listed]) -> Removed {
        let SecondReading { keys, runs, texts } = signed;
        self.update(list, &texts);
        let mut removed = Removed::default();
        for text in &texts {
            for _ in 0..=self.documents.copies_of(text.first).len() {
                removed.add(text.num_removed, text.is_read && !text.has_remaining);
            }
        }
        let gone: HashSet<DocId> = texts.iter().filter(|text| !text.has_remaining).map(|text| text.first).collect();
        self.documents.forget_texts(&gone);
        (self.keys, self.runs, self.keyed) = (keys, runs, KeyedDocuments::firsts());
        removed
    }

    /// Updates the number of remaining shingles of each listed document.
    fn update(&self, list: &mut [Listed], texts: &[Text]) {
        for listed in list {
            let Listed::Document(document, sizes) = listed else { continue };
            let Some(first) = self.documents.first_of_text(*document) else { continue };
            if let Ok(at) = texts.binary_search_by_key(&first, |text| text.first)
                && texts[at].is_read
            {
                sizes.num_shingles = texts[at].num_distinct;
                sizes.is_emptied = !texts[at].has_remaining;
            }
        }
    }
}

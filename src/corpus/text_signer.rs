//! `TextSigner`: texts in, one after another, each normalised and signed out; for documents that no file holds.

use xxhash_rust::xxh3::xxh3_128;

use super::settings::CorpusSettings;
use super::signing::{Reading, Signing};
use crate::code::Syntax;
use crate::error::Result;
use crate::normalize::Normalizer;

/// Signs texts on the thread that calls it, as a run over the same documents does.
pub(crate) struct TextSigner<'a> {
    settings: CorpusSettings<'a>,
    normalizer: Normalizer,
    signing: Signing<'a>,
}

/// A text that has a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SignedText {
    /// `xxh3_128` of the normalised text.
    pub(crate) content: u128,
    /// Shingles, repeats counted; at least 1.
    pub(crate) num_shingles: u64,
    /// The language of a program.
    pub(crate) syntax: Option<Syntax>,
}

impl<'a> TextSigner<'a> {
    pub(crate) fn new(settings: CorpusSettings<'a>) -> Self {
        let signing = Signing::new(settings, Reading::Sign(None), false).keeping_values();
        Self { settings, normalizer: settings.normalizer(), signing }
    }

    /// Normalises a text in place and signs it. `None` when it has no shingle or too few tokens.
    ///
    /// * `name`: of the document, from which the language of a program may follow.
    /// * `text`: valid UTF-8.
    ///
    /// # Errors
    /// When there is no room for its keys.
    pub(crate) fn sign(&mut self, name: &[u8], text: &mut Vec<u8>) -> Result<Option<SignedText>> {
        let signing = &mut self.signing;
        signing.keys.clear();
        signing.values.iter_mut().for_each(Vec::clear);
        self.normalizer.set_syntax(self.settings.syntax_of(name));
        self.normalizer.normalize_utf8(text);
        let signed = signing.sign_alone(text).filter(|signed| signed.has_remaining);
        let Some(signed) = signed.filter(|signed| signed.cut.num_tokens >= signing.min_tokens) else {
            return Ok(None);
        };
        signing.add_keys()?;
        let syntax = self.normalizer.code().syntax;
        Ok(Some(SignedText { content: xxh3_128(text), num_shingles: signed.cut.num_shingles.max(1), syntax }))
    }

    /// The band keys of the text that was signed last; none when it has no signature.
    pub(crate) fn keys(&self) -> &[u64] {
        &self.signing.keys
    }

    /// Its signature.
    pub(crate) fn signature(&self) -> &[u32] {
        self.signing.values.as_deref().unwrap_or_default()
    }

    /// The number of distinct shingles of a normalised text.
    ///
    /// * `num_shingles`: repeats counted.
    pub(crate) fn num_distinct(&mut self, text: &[u8], num_shingles: u64) -> u64 {
        self.signing.num_distinct(text, num_shingles)
    }
}

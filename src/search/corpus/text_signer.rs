//! `TextSigner`: normalises and signs single texts, for documents that are not in a file.

use xxhash_rust::xxh3::xxh3_128;

use super::signing::{Reading, Signing};
use super::stage_settings::StageSettings;
use crate::base::error::Result;
use crate::text::code::{StatedSyntax, Syntax};
use crate::text::normalize::Normalizer;

/// Signs texts on the thread that calls it, with the same result as a run over the same documents.
pub(crate) struct TextSigner<'a> {
    settings: StageSettings<'a>,
    normalizer: Normalizer,
    signing: Signing<'a>,
}

/// A text that has a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SignedText {
    /// The `xxh3_128` hash of the normalised text.
    pub(crate) content: u128,
    /// The number of shingles, repeats counted; at least 1.
    pub(crate) num_shingles: u64,
    /// The language of a program.
    pub(crate) syntax: Option<Syntax>,
}

impl<'a> TextSigner<'a> {
    pub(crate) fn new(settings: StageSettings<'a>) -> Self {
        let signing = Signing::new(settings, Reading::Sign(None), false).keeping_signatures();
        Self { settings, normalizer: settings.normalizer(), signing }
    }

    /// Normalises a text in place and signs it. `None` when it has no shingle or too few tokens.
    ///
    /// * `name`: the name of the document, which may determine the language of a program.
    /// * `text`: valid UTF-8.
    ///
    /// # Errors
    /// When memory is too small for its keys.
    pub(crate) fn sign(&mut self, name: &[u8], text: &mut Vec<u8>) -> Result<Option<SignedText>> {
        let signing = &mut self.signing;
        signing.keys.clear();
        self.normalizer.set_syntax(self.settings.syntax_of(name, StatedSyntax::None));
        self.normalizer.normalize_utf8(text);
        let signed = signing.sign_alone(text).filter(|signed| signed.has_remaining);
        let Some(signed) = signed.filter(|signed| signed.cut.num_tokens >= signing.piece.min_tokens) else {
            return Ok(None);
        };
        signing.add_keys()?;
        let syntax = self.normalizer.code().syntax;
        Ok(Some(SignedText { content: xxh3_128(text), num_shingles: signed.cut.num_shingles.max(1), syntax }))
    }

    /// The band keys of the text that was signed last; empty when it has no signature.
    pub(crate) fn keys(&self) -> &[u64] {
        self.signing.keys.keys()
    }

    /// The signature of the text that was signed last; empty when it has none.
    pub(crate) fn signature(&self) -> &[u32] {
        self.signing.keys.signatures()
    }

    /// The number of distinct shingles of a normalised text.
    ///
    /// * `num_shingles`: the number of shingles of the text, repeats counted.
    pub(crate) fn num_distinct(&mut self, text: &[u8], num_shingles: u64) -> u64 {
        self.signing.num_distinct(text, num_shingles)
    }
}

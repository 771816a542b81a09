//! Shingles of stop words: the shingles of words that begin with a stop word.

pub(super) mod list;

use self::list::Lexicon;
pub use self::list::{Language, StopWords};
use super::cutter::{Cutter, Kind};
use super::words::WordWindow;
use crate::text::normalize::Normalizer;
use crate::text::shingle::hashes::{Blocks, Cut};
use crate::text::shingle::tokens::Tokens;

pub(super) const KIND: Kind = Kind { default_size: 3, ..Kind::of(cutter) };

fn cutter() -> Box<dyn Cutter> {
    let lexicon = Lexicon::new(StopWords::Detect, Normalizer::default());
    Box::new(StopWordCutter { window: WordWindow::default(), lexicon })
}

/// Cuts texts into shingles that consist of a stop word and the following words.
#[derive(Debug, Clone)]
struct StopWordCutter {
    window: WordWindow,
    lexicon: Lexicon,
}

impl Cutter for StopWordCutter {
    fn cut(&mut self, text: &[u8], size: usize, blocks: &mut Blocks) -> Cut {
        self.window.shingles(text, size, Some(&mut self.lexicon), blocks)
    }

    fn tokens(&mut self, text: Vec<u8>) -> Tokens {
        self.window.tokens(text)
    }

    fn set_stop_words(&mut self, stop_words: StopWords, normalizer: Normalizer) {
        self.lexicon = Lexicon::new(stop_words, normalizer);
    }

    fn clone_box(&self) -> Box<dyn Cutter> {
        Box::new(self.clone())
    }
}

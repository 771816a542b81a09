//! `TextLoader`: turns stored texts into shingle sets for verification.

use xxhash_rust::xxh3::xxh3_128;

use super::index_match::IndexMatch;
use crate::compare::verify::{RemovedShingles, VerifiableSet};
use crate::search::corpus::{StageSettings, Tools};
use crate::sign::signature::equal_values;
use crate::text::code::Syntax;
use crate::text::normalize::Normalizer;
use crate::text::removal::{Remaining, Removal};

/// The data of a text that verification needs.
pub(crate) struct StoredSet {
    pub(crate) set: VerifiableSet,
    /// The distinct shingles that were removed, ascending.
    removed: Vec<u64>,
    /// The signature; empty when it is not known.
    pub(crate) signature: Box<[u32]>,
}

/// A query text that did not come from an input file.
pub(crate) struct PreparedQuery {
    /// The set of the text, with its signature.
    pub(crate) set: StoredSet,
    /// The hash of the normalised text; `None` when it has no shingles.
    pub(crate) content: Option<u128>,
    pub(crate) syntax: Option<Syntax>,
    /// Whether the text has fewer tokens than a document needs, so that it is not compared.
    pub(crate) has_few_tokens: bool,
}

/// Makes sets of texts; each thread has one.
pub(crate) struct TextLoader<'a> {
    normalizer: Normalizer,
    tools: Tools<'a>,
    /// The minimum number of tokens of a text that is compared.
    min_tokens: u64,
}

impl<'a> TextLoader<'a> {
    /// Creates a loader.
    ///
    /// * `settings`: the settings, with the settings of the index applied.
    /// * `templates`: the shingles that are removed from every text.
    pub(crate) fn new(settings: StageSettings<'a>, templates: Option<&'a Removal>) -> Self {
        let tools = Tools::new(settings, templates);
        Self { normalizer: settings.normalizer(), tools, min_tokens: settings.shingles.min_tokens() }
    }

    /// Makes the set, the hash and the signature of a query text.
    pub(crate) fn load_query(&mut self, mut text: Vec<u8>, syntax: Option<Syntax>) -> PreparedQuery {
        self.normalize(&mut text, syntax);
        let syntax = self.normalizer.code().syntax;
        let mut set = self.cut(&text);
        let has_few_tokens = self.tools.shingler.last().num_tokens < self.min_tokens;
        let has_shingles = !set.set.set().is_empty() && !has_few_tokens;
        if has_shingles {
            set.signature = self.sign(&set.set);
        }
        PreparedQuery { set, content: has_shingles.then(|| xxh3_128(&text)), syntax, has_few_tokens }
    }

    /// Makes the set of a text.
    ///
    /// * `signature`: the signature, if it is known.
    pub(crate) fn load(&mut self, mut text: Vec<u8>, syntax: Option<Syntax>, signature: Option<&[u32]>) -> StoredSet {
        self.normalize(&mut text, syntax);
        StoredSet { signature: signature.map(Into::into).unwrap_or_default(), ..self.cut(&text) }
    }

    fn normalize(&mut self, text: &mut Vec<u8>, syntax: Option<Syntax>) {
        self.normalizer.set_syntax(syntax);
        self.normalizer.normalize_utf8(text);
    }

    fn cut(&mut self, text: &[u8]) -> StoredSet {
        let removed = self.gather(text);
        let set = VerifiableSet::new(self.tools.builder.take());
        StoredSet { set, removed, signature: Box::default() }
    }

    /// Collects the shingles of a text, and returns its distinct removed shingles, ascending.
    fn gather(&mut self, text: &[u8]) -> Vec<u64> {
        let Tools { shingler, builder, removal, remaining, .. } = &mut self.tools;
        let mut removed = Vec::new();
        let mut shingles = Remaining::new(shingler.shingles_utf8(text), *removal, remaining);
        shingles.for_each_block_and(&mut |hash| removed.push(hash), &mut |block| builder.extend(block));
        removed.sort_unstable();
        removed.dedup();
        removed
    }

    /// Counts the distinct shingles of a text and its removed ones, like [`load`](Self::load) without making the set.
    pub(crate) fn count(&mut self, mut text: Vec<u8>, syntax: Option<Syntax>) -> (usize, usize) {
        self.normalize(&mut text, syntax);
        let removed = self.gather(&text);
        let builder = &mut self.tools.builder;
        let count = (builder.len(), removed.len());
        builder.clear();
        count
    }

    /// Computes the signature of a set.
    pub(crate) fn sign(&mut self, set: &VerifiableSet) -> Box<[u32]> {
        self.tools.sign(set.set().hashes(), &[])
    }
}

impl StoredSet {
    /// The number of distinct shingles, and of removed ones.
    pub(crate) fn count(&self) -> (usize, usize) {
        (self.set.set().len(), self.removed.len())
    }

    /// The result for a query whose set is `self`.
    ///
    /// * `number`: the number of the document.
    /// * `other`: the set of the document.
    /// * `shared`: the number of shingles that both contain.
    /// * `signature`: the signature of the document.
    /// * `removes`: whether the index removes template shingles from texts.
    pub(crate) fn matched(
        &self,
        number: u32,
        other: &Self,
        shared: usize,
        signature: &[u32],
        removes: bool,
    ) -> IndexMatch {
        IndexMatch {
            document: number,
            shared: shared as u64,
            shingles_a: self.set.set().len() as u64,
            shingles_b: other.set.set().len() as u64,
            equal_values: equal_values(&self.signature, signature) as u32,
            removed: removes.then(|| RemovedShingles {
                a: self.removed.len() as u64,
                b: other.removed.len() as u64,
                shared: num_shared(&self.removed, &other.removed),
            }),
        }
    }
}

/// The number of values that two ascending lists without repeats share.
fn num_shared(a: &[u64], b: &[u64]) -> u64 {
    a.iter().filter(|hash| b.binary_search(hash).is_ok()).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::corpus::with_settings;

    #[test]
    fn what_is_counted_is_what_the_set_has() {
        with_settings(
            |_| {},
            |settings| {
                let template = TextLoader::new(settings, None).load("the same words".into(), None, None);
                let removal = Removal::new(template.set.set().clone());
                for removal in [None, Some(&removal)] {
                    let mut loader = TextLoader::new(settings, removal);
                    for text in
                        ["", "the same", "the same words and  the same words and others", "none of them is here"]
                    {
                        let counted = loader.count(text.into(), None);
                        let set = loader.load(text.into(), None, None);
                        assert_eq!(counted, set.count(), "{text}");
                        assert_eq!(counted.1 > 0, removal.is_some() && text.contains("words"), "{text}");
                        let signature = loader.sign(&set.set);
                        let set = StoredSet { signature: signature.clone(), ..set };
                        let matched = set.matched(7, &set, counted.0, &signature, true);
                        assert_eq!(IndexMatch::of_equal(7, counted, signature.len(), true), matched, "{text}");
                    }
                }
            },
        );
    }
}

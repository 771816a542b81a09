//! `TokenWeights`: the weights of tokens from a table.
//!
//! Each line of a table contains a token and its weight, separated by a tab, or a JSON object: `{"token": "fox",
//! "weight": 2.5}`. Tokens are folded like the texts, and must then be exactly one token. A token that is not in the
//! table has the default weight.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::fixed::{MOST, from_number, to_number};
use crate::base::error::{Error, Result, WeightsError};
use crate::base::flat::spread::SpreadMap;
use crate::base::shown::shown;
use crate::text::normalize::{Normalization, Normalizer};
use crate::text::shingle::{ShingleHashes, ShingleKind, ShingleSettings, Shingler};

/// The weights of tokens in a table. Cheap to clone.
#[derive(Debug, Clone)]
pub struct TokenWeights {
    weights: Arc<SpreadMap<u32>>,
    default: u32,
}

/// The identity of a weight table in a summary, so that a table can be recognised.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WeightTableRecord {
    /// Number of distinct tokens in the table, after folding.
    pub tokens: usize,
    /// Weight of all other tokens.
    pub default_weight: f64,
    /// Hash of all weights in 32 hexadecimal digits, independent of the order of lines: tables with the same hash give
    /// all tokens the same weights.
    pub hash: String,
}

/// A line of a table as a JSON object.
#[derive(Deserialize)]
struct TokenRecord {
    token: String,
    weight: f64,
}

impl TokenWeights {
    /// Default weight of a token that is not in the table.
    pub const DEFAULT_WEIGHT: f64 = 1.0;

    /// Reads a table from a file.
    ///
    /// * `shingles`, `normalization`: the settings of the documents.
    /// * `default`: the weight of all other tokens.
    ///
    /// # Errors
    /// When the file cannot be read or is not UTF-8, and as for [`parse`](Self::parse).
    pub fn read(path: &Path, shingles: &ShingleSettings, normalization: &Normalization, default: f64) -> Result<Self> {
        let fault =
            |fault: WeightsError| Error::Weights(WeightsError::In { path: path.to_owned(), fault: fault.into() });
        let bytes = std::fs::read(path).map_err(|source| fault(WeightsError::Unreadable(source)))?;
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let number = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() as u64;
            fault(WeightsError::Line { number, fault: "it is not UTF-8; write the table in UTF-8".to_owned() })
        })?;
        Self::parse(text, shingles, normalization, default).map_err(|error| match error {
            Error::Weights(error) => fault(error),
            error => error,
        })
    }

    /// Parses a table: each line is a token, a tab and its weight, or a JSON object with `token` and `weight`. Empty
    /// lines are skipped.
    ///
    /// ```
    /// use dedup_scan::{Normalization, ShingleKind, ShingleSettings};
    /// use dedup_scan::text::TokenWeights;
    ///
    /// let (words, folding) = (ShingleSettings::new(ShingleKind::Word), Normalization::default());
    /// assert!(TokenWeights::parse("the\t0.1\nfox\t7\n", &words, &folding, 1.0).is_ok());
    /// let error = TokenWeights::parse("brown fox\t7\n", &words, &folding, 1.0).unwrap_err();
    /// assert_eq!(error.to_string(), "line 1: \"brown fox\" is 2 tokens; write one a line, as the documents have it");
    /// ```
    ///
    /// # Errors
    /// When a line has another form, a token is not exactly one token, a weight is not from 0 to 65535, or a token has
    /// two weights. Also when the weight of a shingle could exceed 65536, or when the kind of shingle does not consist
    /// of consecutive tokens of the text.
    pub fn parse(table: &str, shingles: &ShingleSettings, normalization: &Normalization, default: f64) -> Result<Self> {
        if matches!(shingles.kind(), ShingleKind::Code | ShingleKind::StopWord) {
            return Err(Error::Weights(WeightsError::Kind));
        }
        let default =
            from_number(default).ok_or(Error::Weights(WeightsError::Default { given: default, most: MOST }))?;
        let mut cutter = TokenCutter::new(shingles, normalization);
        let mut weights = SpreadMap::default();
        for (number, line) in (1..).zip(table.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let fault = |fault| Error::Weights(WeightsError::Line { number, fault });
            let (token, weight) = parse_line(line).ok_or_else(|| {
                fault(match line.rsplit_once('\t').filter(|_| !line.starts_with('{')) {
                    Some((_, weight)) => {
                        format!("the weight \"{}\" is no number; write one such as 2.5", shown(weight.trim()))
                    }
                    None => {
                        let line = shown(line);
                        format!(
                            "\"{line}\" has no token and weight; write a token, a tab and a number, or a JSON object"
                        )
                    }
                })
            })?;
            let given = weight;
            let weight =
                from_number(weight).ok_or_else(|| fault(format!("weight {given}: give a number from 0 to {MOST}")))?;
            let [hash] = cutter.hashes(&token) else {
                let tokens = crate::base::shown::counted(cutter.hashes(&token).len() as u64, "token");
                return Err(fault(format!("{token:?} is {tokens}; write one a line, as the documents have it")));
            };
            let hash = *hash;
            if weights.insert(hash, weight).is_some_and(|other| other != weight) {
                let is_it = |line: &str| parse_line(line).is_some_and(|(token, _)| *cutter.hashes(&token) == [hash]);
                let first = table.lines().position(is_it).map_or(1, |at| at + 1);
                return Err(fault(format!(
                    "{token:?} has another weight than line {first}, as texts are folded; keep one of both lines"
                )));
            }
        }
        let (greatest, size) = (weights.values().copied().fold(default, u32::max), shingles.size());
        if u64::from(greatest) * size as u64 > u64::from(u32::MAX) {
            let (greatest, most) = (to_number(greatest.into()), (MOST / size as f64).floor());
            return Err(Error::Weights(WeightsError::Sum { greatest, size, most }));
        }
        Ok(Self { weights: weights.into(), default })
    }

    /// The record of the table for a summary.
    pub(crate) fn record(&self) -> WeightTableRecord {
        let mut weights: Vec<(u64, u32)> = self.weights.iter().map(|(&token, &weight)| (token, weight)).collect();
        weights.sort_unstable();
        let mut bytes = self.default.to_le_bytes().to_vec();
        for (token, weight) in weights {
            bytes.extend(token.to_le_bytes());
            bytes.extend(weight.to_le_bytes());
        }
        WeightTableRecord {
            tokens: self.weights.len(),
            default_weight: to_number(self.default.into()),
            hash: format!("{:032x}", xxh3_128(&bytes)),
        }
    }

    /// The weight of a token, in units of 2⁻¹⁶.
    #[inline]
    pub(super) fn of(&self, hash: u64) -> u32 {
        self.weights.get(&hash).copied().unwrap_or(self.default)
    }
}

/// Parses the token and the weight of a line.
fn parse_line(line: &str) -> Option<(String, f64)> {
    if line.starts_with('{')
        && let Ok(TokenRecord { token, weight }) = serde_json::from_str(line)
    {
        return Some((token, weight));
    }
    let (token, weight) = line.rsplit_once('\t')?;
    Some((token.to_owned(), weight.trim().parse().ok()?))
}

/// Cuts the tokens of a table in the same way as documents.
struct TokenCutter {
    normalizer: Normalizer,
    shingler: Shingler,
    hashes: Vec<u64>,
    of_characters: bool,
}

impl TokenCutter {
    fn new(shingles: &ShingleSettings, normalization: &Normalization) -> Self {
        let (normalizer, shingler) = (shingles.normalizer(normalization), Shingler::new(shingles.kind(), 1));
        Self { normalizer, shingler, hashes: Vec::new(), of_characters: shingles.kind() == ShingleKind::Char }
    }

    fn hashes(&mut self, token: &str) -> &[u64] {
        let text = self.normalizer.normalize(token);
        // White space between characters is a token, but normalisation removes it from a text that contains nothing
        // else.
        let is_space =
            self.of_characters && text.is_empty() && !token.is_empty() && token.chars().all(char::is_whitespace);
        let text = if is_space { " ".into() } else { text };
        self.hashes.clear();
        self.shingler.shingles(&text).for_each_block(&mut |block| self.hashes.extend_from_slice(block));
        &self.hashes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(table: &str) -> Result<TokenWeights, String> {
        let folding = Normalization { lowercase: true, ..Normalization::default() };
        let words = ShingleSettings::new(ShingleKind::Word);
        TokenWeights::parse(table, &words, &folding, 0.5).map_err(|error| error.to_string())
    }

    #[test]
    fn tokens_are_folded_as_texts_are_and_others_weigh_the_default() {
        let weights = parse("The\t0.25\n\n{\"token\": \"FOX\", \"weight\": 3}\nfox\t3\n").unwrap();
        let weight = |word: &str| weights.of(xxhash_rust::xxh3::xxh3_64(word.as_bytes()));
        assert_eq!(["the", "fox", "dog", "The"].map(weight), [1 << 14, 3 << 16, 1 << 15, 1 << 15]);
    }

    #[test]
    fn each_fault_of_a_table_is_named_with_its_line() {
        let faults = [
            (
                "fox\t1\nfox\t2\n",
                "line 2: \"fox\" has another weight than line 1, as texts are folded; keep one of both lines",
            ),
            (
                "fox 1\n",
                "line 1: \"fox 1\" has no token and weight; write a token, a tab and a number, or a JSON object",
            ),
            ("fox\t1,5\n", "line 1: the weight \"1,5\" is no number; write one such as 2.5"),
            ("fox\t\n", "line 1: the weight \"\" is no number; write one such as 2.5"),
            ("fox\t-1\n", "line 1: weight -1: give a number from 0 to 65535"),
            ("fox\t1e9\n", "line 1: weight 1000000000: give a number from 0 to 65535"),
            ("don't panic\t1\n", "line 1: \"don't panic\" is 2 tokens; write one a line, as the documents have it"),
        ];
        for (table, fault) in faults {
            assert_eq!(parse(table).unwrap_err(), fault);
        }
        let words = ShingleSettings::new(ShingleKind::Word);
        let pairs = words.clone().with_size(2).unwrap();
        let error = TokenWeights::parse("a\t40000\n", &pairs, &Normalization::default(), 1.0).unwrap_err();
        assert!(error.to_string().starts_with("a weight of 40000 for each of 2 tokens"), "{error}");
        assert!(TokenWeights::parse("a\t32767\n", &pairs, &Normalization::default(), 1.0).is_ok());
        let characters = ShingleSettings::new(ShingleKind::Char).with_size(3).unwrap();
        let weights = TokenWeights::parse(" \t5\n{\t3\n", &characters, &Normalization::default(), 1.0).unwrap();
        assert_eq!(weights.weights.len(), 2);
        assert!(TokenWeights::parse("", &words, &Normalization::default(), -1.0).is_err());
        assert!(
            TokenWeights::parse("", &ShingleSettings::new(ShingleKind::Code), &Normalization::default(), 1.0).is_err()
        );
    }
}

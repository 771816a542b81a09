//! The flags of matching by similarity or passages, and the presets of all settings.

use clap::{Args, ValueEnum};
use dedup_scan::compare::passages::PassageSettings;
use dedup_scan::documents::NotebookCells;
use dedup_scan::results::PairFilter;
use dedup_scan::{Error, MatchSettings, ShingleKind, Threshold};

use super::values::{coverage, whole};
use crate::cli::messages::{Failure, Result};

/// How two documents become a pair.
#[derive(Debug, Args)]
pub(crate) struct MatchFlags {
    /// The criterion for a pair. `passages` without a preset is the same as `--preset prose` [default: jaccard]
    #[arg(long = "match", value_enum, value_name = "BY", help_heading = "Matching")]
    by: Option<MatchBy>,

    /// Settings for a kind of document; other flags override single settings. `--preset NAME --help` shows them
    #[arg(long, value_enum, value_name = "NAME", help_heading = "Matching")]
    preset: Option<Preset>,

    /// With --match passages: the minimum share of the shorter document's tokens that passages cover, from 0 to 1
    /// [default: 0.1; 0.3 with --preset code, 0 with --preset clones]
    #[arg(long, value_name = "SHARE", value_parser = coverage, allow_negative_numbers = true, help_heading = "Matching")]
    coverage: Option<f64>,

    /// With --match passages: the minimum number of tokens that passages cover. Documents with the same tokens are
    /// always printed, but with --copied-blocks only from --anchor tokens on [default: 20 words or tokens of code, 100
    /// characters, 3 lines, 2 sentences; 0 with --preset clones]
    #[arg(long, value_name = "TOKENS", value_parser = whole::<u64>(0..=u64::MAX), allow_negative_numbers = true,
        help_heading = "Matching")]
    min_matched: Option<u64>,

    /// With --match passages: ignore hashes that occur in more than N documents. Passages with only such hashes are not
    /// found; the summary counts them [default: no limit]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(2..=u64::MAX), allow_negative_numbers = true,
        help_heading = "Matching")]
    max_key_df: Option<u64>,

    /// Find copied blocks by --match passages, also within one document, which is then a pair with itself. The summary
    /// has the share of duplicated lines, and --fail-over P% is a limit of this share
    #[arg(long, help_heading = "Matching")]
    copied_blocks: bool,
}

/// The property that makes two documents a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MatchBy {
    /// The share of their shingles that both have
    Jaccard,
    /// Passages that both contain, however long the rest is
    Passages,
}

/// The settings for a kind of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Preset {
    /// Passages copied between texts in natural language: by passages of words
    Prose,
    /// Versions of one text: by words, with a low threshold
    Revisions,
    /// Copied programs: by tokens, ignoring names
    Code,
    /// Copied blocks of programs, across files and within one: by tokens as written
    Clones,
    /// Sentences and titles: by single words, rare words have more weight; every pair is found
    Sentences,
}

/// The cells of notebooks that are read: programs among programs, and text in a search for copied prose.
pub(crate) fn notebook_cells(preset: Option<Preset>, kind: ShingleKind) -> NotebookCells {
    match (preset, kind) {
        (_, ShingleKind::Code) => NotebookCells::Code,
        (Some(Preset::Prose), _) => NotebookCells::Text,
        _ => NotebookCells::All,
    }
}

impl Preset {
    /// Minimum Jaccard similarity of versions of one text.
    const REVISIONS_THRESHOLD: f64 = 0.15;
    /// Minimum Jaccard similarity of copied programs.
    const CODE_THRESHOLD: f64 = 0.5;
    /// Minimum weighted similarity of sentences.
    const SENTENCES_THRESHOLD: f64 = 0.6;
    /// Minimum coverage of copied programs. With masked identifiers, independent programs usually have a coverage of
    /// 0.1, and rarely 0.3.
    const CODE_COVERAGE: f64 = 0.3;
    /// Number of tokens in a shingle of programs with identifiers kept.
    const CODE_KEPT: usize = 8;
    /// Minimum number of tokens in a copied block of a program.
    const CLONE_TOKENS: usize = 40;

    /// The criterion for pairs.
    fn match_by(self) -> MatchBy {
        match self {
            Self::Prose | Self::Clones => MatchBy::Passages,
            Self::Revisions | Self::Code | Self::Sentences => MatchBy::Jaccard,
        }
    }

    /// Whether documents match by their passages.
    pub(crate) fn matches_by_passages(self) -> bool {
        self.match_by() == MatchBy::Passages
    }

    /// The name of the preset on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether the preset applies form NFKC, lower-cases letters, and strips accents and punctuation.
    pub(crate) fn folds(self) -> bool {
        matches!(self, Self::Prose | Self::Sentences)
    }

    /// Number of tokens in a shingle; `None` for the default of the shingle kind.
    pub(crate) fn shingle_size(self) -> Option<usize> {
        (self == Self::Sentences).then_some(1)
    }

    /// Whether rare shingles have a higher weight.
    pub(crate) fn has_weights(self) -> bool {
        self == Self::Sentences
    }

    /// Whether every pair is found.
    pub(crate) fn is_exhaustive(self) -> bool {
        self == Self::Sentences
    }

    /// The minimum Jaccard similarity; `None` for the general default.
    pub(crate) fn threshold(self) -> Option<Threshold> {
        let threshold = match self {
            Self::Prose | Self::Clones => return None,
            Self::Revisions => Self::REVISIONS_THRESHOLD,
            Self::Code => Self::CODE_THRESHOLD,
            Self::Sentences => Self::SENTENCES_THRESHOLD,
        };
        Some(Threshold::new(threshold).expect("a similarity"))
    }

    /// The minimum coverage of documents that match by their passages.
    fn coverage(self) -> Threshold {
        match self {
            Self::Prose | Self::Revisions | Self::Sentences => MatchSettings::default_coverage(),
            Self::Code => Threshold::new(Self::CODE_COVERAGE).expect("a share"),
            Self::Clones => Threshold::new(0.0).expect("a share"),
        }
    }

    /// Whether documents are programs.
    pub(crate) fn is_of_programs(self) -> bool {
        matches!(self, Self::Code | Self::Clones)
    }

    /// Whether the names, numbers and strings of programs are compared as written.
    pub(crate) fn keeps_names(self) -> bool {
        self == Self::Clones
    }

    /// Minimum number of tokens in a copied block, if blocks are searched.
    pub(crate) fn min_block(self) -> Option<usize> {
        (self == Self::Clones).then_some(Self::CLONE_TOKENS)
    }

    /// Number of tokens in a shingle of programs with identifiers kept; `None` without this comparison.
    pub(crate) fn jaccard_kept(self) -> Option<usize> {
        (self == Self::Code).then_some(Self::CODE_KEPT)
    }

    /// The value that the preset gives a flag independently of other flags; `None` if there is no such value.
    ///
    /// * `key`: the flag without its dashes.
    pub(crate) fn value_of(self, key: &str) -> Option<String> {
        let text = self.text();
        // A line with a comma depends on another flag.
        let lines = text.lines().filter(|line| line.starts_with("    --") && !line.contains(','));
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        let at = words.iter().position(|word| word.strip_prefix("--") == Some(key))?;
        let value = words.get(at + 1).filter(|value| !value.starts_with("--"));
        Some(value.map_or("true", |value| value).to_owned())
    }

    /// The flags of a search for copied blocks of programs.
    fn flags_of_blocks(self) -> Vec<String> {
        vec![
            "--match passages --copied-blocks".to_owned(),
            format!("--shingle code --k {} --keep-names", ShingleKind::Code.default_size()),
            format!("--min-run {0} --anchor {0} --max-gap 0", Self::CLONE_TOKENS),
            format!("--coverage {} --min-matched 0", self.coverage().value()),
        ]
    }

    /// The settings of the preset, as the help shows them.
    pub(crate) fn text(self) -> String {
        let passages = |kind| PassageSettings::of(kind).expect("its tokens have an order");
        let lengths = |kind| {
            let passages = passages(kind);
            format!("--min-run {} --anchor {} --max-gap {}", passages.min_run(), passages.anchor(), passages.max_gap())
        };
        let by_coverage = |kind| {
            let min_matched = MatchSettings::default_min_matched(kind);
            format!("--coverage {} --min-matched {min_matched}", self.coverage().value())
        };
        let (title, flags) = match self {
            Self::Prose => (
                "prose: passages copied between texts in natural language. Every common run of 8 words is found, however long the rest is.",
                vec![
                    "--match passages".to_owned(),
                    "--shingle word --k 5".to_owned(),
                    "--nfkc --lowercase --strip-accents --strip-punctuation".to_owned(),
                    lengths(ShingleKind::Word),
                    by_coverage(ShingleKind::Word),
                ],
            ),
            Self::Revisions => (
                "revisions: versions of one text, compared by words, with a low threshold.",
                vec![
                    "--match jaccard".to_owned(),
                    "--shingle word --k 5".to_owned(),
                    format!("--threshold {}", Self::REVISIONS_THRESHOLD),
                ],
            ),
            Self::Code => (
                "code: copied programs, ignoring names. jaccard_kept, with names kept, distinguishes copies from coincidence.",
                vec![
                    "--match jaccard".to_owned(),
                    format!("--shingle code --k {}", ShingleKind::Code.default_size()),
                    format!("--threshold {}", Self::CODE_THRESHOLD),
                    format!("--jaccard-kept {}", Self::CODE_KEPT),
                    format!("{}, with --show-passages or --match passages", lengths(ShingleKind::Code)),
                    format!("{}, with --match passages, instead of --threshold", by_coverage(ShingleKind::Code)),
                ],
            ),
            Self::Clones => (
                "clones: copied blocks of at least 40 tokens in programs, across files and within one, with names as written.",
                self.flags_of_blocks(),
            ),
            Self::Sentences => (
                "sentences: sentences, titles and other texts under 60 words. Every pair is found; with --recall or --bands most are, by signatures.",
                vec![
                    "--match jaccard".to_owned(),
                    "--shingle word --k 1 --weights idf".to_owned(),
                    "--nfkc --lowercase --strip-accents --strip-punctuation".to_owned(),
                    format!("--threshold {}", Self::SENTENCES_THRESHOLD),
                    "--all-pairs".to_owned(),
                ],
            ),
        };
        let flags: Vec<String> = flags.into_iter().map(|flags| format!("    {flags}\n")).collect();
        format!(
            "--preset {title}\n\nIt is the same as these flags; a flag that is given as well overrides the preset:\n\n{}",
            flags.concat()
        )
    }
}

impl MatchFlags {
    /// The given preset; without one, matching by passages implies `prose`.
    pub(crate) fn preset(&self) -> Option<Preset> {
        self.preset.or((self.by == Some(MatchBy::Passages)).then_some(Preset::Prose))
    }

    /// The filter for the pairs of a saved result.
    pub(crate) fn filter(&self) -> dedup_scan::Result<PairFilter> {
        let coverage = self.coverage.map(Threshold::new).transpose()?;
        Ok(PairFilter { coverage, min_matched: self.min_matched, ..PairFilter::default() })
    }

    /// Whether pairs match by their passages.
    pub(crate) fn is_by_passages(&self) -> bool {
        let by = self.by.or(self.preset.map(Preset::match_by));
        by == Some(MatchBy::Passages)
    }

    /// Whether pairs are copied blocks.
    pub(crate) fn finds_blocks(&self) -> bool {
        self.is_by_passages() && (self.copied_blocks || self.is_of_clones())
    }

    fn is_of_clones(&self) -> bool {
        self.preset.and_then(Preset::min_block).is_some()
    }

    /// Removes the limits on passages.
    pub(crate) fn forget_limits(&mut self) {
        (self.coverage, self.min_matched) = (None, None);
    }

    /// The settings of matching by passages; `None` for matching by similarity.
    ///
    /// * `kind`: the kind of tokens.
    /// * `passages`: computes the minimum lengths of passages.
    ///
    /// # Errors
    /// When a flag has no effect.
    pub(crate) fn settings(
        &self,
        kind: ShingleKind,
        passages: impl FnOnce() -> dedup_scan::Result<PassageSettings>,
    ) -> Result<Option<MatchSettings>> {
        if !self.is_by_passages() {
            let given = [
                ("--coverage", self.coverage.is_some()),
                ("--min-matched", self.min_matched.is_some()),
                ("--max-key-df", self.max_key_df.is_some()),
                ("--copied-blocks", self.copied_blocks),
            ];
            return match given.into_iter().find(|&(_, is_given)| is_given) {
                Some((flag, _)) => Err(Failure::without_matching(flag)),
                None => Ok(None),
            };
        }
        let default = passages().and_then(|passages| Ok(MatchSettings { passages, ..MatchSettings::of(kind)? }));
        let default = default.map_err(|error| match error {
            Error::PassagesOfSets => {
                Failure::new("--match passages: the elements of a set have no order; choose another --shingle")
            }
            error => error.into(),
        })?;
        let coverage = self.preset().map(Preset::coverage);
        Ok(Some(MatchSettings {
            coverage: self.coverage.map(Threshold::new).transpose()?.or(coverage).unwrap_or(default.coverage),
            min_matched: self.min_matched.unwrap_or(if self.is_of_clones() { 0 } else { default.min_matched }),
            blocks: self.finds_blocks(),
            max_key_df: self.max_key_df,
            ..default
        }))
    }
}

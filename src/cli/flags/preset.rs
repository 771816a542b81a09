//! `Preset`: the settings that a kind of document needs, in one name, such as the criterion `MatchBy` for a pair.
//!
//! Each method has the value that a preset gives one setting, or `None` if the general default remains. The flags of a
//! stage ask it for the values that the command line does not give, and [`Preset::text`] shows all values as flags.
//!
//! A new preset is a variant, and a row in each method where it differs from the default. `flags/matching.rs` has the flag.

use std::fmt;

use clap::ValueEnum;
use dedup_scan::compare::passages::PassageSettings;
use dedup_scan::documents::{HtmlMode, InputFormat, NotebookCells};
use dedup_scan::index::SampleRate;
use dedup_scan::{MatchSettings, ShingleKind, Threshold};

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
    /// Web pages: the main text of each page, by words
    Web,
    /// Mail messages without quoted replies: by words, with a lower threshold for edited messages
    Mail,
    /// Lines of logs: by single words, digits are equal
    Logs,
    /// Records of names, addresses and the like with typos: by 3 characters, rare ones have more weight
    Records,
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
    /// Minimum coverage of copied programs. With masked identifiers, independent programs usually have a coverage of
    /// 0.1, and rarely 0.3.
    const CODE_COVERAGE: f64 = 0.3;
    /// Number of tokens in a shingle of programs with identifiers kept.
    const CODE_KEPT: usize = 8;
    /// An index samples one in this many shingles to find passages: a passage of 20 words has a chance of 88 %.
    const PASSAGE_RATE: u32 = 8;
    /// Minimum number of tokens in a copied block of a program.
    const CLONE_TOKENS: usize = 40;

    /// The criterion for pairs.
    pub(super) fn match_by(self) -> MatchBy {
        match self {
            Self::Prose | Self::Clones => MatchBy::Passages,
            _ => MatchBy::Jaccard,
        }
    }

    /// Whether documents match by their passages.
    pub(crate) fn matches_by_passages(self) -> bool {
        self.match_by() == MatchBy::Passages
    }

    /// The rate of the shingles by which an index finds passages; `None` if the preset does not match by passages.
    pub(crate) fn sample_rate(self) -> Option<SampleRate> {
        SampleRate::one_in(Self::PASSAGE_RATE).filter(|_| self.matches_by_passages())
    }

    /// The name of the preset on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// The format of files; `None` for the format by their extensions.
    pub(crate) fn input_format(self) -> Option<InputFormat> {
        (self == Self::Logs).then_some(InputFormat::Lines)
    }

    /// The part of HTML pages that is compared; `None` for the whole text.
    pub(crate) fn html(self) -> Option<HtmlMode> {
        (self == Self::Web).then_some(HtmlMode::Main)
    }

    /// Whether the preset applies form NFKC, lower-cases letters, and strips accents and punctuation.
    pub(crate) fn folds(self) -> bool {
        matches!(self, Self::Prose | Self::Sentences | Self::Web | Self::Mail | Self::Records)
    }

    /// Whether the preset strips punctuation.
    pub(crate) fn strips_punctuation(self) -> bool {
        self.folds() || self == Self::Logs
    }

    /// Whether all digits are equal.
    pub(crate) fn folds_digits(self) -> bool {
        self == Self::Logs
    }

    /// The kind of shingles.
    pub(crate) fn shingle_kind(self) -> ShingleKind {
        match self {
            Self::Code | Self::Clones => ShingleKind::Code,
            Self::Records => ShingleKind::Char,
            _ => ShingleKind::Word,
        }
    }

    /// Number of tokens in a shingle; `None` for the default of the shingle kind.
    pub(crate) fn shingle_size(self) -> Option<usize> {
        match self {
            Self::Sentences | Self::Logs => Some(1),
            Self::Records => Some(3),
            _ => None,
        }
    }

    /// Whether rare shingles have a higher weight.
    pub(crate) fn has_weights(self) -> bool {
        matches!(self, Self::Sentences | Self::Records)
    }

    /// Whether every pair is found.
    pub(crate) fn is_exhaustive(self) -> bool {
        self == Self::Sentences
    }

    /// The minimum Jaccard similarity; `None` for the general default.
    pub(crate) fn threshold(self) -> Option<Threshold> {
        let threshold = match self {
            Self::Prose | Self::Clones => return None,
            Self::Revisions => 0.15,
            Self::Code | Self::Records => 0.5,
            Self::Sentences | Self::Mail => 0.6,
            Self::Logs => 0.65,
            Self::Web => 0.7,
        };
        Some(Threshold::new(threshold).expect("a similarity"))
    }

    /// The minimum coverage of documents that match by their passages.
    pub(super) fn coverage(self) -> Threshold {
        match self {
            Self::Code => Threshold::new(Self::CODE_COVERAGE).expect("a share"),
            Self::Clones => Threshold::new(0.0).expect("a share"),
            _ => MatchSettings::default_coverage(),
        }
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

    /// The preset on a command line.
    ///
    /// * `words`: the arguments without the name of the program.
    pub(crate) fn given(words: &[String]) -> Option<Self> {
        let behind = words.windows(2).find(|pair| pair[0] == "--preset").map(|pair| pair[1].as_str());
        let name = behind.or_else(|| words.iter().find_map(|word| word.strip_prefix("--preset=")))?;
        Self::from_str(name, false).ok()
    }

    /// The note on the preset of a command line, if it sets the first of these flags and the command line does not.
    ///
    /// * `flags`: the flags that a failure is about; the preset itself needs no note.
    /// * `words`: the arguments without the name of the program.
    pub(crate) fn note_on(flags: &[String], words: &[String]) -> Option<String> {
        let key = flags.first()?.strip_prefix("--")?;
        let is_given = |word: &str| word.split('=').next() == Some(key);
        if flags.iter().any(|flag| flag == "--preset")
            || words.iter().filter_map(|word| word.strip_prefix("--")).any(is_given)
        {
            return None;
        }
        let preset = Self::given(words)?;
        let flag = preset.flag_of(key)?;
        Some(format!("--preset {} sets {flag}", preset.name()))
    }

    /// The value that the preset gives a flag independently of other flags; `None` if there is no such value.
    ///
    /// * `key`: the flag without its dashes.
    pub(crate) fn value_of(self, key: &str) -> Option<String> {
        Some(self.flag_of(key)?.value.unwrap_or_else(|| "true".to_owned()))
    }

    /// The flag that the preset sets independently of other flags; `None` if it does not set the flag.
    fn flag_of(self, key: &str) -> Option<PresetFlag> {
        let mut flags = self.lines().into_iter().filter(|line| line.condition.is_empty()).flat_map(|line| line.flags);
        flags.find(|flag| flag.name == key)
    }

    /// The settings of the preset, as the help shows them.
    pub(crate) fn text(self) -> String {
        let flags: Vec<String> = self.lines().into_iter().map(|line| format!("    {line}\n")).collect();
        format!(
            "--preset {}: {}\n\nIt is the same as these flags; a flag that is given as well overrides the preset:\n\n{}",
            self.name(),
            self.description(),
            flags.concat()
        )
    }

    fn description(self) -> &'static str {
        match self {
            Self::Prose => {
                "passages copied between texts in natural language. Every common run of 8 words is found, however long the rest is."
            }
            Self::Revisions => "versions of one text, compared by words, with a low threshold.",
            Self::Code => {
                "copied programs, ignoring names. jaccard_kept, with names kept, distinguishes copies from coincidence."
            }
            Self::Clones => {
                "copied blocks of at least 40 tokens in programs, across files and within one, with names as written."
            }
            Self::Sentences => {
                "sentences, titles and other texts under 60 words. Every pair is found; with --recall or --bands most are, by signatures."
            }
            Self::Web => "web pages, by their main text without menus, sidebars, headers and footers.",
            Self::Mail => "mail messages that were sent again, also edited, without quoted replies and signatures.",
            Self::Logs => "lines of logs that differ in numbers, times and a few words.",
            Self::Records => {
                "records of names, addresses and the like, with typos and other spellings. Rare shingles have more weight."
            }
        }
    }

    /// The flags that the preset is the same as, by line.
    fn lines(self) -> Vec<PresetLine> {
        let kind = self.shingle_kind();
        let name = match kind {
            ShingleKind::Code => "code",
            ShingleKind::Char => "char",
            _ => "word",
        };
        let mut lines: Vec<Vec<PresetFlag>> = match self {
            Self::Logs => vec![vec![with("input-format", "lines")]],
            Self::Web => vec![vec![with("html", "main")]],
            _ => Vec::new(),
        };
        let match_by = if self.matches_by_passages() { "passages" } else { "jaccard" };
        let mut method = vec![with("match", match_by)];
        method.extend((self == Self::Clones).then_some(switch("copied-blocks")));
        lines.push(method);
        let size = self.shingle_size().unwrap_or_else(|| kind.default_size());
        let mut shingles = vec![with("shingle", name), with("k", size)];
        shingles.extend(self.has_weights().then(|| with("weights", "idf")));
        shingles.extend(self.keeps_names().then_some(switch("keep-names")));
        lines.push(shingles);
        if self.folds() {
            lines.push(["nfkc", "lowercase", "strip-accents", "strip-punctuation"].map(switch).into());
        }
        if self.folds_digits() {
            lines.push(["fold-digits", "strip-punctuation"].map(switch).into());
        }
        lines.extend(self.threshold().map(|threshold| vec![with("threshold", threshold.value())]));
        if self.is_exhaustive() {
            lines.push(vec![switch("all-pairs")]);
        }
        lines.extend(self.jaccard_kept().map(|size| vec![with("jaccard-kept", size)]));
        let mut lines: Vec<_> = lines.into_iter().map(|flags| PresetLine { flags, condition: "" }).collect();
        if self == Self::Mail {
            let flags = vec![with("mail-quotes", "strip")];
            lines.insert(0, PresetLine { flags, condition: ", but keep for unique and plan" });
        }
        lines.extend(self.passage_lines());
        lines
    }

    /// The flags about passages that the preset is the same as, by line.
    fn passage_lines(self) -> Vec<PresetLine> {
        let kind = self.shingle_kind();
        let lengths = |[min_run, anchor, max_gap]: [usize; 3]| {
            vec![with("min-run", min_run), with("anchor", anchor), with("max-gap", max_gap)]
        };
        let default_lengths = || {
            let passages = PassageSettings::of(kind).expect("its tokens have an order");
            lengths([passages.min_run(), passages.anchor(), passages.max_gap()])
        };
        let by_coverage =
            |min_matched: u64| vec![with("coverage", self.coverage().value()), with("min-matched", min_matched)];
        let default_matched = || by_coverage(MatchSettings::default_min_matched(kind));
        let always = |flags| PresetLine { flags, condition: "" };
        match self {
            Self::Prose => vec![always(default_lengths()), always(default_matched())],
            Self::Clones => {
                vec![always(lengths([Self::CLONE_TOKENS, Self::CLONE_TOKENS, 0])), always(by_coverage(0))]
            }
            Self::Code => vec![
                PresetLine { flags: default_lengths(), condition: ", with --show-passages or --match passages" },
                PresetLine { flags: default_matched(), condition: ", with --match passages, instead of --threshold" },
            ],
            _ => Vec::new(),
        }
    }
}

/// A flag that a preset sets.
struct PresetFlag {
    /// The flag without its dashes.
    name: &'static str,
    /// The value of the flag; `None` for a switch.
    value: Option<String>,
}

/// A line of flags that a preset is the same as.
struct PresetLine {
    flags: Vec<PresetFlag>,
    /// The condition on which the flags are set, after a comma; empty for flags that are set independently of others.
    condition: &'static str,
}

fn switch(name: &'static str) -> PresetFlag {
    PresetFlag { name, value: None }
}

fn with(name: &'static str, value: impl ToString) -> PresetFlag {
    PresetFlag { name, value: Some(value.to_string()) }
}

impl fmt::Display for PresetFlag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            None => write!(f, "--{}", self.name),
            Some(value) => write!(f, "--{} {value}", self.name),
        }
    }
}

impl fmt::Display for PresetLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, flag) in self.flags.iter().enumerate() {
            write!(f, "{}{flag}", if number > 0 { " " } else { "" })?;
        }
        f.write_str(self.condition)
    }
}

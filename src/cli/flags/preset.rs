//! `Preset`: the settings that a kind of document needs, in one name, such as the criterion `MatchBy` for a pair.
//!
//! Each method has the value that a preset gives one setting, or `None` if the general default remains. The flags of a
//! stage ask it for the values that the command line does not give, and [`Preset::text`] shows all values as flags.

use clap::ValueEnum;
use dedup_scan::compare::passages::PassageSettings;
use dedup_scan::documents::{HtmlMode, InputFormat, NotebookCells};
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

    /// Adds the preset to a message about a flag that is not on the command line, if the preset on it sets the flag.
    ///
    /// * `message`: the flag comes first, or after the value of an index from which it differs.
    /// * `words`: the arguments without the name of the program.
    pub(crate) fn name_in(message: String, words: &[String]) -> String {
        let of_flag = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let start = message.strip_prefix("--").or_else(|| message.split_once(", not --").map(|(_, flag)| flag));
        let key = start.and_then(|flag| flag.split(|c| !of_flag(c)).next()).unwrap_or_default();
        let is_given =
            || words.iter().filter_map(|word| word.strip_prefix("--")).any(|word| word.split('=').next() == Some(key));
        let set = || {
            let preset = Self::given(words).filter(|_| !message.contains("--preset"))?;
            Some((preset.name(), preset.value_of(key)?)).filter(|_| !is_given())
        };
        match set() {
            Some((preset, value)) if value == "true" => format!("{message} (--preset {preset} sets --{key})"),
            Some((preset, value)) => format!("{message} (--preset {preset} sets --{key} {value})"),
            None => message,
        }
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

    /// The settings of the preset, as the help shows them.
    pub(crate) fn text(self) -> String {
        let flags: Vec<String> = self.flags().into_iter().map(|flags| format!("    {flags}\n")).collect();
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

    /// The flags that the preset is the same as.
    fn flags(self) -> Vec<String> {
        const FOLDING: &str = "--nfkc --lowercase --strip-accents --strip-punctuation";
        let lengths = |kind| {
            let passages = PassageSettings::of(kind).expect("its tokens have an order");
            format!("--min-run {} --anchor {} --max-gap {}", passages.min_run(), passages.anchor(), passages.max_gap())
        };
        let by_coverage = |kind| {
            let min_matched = MatchSettings::default_min_matched(kind);
            format!("--coverage {} --min-matched {min_matched}", self.coverage().value())
        };
        let kind = self.shingle_kind();
        let name = match kind {
            ShingleKind::Code => "code",
            ShingleKind::Char => "char",
            _ => "word",
        };
        let size = self.shingle_size().unwrap_or_else(|| kind.default_size());
        let mut flags: Vec<String> = match self {
            Self::Logs => vec!["--input-format lines".to_owned()],
            Self::Web => vec!["--html main".to_owned()],
            Self::Mail => vec!["--mail-quotes strip, but keep for unique and plan".to_owned()],
            _ => Vec::new(),
        };
        flags.push(match self {
            Self::Clones => "--match passages --copied-blocks".to_owned(),
            _ if self.matches_by_passages() => "--match passages".to_owned(),
            _ => "--match jaccard".to_owned(),
        });
        let weights = if self.has_weights() { " --weights idf" } else { "" };
        let names = if self.keeps_names() { " --keep-names" } else { "" };
        flags.push(format!("--shingle {name} --k {size}{weights}{names}"));
        flags.extend(self.folds().then(|| FOLDING.to_owned()));
        flags.extend(self.folds_digits().then(|| "--fold-digits --strip-punctuation".to_owned()));
        flags.extend(self.threshold().map(|threshold| format!("--threshold {}", threshold.value())));
        flags.extend(self.is_exhaustive().then(|| "--all-pairs".to_owned()));
        match self {
            Self::Prose => flags.extend([lengths(kind), by_coverage(kind)]),
            Self::Clones => flags.extend([
                format!("--min-run {0} --anchor {0} --max-gap 0", Self::CLONE_TOKENS),
                format!("--coverage {} --min-matched 0", self.coverage().value()),
            ]),
            Self::Code => flags.extend([
                format!("--jaccard-kept {}", Self::CODE_KEPT),
                format!("{}, with --show-passages or --match passages", lengths(kind)),
                format!("{}, with --match passages, instead of --threshold", by_coverage(kind)),
            ]),
            _ => {}
        }
        flags
    }
}

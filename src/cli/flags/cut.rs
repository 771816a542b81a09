//! The flags of `--cut`: which repeated parts are cut out of the texts of a corpus.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Arg, Args, ValueEnum};
use dedup_scan::documents::GroupSettings;
use dedup_scan::search::{KeptOccurrence, RepeatScope, RepeatSettings, RepeatUnit};
use dedup_scan::unique::CutSettings;

use super::values::{Choices, choice, whole};
use crate::cli::messages::{Failure, Result};

/// The repeated parts that are cut out of texts.
#[derive(Debug, Args)]
pub(crate) struct CutFlags {
    /// Cut repeated parts out of the texts, instead of removing similar documents. UNIT is `passages:N`, runs of N tokens
    /// of --shingle (default: 50 words); `line`; `paragraph`, the text between blank lines; or `sentence:N`, N consecutive
    /// sentences (default: 3). A token is cut when it lies in a run that occurred before, in
    /// an earlier document or earlier in the same one; a line, paragraph or run of sentences only when at least two documents
    /// contain it (--min-df). Runs are compared after the folding that other flags request. White space around a cut becomes
    /// one line break or one space
    #[arg(long, value_name = "UNIT", help_heading = "Cut")]
    pub(crate) cut: Option<CutUnit>,

    /// Compare a document with the whole corpus, with its group, or only with itself
    #[arg(long, value_parser = choice(SCOPES), default_value = "corpus", requires = "cut", help_heading = "Cut")]
    scope: RepeatScope,

    /// Cut a line, paragraph or run of sentences only when N documents contain it [default: 2]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX.into()), allow_negative_numbers = true,
        requires = "cut", help_heading = "Cut")]
    min_df: Option<u32>,

    /// Do not cut lines, paragraphs or runs of sentences with fewer characters, such as closing braces [default: 1]
    #[arg(long, value_name = "CHARS", value_parser = whole::<u64>(1..=u64::MAX), allow_negative_numbers = true,
        requires = "cut", help_heading = "Cut")]
    min_unit: Option<u64>,

    /// Remove documents with fewer than N tokens left, including documents that lose nothing; --removed lists them. For lines,
    /// paragraphs and sentences it counts words. A document that is shorter before the cuts is not compared. If the first
    /// occurrence of a run is in another removed document, the run is cut everywhere [default: 0]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX), allow_negative_numbers = true,
        requires = "cut", help_heading = "Cut")]
    drop_shorter: Option<u64>,

    /// Write a JSON line for each cut: the document, its lines and bytes, the number of tokens, and where its first run
    /// occurred first; `-` is standard output
    #[arg(long, value_name = "FILE", requires = "cut", help_heading = "Cut")]
    pub(crate) cuts: Option<PathBuf>,

    /// How web pages, office documents and other files are written, whose texts cannot be cut in place. `text` writes their
    /// texts: in NAME.txt, or for mail and web crawls as JSON lines in NAME.jsonl. By default they are refused when a cut
    /// is needed
    #[arg(long, value_enum, value_name = "FORM", requires = "cut", help_heading = "Cut")]
    to: Option<ToFlag>,
}

/// The maximum number of tokens in a run.
const MAX_RUN: usize = 1_000_000;

/// The unit of `--cut`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CutUnit(RepeatUnit);

impl FromStr for CutUnit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, number) = text.split_once(':').map_or((text, None), |(name, number)| (name, Some(number)));
        let number = |default: usize| match number {
            None => Ok(default),
            Some(number) => match number.parse() {
                Ok(number @ 1..=MAX_RUN) => Ok(number),
                _ => Err(format!("`{number}` is not a whole number from 1 to {MAX_RUN}")),
            },
        };
        match (name, text.contains(':')) {
            ("passages", _) => Ok(Self(RepeatUnit::Passage(number(RepeatUnit::DEFAULT.tokens())?))),
            ("sentence", _) => Ok(Self(RepeatUnit::Sentences(number(3)?))),
            ("line", false) => Ok(Self(RepeatUnit::Line)),
            ("paragraph", false) => Ok(Self(RepeatUnit::Paragraph)),
            _ => Err("give passages, passages:TOKENS, line, paragraph, sentence or sentence:N".to_owned()),
        }
    }
}

/// The texts with which a document is compared.
const SCOPES: Choices<RepeatScope> = &[
    ("corpus", RepeatScope::Corpus, "Anywhere in the corpus"),
    ("group", RepeatScope::Group, "In the documents of one group of --group-by"),
    ("document", RepeatScope::Document, "In one document"),
];

/// How texts that cannot be cut in place are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ToFlag {
    /// The text of each document
    Text,
}

impl CutFlags {
    /// The cuts that are requested, if any.
    ///
    /// * `keep`: the occurrence that is kept.
    /// * `groups`: the groups of documents, if any.
    pub(crate) fn settings(&self, keep: KeptOccurrence, groups: Option<&GroupSettings>) -> Result<Option<CutSettings>> {
        let Some(CutUnit(unit)) = self.cut else { return Ok(None) };
        let scope = self.scope;
        match (groups, scope) {
            (None, RepeatScope::Group) => {
                return Err(Failure::of_value("--scope", "group", "give the groups with --group-by"));
            }
            (Some(_), RepeatScope::Corpus | RepeatScope::Document) => {
                let why = "only applies to --scope group; add it, or remove the flag";
                return Err(Failure::of_flag("--group-by", why).and("--scope"));
            }
            _ => {}
        }
        if let Some(flag) = [("--min-df", self.min_df.is_some()), ("--min-unit", self.min_unit.is_some())]
            .into_iter()
            .find_map(|(flag, is_given)| is_given.then_some(flag))
            .filter(|_| unit.kind().is_none())
        {
            return Err(Failure::of_flag(
                flag,
                "only applies to lines, paragraphs and sentences, not to passages; remove the flag",
            ));
        }
        if self.min_df.is_some() && scope == RepeatScope::Document {
            return Err(Failure::of_flag(
                "--min-df",
                "counts documents, and --scope document compares each with itself; remove one",
            )
            .and("--scope"));
        }
        let default = RepeatSettings::default();
        let repeats = RepeatSettings {
            unit,
            keep,
            scope,
            min_documents: self.min_df.unwrap_or(default.min_documents),
            min_chars: self.min_unit.unwrap_or(default.min_chars),
        };
        Ok(Some(CutSettings { repeats, drop_shorter: self.drop_shorter.unwrap_or(0) }))
    }

    /// Whether texts are written where they cannot be cut in place.
    pub(crate) fn to_text(&self) -> bool {
        self.to == Some(ToFlag::Text)
    }
}

/// Makes flags that control which documents are similar exclude `--cut`, which compares parts of texts.
pub(crate) fn not_with_cut(arg: Arg) -> Arg {
    const OTHERS: [&str; 9] =
        ["k", "bag", "weights", "default_weight", "language", "stopwords", "linkage", "from", "stats"];
    let is_of_pairs = matches!(arg.get_help_heading(), Some("Method" | "Matching" | "Passages" | "Pairs"));
    let is_other = is_of_pairs && arg.get_id() != "group_by" || OTHERS.contains(&arg.get_id().as_str());
    if is_other { arg.conflicts_with("cut") } else { arg }
}

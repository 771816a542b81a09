//! `Setting`: the settings that errors name.

use std::fmt;

/// A setting that does not apply to a run, or contradicts another one.
///
/// It is shown as the field of the library's settings. A program that has a flag for the setting shows the flag
/// instead; see [`Error::setting`](super::Error::setting).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Setting {
    /// The side that documents are compared against.
    Against,
    /// Whether a query adds its documents to the index.
    Add,
    /// Whether an exhaustive join finds the pairs.
    AllPairs,
    /// Whether the recall is measured.
    Audit,
    /// Whether documents match by passages.
    ByPassages,
    /// Whether a query finds contained documents.
    Containment,
    /// Whether disguised characters are folded.
    Disguises,
    /// The commands that turn files into text.
    Filters,
    /// The groups of documents that are not compared.
    Groups,
    /// How HTML is read.
    Html,
    /// Whether bibliographies are ignored.
    IgnoreBibliography,
    /// Whether quotations are ignored.
    IgnoreQuotes,
    /// Whether identifiers of programs are compared.
    KeepNames,
    /// Whether white space is compared.
    KeepWhitespace,
    /// The shingle size for the similarity with identifiers kept.
    KeptNames,
    /// Documents that come as lines of a stream.
    Lines,
    /// The maximum document frequency of shingles.
    MaxDf,
    /// The shingles and the folding together.
    Shingles,
    /// Shingles that are elements of sets.
    ShinglesOfSets,
    /// The language of programs.
    Syntax,
    /// The documents whose shingles are removed.
    Templates,
    /// The weights of shingles.
    Weights,
    /// Weights by document frequency.
    WeightsByFrequency,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Against => "input.against",
            Self::Add => "add",
            Self::AllPairs => "pairs.all_pairs",
            Self::Audit => "audit",
            Self::ByPassages => "pairs.by_passages",
            Self::Containment => "containment",
            Self::Disguises => "normalization.disguises",
            Self::Filters => "input.filters",
            Self::Groups => "input.groups",
            Self::Html => "input.html",
            Self::IgnoreBibliography => "normalization.ignore_bibliography",
            Self::IgnoreQuotes => "normalization.ignore_quotes",
            Self::KeepNames => "normalization.keep_names",
            Self::KeepWhitespace => "normalization.keep_whitespace",
            Self::KeptNames => "pairs.kept_names",
            Self::Lines => "documents as lines",
            Self::MaxDf => "removal.max_df",
            Self::Shingles => "shingles and folding",
            Self::ShinglesOfSets => "shingles of sets",
            Self::Syntax => "normalization.syntax",
            Self::Templates => "removal.templates",
            Self::Weights => "weights",
            Self::WeightsByFrequency => "weights by document frequency",
        })
    }
}

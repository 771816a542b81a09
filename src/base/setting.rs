//! `Setting`: the settings that messages name, and the names that they have there.

use std::fmt;
use std::sync::OnceLock;

/// A setting that a message names, such as one that does not apply to a run, or one that reads a skipped input.
///
/// A message shows its [`name`](Self::name).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Setting {
    /// Whether a query adds its documents to the index.
    Add,
    /// The side that documents are compared against.
    Against,
    /// Whether an exhaustive join finds the pairs.
    AllPairs,
    /// The file of the answers of a review.
    Answers,
    /// Whether the recall is measured.
    Audit,
    /// Whether repeated shingles count each time.
    Bag,
    /// The number of bands of a signature.
    Bands,
    /// Whether documents match by passages.
    ByPassages,
    /// Whether only the first of equal texts is compared.
    CollapseExact,
    /// Whether a query finds contained documents.
    Containment,
    /// The character that escapes the next one in tables.
    CsvEscape,
    /// The character that separates the fields of tables.
    Delimiter,
    /// Whether disguised characters are folded.
    Disguises,
    /// The encoding of texts that do not declare one.
    Encoding,
    /// The maximum time of a filter.
    FilterTimeout,
    /// The commands that turn files into text.
    Filters,
    /// Whether disguised characters are folded, as one of several kinds of folding.
    Fold,
    /// Whether all digits are equal.
    FoldDigits,
    /// Whether symbolic links are followed.
    FollowLinks,
    /// Whether an index finds contained documents.
    ForContainment,
    /// Whether an output replaces an older one.
    Force,
    /// The format of files.
    Format,
    /// The saved result that is read instead of the inputs.
    From,
    /// The groups of documents that are not compared.
    Groups,
    /// How HTML is read.
    Html,
    /// The field of the id of a record.
    IdField,
    /// The markers around ignored text.
    IgnoreBetween,
    /// Whether bibliographies are ignored.
    IgnoreBibliography,
    /// Whether quotations are ignored.
    IgnoreQuotes,
    /// The patterns of the files that are read.
    Include,
    /// The treatment of invalid bytes.
    Invalid,
    /// The rule that chooses which copy is kept.
    Keep,
    /// Whether identifiers of programs are compared.
    KeepNames,
    /// Whether white space is compared.
    KeepWhitespace,
    /// The shingle size for the similarity with identifiers kept.
    KeptNames,
    /// The treatment of another text with a known name.
    Known,
    /// The language of the stop words.
    Language,
    /// Documents that come as lines of a stream.
    Lines,
    /// Whether files are copied as hard links.
    Link,
    /// Whether case is ignored.
    Lowercase,
    /// How quoted replies in mail are read.
    MailQuotes,
    /// Whether the subject of mail is a part of its text.
    MailSubject,
    /// How the markup of Markdown and LaTeX is read.
    Markup,
    /// The maximum size of the texts of a report.
    MaxBytes,
    /// The maximum document frequency of shingles.
    MaxDf,
    /// The maximum size of a document.
    MaxDocumentBytes,
    /// The maximum number of pairs of a report.
    MaxPairs,
    /// The maximum size of the content of a file.
    MaxUnpacked,
    /// The maximum window of compressed files.
    MaxWindow,
    /// The memory of the run.
    Memory,
    /// The minimum number of tokens of a document.
    MinTokens,
    /// Whether texts are brought to the Unicode form NFC.
    Nfc,
    /// Whether texts are brought to the Unicode form NFKC.
    Nfkc,
    /// Whether tables have no header.
    NoHeader,
    /// The documents that are not compared with one another.
    Old,
    /// The place of the output.
    Output,
    /// Quotation marks of tables are ordinary characters.
    QuotingOff,
    /// Quotation marks enclose the fields of tables.
    QuotingOn,
    /// The format of a report.
    ReportFormat,
    /// The number of rows of a band.
    Rows,
    /// Whether the result of the run is saved.
    Save,
    /// The seed of the hash functions.
    Seed,
    /// The kind of shingle.
    ShingleKind,
    /// The number of tokens of a shingle.
    ShingleSize,
    /// The shingles and the folding together.
    Shingles,
    /// Shingles that are elements of sets.
    ShinglesOfSets,
    /// The method of signatures.
    Signature,
    /// The patterns of ignored lines.
    SkipLines,
    /// The list of stop words.
    StopWords,
    /// Whether accents are ignored.
    StripAccents,
    /// Whether punctuation is ignored.
    StripPunctuation,
    /// The language of programs.
    Syntax,
    /// The documents whose shingles are removed.
    Templates,
    /// The fields of the text of a record.
    TextFields,
    /// Whether an index stores texts or refers to them.
    TextStorage,
    /// The minimum similarity of a pair.
    Threshold,
    /// The rule by which files are joined to documents.
    Unit,
    /// The field by whose value records are ordered.
    ValueField,
    /// The time that a command waits for another process.
    Wait,
    /// The weights of shingles.
    Weights,
    /// Weights by document frequency.
    WeightsByFrequency,
    /// Whether the lines of pairs contain the origins of documents.
    WithSource,
}

/// The function that names settings.
static NAMES: OnceLock<fn(Setting) -> &'static str> = OnceLock::new();

/// Sets the names by which all messages of this process show settings, such as the flags of a program. Without them,
/// messages show [`Setting::field`]. A second call has no effect.
pub fn name_settings(names: fn(Setting) -> &'static str) {
    let _ = NAMES.set(names);
}

impl Setting {
    /// The name of the setting in messages.
    pub fn name(self) -> &'static str {
        NAMES.get().map_or_else(|| self.field(), |names| names(self))
    }

    /// The field of the library's settings that has the setting, or a description if several fields have it.
    pub fn field(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Against => "input.against",
            Self::AllPairs => "pairs.source (all pairs)",
            Self::Answers => "answers",
            Self::Audit => "audit",
            Self::Bag => "shingles.bag",
            Self::Bands => "banding.bands",
            Self::ByPassages => "pairs.source (passages)",
            Self::CollapseExact => "pairs.collapse_exact",
            Self::Containment => "containment",
            Self::CsvEscape => "input.csv_escape",
            Self::Delimiter => "input.delimiter",
            Self::Disguises => "normalization.disguises",
            Self::Encoding => "input.encoding",
            Self::FilterTimeout => "input.filter_timeout",
            Self::Filters => "input.filters",
            Self::Fold => "normalization.disguises",
            Self::FoldDigits => "normalization.fold_digits",
            Self::FollowLinks => "input.follow",
            Self::ForContainment => "for_containment",
            Self::Force => "force",
            Self::Format => "input.format",
            Self::From => "from",
            Self::Groups => "input.groups",
            Self::Html => "input.html",
            Self::IdField => "input.id_field",
            Self::IgnoreBetween => "normalization.ignore_between",
            Self::IgnoreBibliography => "normalization.ignore_bibliography",
            Self::IgnoreQuotes => "normalization.ignore_quotes",
            Self::Include => "input.include",
            Self::Invalid => "input.invalid",
            Self::Keep => "keep",
            Self::KeepNames => "normalization.keep_names",
            Self::KeepWhitespace => "normalization.keep_whitespace",
            Self::KeptNames => "pairs.kept_names",
            Self::Known => "known",
            Self::Language => "shingles.stop_words",
            Self::Lines => "documents as lines",
            Self::Link => "link",
            Self::Lowercase => "normalization.lowercase",
            Self::MailQuotes => "input.mail_quotes",
            Self::MailSubject => "input.mail_subject",
            Self::Markup => "input.markup",
            Self::MaxBytes => "max_bytes",
            Self::MaxDf => "removal.max_df",
            Self::MaxDocumentBytes => "input.max_document_bytes",
            Self::MaxPairs => "max_pairs",
            Self::MaxUnpacked => "input.max_unpacked",
            Self::MaxWindow => "input.max_window",
            Self::Memory => "resources.memory_bytes",
            Self::MinTokens => "shingles.min_tokens",
            Self::Nfc => "normalization.form (NFC)",
            Self::Nfkc => "normalization.form (NFKC)",
            Self::NoHeader => "input.no_header",
            Self::Old => "input.against",
            Self::Output => "output",
            Self::QuotingOff => "input.quoting off",
            Self::QuotingOn => "input.quoting on",
            Self::ReportFormat => "format",
            Self::Rows => "banding.rows",
            Self::Save => "save",
            Self::Seed => "signature.seed",
            Self::ShingleKind => "shingles.kind",
            Self::ShingleSize => "shingles.size",
            Self::Shingles => "shingles and folding",
            Self::ShinglesOfSets => "shingles of sets",
            Self::Signature => "signature.method",
            Self::SkipLines => "normalization.skip_lines",
            Self::StopWords => "shingles.stop_words",
            Self::StripAccents => "normalization.strip_accents",
            Self::StripPunctuation => "normalization.strip_punctuation",
            Self::Syntax => "normalization.syntax",
            Self::Templates => "removal.templates",
            Self::TextFields => "input.text_fields",
            Self::TextStorage => "texts",
            Self::Threshold => "pairs.threshold",
            Self::Unit => "input.unit",
            Self::ValueField => "input.value_field",
            Self::Wait => "wait",
            Self::Weights => "weights",
            Self::WeightsByFrequency => "weights by document frequency",
            Self::WithSource => "input.with_source",
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

//! `FlagEntry`: the properties of a flag that its declaration cannot have, in one table.
//!
//! A field in `flags` or `commands` declares a flag, with its parser, its default and the text of `--help`. Its entry here has its line of
//! `-h`, whether it combines with a saved result, whether a settings file may set it, and its setting in an index. A
//! flag without any of these needs no entry.

use dedup_scan::base::Setting;

/// The properties of a flag.
pub(crate) struct FlagEntry {
    /// The identifier of the flag in clap: the name of its field.
    pub(crate) id: &'static str,
    /// The line of `-h`, for the commands whose short help shows the flag.
    pub(crate) line: Option<&'static str>,
    /// Whether the flag can be combined with `--from`, which brings the pairs of a saved result.
    pub(crate) combines_with_from: bool,
    /// Whether the flag filters the pairs of a saved result, which has its own value of it.
    pub(crate) filters_result: bool,
    /// Whether a settings file may set the flag.
    pub(crate) key: FlagKey,
    /// The relation of the flag to the settings that an index stores.
    pub(crate) index: IndexUse,
}

/// Whether a settings file may set a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FlagKey {
    /// Every settings file may set the flag.
    Allowed,
    /// Every settings file may set the flag, which the help hides because other flags replace it.
    Hidden,
    /// Only a file that the command line gives may set the flag, because of this risk.
    OnlyInGivenFile(&'static str),
    /// No file may set the flag, because it belongs to a single run: its inputs and outputs.
    Forbidden,
}

/// The relation of a flag to an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexUse {
    /// The index stores nothing of the flag.
    Independent,
    /// The index stores the setting of the flag.
    Stored(Setting),
    /// The flag does not apply to an existing index, with the reason.
    Refused(&'static str),
}

/// The flags with such properties, by identifier.
#[rustfmt::skip]
const FLAGS: &[FlagEntry] = &[
    flag("a").line("The first file; with --in the name of a document").not_in_file(),
    flag("action").line("How to handle duplicate files: remove, move, link ...").with_from().not_in_file(),
    flag("add").line("Add documents to the index: all, or unseen ones [default: none]"),
    flag("against").line("The second set of documents"),
    flag("against_files_from").not_in_file(),
    flag("all_pairs").line("Find every pair with certainty; slower").not_of_index("an index finds documents by signatures"),
    flag("answers").line("The file of the answers"),
    flag("b").line("The second file or document").not_in_file(),
    flag("bag").of_index(Setting::Bag),
    flag("bands").line("Bands of a signature; more bands find more pairs"),
    flag("baseline").line("Hide the pairs that this file accepts").with_from(),
    flag("best").line("Print the K most similar documents for each document, best first"),
    flag("changed_since").line("Hide pairs of files that are unchanged in git").with_from().only_in_given_file("runs git"),
    flag("color").line("Colour: auto, always or never").with_from(),
    flag("config").not_in_file(),
    flag("context").line("Lines shown around each passage"),
    flag("copied_blocks").line("Find copied blocks, also within one document"),
    flag("corpus").line("Measure documents: what each banding would find in them"),
    flag("coverage").with_from().of_result(),
    flag("cut").line("Cut repeated passages, lines, paragraphs or sentences out of texts").not_in_file(),
    flag("cuts").not_in_file(),
    flag("default_weight").not_of_index("an index has no weights"),
    flag("drop_shorter").not_in_file(),
    flag("drop_skipped").not_in_file(),
    flag("dry_run").line("Write nothing, and print what would be written").not_in_file(),
    flag("ends").line("Write a row with the number of rows and pairs after each group"),
    flag("exclude").line("Skip files and folders that match"),
    flag("exit_code").line("Exit with 1 when a pair is found: --fail-over 0").with_from(),
    flag("fail_over").line("Exit with 1 when more pairs, or more documents, remain").with_from(),
    flag("files_from").not_in_file(),
    flag("filter").only_in_given_file("runs commands"),
    flag("fold").of_index(Setting::Fold).hidden_key(),
    flag("fold_digits").of_index(Setting::FoldDigits),
    flag("follow_links").only_in_given_file("reads files outside of its folder"),
    flag("for_containment").line("Prepare for query --containment [rate such as =1/8]"),
    flag("for_people").with_from(),
    flag("force").line("Replace an existing file").not_in_file(),
    flag("forecast").not_in_file(),
    flag("format").line("Write a report: text, markdown, csv, sarif, junit, github ...").with_from(),
    flag("from").line("The saved result: a folder of --save, a file of pairs, or `-`").with_from().not_in_file(),
    flag("help").with_from().not_in_file(),
    flag("html").of_index(Setting::Html),
    flag("id_field").line("Field of a record that holds its id [default: id]"),
    flag("ignore_between").of_index(Setting::IgnoreBetween),
    flag("ignore_bibliography").of_index(Setting::IgnoreBibliography),
    flag("ignore_quotes").of_index(Setting::IgnoreQuotes),
    flag("include").line("Read only files that match"),
    flag("input_format").line("auto, text, jsonl, json, csv, parquet, tar, mail, ..."),
    flag("into").line("The folder that --action move moves files into").with_from().not_in_file(),
    flag("json").line("Print one JSON object").not_in_file(),
    flag("k").line("Tokens in a shingle [default: 9 characters, 5 words]").of_index(Setting::ShingleSize),
    flag("keep").line("Which document is kept: first, last, longest, oldest ... [default: first]").with_from(),
    flag("keep_names").of_index(Setting::KeepNames),
    flag("keep_whitespace").of_index(Setting::KeepWhitespace),
    flag("known").line("When a name has another text: error, replace or skip [default: error]"),
    flag("labels").line("Print the group of every document instead").with_from().not_in_file(),
    flag("language").of_index(Setting::Language),
    flag("linkage").line("components, star or complete [default: components]").with_from(),
    flag("list_documents").not_in_file(),
    flag("lowercase").line("Ignore case").of_index(Setting::Lowercase),
    flag("mail_quotes").of_index(Setting::MailQuotes),
    flag("mail_subject").of_index(Setting::MailSubject),
    flag("markup").of_index(Setting::Markup),
    flag("match_by").line("The criterion for a pair: jaccard or passages"),
    flag("max_bytes").with_from(),
    flag("max_df").not_of_index("frequency depends on documents that are added later"),
    flag("max_pairs").with_from(),
    flag("max_unpacked").only_in_given_file("lets archives fill the disk"),
    flag("max_window").only_in_given_file("lets compressed files fill the memory"),
    flag("memory").line("Memory for texts, shingle sets and sorting, such as 2GiB"),
    flag("min_containment").with_from(),
    flag("min_df").not_in_file(),
    flag("min_matched").with_from().of_result(),
    flag("min_share").with_from(),
    flag("min_tokens").of_index(Setting::MinTokens),
    flag("min_unit").not_in_file(),
    flag("nfc").of_index(Setting::Nfc),
    flag("nfkc").of_index(Setting::Nfkc),
    flag("no_config").not_in_file(),
    flag("null").not_in_file(),
    flag("old").line("Old documents, which are not compared with one another").not_in_file(),
    flag("only").line("Only the pairs of this document, folder or person").not_in_file(),
    flag("out").line("The file to make; an existing file is never replaced"),
    flag("output").line("Write to a file instead of standard output").with_from().not_in_file(),
    flag("overlaps_by").line("Print which folders, fields or hosts copy each other").with_from().not_in_file(),
    flag("params").line("Stop unless the version and the settings are these"),
    flag("paths").line("Files, folders, data sets and archives; `-` is standard input").not_in_file(),
    flag("pipe").line("Format of the rows: tsv or jsonl [default: tsv]"),
    flag("preset").line("Settings for a kind of text: prose, code, web, mail, logs, records ..."),
    flag("prune").with_from().not_in_file(),
    flag("quiet").line("Print only errors and warnings on stderr").with_from(),
    flag("recall").line("Minimum chance that a pair at the threshold is found [default: 0.999]").not_of_index("bands and rows are chosen when an index is built"),
    flag("removed").line("List removed documents and the ones that are kept instead").not_in_file(),
    flag("result").line("A folder of --save, or a file of pairs"),
    flag("rows").line("Rows in a band; with more rows fewer candidates are verified"),
    flag("save").line("Save all pairs and documents, for --from").not_in_file(),
    flag("scope").not_in_file(),
    flag("seed").line("Seed of the hash functions [default: 42]").of_index(Setting::Seed),
    flag("several").not_in_file(),
    flag("shingle").line("char, word, line, sentence, code, stopword or set [default: char]").of_index(Setting::ShingleKind),
    flag("show_passages").line("Add the text that both documents contain, by line and byte"),
    flag("signature").line("fast or classic [default: fast]").of_index(Setting::Signature),
    flag("singletons").line("Print documents without a duplicate too").with_from(),
    flag("skip_lines").of_index(Setting::SkipLines),
    flag("skip_self").line("Hide the document with the same name"),
    flag("sort").with_from(),
    flag("stdin").line("Look up JSON lines from standard input, one after another"),
    flag("stopwords").of_index(Setting::StopWords),
    flag("strip_accents").of_index(Setting::StripAccents),
    flag("strip_punctuation").of_index(Setting::StripPunctuation),
    flag("summary").line("Write the statistics of the run to a file, as JSON").not_in_file(),
    flag("sync").line("Write each document to the disk before its line is printed"),
    flag("syntax").of_index(Setting::Syntax),
    flag("template").not_of_index("an index has the shingles of its templates"),
    flag("text_field").line("Field of a record that holds its text [default: text]"),
    flag("threads").line("Number of worker threads [default: 1]"),
    flag("threshold").line("Minimum Jaccard similarity, such as 0.7 or 70% [default: 0.8]").with_from().of_result(),
    flag("title").with_from().not_in_file(),
    flag("to").not_in_file(),
    flag("top").line("Print the N most similar pairs").with_from(),
    flag("undisguise").of_index(Setting::Disguises),
    flag("unit").line("One document a folder, archive or person: dir:1, path, moodle"),
    flag("values").line("Add the whole signature to each line"),
    flag("weights").not_of_index("an index has no weights"),
];

/// An entry without properties.
const fn flag(id: &'static str) -> FlagEntry {
    FlagEntry {
        id,
        line: None,
        combines_with_from: false,
        filters_result: false,
        key: FlagKey::Allowed,
        index: IndexUse::Independent,
    }
}

impl FlagEntry {
    /// The entry of a flag.
    pub(crate) fn of(id: &str) -> &'static Self {
        const NONE: FlagEntry = flag("");
        FLAGS.iter().find(|entry| entry.id == id).unwrap_or(&NONE)
    }

    /// All entries, by identifier.
    pub(crate) fn all() -> impl Iterator<Item = &'static Self> {
        FLAGS.iter()
    }

    const fn line(self, line: &'static str) -> Self {
        Self { line: Some(line), ..self }
    }

    const fn with_from(self) -> Self {
        Self { combines_with_from: true, ..self }
    }

    const fn of_result(self) -> Self {
        Self { filters_result: true, ..self }
    }

    const fn not_in_file(self) -> Self {
        Self { key: FlagKey::Forbidden, ..self }
    }

    const fn only_in_given_file(self, risk: &'static str) -> Self {
        Self { key: FlagKey::OnlyInGivenFile(risk), ..self }
    }

    const fn hidden_key(self) -> Self {
        Self { key: FlagKey::Hidden, ..self }
    }

    const fn of_index(self, setting: Setting) -> Self {
        Self { index: IndexUse::Stored(setting), ..self }
    }

    const fn not_of_index(self, why: &'static str) -> Self {
        Self { index: IndexUse::Refused(why), ..self }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::{Command, CommandFactory};

    use super::FlagEntry;
    use crate::cli::Cli;

    fn ids_of(command: &Command, ids: &mut BTreeSet<String>) {
        ids.extend(command.get_arguments().map(|arg| arg.get_id().to_string()));
        command.get_subcommands().for_each(|command| ids_of(command, ids));
    }

    #[test]
    fn entries_are_sorted_and_each_is_of_a_flag() {
        let mut ids = BTreeSet::from(["config", "no_config", "help"].map(str::to_owned));
        ids_of(&Cli::command(), &mut ids);
        let entries: Vec<&str> = FlagEntry::all().map(|entry| entry.id).collect();
        assert!(entries.is_sorted_by(|a, b| a < b), "{entries:?}");
        let unknown: Vec<&&str> = entries.iter().filter(|id| !ids.contains(**id)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}

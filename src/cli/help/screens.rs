//! `HelpScreen`: the flags of a command that `-h` shows, one line each.

use clap::{Arg, Command};

/// The main flags of a command, by their ids.
pub(super) struct HelpScreen {
    command: &'static str,
    flags: &'static [&'static str],
    /// The line of a flag for this command, if it differs from the line for other commands.
    own: &'static [(&'static str, &'static str)],
}

#[rustfmt::skip]
const SCREENS: &[HelpScreen] = &[
    HelpScreen {
        command: "scan",
        flags: &[
            "paths", "threshold", "all_pairs", "by", "preset", "shingle", "k", "input_format", "text_field", "include",
            "exclude", "baseline", "changed_since", "fail_over", "show_passages", "format", "output", "save", "top", "quiet",
        ],
        own: &[],
    },
    HelpScreen {
        command: "compare",
        flags: &[
            "paths", "against", "threshold", "all_pairs", "by", "preset", "shingle", "k", "text_field", "include",
            "exclude", "baseline", "changed_since", "fail_over", "show_passages", "format", "output", "save", "top", "quiet",
        ],
        own: &[("paths", "The first set: files, folders, data sets and archives; `-` is standard input")],
    },
    HelpScreen {
        command: "cluster",
        flags: &[
            "paths", "threshold", "by", "preset", "shingle", "k", "input_format", "text_field", "include", "exclude",
            "linkage", "labels", "singletons", "from", "format", "output", "top", "exit_code", "quiet",
        ],
        own: &[
            ("from", "Group the pairs of a saved result instead of reading documents"),
            ("top", "Print the N largest groups"),
            ("exit_code", "Exit with 1 when a group is found"),
        ],
    },
    HelpScreen {
        command: "explain",
        flags: &[
            "a", "b", "threshold", "by", "preset", "shingle", "k", "text_field", "paths", "context", "color", "json",
            "exit_code", "quiet",
        ],
        own: &[
            ("paths", "The corpus of A and B: files, folders, data sets and archives"),
            ("json", "Print one JSON object, without the texts"),
            ("exit_code", "Exit with 1 when the pair is reported"),
        ],
    },
    HelpScreen {
        command: "unique",
        flags: &[
            "paths", "threshold", "by", "preset", "shingle", "k", "input_format", "text_field", "include", "exclude",
            "keep", "from", "output", "dry_run", "force", "removed", "summary", "quiet",
        ],
        own: &[
            ("from", "Use the pairs of a saved result instead of a run"),
            ("output", "Where the clean corpus is written: a file for one file, otherwise a folder"),
            ("force", "Replace an existing --output"),
        ],
    },
    HelpScreen {
        command: "plan",
        flags: &[
            "paths", "threshold", "by", "preset", "shingle", "k", "include", "exclude", "keep", "from", "action", "into",
            "output", "quiet",
        ],
        own: &[
            ("from", "Plan for the files of a saved result instead of a run"),
            ("output", "Write the script to a file instead of standard output"),
        ],
    },
    HelpScreen { command: "report", flags: &["result", "threshold", "format", "output", "baseline", "top", "quiet"], own: &[
        ("threshold", "Minimum Jaccard similarity [default: the threshold of the result]"),
    ] },
    HelpScreen { command: "baseline", flags: &["result", "threshold", "output", "quiet"], own: &[
        ("threshold", "Minimum Jaccard similarity [default: the threshold of the result]"),
        ("result", "The result whose pairs are accepted: a folder of --save, a file of pairs, or `-`"),
    ] },
    HelpScreen { command: "review", flags: &["result", "threshold", "top", "answers", "report", "json", "context", "color"], own: &[
        ("threshold", "The threshold to review [default: the threshold of the result]"),
        ("top", "Review the N pairs nearest to the threshold [default: 100]"),
        ("report", "Print a summary of the answers, and show no pairs"),
    ] },
    HelpScreen {
        command: "sign",
        flags: &[
            "paths", "threshold", "recall", "bands", "rows", "preset", "shingle", "k", "input_format", "text_field",
            "include", "exclude", "output", "values", "pipe", "quiet",
        ],
        own: &[("pipe", "Read and write rows, tsv or jsonl: a filter for other programs")],
    },
    HelpScreen {
        command: "verify",
        flags: &[
            "by", "pipe", "params", "ends", "threshold", "recall", "bands", "rows", "preset", "shingle", "k", "memory",
            "threads",
        ],
        own: &[("by", "The content of each row: group, pair or copy")],
    },
    HelpScreen {
        command: "params",
        flags: &["threshold", "recall", "bands", "rows", "preset", "shingle", "k", "signature", "seed", "json"],
        own: &[],
    },
    HelpScreen {
        command: "query",
        flags: &[
            "index", "paths", "others", "threshold", "containment", "best", "skip_self", "add", "known", "stdin", "sync",
            "input_format", "text_field", "include", "exclude", "show_passages", "format", "output",
            "exit_code", "quiet",
        ],
        own: &[
            ("index", "The index; --add adds documents only to this one"),
            ("paths", "Documents to look up: files, folders, data sets and archives; `-` is standard input"),
            ("others", "Search this index too, which has the same settings"),
            ("threshold", "Minimum Jaccard similarity [default: the threshold of the index]"),
            ("containment", "Documents that contain this part of a document, or the reverse"),
        ],
    },
    HelpScreen {
        command: "index build",
        flags: &[
            "index", "paths", "threshold", "recall", "bands", "rows", "preset", "signature", "shingle", "k",
            "input_format", "text_field", "include", "exclude", "for_containment", "memory", "quiet",
        ],
        own: &[("index", "The file to make"), ("threshold", "Minimum Jaccard similarity of results [default: 0.8]")],
    },
    HelpScreen {
        command: "index add",
        flags: &[
            "index", "paths", "known", "wait", "input_format", "id_field", "text_field", "include", "exclude", "quiet",
        ],
        own: &[("index", "The index"), ("wait", "How long to wait for another writer [default: 0]")],
    },
    HelpScreen {
        command: "index rebuild",
        flags: &[
            "out", "index", "threshold", "recall", "bands", "rows", "preset", "signature", "shingle", "k", "lowercase",
            "for_containment", "memory", "quiet",
        ],
        own: &[
            ("index", "The index whose texts are used"),
            ("threshold", "Minimum Jaccard similarity of results [default: as in the index]"),
        ],
    },
    HelpScreen { command: "curve", flags: &["threshold", "recall", "bands", "rows", "corpus", "json"], own: &[] },
];

/// The line of each flag.
const LINES: &[(&str, &str)] = &[
    ("a", "The first file; with --in the name of a document"),
    ("action", "How to handle duplicate files: remove, move, link ..."),
    ("add", "Add documents to the index: all, or unseen ones [default: none]"),
    ("against", "The second set of documents"),
    ("all_pairs", "Find every pair with certainty; slower"),
    ("answers", "The file of the answers"),
    ("b", "The second file or document"),
    ("bands", "Bands of a signature; more bands find more pairs"),
    ("baseline", "Hide the pairs that this file accepts"),
    ("best", "Print the K most similar documents for each document, best first"),
    ("by", "The criterion for a pair: jaccard or passages"),
    ("changed_since", "Hide pairs of files that are unchanged in git"),
    ("color", "Colour: auto, always or never"),
    ("for_containment", "Prepare for query --containment [rate such as =1/8]"),
    ("context", "Lines shown around each passage"),
    ("corpus", "Measure documents: what each banding would find in them"),
    ("ends", "Write a row with the number of rows and pairs after each group"),
    ("dry_run", "Write nothing, and print what would be written"),
    ("exclude", "Skip files and folders that match"),
    ("exit_code", "Exit with 1 when a pair is found: --fail-over 0"),
    ("fail_over", "Exit with 1 when more pairs, or more documents, remain"),
    ("force", "Replace an existing file"),
    ("format", "Write a report: text, markdown, csv, sarif, junit, github ..."),
    ("from", "The saved result: a folder of --save, a file of pairs, or `-`"),
    ("id_field", "Field of a record that holds its id [default: id]"),
    ("include", "Read only files that match"),
    ("input_format", "auto, text, jsonl, json, csv, tsv, parquet, tar or zip"),
    ("into", "The folder that --action move moves files into"),
    ("json", "Print one JSON object"),
    ("k", "Tokens in a shingle [default: 9 characters, 5 words]"),
    ("keep", "Which document is kept: first, last, longest, oldest ... [default: first]"),
    ("known", "When a name has another text: error, replace or skip [default: error]"),
    ("labels", "Print the group of every document instead"),
    ("stdin", "Look up JSON lines from standard input, one after another"),
    ("linkage", "components, star or complete [default: components]"),
    ("lowercase", "Ignore case"),
    ("memory", "Memory for texts, shingle sets and sorting, such as 2GiB"),
    ("out", "The file to make; an existing file is never replaced"),
    ("output", "Write to a file instead of standard output"),
    ("params", "Stop unless the version and the settings are these"),
    ("show_passages", "Add the text that both documents contain, by line and byte"),
    ("paths", "Files, folders, data sets and archives; `-` is standard input"),
    ("pipe", "Format of the rows: tsv or jsonl [default: tsv]"),
    ("preset", "Settings for a kind of text: prose, sentences, revisions or code"),
    ("quiet", "Print only errors and warnings on stderr"),
    ("recall", "Minimum chance that a pair at the threshold is found [default: 0.999]"),
    ("removed", "List removed documents and the ones that are kept instead"),
    ("result", "A folder of --save, or a file of pairs"),
    ("rows", "Rows in a band; with more rows fewer candidates are verified"),
    ("save", "Save all pairs and documents, for --from"),
    ("seed", "Seed of the hash functions [default: 42]"),
    ("shingle", "char, word, line, sentence, code, stopword or set [default: char]"),
    ("signature", "classic or fast [default: classic]"),
    ("threads", "Number of worker threads [default: 1]"),
    ("values", "Add the whole signature to each line"),
    ("singletons", "Print documents without a duplicate too"),
    ("skip_self", "Hide the document with the same name"),
    ("summary", "Write the statistics of the run to a file, as JSON"),
    ("sync", "Write each document to the disk before its line is printed"),
    ("text_field", "Field of a record that holds its text [default: text]"),
    ("threshold", "Minimum Jaccard similarity, such as 0.7 or 70% [default: 0.8]"),
    ("top", "Print the N most similar pairs"),
    ("values", "Add the whole signature to each line"),
];

impl HelpScreen {
    /// The screen of a command, such as `index build`.
    pub(super) fn of(command: &str) -> Option<&'static Self> {
        SCREENS.iter().find(|screen| screen.command == command)
    }

    /// The command with only the flags of this screen.
    pub(super) fn shown(&self, command: Command) -> Command {
        // `--help` of a nested command has no examples.
        let rest =
            if self.command.contains(' ') { "all flags and exit codes" } else { "all flags, examples and exit codes" };
        let footer = format!("`dedup {} --help` shows {rest}.", self.command);
        let about = command.get_about().cloned().unwrap_or_default();
        command.mut_args(|arg| self.arg(arg)).long_about(about).after_help(footer)
    }

    fn arg(&self, arg: Arg) -> Arg {
        let line = self.flags.contains(&arg.get_id().as_str()).then(|| self.line(arg.get_id().as_str())).flatten();
        match line {
            None => arg.hide_short_help(true),
            // A heading for a single flag would need three lines.
            Some(line) => {
                let takes_values = arg.get_action().takes_values();
                let arg = arg.help(line).hide_possible_values(takes_values).hide_default_value(takes_values);
                if arg.get_id() == "show_passages" { arg.help_heading("Output") } else { arg }
            }
        }
    }

    fn line(&self, id: &str) -> Option<&'static str> {
        let of = |lines: &[(&str, &'static str)]| lines.iter().find(|(flag, _)| *flag == id).map(|&(_, line)| line);
        of(self.own).or_else(|| of(LINES))
    }
}

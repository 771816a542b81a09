//! `HelpScreen`: which flags of a command `-h` shows, each in one line.

use clap::{Arg, Command};

/// The main flags of a command, by their ids.
pub(super) struct HelpScreen {
    command: &'static str,
    flags: &'static [&'static str],
    /// What a flag does here, where that is another thing than elsewhere.
    own: &'static [(&'static str, &'static str)],
}

#[rustfmt::skip]
const SCREENS: &[HelpScreen] = &[
    HelpScreen {
        command: "scan",
        flags: &[
            "paths", "threshold", "all_pairs", "by", "preset", "shingle", "k", "input_format", "text_field", "include",
            "exclude", "baseline", "changed_since", "fail_over", "passages", "format", "output", "save", "top", "quiet",
        ],
        own: &[],
    },
    HelpScreen {
        command: "compare",
        flags: &[
            "paths", "against", "threshold", "all_pairs", "by", "preset", "shingle", "k", "text_field", "include",
            "exclude", "baseline", "changed_since", "fail_over", "passages", "format", "output", "save", "top", "quiet",
        ],
        own: &[("paths", "One side: files, folders, data sets and archives; `-` is standard input")],
    },
    HelpScreen {
        command: "cluster",
        flags: &[
            "paths", "threshold", "by", "preset", "shingle", "k", "input_format", "text_field", "include", "exclude",
            "linkage", "labels", "singletons", "from", "format", "output", "top", "exit_code", "quiet",
        ],
        own: &[
            ("from", "Make groups of the pairs of a saved result in place of a run"),
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
            ("paths", "The corpus that A and B are documents of: files, folders, data sets and archives"),
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
            ("from", "Take the pairs of a saved result in place of a run"),
            ("output", "Where the clean corpus goes: a file for one file, else a folder"),
            ("force", "Replace what is at --output"),
        ],
    },
    HelpScreen {
        command: "plan",
        flags: &[
            "paths", "threshold", "by", "preset", "shingle", "k", "include", "exclude", "keep", "from", "action", "into",
            "output", "quiet",
        ],
        own: &[
            ("from", "Plan for the files of a saved result in place of a run"),
            ("output", "Write the script to a file in place of standard output"),
        ],
    },
    HelpScreen { command: "report", flags: &["from", "threshold", "format", "output", "baseline", "top", "quiet"], own: &[] },
    HelpScreen { command: "baseline", flags: &["from", "threshold", "output", "quiet"], own: &[
        ("from", "The result whose pairs are accepted: a folder of --save, a file of pairs, or `-`"),
    ] },
    HelpScreen { command: "review", flags: &["result", "threshold", "top", "answers", "report", "json", "context", "color"], own: &[
        ("threshold", "The threshold to review [default: that of the result]"),
        ("top", "Ask about the N pairs nearest to the threshold [default: 100]"),
        ("report", "Ask nothing: print what the answers say"),
    ] },
    HelpScreen {
        command: "sign",
        flags: &[
            "paths", "threshold", "recall", "bands", "rows", "preset", "shingle", "k", "input_format", "text_field",
            "include", "exclude", "output", "values", "pipe", "quiet",
        ],
        own: &[("pipe", "Rows in, rows out, tsv or jsonl: a filter for other programs")],
    },
    HelpScreen {
        command: "verify",
        flags: &[
            "by", "pipe", "params", "ends", "threshold", "recall", "bands", "rows", "preset", "shingle", "k", "memory",
            "threads",
        ],
        own: &[("by", "What a row is: group, pair or copy")],
    },
    HelpScreen {
        command: "params",
        flags: &["threshold", "recall", "bands", "rows", "preset", "shingle", "k", "signature", "seed", "json"],
        own: &[],
    },
    HelpScreen {
        command: "query",
        flags: &[
            "index", "paths", "others", "threshold", "containment", "best", "skip_self", "add", "known", "lines", "sync",
            "input_format", "text_field", "include", "exclude", "passages", "format", "output",
            "exit_code", "quiet",
        ],
        own: &[
            ("index", "The index; documents are added to it alone"),
            ("paths", "The questions: files, folders, data sets and archives; `-` is standard input"),
            ("others", "Ask this index too, made with the same settings"),
            ("threshold", "Least Jaccard similarity [default: that of the index]"),
            ("containment", "The documents that hold this part of a question, or are held by it"),
        ],
    },
    HelpScreen {
        command: "index build",
        flags: &[
            "index", "paths", "threshold", "recall", "bands", "rows", "preset", "signature", "shingle", "k",
            "input_format", "text_field", "include", "exclude", "containment", "memory", "quiet",
        ],
        own: &[("index", "The file to make"), ("threshold", "Least Jaccard similarity of answers [default: 0.8]")],
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
            "containment", "memory", "quiet",
        ],
        own: &[
            ("index", "The index whose texts are taken"),
            ("threshold", "Least Jaccard similarity of answers [default: that of the index]"),
        ],
    },
    HelpScreen { command: "curve", flags: &["threshold", "recall", "bands", "rows", "corpus", "family", "json"], own: &[] },
];

/// What flags do, each in one line.
const LINES: &[(&str, &str)] = &[
    ("a", "A file; with --in the name of a document"),
    ("action", "What becomes of a file that another stands for: remove, move, link ..."),
    ("add", "Add documents to the index: all, or unseen ones [default: none]"),
    ("against", "What they are compared with: the other side"),
    ("all_pairs", "Find every pair for certain, which takes longer"),
    ("answers", "Where the answers are kept"),
    ("b", "The other one"),
    ("bands", "Bands of a signature; more find more"),
    ("baseline", "Leave out the pairs that this file accepts"),
    ("best", "The K most similar documents for each question, the best first"),
    ("by", "What makes a pair: jaccard or passages"),
    ("changed_since", "Leave out pairs of files that git says were not changed"),
    ("color", "Colour: auto, always or never"),
    ("containment", "Find contained documents too, by one shingle in 64 or so [such as =1/8]"),
    ("context", "Lines shown around each passage"),
    ("corpus", "Measure documents: what each banding would find there"),
    ("ends", "Write a row behind each group with its numbers of rows and pairs"),
    ("dry_run", "Write nothing, and say what would be written"),
    ("exclude", "Leave out files and folders that match"),
    ("exit_code", "Exit with 1 when a pair is found"),
    ("fail_over", "Exit with 1 when more pairs, or more of the documents, are left"),
    ("family", "Show another distance, such as cosine"),
    ("force", "Replace what is there"),
    ("format", "Write a report: text, markdown, csv, sarif, junit, github ..."),
    ("from", "The saved result: a folder of --save, a file of pairs, or `-`"),
    ("id_field", "Field of a record that holds its id [default: id]"),
    ("include", "Read only files that match"),
    ("input_format", "auto, text, jsonl, json, csv, tsv, parquet, tar or zip"),
    ("into", "The folder that --action move moves files into"),
    ("json", "Print one JSON object"),
    ("k", "Tokens in a shingle [default: 9 characters, 5 words]"),
    ("keep", "Which one stays: first, last, longest, newest ... [default: first]"),
    ("known", "A name with another text: error, replace or skip [default: error]"),
    ("labels", "Print the group of every document instead"),
    ("lines", "Answer JSON lines from standard input, one after another"),
    ("linkage", "components, star or complete [default: components]"),
    ("lowercase", "Fold case"),
    ("memory", "Memory for texts, shingle sets and sorting, such as 2GiB"),
    ("out", "The file to make; what is there is never replaced"),
    ("output", "Write to a file in place of standard output"),
    ("params", "Refuse to run unless these are the version and the settings"),
    ("passages", "Add what the documents have in common, by line and byte"),
    ("paths", "Files, folders, data sets and archives; `-` is standard input"),
    ("pipe", "Format of the rows: tsv or jsonl [default: tsv]"),
    ("preset", "Settings for a purpose: prose, sentences, revisions or code"),
    ("quiet", "Only errors and warnings on stderr"),
    ("recall", "Least chance that a pair at the threshold is found [default: 0.999]"),
    ("removed", "List what is left out, and what stands for it"),
    ("result", "A folder of --save, or a file of pairs"),
    ("rows", "Rows in a band; more leave fewer pairs to verify"),
    ("save", "Keep all pairs and documents, for --from"),
    ("seed", "Where the hash functions come from [default: 42]"),
    ("shingle", "char, word, line, sentence, code, stopword or set [default: char]"),
    ("signature", "classic or fast [default: classic]"),
    ("threads", "Worker threads [default: 1]"),
    ("values", "Add the whole signature to each line"),
    ("singletons", "Print documents that are alone too"),
    ("skip_self", "Leave out the document that has the name of the question"),
    ("summary", "Write the numbers of the run to a file, as JSON"),
    ("sync", "Have each document on the disk before its line is answered"),
    ("text_field", "Field of a record that holds its text [default: text]"),
    ("threshold", "Least Jaccard similarity, from 0 to 1 [default: 0.8]"),
    ("top", "Print the N most similar pairs"),
    ("values", "Add the whole signature to each line"),
];

impl HelpScreen {
    /// That of a command, such as `index build`.
    pub(super) fn of(command: &str) -> Option<&'static Self> {
        SCREENS.iter().find(|screen| screen.command == command)
    }

    /// The command with these flags alone.
    pub(super) fn shown(&self, command: Command) -> Command {
        // Examples are of the commands of the program itself.
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
            // Headings of one flag cost three lines.
            Some(line) => {
                let takes_values = arg.get_action().takes_values();
                let arg = arg.help(line).hide_possible_values(takes_values).hide_default_value(takes_values);
                if arg.get_id() == "passages" { arg.help_heading("Output") } else { arg }
            }
        }
    }

    fn line(&self, id: &str) -> Option<&'static str> {
        let of = |lines: &[(&str, &'static str)]| lines.iter().find(|(flag, _)| *flag == id).map(|&(_, line)| line);
        of(self.own).or_else(|| of(LINES))
    }
}

//! `HelpScreen`: the flags of a command that `-h` shows, one line each.

use clap::{Arg, Command};

use crate::cli::registry::FlagEntry;

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
            "paths", "unit", "old", "threshold", "all_pairs", "match_by", "preset", "shingle", "k", "input_format", "text_field",
            "exclude", "baseline", "fail_over", "show_passages", "format", "output", "save", "top", "quiet",
        ],
        own: &[],
    },
    HelpScreen {
        command: "compare",
        flags: &[
            "paths", "against", "threshold", "all_pairs", "match_by", "preset", "shingle", "k", "text_field", "include",
            "exclude", "baseline", "changed_since", "fail_over", "show_passages", "format", "output", "save", "top", "quiet",
        ],
        own: &[("paths", "The first set: files, folders, data sets and archives; `-` is standard input")],
    },
    HelpScreen {
        command: "cluster",
        flags: &[
            "paths", "unit", "old", "threshold", "match_by", "preset", "shingle", "k", "input_format", "text_field",
            "linkage", "labels", "singletons", "overlaps_by", "from", "format", "output", "top", "exit_code", "quiet",
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
            "a", "b", "threshold", "match_by", "preset", "shingle", "k", "text_field", "paths", "context", "color", "json",
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
            "paths", "threshold", "match_by", "preset", "shingle", "k", "input_format", "text_field", "include", "exclude",
            "keep", "cut", "from", "output", "dry_run", "force", "removed", "quiet",
        ],
        own: &[
            ("from", "Use the pairs of a saved result instead of a run"),
            ("output", "Where the clean corpus is written: a file for one file, otherwise a folder"),
            ("force", "Replace an existing --output"),
        ],
    },
    HelpScreen {
        command: "decontaminate",
        flags: &[
            "paths", "against", "against_field", "min_run", "min_whole", "coverage", "min_matched", "action", "input_format",
            "text_field", "include", "exclude", "output", "dry_run", "force", "hits", "exit_code", "summary", "quiet",
        ],
        own: &[
            ("against", "Files and folders with the benchmarks"),
            ("against_field", "Field of a benchmark that is searched for separately; repeatable"),
            ("min_run", "Minimum number of consecutive words in common [default: 13]"),
            ("min_whole", "Minimum words of a shorter benchmark text, found as a whole [default: 8]"),
            ("coverage", "Share of a benchmark text that is enough [default: 0.5]"),
            ("min_matched", "Words of a benchmark text that are always enough [default: 50]"),
            ("action", "The treatment of a contaminated document: drop, cut or mark"),
            ("output", "Where the clean corpus is written: a file for one file, otherwise a folder"),
            ("force", "Replace an existing --output"),
            ("hits", "List the found benchmarks, with the documents and spans"),
            ("exit_code", "Exit with 1 when a document is contaminated"),
        ],
    },
    HelpScreen {
        command: "plan",
        flags: &[
            "paths", "threshold", "match_by", "preset", "shingle", "k", "include", "exclude", "keep", "from", "action", "into",
            "output", "quiet",
        ],
        own: &[
            ("from", "Plan for the files of a saved result instead of a run"),
            ("output", "Write the script to a file instead of standard output"),
        ],
    },
    HelpScreen { command: "report", flags: &["result", "threshold", "only", "format", "output", "answers", "baseline", "top", "quiet"], own: &[
        ("answers", "Show the answers of this file, by dedup review or by a page"),
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
        command: "mcp",
        flags: &["paths", "threshold", "preset", "shingle", "k", "include", "exclude", "quiet"],
        own: &[("paths", "An index of `dedup index build`, or files and folders")],
    },
    HelpScreen {
        command: "check",
        flags: &[
            "result", "paths", "threshold", "bands", "rows", "preset", "shingle", "k", "against", "audit", "only_lines", "json",
            "summary", "quiet",
        ],
        own: &[
            ("audit", "Compare N texts with all others, to bound what the scan missed"),
            ("only_lines", "Do not look for missing pairs: for filtered pairs"),
            ("json", "Print each difference as one JSON line"),
            ("paths", "The inputs of a file of pairs; a saved result has its own"),
        ],
    },
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
            "index", "paths", "others", "threshold", "preset", "containment", "best", "skip_self", "add", "known", "stdin",
            "input_format", "text_field", "include", "exclude", "show_passages", "format", "output",
            "exit_code", "quiet",
        ],
        own: &[
            ("index", "The index; --add adds documents only to this one"),
            ("paths", "Documents to look up: files, folders, data sets and archives; `-` is standard input"),
            ("preset", "Search as a preset does: prose finds copied passages"),
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
        let own = self.own.iter().find(|(flag, _)| *flag == id).map(|&(_, line)| line);
        own.or_else(|| FlagEntry::of(id).line)
    }
}

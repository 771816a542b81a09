//! The examples at the end of `--help`: what people do with each command, most common first.

/// The section of examples of a command, the program's own where the name is empty; `None` where there is none.
pub(super) fn of(command: &str) -> Option<String> {
    let (_, examples) = EXAMPLES.iter().find(|(name, _)| *name == command)?;
    let examples: Vec<String> = examples.iter().map(|(what, line)| format!("  {what}:\n      {line}")).collect();
    Some(format!("Examples:\n{}", examples.join("\n")))
}

/// Command lines by command, each with what it does.
type Examples = (&'static str, &'static [(&'static str, &'static str)]);

const EXAMPLES: &[Examples] = &[
    (
        "",
        &[
            ("Find the near-duplicates of a folder", "dedup scan notes"),
            ("See two of them side by side", "dedup explain notes/a.txt notes/b.txt"),
            ("Write a data set without its duplicates", "dedup unique corpus.jsonl --output clean.jsonl"),
        ],
    ),
    (
        "scan",
        &[
            ("Find the near-duplicates of a folder", "dedup scan notes"),
            ("Read them on a screen, the most similar first", "dedup scan notes --passages --format text --top 20"),
            ("Find copied passages, however long the rest is", "dedup scan essays --match passages"),
            ("Find copied programs, whatever the names in them", "dedup scan src --preset code"),
            ("Compare the records of a data set by one of its fields", "dedup scan news.jsonl.gz --text-field body"),
            (
                "Keep the result, and ask it again",
                "dedup scan notes --save result && dedup scan --from result --top 10",
            ),
            (
                "Fail in CI when something new was copied",
                "dedup scan . --gitignore --baseline accepted.jsonl --fail-over 0 --format github",
            ),
        ],
    ),
    (
        "compare",
        &[
            ("Find what of an evaluation set is in the training data", "dedup compare eval.jsonl --against train"),
            (
                "Compare what was handed in with earlier years",
                "dedup compare 2026 --against 2024 2025 --match passages",
            ),
        ],
    ),
    (
        "cluster",
        &[
            ("Print the groups of near-duplicates, the largest first", "dedup cluster notes --sort size"),
            (
                "Give every document the number of its group",
                "dedup cluster corpus.jsonl --labels --output labels.jsonl",
            ),
            ("Make groups of a saved result", "dedup cluster --from result --linkage complete"),
            ("Find the components of rows of edges", "dedup cluster --edges < edges.tsv > components.tsv"),
        ],
    ),
    (
        "explain",
        &[
            ("Show what two files have in common", "dedup explain a.txt b.txt"),
            ("Say why two records are a pair or are not", "dedup explain 17 42 --in corpus.jsonl --json"),
        ],
    ),
    (
        "unique",
        &[
            ("Write a data set without its duplicates", "dedup unique corpus.jsonl.zst --output clean.jsonl.zst"),
            ("See first what would be left out", "dedup unique corpus --dry-run --removed - | head"),
            ("Keep the longest of each group", "dedup unique pages --keep longest --output clean"),
        ],
    ),
    (
        "plan",
        &[
            (
                "Plan what to remove, look at it, and do it",
                "dedup plan photos-notes --output plan.sh && sh plan.sh --run",
            ),
            ("Move duplicates away in place of removing them", "dedup plan notes --action move --into duplicates"),
        ],
    ),
    (
        "report",
        &[
            ("Read a saved result on a screen", "dedup report --from result"),
            (
                "Write several forms of it at once",
                "dedup report --from result --format csv=pairs.csv --format sarif=pairs.sarif",
            ),
        ],
    ),
    ("baseline", &[("Accept all that a result has", "dedup baseline --from result --output accepted.jsonl")]),
    (
        "review",
        &[
            ("Answer for the 20 pairs nearest to the threshold", "dedup review result --top 20"),
            ("Print which threshold fits the answers", "dedup review result --report"),
        ],
    ),
    (
        "sign",
        &[
            ("Print the band keys of each record", "dedup sign corpus.jsonl --output keys.jsonl"),
            ("Print the signatures too", "dedup sign corpus.jsonl --values"),
            ("Sign rows of id and text for another program", "dedup sign --pipe tsv < rows.tsv > signed.tsv"),
        ],
    ),
    (
        "verify",
        &[
            ("Verify the documents of each group", "dedup verify --by group < grouped.tsv > pairs.tsv"),
            (
                "Verify pairs, and count rows and pairs at the end",
                "dedup verify --by pair --ends < candidates.tsv > pairs.tsv",
            ),
        ],
    ),
    (
        "params",
        &[
            ("See what results depend on", "dedup params --shingle word"),
            ("Print them for a job, with a hash for --params", "dedup params --shingle word --json"),
        ],
    ),
    (
        "curve",
        &[
            ("See which pairs are found at 0.7", "dedup curve --threshold 0.7"),
            ("See what a banding finds", "dedup curve --bands 14 --rows 8"),
        ],
    ),
    (
        "completions",
        &[
            (
                "Complete in bash, for this user",
                "dedup completions bash > ~/.local/share/bash-completion/completions/dedup",
            ),
            ("Complete in zsh, in a folder of $fpath", "dedup completions zsh > ~/.zfunc/_dedup"),
            ("Complete in fish", "dedup completions fish > ~/.config/fish/completions/dedup.fish"),
        ],
    ),
    (
        "man",
        &[
            ("Read the manual", "dedup man | man -l -"),
            ("Write the page of every command", "dedup man ~/.local/share/man/man1"),
        ],
    ),
    (
        "schema",
        &[("List the records", "dedup schema"), ("Print the schema of a pair", "dedup schema pair > pair.schema.json")],
    ),
    (
        "index",
        &[
            ("Keep a corpus for questions", "dedup index build archive.dedup corpus.jsonl"),
            (
                "Add what came today, and pass over what is there",
                "dedup index add archive.dedup today.jsonl --known skip",
            ),
            ("See what it takes", "dedup index info archive.dedup"),
        ],
    ),
    (
        "query",
        &[
            ("Ask whether something like this was seen before", "dedup query archive.dedup page.txt"),
            ("Answer line by line, as long as lines come", "dedup query archive.dedup --follow"),
            ("Keep only what is new, and remember it", "dedup query archive.dedup today.jsonl --add unseen --best 1"),
        ],
    ),
    (
        "config",
        &[
            ("Print what a scan takes from dedup.toml", "dedup config"),
            ("Print what this command line would run with", "dedup config cluster --threshold 0.7"),
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::program;

    /// The words of a command line, without what the shell does with their output.
    fn words(line: &str) -> Vec<&str> {
        line.split_whitespace().take_while(|word| !["|", "<", ">", "&&"].contains(word)).collect()
    }

    #[test]
    fn every_command_has_examples_that_it_understands() {
        let program = program();
        for command in program.get_subcommands() {
            let (_, examples) = EXAMPLES
                .iter()
                .find(|(name, _)| *name == command.get_name())
                .unwrap_or_else(|| panic!("examples of {}", command.get_name()));
            for (_, line) in *examples {
                assert_eq!(words(line)[1], command.get_name(), "{line}");
            }
        }
        for (_, line) in EXAMPLES.iter().flat_map(|(_, examples)| *examples) {
            for line in line.split(" && ").filter(|line| line.starts_with("dedup")) {
                let understood = program.clone().try_get_matches_from(words(line));
                assert!(understood.is_ok(), "{line}: {understood:?}");
            }
        }
    }
}

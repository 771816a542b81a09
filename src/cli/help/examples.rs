//! The examples of the help: common tasks of each command, most common first.

/// The section of examples of a command, or of the program if the name is empty; `None` if there is none.
pub(super) fn of(command: &str) -> Option<String> {
    let (_, examples) = EXAMPLES.iter().find(|(name, _)| *name == command)?;
    section(examples.iter())
}

/// The first two examples of a command, or of a nested command such as `index build`; `None` if there is none.
pub(super) fn first(command: &str) -> Option<String> {
    let (outer, _) = command.split_once(' ').unwrap_or((command, ""));
    let (_, examples) = EXAMPLES.iter().find(|(name, _)| *name == outer)?;
    let is_of_it = |line: &str| {
        let rest = line.strip_prefix("dedup ").and_then(|line| line.strip_prefix(command));
        command.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    section(examples.iter().filter(|(_, line)| is_of_it(line)).take(2))
}

fn section<'e>(examples: impl Iterator<Item = &'e (&'static str, &'static str)>) -> Option<String> {
    let examples: Vec<String> = examples.map(|(what, line)| format!("  {what}:\n      {line}")).collect();
    (!examples.is_empty()).then(|| format!("Examples:\n{}", examples.join("\n")))
}

/// Command lines by command, each with its description.
type Examples = (&'static str, &'static [(&'static str, &'static str)]);

const EXAMPLES: &[Examples] = &[
    (
        "",
        &[
            ("Show the near-duplicates in a folder", "dedup FOLDER"),
            ("Write a data set without its duplicates", "dedup unique corpus.jsonl --output clean.jsonl"),
            ("Print the pairs for other programs, one JSON object a line", "dedup scan FOLDER"),
            ("See two documents side by side", "dedup explain a.txt b.txt"),
        ],
    ),
    (
        "scan",
        &[
            ("Find the near-duplicates of a folder", "dedup scan notes"),
            ("Show the most similar pairs on a screen", "dedup scan notes --show-passages --format text --top 20"),
            ("Find copied passages, however long the rest is", "dedup scan essays --match passages"),
            ("Find copied programs, even if names were changed", "dedup scan src --preset code"),
            ("Compare the records of a data set by one of its fields", "dedup scan news.jsonl.gz --text-field body"),
            (
                "Save the result, and print its top pairs later",
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
            (
                "Find the part of an evaluation set that is in the training data",
                "dedup compare eval.jsonl --against train",
            ),
            ("Compare submissions with earlier years", "dedup compare 2026 --against 2024 2025 --match passages"),
            (
                "Write the records of new.jsonl that old.jsonl does not have, by their ids",
                "dedup compare new.jsonl --against old.jsonl | jq .a > had.json && \
                 jq -sc '(map(strings) | INDEX(.)) as $had | .[] | objects | select($had[.id | tostring] | not)' \
                 had.json new.jsonl > unseen.jsonl",
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
            ("See which folders copy each other", "dedup cluster repos --by dir:1 --format text"),
            ("Group the pairs of a saved result", "dedup cluster --from result --linkage complete"),
            ("Find the components of rows of edges", "dedup cluster --edges < edges.tsv > components.tsv"),
        ],
    ),
    (
        "explain",
        &[
            ("Show what two files have in common", "dedup explain a.txt b.txt"),
            ("Show why two records are a pair or not", "dedup explain 17 42 --in corpus.jsonl --json"),
        ],
    ),
    (
        "unique",
        &[
            ("Write a data set without its duplicates", "dedup unique corpus.jsonl.zst --output clean.jsonl.zst"),
            ("Show first what would be removed", "dedup unique corpus --dry-run --removed - | head"),
            ("Keep the longest of each group", "dedup unique pages --keep longest --output clean"),
        ],
    ),
    (
        "decontaminate",
        &[
            (
                "Remove the documents that contain test items",
                "dedup decontaminate train.jsonl.zst --against test.jsonl --against-field prompt --output clean.jsonl.zst",
            ),
            (
                "Only check, and list where each test item was found",
                "dedup decontaminate train --against benchmarks --dry-run --exit-code --hits hits.jsonl",
            ),
        ],
    ),
    (
        "plan",
        &[
            (
                "Plan what to remove, look at it, and do it",
                "dedup plan photos-notes --output plan.sh && sh plan.sh --run",
            ),
            (
                "Move duplicates to a folder instead of removing them",
                "dedup plan notes --action move --into duplicates",
            ),
        ],
    ),
    (
        "report",
        &[
            ("Show a saved result on a screen", "dedup report result"),
            (
                "Write several forms of it at once",
                "dedup report result --format csv=pairs.csv --format sarif=pairs.sarif",
            ),
        ],
    ),
    ("baseline", &[("Accept all pairs of a result", "dedup baseline result --output accepted.jsonl")]),
    (
        "review",
        &[
            ("Label the 20 pairs nearest to the threshold", "dedup review result --top 20"),
            ("Print which threshold fits the answers", "dedup review result --report"),
        ],
    ),
    (
        "mcp",
        &[
            ("Answer an agent about the programs of a repository", "dedup mcp . --preset code --gitignore"),
            ("Answer from an index, and let the agent add texts to it", "dedup mcp seen.index"),
        ],
    ),
    (
        "check",
        &[
            ("Recompute a saved result", "dedup check result"),
            (
                "Recompute pairs from their inputs, with the flags of their scan",
                "dedup check pairs.jsonl notes --threshold 0.7",
            ),
            ("Recompute the ten most similar pairs", "dedup check top.jsonl notes --only-lines"),
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
            ("Show the settings that results depend on", "dedup params --shingle word"),
            ("Print them for a job, with a hash for --params", "dedup params --shingle word --json"),
        ],
    ),
    (
        "curve",
        &[
            ("Show which pairs are found at 0.7", "dedup curve --threshold 0.7"),
            ("Show what a banding finds", "dedup curve --bands 14 --rows 8"),
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
            ("Read the page of a command", "dedup man scan | man -l -"),
            ("Write the page of every command", "dedup man --into ~/.local/share/man/man1"),
        ],
    ),
    (
        "schema",
        &[("List the records", "dedup schema"), ("Print the schema of a pair", "dedup schema pair > pair.schema.json")],
    ),
    (
        "index",
        &[
            ("Make an index of a corpus", "dedup index build archive.dedup corpus.jsonl"),
            ("Add new documents, and skip known ones", "dedup index add archive.dedup today.jsonl --known skip"),
            ("Show its settings and size", "dedup index info archive.dedup"),
            ("List its documents", "dedup index list archive.dedup"),
            ("Remove documents by their names", "dedup index remove archive.dedup old.txt"),
            ("Make one index of two", "dedup index merge all.dedup archive.dedup other.dedup"),
            ("Make an index again with other settings", "dedup index rebuild new.dedup archive.dedup --threshold 0.7"),
            ("Give the space of removed documents back", "dedup index compact archive.dedup"),
            ("Look for damage", "dedup index check archive.dedup"),
            ("Write its documents as JSON Lines", "dedup index export archive.dedup --output corpus.jsonl"),
        ],
    ),
    (
        "query",
        &[
            ("Check whether something similar was seen before", "dedup query archive.dedup page.txt"),
            ("Look up JSON lines from standard input", "dedup query archive.dedup --stdin"),
            ("Look up documents, and add new ones", "dedup query archive.dedup today.jsonl --add unseen --best 1"),
        ],
    ),
    (
        "config",
        &[
            ("Print the settings that a scan reads from dedup.toml", "dedup config"),
            ("Print the settings of this command line", "dedup config cluster --threshold 0.7"),
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::program;

    /// The words of a command line, without the shell's redirections and pipes.
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
            // `main` adds the command to a path without one.
            for line in line.split(" && ").filter(|line| line.starts_with("dedup") && *line != "dedup FOLDER") {
                let understood = program.clone().try_get_matches_from(words(line));
                assert!(understood.is_ok(), "{line}: {understood:?}");
            }
        }
    }
}

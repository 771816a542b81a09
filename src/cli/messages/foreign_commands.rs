//! Translates commands of other programs, and other words for commands, into commands of `dedup`.

/// The command line that replaces a word after `dedup index`.
pub(super) fn command_of_index(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    INDEX_COMMANDS.iter().find(|(names, _)| names.split(' ').any(|name| name == word)).map(|&(_, instead)| instead)
}

/// The command line that replaces a command of another program, with a description.
pub(super) fn command(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    COMMANDS.iter().find(|(names, _)| names.split(' ').any(|name| name == word)).map(|&(_, instead)| instead)
}

/// Words that people try after `dedup index`, each with the command line to write.
#[rustfmt::skip]
const INDEX_COMMANDS: &[(&str, &str)] = &[
    ("create new make init", "dedup index build INDEX PATH"),
    ("ls show stat stats describe", "dedup index info INDEX, or dedup index list INDEX for its documents"),
    ("update insert append upsert ingest put", "dedup index add INDEX PATH"),
    ("delete rm drop", "dedup index remove INDEX NAME"),
    ("search query find lookup get", "dedup query INDEX PATH"),
    ("verify validate fsck", "dedup index check INDEX"),
    ("dump", "dedup index export INDEX"),
    ("optimize optimise vacuum gc compress", "dedup index compact INDEX"),
];

/// Commands that people try, each with the command line to write.
#[rustfmt::skip]
const COMMANDS: &[(&str, &str)] = &[
    ("version", "dedup --version"),
    ("gui web serve server tui browse open page", "dedup scan PATH --format html=report.html, a page for a browser"),
    ("grep rg ag ack fd locate", "dedup query INDEX PATH to find documents like those of PATH; words are found by grep"),
    ("find search similar similars near-duplicates near-dupes neardup dupes dups duplicates duplicate detect run match matches pairs minhash lsh start analyze analyse all", "dedup scan PATH"),
    ("test lint verify-unique ci gate", "dedup scan PATH --exit-code"),
    ("dedupe dedup deduplicate deduplication uniq distinct clean cleanup filter drop-duplicates", "dedup unique PATH --output CLEAN"),
    ("diff cmp show view inspect why side-by-side", "dedup explain A B, or for folders dedup compare A --against B"),
    ("remove delete rm prune purge trash move hardlink symlink link unlink", "dedup plan PATH, which writes a script that removes duplicates"),
    ("leak leakage contamination decontamination", "dedup decontaminate TRAIN --against BENCH --output CLEAN"),
    ("overlap intersect cross join", "dedup compare PATH --against OTHER"),
    ("group groups clusters clustering components dbscan", "dedup cluster PATH"),
    ("html export summary results print", "dedup report RESULT, or dedup scan PATH --format html=out.html"),
    ("accept allow approve suppress ignore whitelist allowlist", "dedup baseline RESULT --output FILE"),
    ("label annotate judge ask", "dedup review RESULT"),
    ("add insert ingest update append upsert", "dedup index add INDEX PATH"),
    ("build create new init make", "dedup index build INDEX PATH"),
    ("lookup look-up contains nearest neighbors neighbours serve get known seen", "dedup query INDEX PATH"),
    ("merge", "dedup index merge OUT INDEX INDEX"),
    ("info stat stats", "dedup scan PATH --stats, or dedup index info INDEX"),
    ("list ls", "dedup scan PATH --list-documents"),
    ("settings options defaults configuration setup", "dedup config"),
    ("tune threshold thresholds plot recall s-curve choose", "dedup curve --threshold 0.7"),
    ("signature signatures sketch hash hashes fingerprint", "dedup sign PATH"),
    ("parameters param", "dedup params"),
    ("schemas json-schema", "dedup schema"),
    ("completion complete autocomplete", "dedup completions SHELL"),
    ("manual manpage docs doc info-page", "dedup man"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::program;

    #[test]
    fn what_replaces_a_command_exists_and_is_another_one() {
        let program = program();
        for (words, instead) in COMMANDS {
            for word in words.split(' ') {
                assert!(program.find_subcommand(word).is_none(), "{word}");
            }
            for line in instead.split("dedup ").skip(1) {
                let name = line.split([' ', ',']).next().unwrap_or(line);
                assert!(name == "--version" || program.find_subcommand(name).is_some(), "{line}");
            }
        }
        let index = program.find_subcommand("index").unwrap();
        for (words, instead) in INDEX_COMMANDS {
            assert!(words.split(' ').all(|word| index.find_subcommand(word).is_none()), "{words}");
            let name = instead.trim_start_matches("dedup index ").split(' ').next().unwrap();
            assert!(index.find_subcommand(name).is_some() || instead.starts_with("dedup query "), "{instead}");
        }
    }
}

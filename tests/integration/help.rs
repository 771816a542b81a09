//! The help texts and the version.

use std::collections::BTreeSet;

use crate::support::*;

/// Every flag of `scan`; a new one belongs here and into a test of its theme.
const SCAN_FLAGS: &str = "--all-pairs --anchor --audit[=<N>] --bag --bands --baseline --changed-since --collapse-exact --coverage --default-weight --delimiter --encoding --exclude --exit-code --fail-over --files-from \
    --filter --filter-timeout --fold --fold-digits --follow --force --format --from --gitignore --group-by --help --hidden \
    --html --id-field --id-prefix --ignore-between --ignore-bibliography --ignore-quotes --include --input-format \
    --invalid --jaccard-kept --k --keep-names --keep-whitespace --language --list-documents --lowercase --match --max-df --max-document-bytes \
    --max-gap --max-key-df --memory --min-containment --min-matched --min-run --min-tokens --nfc --nfkc \
    --no-quoting --null --output --passages --preset --prune --quiet --recall --rows --save --seed \
    --shingle --signature --skip-lines --sort --stdin-format --stopwords --strict --strip-accents --strip-punctuation --summary \
    --syntax --template --text-field --threads --threshold --top --weights --with-source --within-groups";

#[test]
fn the_help_of_scan_lists_every_flag_and_default() {
    let look = |help: &str| {
        let flags =
            help.lines().filter(|line| line.trim_start().starts_with('-') && !line.trim_start().starts_with("- "));
        let flags = flags.flat_map(str::split_whitespace).filter(|word| word.starts_with("--") && !word.ends_with(','));
        let flags: BTreeSet<&str> = flags.collect();
        assert_eq!(flags.into_iter().collect::<Vec<_>>().join(" "), SCAN_FLAGS);
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for default in [
            "0.8",
            "9 characters, 5 words, 12 tokens of code, a stop word and 2 words, or 1 line, sentence or element",
            "0.999",
            "chosen by --recall, or 20 beside --rows",
            "classic",
            "42",
            "auto",
            "id",
            "text",
            "char",
        ] {
            assert!(help.contains(&format!("[default: {default}]")), "{default}");
        }
    };
    Workspace::new("help").dedup(&["scan", "--help"]).stdout_with(look).stderr("").exit_code(0);
    let short = |help: &str| assert!(help.contains("Usage: dedup scan") && help.lines().all(|line| line.len() <= 100));
    Workspace::new("help").dedup(&["scan", "-h"]).stdout_with(short).stderr("").exit_code(0);
    Workspace::new("help").dedup(&["help", "scan"]).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn compare_has_the_flags_of_scan_and_its_own() {
    let look = |help: &str| {
        assert!(help.starts_with("Print every pair of near-duplicate documents across two sides\n"), "{help}");
        let words: BTreeSet<&str> = help.split_whitespace().collect();
        let missing: Vec<&str> = SCAN_FLAGS.split(' ').filter(|flag| !words.contains(flag)).collect();
        assert!(missing.is_empty(), "{missing:?}\n{help}");
        for flag in ["--against", "--against-exclude", "--against-files-from", "--against-include"] {
            assert!(words.contains(flag), "{flag}\n{help}");
        }
    };
    Workspace::new("help").dedup(&["compare", "--help"]).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn the_help_of_each_command_says_its_exit_codes() {
    for command in ["scan", "compare", "cluster", "explain", "unique", "plan", "report", "baseline", "review"] {
        let look = |help: &str| {
            let (flags, codes) = help.split_once("\nExit codes:\n").expect(command);
            let of_lines: Vec<&str> = codes.lines().map(|line| line.trim_start().split("  ").next().unwrap()).collect();
            // Who can be asked to end with 1 says so.
            let found = flags.contains("--exit-code").then_some("1");
            let expected: Vec<&str> = ["0"].into_iter().chain(found).chain(["2", "3", "130, 143, 129"]).collect();
            assert_eq!(of_lines, expected, "{help}");
        };
        for flag in ["--help", "-h"] {
            Workspace::new("help_codes").dedup(&[command, flag]).stdout_with(look).stderr("").exit_code(0);
        }
    }
}

#[test]
fn the_help_of_the_program_lists_the_subcommands() {
    let look = |help: &str| {
        assert!(help.starts_with("Finds near-duplicate documents and proves every pair"), "{help}");
        assert!(
            help.contains("\n  scan      Print every pair of near-duplicate documents as one JSON line\n"),
            "{help}"
        );
    };
    Workspace::new("help").dedup(&["--help"]).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn no_arguments_show_the_help_as_a_failure() {
    let workspace = Workspace::new("no_arguments");
    let output = workspace.command::<&str>(&[]).output().unwrap();
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8(output.stderr).unwrap().contains("Usage: dedup <COMMAND>"));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = format!("dedup {}\n", env!("CARGO_PKG_VERSION"));
    for flag in ["--version", "-V"] {
        Workspace::new("version").dedup(&[flag]).stdout(&version).stderr("").exit_code(0);
    }
}

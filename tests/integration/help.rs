//! The help texts and the version.

use std::collections::BTreeSet;

use crate::support::*;

/// Every flag of `scan`; a new one belongs here and into a test of its theme.
const SCAN_FLAGS: &str = "--all-pairs --anchor --audit[=<N>] --bag --bands --baseline --changed-since --collapse-exact --color --config --copied-blocks --coverage --csv-escape --default-weight --delimiter --encoding --exclude --exit-code --fail-over --files-from \
    --filter --filter-timeout --fold-digits --follow-links --force --forecast[=<P%>] --format --from --gitignore --group-by --help --hidden \
    --html --id-field --id-prefix --ignore-between --ignore-bibliography --ignore-quotes --include --input-format \
    --invalid --jaccard-kept --k --keep-names --keep-whitespace --language --list-documents --lowercase --mail-quotes --mail-subject --markup --match --max-bytes --max-df --max-document-bytes \
    --max-gap --max-key-df --max-pairs --max-unpacked --max-window --memory --min-containment --min-matched --min-run --min-tokens --nfc --nfkc \
    --no-config --no-header --no-quoting --null --old --output --preset --prune --quiet --quoted --recall --rows --save --seed \
    --shingle --show-passages --signature --skip-lines --sort --stats --stdin-format --stopwords --strict --strip-accents --strip-punctuation --summary \
    --syntax --template --text-field --threads --threshold --times --title --top --undisguise --unit --weights --with-source --within-groups";

#[test]
fn the_help_of_scan_lists_every_flag_and_default() {
    let look = |help: &str| {
        let flags = help.lines().filter(|line| line.trim_start().starts_with('-') && !line.starts_with("          "));
        let flags = flags.flat_map(str::split_whitespace).filter(|word| word.starts_with("--") && !word.ends_with(','));
        let flags: BTreeSet<&str> = flags.collect();
        assert_eq!(flags.into_iter().collect::<Vec<_>>().join(" "), SCAN_FLAGS);
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for default in [
            "9 characters, 5 words, 12 tokens of code, a stop word and 2 words, or 1 line, sentence or element",
            "0.999",
            "chosen by --recall, or 20 with --rows",
            "fast",
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
    Workspace::new("help").dedup(&["help", "scan"]).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn compare_has_the_flags_of_scan_and_its_own() {
    let look = |help: &str| {
        assert!(help.starts_with("Print every pair of near-duplicates between two sets of documents\n"), "{help}");
        let words: BTreeSet<&str> = help.split_whitespace().collect();
        let missing: Vec<&str> =
            SCAN_FLAGS.split(' ').filter(|flag| *flag != "--old" && !words.contains(flag)).collect();
        assert!(missing.is_empty(), "{missing:?}\n{help}");
        for flag in ["--against", "--against-exclude", "--against-files-from", "--against-include"] {
            assert!(words.contains(flag), "{flag}\n{help}");
        }
    };
    Workspace::new("help").dedup(&["compare", "--help"]).stdout_with(look).stderr("").exit_code(0);
}

/// The commands that run on documents or results, and those about the program itself.
const COMMANDS: [&str; 21] = [
    "scan",
    "compare",
    "cluster",
    "explain",
    "unique",
    "decontaminate",
    "check",
    "mcp",
    "plan",
    "report",
    "baseline",
    "review",
    "sign",
    "verify",
    "params",
    "query",
    "curve",
    "config",
    "schema",
    "completions",
    "man",
];

#[test]
fn the_short_help_of_each_command_is_one_screen_and_says_where_the_rest_is() {
    for command in COMMANDS {
        let workspace = Workspace::new("help_short");
        let all = String::from_utf8(workspace.command(&[command, "--help"]).output().unwrap().stdout).unwrap();
        let look = |help: &str| {
            assert!(help.lines().count() <= 48, "{command}: {} lines\n{help}", help.lines().count());
            assert!(help.lines().all(|line| line.len() <= 100), "{help}");
            assert!(help.contains(&format!("Usage: dedup {command}")), "{help}");
            let (examples, _) = help.split_once("\nUsage: ").expect(command);
            let (_, examples) = examples.split_once("\n\nExamples:\n").expect("examples come first");
            let num_examples = examples.lines().filter(|line| line.starts_with("      dedup ")).count();
            assert!((1..=2).contains(&num_examples), "{help}");
            assert_eq!(help.matches("Examples:").count(), 1, "{help}");
            let flags = help.lines().filter(|line| line.trim_start().starts_with('-'));
            let flags = flags
                .flat_map(str::split_whitespace)
                .filter(|word| word.starts_with("--"))
                .map(|word| word.trim_end_matches([',', ';', ':']));
            for flag in flags {
                assert!(all.contains(flag), "{command}: {flag}");
            }
            // The last commands have few flags, and all of them are in sight.
            let has_more = !["config", "schema", "completions", "man"].contains(&command);
            assert_eq!(help.ends_with("shows all flags, examples and exit codes.\n"), has_more, "{help}");
        };
        workspace.dedup(&[command, "-h"]).stdout_with(look).stderr("").exit_code(0);
        let look = |help: &str| {
            let (_, examples) = help.split_once("\nExamples:\n").expect(command);
            assert!(examples.lines().any(|line| line.trim_start().starts_with("dedup ")), "{help}");
        };
        workspace.dedup(&["help", command]).stdout_with(look).stderr("").exit_code(0);
    }
}

#[test]
fn the_short_help_of_each_command_of_an_index_is_one_screen() {
    let commands = ["build", "add", "remove", "merge", "rebuild", "compact", "check", "info", "export"];
    for command in commands {
        let workspace = Workspace::new("help_short_index");
        let look = |help: &str| {
            assert!(help.lines().count() <= 48, "{command}: {} lines\n{help}", help.lines().count());
            assert!(help.contains("\n\nExamples:\n"), "{help}");
            assert!(help.lines().all(|line| line.len() <= 100), "{help}");
            assert!(help.contains(&format!("Usage: dedup index {command}")), "{help}");
            let has_more = ["build", "add", "rebuild"].contains(&command);
            let footer = format!("`dedup index {command} --help` shows all flags and exit codes.\n");
            assert_eq!(help.ends_with(&footer), has_more, "{help}");
        };
        workspace.dedup(&["index", command, "-h"]).stdout_with(look).stderr("").exit_code(0);
    }
}

#[test]
fn the_help_of_each_command_says_its_exit_codes() {
    for command in
        ["scan", "compare", "cluster", "explain", "unique", "decontaminate", "plan", "report", "baseline", "review"]
    {
        let look = |help: &str| {
            let (flags, codes) = help.split_once("\nExit codes:\n").expect(command);
            let (codes, _) = codes.split_once("\n\nExamples:").expect(command);
            let of_lines: Vec<&str> = codes.lines().map(|line| line.trim_start().split("  ").next().unwrap()).collect();
            // Who can be asked to end with 1 says so.
            let found = flags.contains("--exit-code").then_some("1");
            let expected: Vec<&str> = ["0"].into_iter().chain(found).chain(["2", "3", "130, 143, 129"]).collect();
            assert_eq!(of_lines, expected, "{help}");
        };
        Workspace::new("help_codes").dedup(&[command, "--help"]).stdout_with(look).stderr("").exit_code(0);
    }
}

#[test]
fn the_help_of_the_program_lists_the_subcommands() {
    let look = |help: &str| {
        assert!(help.starts_with("Finds near-duplicate documents, and proves each pair"), "{help}");
        assert!(
            help.contains("\n  scan         Print every pair of near-duplicate documents, one JSON line each\n"),
            "{help}"
        );
        let places = [
            "dedup FOLDER\n",
            "Usage: ",
            "\nFind:\n  scan ",
            "\nClean up:\n  unique ",
            "\nReport:\n  report ",
            "\nLook up:\n  index ",
            "\nSettings:\n  config ",
            "\nFor programs:\n  sign ",
            "\nShell:\n  completions ",
            "\nOptions:\n",
        ];
        let places: Vec<usize> =
            places.iter().map(|part| help.find(part).unwrap_or_else(|| panic!("{part}: {help}"))).collect();
        assert!(places.is_sorted(), "{help}");
        let (examples, _) = help.split_once("Usage").expect("a usage");
        assert_eq!(examples.matches("      dedup ").count(), 2, "{help}");
        assert!(help.lines().all(|line| line.len() <= 100), "{help}");
    };
    Workspace::new("help").dedup(&["-h"]).stdout_with(look).stderr("").exit_code(0);
    Workspace::new("help").dedup(&["--help"]).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn no_arguments_show_the_help_as_a_failure() {
    let workspace = Workspace::new("no_arguments");
    let output = workspace.command::<&str>(&[]).output().unwrap();
    assert!(output.stdout.is_empty());
    assert!(
        String::from_utf8(output.stderr).unwrap().contains("Usage: dedup [OPTIONS] PATH...\n       dedup COMMAND ")
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn standard_input_without_arguments_is_read_for_people() {
    let records = format!("{{\"id\":\"a\",\"text\":\"{FOX}\"}}\n{{\"id\":\"b\",\"text\":\"{FOX}\"}}\n").into_bytes();
    let look = |stdout: &str| assert!(stdout.contains("100 %") && !stdout.contains("{\"a\""), "{stdout}");
    let summary = |stderr: &str| assert!(stderr.starts_with("1 similar pair among 2 documents"), "{stderr}");
    Workspace::new("no_arguments_stdin")
        .stdin(records)
        .dedup::<&str>(&[])
        .stdout_with(look)
        .stderr_with(summary)
        .exit_code(0);
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = format!("dedup {}\n", env!("CARGO_PKG_VERSION"));
    Workspace::new("version").dedup(&["-V"]).stdout(&version).stderr("").exit_code(0);
    let look = |text: &str| {
        let rest = text.strip_prefix(&version).unwrap_or_else(|| panic!("{text}"));
        let names: Vec<&str> = rest.lines().filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(names, ["features", "forms", "built", "kernels"], "{text}");
        assert!(rest.contains("saved results 1, baselines 1") && rest.contains("signature classic "), "{text}");
        // What is left out stands in brackets.
        let features = rest.lines().next().and_then(|line| line.split('(').next()).unwrap_or_default();
        assert_eq!(features.contains("arrow"), cfg!(feature = "arrow"), "{text}");
        assert_eq!(features.contains("parquet"), cfg!(feature = "parquet"), "{text}");
    };
    Workspace::new("version").dedup(&["--version"]).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn the_help_of_the_program_fits_80_columns_and_the_view_has_its_own_page() {
    let workspace = Workspace::new("help_of_view").file("a.txt", FOX);
    let fits = |help: &str| assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    workspace.dedup(&["--help"]).stdout_with(fits).stderr("").exit_code(0);
    for flag in ["-h", "--help"] {
        let view = |help: &str| {
            assert!(help.starts_with("Show the near-duplicate documents in files and folders"), "{help}");
            assert!(help.contains("Usage: dedup [OPTIONS] PATH...\n") && !help.contains("dedup scan notes"), "{help}");
        };
        workspace.dedup(&[".", flag]).stdout_with(view).stderr("").exit_code(0);
    }
    for command in ["report", "baseline"] {
        let of_result = |help: &str| assert!(help.contains("[default: the threshold of the result]"), "{help}");
        workspace.dedup(&[command, "-h"]).stdout_with(of_result).stderr("").exit_code(0);
    }
}

//! `--preset web`, `mail`, `logs` and `records`: they are the flags that their help shows, in every command and in settings
//! files, and a flag on the command line overrides them.

use std::path::Path;

use crate::support::*;

/// A preset, its example, and the flags of the example.
const PRESETS: [(&str, &str, &[&str]); 4] = [
    ("web", "site", &[]),
    ("mail", "mail", &[]),
    ("logs", "logs", &[]),
    (
        "records",
        "records",
        &["--id-prefix", "file", "--text-field", "name", "--text-field", "street", "--text-field", "city"],
    ),
];

/// A folder with the documents of an example in `in` and in `old`.
fn example(name: &'static str, folder: &str) -> Workspace {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(folder);
    let files = std::fs::read_dir(from).unwrap().map(|file| file.unwrap().path());
    files.fold(Workspace::new(name), |workspace, file| {
        let [to, old] = ["in", "old"].map(|folder| Path::new(folder).join(file.file_name().unwrap()));
        let bytes = std::fs::read(&file).unwrap();
        workspace.file(to, &bytes).file(old, bytes)
    })
}

/// The standard output of a command that ends with 0.
fn printed(corpus: &Workspace, args: &[&str]) -> String {
    let mut printed = String::new();
    corpus.dedup(args).stdout_with(|stdout| printed = stdout.to_owned()).stderr_with(|_| ()).exit_code(0);
    printed
}

/// The flags that the help of a preset shows; a line with a comma depends on the command.
fn flags_of(corpus: &Workspace, preset: &str) -> Vec<String> {
    let help = printed(corpus, &["scan", "--preset", preset, "--help"]);
    let lines = help.lines().filter(|line| line.starts_with("    --") && !line.contains(','));
    let flags: Vec<String> = lines.flat_map(str::split_whitespace).map(str::to_owned).collect();
    assert!(flags.len() >= 6, "{flags:?}");
    flags
}

#[test]
fn a_preset_is_the_same_as_the_flags_of_its_help() {
    for (preset, folder, fields) in PRESETS {
        let corpus = example("preset_flags", folder);
        let flags = flags_of(&corpus, preset);
        let commands: [&[&str]; 5] = [
            &["scan", "-q", "in"],
            &["cluster", "-q", "in"],
            &["compare", "-q", "in", "--against", "in"],
            &["scan", "-q", "in", "--old", "old"],
            &["sign", "-q", "in"],
        ];
        for command in commands {
            let is_sign = command[0] == "sign";
            if is_sign && preset == "records" {
                let line = "dedup: --weights idf: depends on other documents, but each document is signed as soon as it is read; remove the flag (--preset records sets --weights idf)\n";
                corpus.dedup(&["sign", "in", "--preset", preset]).stdout("").stderr(line).exit_code(2);
                continue;
            }
            // A signature does not depend on how pairs are found.
            let is_kept = |flag: &&str| !(is_sign && ["--match", "jaccard"].contains(flag));
            let written: Vec<&str> = flags.iter().map(String::as_str).filter(is_kept).collect();
            let run = |flags: &[&str]| printed(&corpus, &[command, fields, flags].concat());
            let by_preset = run(&["--preset", preset]);
            assert_eq!(by_preset, run(&written), "{preset}: {command:?}");
            assert_ne!(by_preset, run(&[]), "{preset}: {command:?}");
            assert!(!by_preset.is_empty(), "{preset}: {command:?}");
        }
    }
}

#[test]
fn a_settings_file_may_set_a_preset_and_a_flag_overrides_it() {
    for (preset, folder, fields) in PRESETS {
        let corpus = example("preset_config", folder).file("dedup.toml", format!("preset = \"{preset}\"\n"));
        let scan = |flags: &[&str]| printed(&corpus, &[&["scan", "-q", "in"], fields, flags].concat());
        assert_eq!(scan(&[]), scan(&["--no-config", "--preset", preset]), "{preset}");
        assert_ne!(scan(&[]), scan(&["--no-preset"]), "{preset}");
        assert_eq!(scan(&["--threshold", "1"]), "", "{preset}");
    }
    let site = example("preset_config", "site");
    let scan = |flags: &[&str]| printed(&site, &[&["scan", "-q", "in", "--preset", "web"], flags].concat());
    assert_eq!(scan(&[]).lines().count(), 1);
    assert_eq!(scan(&["--html", "auto"]).lines().count(), 7);
    let logs = example("preset_config", "logs");
    let scan = |flags: &[&str]| printed(&logs, &[&["scan", "-q", "in", "--preset", "logs"], flags].concat());
    assert_eq!(scan(&[]).lines().count(), 8);
    assert_eq!(scan(&["--input-format", "auto"]), "");
}

#[test]
fn settings_are_listed_with_the_preset_that_they_come_from() {
    let corpus = Workspace::new("preset_listed");
    for (preset, setting) in [("web", "html = main"), ("logs", "input-format = lines"), ("records", "weights = idf")] {
        let listed = printed(&corpus, &["config", "scan", "--preset", preset]);
        let squeezed = listed.split_whitespace().collect::<Vec<_>>().join(" ");
        let setting = setting.replace(" =", "");
        assert!(squeezed.contains(&setting), "{preset}: {listed}");
    }
}

#[test]
fn unique_keeps_one_document_of_each_kind() {
    for (preset, kept) in
        [("web", "5 kept, 1 removed"), ("logs", "7 kept, 5 removed"), ("records", "9 kept, 3 removed")]
    {
        let (_, folder, fields) = PRESETS.into_iter().find(|(name, ..)| *name == preset).unwrap();
        let corpus = example("preset_unique", folder);
        let unique = [&["unique", "in", "--preset", preset, "--output", "out"], fields].concat();
        let look = |stderr: &str| assert!(stderr.contains(kept), "{preset}: {stderr}");
        corpus.dedup(&unique).stdout("").stderr_with(look).exit_code(0);
    }
}

#[test]
fn an_index_has_presets_without_weights() {
    for (preset, folder) in [("web", "site"), ("mail", "mail"), ("logs", "logs")] {
        let corpus = example("preset_index", folder);
        corpus.dedup(&["index", "build", "-q", "x", "in", "--preset", preset]).stdout("").stderr("").exit_code(0);
        let found = printed(&corpus, &["query", "-q", "x", "in", "--preset", preset]);
        let pairs = printed(&corpus, &["scan", "-q", "in", "--preset", preset]).lines().count();
        let hits = found.lines().count();
        assert!(hits >= 2 * pairs && pairs > 0, "{preset}: {hits} documents found, {pairs} pairs\n{found}");
        // An index with other settings uses its own.
        corpus.dedup(&["index", "build", "-q", "y", "in", "--shingle", "word"]).stdout("").stderr("").exit_code(0);
        let setting = if preset == "logs" { "--k 1" } else { "--nfkc" };
        let end = format!(", and --preset {preset} sets {setting}; texts are compared as in the index");
        let differs = |stderr: &str| {
            let note = stderr.lines().next().unwrap_or_default();
            assert!(note.starts_with("dedup: note: y: the index was made with ") && note.ends_with(&end), "{stderr}");
        };
        let query = ["query", "y", "in", "--preset", preset];
        // The index has the file of the logs as one document, and its lines are not similar to it.
        let look = |lines: &str| assert_eq!(lines.is_empty(), preset == "logs", "{lines}");
        corpus.dedup(&query).stdout_with(look).stderr_with(differs).exit_code(0);
    }
    let corpus = example("preset_index", "records");
    let line = "dedup: --preset records: finds documents by weights of their shingles, but an index finds them by signatures; choose another preset\n";
    corpus.dedup(&["index", "build", "x", "in", "--preset", "records"]).stdout("").stderr(line).exit_code(2);
}

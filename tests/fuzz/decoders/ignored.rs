//! `--gitignore` against git itself.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use dedup_scan::records::{Name, Treatment};
use dedup_scan::search::list_documents;
use dedup_scan::{InputSettings, Observer, Settings};
use tempfile::TempDir;

use crate::random::Random;

/// Whether git can be asked.
pub(crate) fn has_git() -> bool {
    Command::new("git").arg("--version").output().is_ok_and(|output| output.status.success())
}

pub(crate) fn files(seed: u64) -> Result<(), String> {
    const FOLDERS: [&str; 6] = ["", "a/", "a/b/", "b/", "a b/", "c/a/"];
    const NAMES: [&str; 12] = ["a", "b", "x.a", "x.b", "x.{a,b}", "é.a", "-", "#h", "!n", "a b", "[x]", "X.A"];
    let random = &mut Random(seed);
    let folder = TempDir::new().expect("a temporary folder");
    let root = folder.path();
    for folder in FOLDERS {
        fs::create_dir_all(root.join(folder)).expect("room for a folder");
    }
    for folder in FOLDERS {
        for name in NAMES {
            // A name may be that of a folder.
            let _ = fs::write(root.join(folder).join(name), format!("{folder}{name}"));
        }
    }
    let mut lists = String::new();
    for folder in FOLDERS.iter().filter(|folder| folder.is_empty() || random.percent(25)).collect::<Vec<_>>() {
        let patterns: String = (0..1 + random.below(5)).map(|_| pattern(random) + "\n").collect();
        fs::write(root.join(folder).join(".gitignore"), &patterns).expect("room for a file");
        lists.push_str(&format!("{folder:?}: {patterns:?} "));
    }
    let (git, ours) = (by_git(root), by_dedup(root));
    if git == ours {
        return Ok(());
    }
    let [only_git, only_ours] = [git.difference(&ours), ours.difference(&git)].map(|files| files.collect::<Vec<_>>());
    Err(format!("{lists}: git alone keeps {only_git:?}, dedup alone keeps {only_ours:?}"))
}

fn pattern(random: &mut Random) -> String {
    const PIECES: [&str; 26] = [
        "a",
        "b",
        "x",
        ".a",
        ".b",
        "*",
        "*",
        "**",
        "?",
        "/",
        "/",
        "[ab]",
        "[!a]",
        "[^x]",
        "[a-c]",
        "[[:alpha:]]",
        "{a,b}",
        "é",
        " ",
        "\\ ",
        "\\#",
        "\\!",
        "#",
        "-",
        "[x]",
        "\\[",
    ];
    let mut pattern = String::from(random.pick(&["", "", "", "", "!", "/", "**/"]));
    for _ in 0..1 + random.below(4) {
        pattern.push_str(random.pick(&PIECES));
    }
    pattern.push_str(random.pick(&["", "", "", "/", "/**", " ", "/*"]));
    pattern
}

fn by_git(root: &Path) -> BTreeSet<String> {
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").current_dir(root).args(args);
        let output = command.output().expect("git was there before");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("names are UTF-8")
    };
    git(&["init", "--quiet", "--template="]);
    let files = git(&["-c", "core.excludesFile=/dev/null", "ls-files", "--others", "--exclude-standard", "-z"]);
    let is_hidden = |path: &str| path.split('/').any(|part| part.starts_with('.'));
    files.split_terminator('\0').filter(|path| !is_hidden(path)).map(String::from).collect()
}

fn by_dedup(root: &Path) -> BTreeSet<String> {
    struct Silent;
    impl Observer for Silent {}

    let input = InputSettings { paths: vec![root.into()], gitignore: true, ..InputSettings::default() };
    let mut files = BTreeSet::new();
    list_documents(&Settings::of(input), &Silent, &mut |record| {
        let Name::Text(name) = &record.name else { panic!("names are UTF-8") };
        assert!(!matches!(record.treatment, Treatment::Skipped | Treatment::Binary), "{record:?}");
        files.insert(name.strip_prefix(&format!("{}/", root.display())).expect("it is inside").to_owned());
        Ok(())
    })
    .expect("the folder can be read");
    files
}

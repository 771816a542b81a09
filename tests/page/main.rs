//! The page of `--format html`: its script by itself in Node, and whole pages in a browser without a window.
//!
//! `script.test.mjs` tests the parts of the script that know of no page; `page.test.mjs` opens the pages that [`pages`] makes with the
//! program, by way of `browser.mjs`. Without Node, Chromium or axe-core, which checks whether everybody can use a page, the tests are
//! reported as ignored; `.ci/install` installs these, and `.ci/run` fails when a test is ignored.

#[path = "../ignored/mod.rs"]
mod ignored;
mod pages;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let (node, browser, axe) = (found(&["node"]), found(&["chromium", "chromium-browser", "google-chrome"]), axe());
    let mut missing = ignored::Missing::default();
    let needed = [
        ("node (.ci/install installs it)", node.is_some()),
        ("chromium (.ci/install installs it)", browser.is_some()),
        ("axe-core (.ci/install installs it)", axe.is_some()),
    ];
    let script = {
        let node = node.clone();
        Trial::test("script", move || run(node.as_deref(), "script.test.mjs", &[]))
    };
    let script = missing.unless(needed[0].1, needed[0].0, script);
    let pictures = {
        let (node, browser) = (node.clone(), browser.clone().unwrap_or_default());
        Trial::test("pictures", move || {
            let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
            let (page, pictures) =
                (pages::picture(folder.path()), Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/pictures"));
            let variables =
                [("DEDUP_PAGE", &*page), ("DEDUP_FOLDER", &*pictures), ("DEDUP_BROWSER", browser.as_path())];
            run(node.as_deref(), "picture.mjs", &variables)
        })
    };
    let page = Trial::test("page", move || {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        pages::make(folder.path());
        let [browser, axe] = [browser, axe].map(|path| path.unwrap_or_default());
        let variables = [("DEDUP_PAGES", folder.path()), ("DEDUP_BROWSER", &browser), ("DEDUP_AXE", &axe)];
        run(node.as_deref(), "page.test.mjs", &variables)?;
        for file in ["answers.jsonl", "answers.csv"] {
            let [review, report] = pages::read_saved_answers(folder.path(), file);
            let is_read = review.starts_with("answers      2: 1 yes, 1 no; 0 skipped")
                && report.contains("answer no: an \"own\" work, </script> \\u{202e}")
                && report.contains("no answer: ask them");
            if !is_read {
                return Err(format!("{file}: {review}{report}").into());
            }
        }
        Ok(())
    });
    let page = needed.into_iter().fold(page, |page, (name, is_there)| missing.unless(is_there, name, page));
    // Pictures are made only on request, since each version of a browser draws other ones.
    let makes_pictures = std::env::var("DEDUP_PICTURES").is_ok_and(|value| value == "record");
    let trials = [script, page].into_iter().chain(makes_pictures.then_some(pictures));
    missing.run(&Arguments::from_args(), trials.collect())
}

/// Runs a file of tests in Node, and shows what it printed when one fails.
fn run(node: Option<&Path>, file: &str, variables: &[(&str, &Path)]) -> Result<(), Failed> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/page");
    let mut command = Command::new(node.unwrap_or(Path::new("node")));
    command.arg("--test").arg(here.join(file)).envs(variables.iter().copied());
    let output = command.output().map_err(|error| format!("node: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)).into())
}

/// The first of some programs that is on the path.
fn found(programs: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let place = |program: &&str| folders.iter().map(|folder| folder.join(program)).find(|file| file.is_file());
    programs.iter().find_map(place)
}

/// The script of axe-core where `.ci/install` installs it.
fn axe() -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?;
    Some(cache.join("dedup/page/node_modules/axe-core/axe.min.js")).filter(|file| file.is_file())
}

//! dedup.toml: where it is found, what may stand in it, and what replaces what.

use crate::support::*;

/// Two texts that are alike by 0.8, and settings that ask for more.
fn project() -> Workspace {
    Workspace::new("config").file("a.txt", FOX).file("b.txt", CAT).file("dedup.toml", "threshold = 0.9\n")
}

const BOTH: &[&str] = &["a.txt b.txt"];

#[test]
fn a_file_sets_what_the_command_line_does_not() {
    let project = project();
    project.dedup(&["scan", "-q", "a.txt", "b.txt"]).pairs(&[]).stderr("").exit_code(0);
    project.dedup(&["scan", "-q", "--no-config", "a.txt", "b.txt"]).pairs(BOTH).stderr("").exit_code(0);
    project.dedup(&["scan", "-q", "--threshold", "0.8", "a.txt", "b.txt"]).pairs(BOTH).stderr("").exit_code(0);
    project.dedup(&["scan", "-q", "--no-threshold", "a.txt", "b.txt"]).pairs(BOTH).stderr("").exit_code(0);
}

#[test]
fn it_is_found_above_the_folder_and_its_paths_are_seen_from_it() {
    let project = Workspace::new("config_above")
        .file("dedup.toml", "template = \"form.txt\"\nquiet = true\n")
        .file("form.txt", "The form that all of them fill in, from the first line to the last one.")
        .file("in/a.txt", "The form that all of them fill in, from the first line to the last one. One answer.")
        .file("in/b.txt", "The form that all of them fill in, from the first line to the last one. Other words!");
    let run = |flags: &str| {
        let mut command = project.script(&format!("cd in && \"$D\" scan {flags} --threshold 0.5 a.txt b.txt"));
        let output = command.output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(run("--quiet"), "", "nothing is left but the answers");
    assert!(run("--quiet --no-config").contains("\"b\":\"b.txt\""));
}

#[test]
fn a_table_is_for_its_command_alone() {
    let project = Workspace::new("config_table").file("a.txt", FOX).file("b.txt", CAT).file(
        "dedup.toml",
        "threshold = 0.9\nquiet = true\n[cluster]\nthreshold = 0.7\n[compare]\nwith-source = true\n",
    );
    let settings = |keys: &str| format!("dedup: note: dedup.toml sets {keys}; --no-config ignores it\n");
    project.dedup(&["scan", "a.txt", "b.txt"]).pairs(&[]).stderr(&settings("threshold, quiet")).exit_code(0);
    let look = |groups: &str| assert_eq!(groups.lines().count(), 1, "{groups}");
    let said = settings("threshold, quiet");
    project.dedup(&["cluster", "a.txt", "b.txt"]).stdout_with(look).stderr(&said).exit_code(0);
}

#[test]
fn switches_and_lists_are_replaced() {
    let project = Workspace::new("config_switch")
        .file("a.txt", FOX)
        .file("b.txt", FOX.to_uppercase())
        .file("c.md", FOX)
        .file("dedup.toml", "lowercase = true\nexclude = [\"*.md\", \"*.toml\"]\n");
    let scan = |flags: &[&str]| project.dedup(&[&["scan", "-q"], flags, &["."]].concat());
    scan(&[]).pairs(&["a.txt b.txt"]).stderr("").exit_code(0);
    scan(&["--no-lowercase"]).pairs(&[]).stderr("").exit_code(0);
    scan(&["--exclude", "b.txt", "--exclude", "*.toml"]).pairs(&["a.txt c.md"]).stderr("").exit_code(0);
    scan(&["--no-lowercase", "--lowercase"]).pairs(&["a.txt b.txt"]).stderr("").exit_code(0);
    let all = ["a.txt b.txt", "a.txt c.md", "b.txt c.md"];
    scan(&["--no-exclude"]).pairs(&all).stderr("").exit_code(0);
}

#[test]
fn a_quiet_run_has_its_settings_in_the_summary() {
    let project = project();
    let scan = ["scan", "-q", "a.txt", "b.txt", "--summary", "s.json"];
    project.dedup(&scan).pairs(&[]).stderr("").exit_code(0);
    let summary: serde_json::Value = serde_json::from_str(&project.read("s.json")).unwrap();
    assert_eq!(summary["config"], serde_json::json!({"file": "dedup.toml", "keys": ["threshold"]}));
}

#[test]
fn flags_that_do_not_go_with_a_key_replace_it() {
    let project = project().file("dedup.toml", "recall = 0.99\nthreshold = 0.7\npreset = \"code\"\n");
    let scan = |flags: &[&str]| project.dedup(&[&["scan", "-q"], flags, &["a.txt", "b.txt"]].concat());
    scan(&["--bands", "20", "--rows", "5", "--no-preset"]).pairs(BOTH).stderr("").exit_code(0);
}

#[test]
fn what_no_command_has_is_an_error_that_names_its_line() {
    for (text, message) in [
        ("\nthreshhold = 0.8\n", "dedup.toml:2: threshhold: no such key; threshold is similar"),
        ("qqqq = 1\n", "dedup.toml:1: qqqq: no such key; remove it (dedup config lists the keys)"),
        ("output = \"x\"\n", "dedup.toml:1: output: it applies to one run only; give --output on the command line"),
        (
            "[clusters]\nlinkage = \"star\"\n",
            "dedup.toml:2: [clusters]: no command with settings has this name; give scan, compare, cluster, explain, unique or plan",
        ),
        ("[scan]\nlinkage = \"star\"\n", "dedup.toml:2: linkage: dedup scan has no such flag; remove the key"),
        ("lowercase = 1\n", "dedup.toml:1: lowercase: give true or false"),
        ("threshold = [0.8]\n", "dedup.toml:1: threshold: give one value, and no list"),
        ("k = \n", "dedup.toml:1: it is not valid TOML: "),
    ] {
        let project = project().file("dedup.toml", text);
        let look = |stderr: &str| assert!(stderr.starts_with(&format!("dedup: {message}")), "{stderr}");
        project.dedup(&["scan", "a.txt", "b.txt"]).stdout("").stderr_with(look).exit_code(2);
    }
    let wrong = project().file("dedup.toml", "quiet = true\nthreshold = 80\n");
    let look = |stderr: &str| {
        assert!(stderr.contains("--threshold 80: give a similarity") && stderr.contains("dedup.toml:2"), "{stderr}");
    };
    wrong.dedup(&["scan", "a.txt", "b.txt"]).stdout("").stderr_with(look).exit_code(2);
}

#[test]
fn commands_run_only_by_a_file_that_is_named() {
    let project = Workspace::new("config_filter")
        .file("a.txt", FOX)
        .file("b.up", FOX.to_uppercase())
        .file("dedup.toml", "filter = \"up=tr A-Z a-z\"\nlowercase = true\n");
    project
        .dedup(&["scan", "-q", "--no-lowercase", "a.txt", "b.up"])
        .pairs(&[])
        .stderr(
            "dedup: warning: dedup.toml:1: filter runs commands, so it is only read from a file that --config gives; add --config dedup.toml, or remove the key\n",
        )
        .exit_code(0);
    project
        .dedup(&["scan", "-q", "--no-lowercase", "--config", "dedup.toml", "a.txt", "b.up"])
        .pairs(&["a.txt b.up"])
        .stderr("")
        .exit_code(0);
}

#[test]
#[cfg(unix)]
fn a_found_file_leads_to_no_other_folder() {
    let project = Workspace::new("config_links").file("in/a.txt", FOX).file("out/b.txt", FOX);
    std::os::unix::fs::symlink(project.path("out"), project.path("in/link")).unwrap();
    for (key, what) in [
        ("follow-links = true", "follow-links reads files outside of its folder"),
        ("max-window = \"2GiB\"", "max-window lets compressed files fill the memory"),
    ] {
        std::fs::write(project.path("in/dedup.toml"), key).unwrap();
        let look = |stderr: &str| {
            let warning = format!("dedup.toml:1: {what}, so it is only read from a file that --config gives");
            assert!(stderr.contains(&warning), "{stderr}");
        };
        project.shell("cd in && $D scan -q .").stdout("").stderr_with(look).exit_code(0);
    }
    std::fs::write(project.path("in/dedup.toml"), "follow-links = true").unwrap();
    project.shell("cd in && $D scan -q . --config dedup.toml | wc -l").stdout("1\n").stderr("").exit_code(0);
}

#[test]
fn signatures_know_no_settings() {
    let project = project().file("dedup.toml", "wrong = 1\n");
    project
        .dedup(&["sign", "-q", "a.txt"])
        .stdout_with(|lines| assert_eq!(lines.lines().count(), 1))
        .stderr("")
        .exit_code(0);
}

#[test]
fn config_says_where_each_setting_is_from() {
    let project =
        project().file("dedup.toml", "threshold = 0.9\nexclude = [\"a\", \"b\"]\n[scan]\nlowercase = false\n");
    let expected = "dedup scan, settings of dedup.toml\n\
                    threshold  0.9   dedup.toml:1\n\
                    k          7     command line\n\
                    lowercase  false  dedup.toml:4\n\
                    exclude    a, b  dedup.toml:2\n";
    let look = |text: &str| {
        let squeezed = |text: &str| {
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
        };
        assert_eq!(squeezed(text), squeezed(expected));
    };
    project.dedup(&["config", "scan", "--k", "7"]).stdout_with(look).stderr("").exit_code(0);
    let look = |text: &str| {
        let config: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(config["file"], "dedup.toml");
        let setting = |key: &str| {
            let settings = config["settings"].as_array().unwrap();
            settings.iter().find(|setting| setting["key"] == key).unwrap_or_else(|| panic!("{key}")).clone()
        };
        assert_eq!(setting("shingle")["source"], "preset");
        assert_eq!(setting("match")["source"], "command-line");
        assert_eq!(setting("seed")["values"][0], "42");
        assert_eq!(setting("exclude")["place"], "dedup.toml:2");
    };
    let args = ["config", "--json", "cluster", "--match", "passages", "--no-threshold"];
    project.dedup(&args).stdout_with(look).stderr("").exit_code(0);
    project
        .dedup(&args[..5])
        .stdout("")
        .stderr(
            "dedup: --threshold: does not apply to pairs that match by passages; give --coverage, the minimum share of the shorter document that passages cover (--threshold is set by dedup.toml:1; --no-threshold cancels it)\n",
        )
        .exit_code(2);
    let other = project.dedup(&["config", "sing"]).stdout("");
    other
        .stderr("dedup: sing: it reads no settings; give scan, compare, cluster, explain, unique or plan\n")
        .exit_code(2);
}

#[test]
fn config_refuses_what_the_command_refuses() {
    let project = project();
    // These are limits of a saved result.
    let of_saved = ["config", "cluster", "--from", "saved", "--coverage", "0.5"];
    project
        .dedup(&of_saved)
        .stdout_with(|text| assert!(text.contains("coverage  0.5"), "{text}"))
        .stderr("")
        .exit_code(0);
    for flags in [
        &["--bands", "100", "--rows", "100"][..],
        &["--preset", "sentences", "--signature", "fast"],
        &["--match", "passages", "--threshold", "0.5"],
        &["--weights", "nowhere.tsv"],
        &["--stopwords", "nowhere.txt"],
    ] {
        for path in [&["."][..], &[]] {
            let run = project.command(&[&["scan", "."][..], flags].concat()).output().unwrap();
            let config = project.command(&[&["config", "scan"][..], path, flags].concat()).output().unwrap();
            assert!(run.status.code() == Some(2) && !run.stderr.is_empty(), "{flags:?}: {run:?}");
            assert_eq!((config.status.code(), config.stdout), (Some(2), Vec::new()), "{flags:?}");
            let said = |stderr: Vec<u8>| String::from_utf8(stderr).unwrap();
            assert_eq!(said(config.stderr), said(run.stderr), "{flags:?}");
        }
    }
}

#[test]
fn a_failure_says_where_the_file_sets_a_flag_that_it_is_about() {
    for (key, args, flag) in [
        ("min-run = 12", &["--match", "passages", "--anchor", "5", "a.txt"][..], "min-run"),
        ("threshold = 7", &["a.txt"], "threshold"),
        ("match = \"jaccard\"", &["--coverage", "0.5", "a.txt"], "match"),
        ("weights = \"idf\"", &["--unit", "path", "--weights", "nowhere.tsv", "a.txt"], ""),
        ("strict = true", &["nowhere"], "strict"),
    ] {
        let project = project().file("dedup.toml", format!("{key}\n"));
        let note = format!(" (--{flag} is set by dedup.toml:1; --no-{flag} cancels it)\n");
        let look = |text: &str| {
            let is_noted = if flag.is_empty() { !text.contains("dedup.toml") } else { text.ends_with(&note) };
            assert!(text.starts_with("dedup: ") && is_noted, "{key}: {text}");
        };
        project.dedup(&[&["scan", "-q"], args].concat()).stdout("").stderr_with(look).exit_code(2);
    }
}

#[test]
fn the_summary_names_the_file_that_was_found_and_its_keys() {
    let project = project().folder("in");
    let scan = "cd in && \"$D\" scan ../a.txt ../b.txt --summary ../s.json";
    let said =
        |is_said: bool| move |text: &str| assert_eq!(text.contains("/dedup.toml sets threshold;"), is_said, "{text}");
    project.shell(scan).stdout("").stderr_with(said(true)).exit_code(0);
    assert!(project.read("s.json").contains("/dedup.toml\",\"keys\":[\"threshold\"]}"), "{}", project.read("s.json"));
    project.shell(&format!("{scan} -q")).stdout("").stderr("").exit_code(0);
    // A key that the command line replaces is not used.
    project.shell(&format!("{scan} --threshold 0.9")).stdout("").stderr_with(said(false)).exit_code(0);
    assert!(!project.read("s.json").contains("dedup.toml"));
}

#[test]
fn a_file_that_was_found_does_not_run_git() {
    let project = project().file("dedup.toml", "changed-since = \"HEAD\"\n");
    let warned = |text: &str| {
        assert!(
            text.starts_with("dedup: warning: dedup.toml:1: changed-since runs git, so it is only read from a file"),
            "{text}"
        );
    };
    project.dedup(&["scan", "-q", "a.txt", "b.txt"]).pairs(BOTH).stderr_with(warned).exit_code(0);
    let failed = |text: &str| assert!(text.contains("not inside a git work tree"), "{text}");
    let named = ["scan", "-q", "--config", "dedup.toml", "a.txt", "b.txt"];
    project.dedup(&named).stdout("").stderr_with(failed).exit_code(2);
}

#[cfg(unix)]
#[test]
fn a_file_that_was_found_names_no_file_outside_of_its_folder() {
    let project = Workspace::new("config_outside")
        .file("secret", "a secret line\n")
        .file("in/a.txt", FOX)
        .file("in/w.tsv", "fox\t2\n")
        .link("in/link", "../secret")
        .fifo("in/fifo");
    let scan =
        |flags: &str| project.script(&format!("cd in && timeout 20 \"$D\" scan -q {flags} a.txt")).output().unwrap();
    for path in ["/etc/passwd", "/dev/zero", "../secret", "link", "fifo", "-", "../in/../secret"] {
        for key in ["weights", "stopwords", "template", "baseline"] {
            let value =
                if ["template", "against"].contains(&key) { format!("[\"{path}\"]") } else { format!("\"{path}\"") };
            std::fs::write(project.path("in/dedup.toml"), format!("{key} = {value}\n")).unwrap();
            let output = scan("");
            let said = String::from_utf8(output.stderr).unwrap();
            let is_refused = said.contains("a file that was found") || said.contains("is a FIFO");
            assert!(output.status.code() == Some(2) && is_refused, "{key} = {path}: {said}");
            assert!(
                said.starts_with("dedup: dedup.toml:1: ") && !said.contains("root:") && said.lines().count() == 1,
                "{said}"
            );
        }
    }
    std::fs::write(project.path("in/dedup.toml"), "weights = \"w.tsv\"\n").unwrap();
    assert_eq!(scan("--shingle word --k 1").status.code(), Some(0));
    std::fs::write(project.path("in/dedup.toml"), "template = [\"../secret\"]\n").unwrap();
    assert_eq!(scan("--config dedup.toml").status.code(), Some(0));
}

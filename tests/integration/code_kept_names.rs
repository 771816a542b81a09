//! `--jaccard-kept` and `--preset code`: the similarity of programs with the names in them kept.

use serde_json::Value;

use crate::code::{COPY, PROGRAM, lines};
use crate::support::*;

#[test]
fn views_of_programs_show_and_sort_by_the_similarity_with_names_kept() {
    let file = |who: &str| format!("students/{who}/assignment-3/source/main/python/solution.py");
    let workspace = Workspace::new("kept_view")
        .file(file("alice"), PROGRAM)
        .file(file("bob"), COPY)
        .file(file("carol"), format!("{PROGRAM}\nprint(1)\n"));
    let rows = "similar  names kept  in students/\n 98.2 %      98.3 %  alice/assignment-3/source/main/python/solution.py  \
                carol/assignment-3/source/main/python/solution.py\n  100 %       9.8 %  alice/assignment-3/source/main/python/solution.py  \
                bob/assignment-3/source/main/python/solution.py\n 98.2 %       9.7 %  bob/assignment-3/source/main/python/solution.py    \
                carol/assignment-3/source/main/python/solution.py\n";
    let numbers = "Near-duplicates: 3 pairs of 3 documents in 1 group; 3 documents compared, at or above 50 %\n";
    let view = format!("{numbers}{rows}");
    workspace.dedup(&["students", "--preset", "code", "-q"]).stdout(&view).stderr("").exit_code(0);
    // Names that are too wide are cut where they are equal.
    let narrow = format!(
        "{numbers}similar  names kept  in students/\n 98.2 %      98.3 %  alice…n/solution.py  carol…/solution.py\n  \
         100 %       9.8 %  alice…n/solution.py  bob…on/solution.py\n 98.2 %       9.7 %  bob…hon/solution.py  carol…/solution.py\n"
    );
    workspace.shell("COLUMNS=60 $D students --preset code -q").stdout(&narrow).stderr("").exit_code(0);
    // Lines stay in document order unless an order is given.
    let kept =
        |stdout: &str| lines(stdout).iter().map(|pair| pair["jaccard_kept"].as_f64().unwrap()).collect::<Vec<_>>();
    let stdout = |args: &[&str]| String::from_utf8(workspace.command(args).output().unwrap().stdout).unwrap();
    let scan = ["scan", "students", "--preset", "code", "-q"];
    let [first, second, third] = kept(&stdout(&scan))[..] else { panic!() };
    assert!(second > first && first > third, "{first} {second} {third}");
    let sorted = stdout(&[&scan[..], &["--sort", "kept"]].concat());
    assert_eq!(kept(&sorted), [second, first, third]);
    assert_ne!(stdout(&[&scan[..], &["--save", "saved"]].concat()), "");
    workspace.dedup(&["scan", "--from", "saved", "--sort", "kept", "-q"]).stdout(&sorted).stderr("").exit_code(0);
    let missing = "dedup: --sort kept: the pairs have no jaccard_kept to sort them by; scan with --preset code or --jaccard-kept 8, \
                   or choose another order\n";
    workspace.dedup(&["scan", "students", "--sort", "kept"]).stdout("").stderr(missing).exit_code(2);
    assert_eq!(stdout(&["scan", "students", "-q", "-o", "plain.jsonl"]), "");
    workspace.dedup(&["report", "plain.jsonl", "--sort", "kept"]).stdout("").stderr(missing).exit_code(2);
}

#[test]
fn starter_code_is_no_part_of_the_similarity_of_names() {
    let answer = |a: &str, b: &str| {
        format!(
            "{PROGRAM}\n\ndef {a}({b}):\n    while {b} > 1:\n        {b} = {b} // 2 if {b} % 2 == 0 else 3 * {b} + 1\n    return {b}\n"
        )
    };
    let workspace = Workspace::new("starter")
        .file("starter.py", PROGRAM)
        .file("in/a.py", answer("collatz", "number"))
        .file("in/b.py", answer("steps", "n"));
    let kept = |flags: &[&str], is_right: fn(f64) -> bool| {
        let args = [&["scan", "-q", "--preset", "code"], flags, &["in"]].concat();
        workspace
            .dedup(&args)
            .stdout_with(|stdout| {
                let [pair] = &records(stdout)[..] else { panic!("{stdout}") };
                assert!(pair.jaccard == 1.0 && pair.jaccard_kept.is_some_and(is_right), "{stdout}");
            })
            .stderr_with(|_| ())
            .exit_code(0);
        explained_as_scanned(&workspace, flags, ["in/a.py", "in/b.py"]);
    };
    kept(&[], |kept| kept > 0.5);
    // One shingle goes from the starter code into the answer.
    kept(&["--template", "starter.py"], |kept| kept < 0.02);
}

/// `explain` has the similarity by kept names that `scan` prints, also beside templates.
fn explained_as_scanned(workspace: &Workspace, flags: &[&str], names: [&str; 2]) {
    let numbers = |args: &[&str]| {
        let mut numbers = Vec::new();
        workspace
            .dedup(&[args, &["-q", "--preset", "code"], flags].concat())
            .stdout_with(|stdout| {
                let line: Value = serde_json::from_str(stdout).unwrap();
                numbers = [&line["jaccard"], &line["jaccard_kept"]].map(|number| number.as_f64().unwrap()).to_vec();
            })
            .stderr_with(|_| ())
            .exit_code(0);
        numbers
    };
    let explain = ["explain", names[0], names[1]];
    let [scanned, explained] = [&["scan", names[0], names[1]][..], &[&explain[..], &["--json"]].concat()].map(numbers);
    assert_eq!(scanned, explained);
    let kept = dedup_scan::results::report::percent(explained[1]);
    let line = format!("\nkept names   {kept} similar with names kept (jaccard_kept)\n");
    workspace
        .dedup(&[&explain[..], &["-q", "--preset", "code"], flags].concat())
        .stdout_with(|stdout| assert!(stdout.contains(&line), "{line} in {stdout}"))
        .stderr_with(|_| ())
        .exit_code(0);
}

#[test]
fn the_summary_says_what_kept_names_are_compared_by() {
    let workspace = Workspace::new("kept_summary").file("a.py", PROGRAM).file("b.py", COPY);
    let line = |number: u32, tokens: &str| {
        let size = number.to_string();
        workspace
            .dedup(&["scan", "--stats", "--preset", "code", "--jaccard-kept", &size, "."])
            .stdout_with(|_| ())
            .stderr_with_line(&format!("  kept     jaccard_kept by shingles of {tokens} with names kept"))
            .exit_code(0);
    };
    line(8, "8 tokens");
    line(1, "1 token");
}

#[test]
fn equal_tokens_with_other_names_are_one_text_with_names_of_their_own() {
    let other_names = PROGRAM.replace("bookings", "entries").replace("cursor", "position");
    Workspace::new("equal_tokens")
        .file("a.py", PROGRAM)
        .file("b.py", other_names)
        .file("c.py", format!("# A copy.\nimport os\n{PROGRAM}"))
        .dedup(&["scan", "--preset", "code", "--stats", "."])
        .stdout_with(|stdout| {
            let pairs = records(stdout);
            assert_eq!(pairs.iter().map(|pair| pair.jaccard).collect::<Vec<_>>(), [1.0; 3]);
            let kept: Vec<f64> = pairs.iter().map(|pair| pair.jaccard_kept.unwrap()).collect();
            assert!(kept[0] < 0.9 && kept[1] == 1.0 && kept[2] == kept[0], "{kept:?}");
        })
        .stderr_with_line("copies     2 in 1 group of equal texts")
        .exit_code(0);
}

#[test]
fn kept_names_are_those_of_a_scan_that_keeps_them() {
    let workspace = Workspace::new("kept_names").file("a.py", PROGRAM).file("b.py", COPY);
    let jaccard = |flags: &[&str]| {
        let run =
            workspace.command(&[&["scan", "-q", "--threshold", "0.01"], flags, &["."]].concat()).output().unwrap();
        let pair: Value = serde_json::from_slice(&run.stdout).unwrap();
        pair
    };
    for k in ["3", "8", "12"] {
        let both = jaccard(&["--shingle", "code", "--jaccard-kept", k]);
        assert_eq!(both["jaccard_kept"], jaccard(&["--shingle", "code", "--keep-names", "--k", k])["jaccard"]);
        // Whatever the threads.
        let alone = jaccard(&["--shingle", "code", "--jaccard-kept", k, "--threads", "1"]);
        assert_eq!(both, alone);
    }
    assert_eq!(
        jaccard(&["--preset", "code"])["jaccard_kept"],
        jaccard(&["--shingle", "code", "--jaccard-kept", "8"])["jaccard_kept"]
    );
    assert_eq!(jaccard(&["--preset", "code", "--jaccard-kept", "0"]).get("jaccard_kept"), None);
}

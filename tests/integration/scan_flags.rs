//! Flags of the method: what a shingle is, how signatures are made and cut, and which pairs count.

use crate::support::*;

fn fox_cat(name: &'static str) -> Workspace {
    Workspace::new(name).file("a", FOX).file("b", CAT)
}

fn settings(corpus: &Workspace, args: &[&str]) -> serde_json::Value {
    let all = [&["scan", "-q", "a", "b", "--summary", "summary"], args].concat();
    corpus.dedup(&all).stdout_with(|stdout| drop(records(stdout))).stderr("").exit_code(0);
    let summary = std::fs::read(corpus.path("summary")).unwrap();
    serde_json::from_slice::<serde_json::Value>(&summary).unwrap()["settings"].clone()
}

#[test]
fn the_threshold_is_inclusive_and_exact() {
    let corpus = fox_cat("inclusive");
    let banding = ["--bands", "200", "--rows", "1"];
    for (threshold, pairs) in [("0.8", &["a b"][..]), ("0.800000000000001", &[]), ("1", &[]), ("0.01", &["a b"])] {
        let all = [&["scan", "-q", ".", "--threshold", threshold], &banding[..]].concat();
        let warning = match threshold {
            "0.01" => {
                "dedup: warning: 200 bands x 1 row find 86.60 % of the pairs at similarity 0.01; \
                 --bands 688 --rows 1 find 99.90 %\n"
            }
            _ => "",
        };
        corpus.dedup(&all).pairs(pairs).stderr(warning).exit_code(0);
    }
    let equal = Workspace::new("equal").file("a", FOX).file("b", FOX);
    equal.dedup(&["scan", "-q", ".", "--threshold", "1"]).pairs(&["a b"]).stderr("").exit_code(0);
}

#[test]
fn a_threshold_alone_chooses_the_bands() {
    let corpus = fox_cat("chosen");
    for (args, bands, rows) in [
        (&[][..], 20, 5),
        (&["--threshold", "0.5"], 52, 3),
        (&["--threshold", "0.5", "--recall", "0.95"], 48, 4),
        (&["--threshold", "0.8"], 20, 5),
        (&["--threshold", "0.80000001"], 20, 5),
        (&["--threshold", "0.01"], 688, 1),
        (&["--threshold", "0.5", "--bands", "100", "--rows", "4"], 100, 4),
        (&["--threshold", "0.8", "--rows", "4"], 20, 4),
        (&["--bands", "30"], 30, 5),
    ] {
        let settings = settings(&corpus, args);
        assert_eq!((&settings["bands"], &settings["rows"]), (&bands.into(), &rows.into()), "{args:?}");
    }
}

#[test]
fn a_default_written_out_is_the_default() {
    let corpus = fox_cat("written_out").file("c", LOREM).file("d", LOREM);
    let run = |args: &[&str]| {
        let output = corpus.command(&[&["scan", "--stats", "."], args].concat()).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        // Neither times nor the sets that happen to be in memory at once are the same twice.
        let is_same = |line: &&str| !line.starts_with("time ") && !line.starts_with("memory ");
        let stderr: Vec<String> = stderr.lines().filter(is_same).map(String::from).collect();
        (output.stdout, stderr, output.status.code())
    };
    let plain = run(&[]);
    assert!(plain.0.starts_with(b"{\"a\":\"a\",\"b\":\"b\""));
    for args in [
        &["--threshold", "0.8"][..],
        &["--threshold", "0.80"],
        &["--bands", "20", "--rows", "5"],
        &["--threshold", "0.8", "--bands", "20", "--rows", "5"],
        &["--shingle", "char", "--k", "9", "--signature", "fast", "--seed", "42", "--min-tokens", "0"],
    ] {
        assert!(run(args) == plain, "{args:?}");
    }
}

#[test]
fn a_banding_that_finds_too_few_is_warned_of_even_when_quiet() {
    let corpus = fox_cat("warning");
    for (args, warning) in [
        (
            &["--threshold", "0.5", "--bands", "20"][..],
            "20 bands x 5 rows find 47.00 % of the pairs at similarity 0.5; --bands 52 --rows 3 find 99.90 %",
        ),
        (
            &["--bands", "1", "--rows", "10"],
            "1 band x 10 rows find 10.73 % of the pairs at similarity 0.8; --bands 20 --rows 5 find 99.96 %",
        ),
        (
            &["--threshold", "0"],
            "4096 bands x 1 row find 0.00 % of the pairs at similarity 0; no banding finds more, choose a higher --threshold",
        ),
    ] {
        let all = [&["scan", "-q", "a"], args].concat();
        corpus.dedup(&all).stdout("").stderr(&format!("dedup: warning: {warning}\n")).exit_code(0);
    }
}

#[test]
fn numbers_out_of_range_are_wrong_usage_in_one_line() {
    let corpus = fox_cat("range");
    let whole = |flag: &str, range| format!("{flag}: give a whole number {range}; see dedup scan --help");
    let similarity = |given| {
        format!(
            "--threshold {given}: give a similarity from 0 to 1 or a percentage, such as 0.8 or 80%; see dedup scan --help"
        )
    };
    let memory = |given| {
        format!("--memory {given}: give a size from 16MiB to 1EiB, such as 512MiB or 4GB; see dedup scan --help")
    };
    let document = |given| {
        let range = "from 1 byte to 4294967294 bytes, such as 512MiB or 4GB";
        format!("--max-document-bytes {given}: give a size {range}; see dedup scan --help")
    };
    for (args, message) in [
        (&["--k", "0"][..], whole("--k 0", "of 1 or more")),
        (&["--bands", "0"], whole("--bands 0", "from 1 to 4096")),
        (&["--rows", "-1"], whole("--rows -1", "from 1 to 4096")),
        (&["--bands", "18446744073709551616"], whole("--bands 18446744073709551616", "from 1 to 4096")),
        (
            &["--bands", "4096", "--rows", "2"],
            "4096 bands x 2 rows: give numbers from 1 to 4096 whose product is at most 4096".to_owned(),
        ),
        (&["--seed", "x"], whole("--seed x", "of 0 or more")),
        (&["--min-tokens", "1.5"], whole("--min-tokens 1.5", "of 0 or more")),
        (&["--filter-timeout", "0"], whole("--filter-timeout 0", "from 1 to 86400")),
        (&["--threshold", "NaN"], similarity("NaN")),
        (&["--threshold", "-1"], similarity("-1")),
        (&["--threshold", "1.5"], similarity("1.5")),
        (&["--threshold", "1e400"], similarity("1e400")),
        (&["--threads", "1025"], whole("--threads 1025", "from 1 to 1024")),
        (&["--threads", "0"], whole("--threads 0", "from 1 to 1024")),
        (&["--memory", "15MiB"], memory("15MiB")),
        (&["--memory", "1e3"], memory("1e3")),
        (&["--memory", "0.5"], memory("0.5")),
        (&["--memory", "99999999999999999999"], memory("99999999999999999999")),
        (&["--max-document-bytes", "0"], document("0")),
        (&["--max-document-bytes", "4GiB"], document("4GiB")),
    ] {
        let all = [&["scan", "."], args].concat();
        corpus.dedup(&all).stdout("").stderr(&format!("dedup: {message}\n")).exit_code(2);
    }
    let document = ["scan", "-q", ".", "--max-document-bytes", "10MiB", "--memory", "16 MiB"];
    corpus.dedup(&document).pairs(&["a b"]).stderr("").exit_code(0);
    let most = ["scan", "-q", ".", "--bands", "1024", "--rows", "4"];
    corpus.dedup(&most).pairs(&["a b"]).stderr("").exit_code(0);
}

#[test]
fn k_counts_characters() {
    let corpus = Workspace::new("k").file("a", "äbcdé").file("b", "äbcdë");
    let all = ["scan", "-q", ".", "--threshold", "0.1", "--bands", "300", "--rows", "1", "--k"];
    let shared = |stdout: &str| records(stdout).iter().map(|pair| (pair.shared, pair.shingles_a)).collect::<Vec<_>>();
    for (k, expected) in [("1", vec![(4, 5)]), ("2", vec![(3, 4)]), ("4", vec![(1, 2)]), ("5", vec![]), ("99", vec![])]
    {
        let look = |stdout: &str| assert_eq!(shared(stdout), expected, "k {k}");
        corpus.dedup(&[&all[..], &[k]].concat()).stdout_with(look).stderr("").exit_code(0);
    }
}

#[test]
fn words_leave_punctuation_out() {
    let corpus = Workspace::new("words")
        .file("a", "One, two: three! Four five... six?")
        .file("b", "One two three Four five six");
    let all = ["scan", "-q", ".", "--shingle", "word"];
    corpus.dedup(&all).stdout(&copies("a", "b", 2)).stderr("").exit_code(0);
    corpus.dedup(&[&all[..], &["--k", "1"]].concat()).stdout(&copies("a", "b", 6)).stderr("").exit_code(0);
    corpus.dedup(&["scan", "-q", "."]).stdout("").stderr("").exit_code(0);
    assert_eq!(settings(&corpus, &["--shingle", "word"])["k"], 5);
}

#[test]
fn signatures_and_seeds_change_estimates_only() {
    let corpus = fox_cat("seeds");
    let mut estimates = Vec::new();
    for signature in ["classic", "fast"] {
        for seed in ["0", "1", "42", "18446744073709551615"] {
            let all = ["scan", "-q", ".", "--bands", "200", "--rows", "1", "--signature", signature, "--seed", seed];
            let look = |stdout: &str| match records(stdout).as_slice() {
                [pair] => {
                    assert_eq!((pair.shared, pair.shingles_a, pair.shingles_b), (32, 36, 36));
                    // Standard deviation √(0.8 × 0.2 / 200) = 0.028; five of them.
                    assert!((pair.estimate - 0.8).abs() < 0.142, "{signature}, seed {seed}: {}", pair.estimate);
                    estimates.push(pair.estimate.to_string());
                }
                _ => panic!("{stdout}"),
            };
            corpus.dedup(&all).stdout_with(look).stderr("").exit_code(0);
        }
    }
    estimates.sort();
    estimates.dedup();
    assert!(estimates.len() >= 4, "seed and signature have no effect: {estimates:?}");
}

#[test]
fn a_seed_decides_which_pairs_a_poor_banding_finds() {
    // One band of ten rows finds a pair at 0.8 with probability 0.11: of 40 seeds, some find it and most do not.
    let corpus = fox_cat("poor");
    let found = (0..40).filter(|seed: &i32| {
        let seed = seed.to_string();
        let output =
            corpus.command(&["scan", "-q", ".", "--bands", "1", "--rows", "10", "--seed", &seed]).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        !output.stdout.is_empty()
    });
    let found = found.count();
    assert!((1..=14).contains(&found), "{found} of 40: expected 4.3, standard deviation 2.0");
}

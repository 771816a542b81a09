//! `dedup curve`: golden plots and tables, its JSON against the formula, its choice against that of `dedup scan`, its pairs of a
//! corpus against those that `dedup scan` finds.

use std::fs;

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;

use crate::support::{CAT, FOX, LOREM, Workspace};

/// Runs `dedup` and gives its stdout, stderr and exit code.
fn dedup(args: &[&str]) -> (String, String, i32) {
    let output = cargo_bin_cmd!("dedup").args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

/// The object that `dedup curve --json` prints with these flags; nothing is on stderr.
fn json(args: &[&str]) -> Value {
    let (stdout, stderr, code) = dedup(&[&["curve", "--json"], args].concat());
    assert_eq!((stderr.as_str(), code), ("", 0));
    assert_eq!(stdout.matches('\n').count(), 1, "one line: {stdout}");
    serde_json::from_str(&stdout).unwrap()
}

/// 1 − (1 − s^r)^b by repeated multiplication.
fn formula(s: f64, bands: u64, rows: u64) -> f64 {
    let power = |base: f64, exponent: u64| (0..exponent).fold(1.0, |product, _| product * base);
    1.0 - power(1.0 - power(s, rows), bands)
}

fn assert_close(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() < 1e-12, "{value} and {expected}");
}

/// The filter of signatures loses one of a hundred thousand pairs at most.
fn assert_is_recall(value: &Value, of_bands: f64) {
    let value = value.as_f64().unwrap();
    assert!((value / of_bands - (1.0 - 5e-6)).abs() < 5.001e-6, "{value} and {of_bands}");
}

#[test]
fn the_default_is_the_curve_of_a_scan_without_flags() {
    assert_eq!(dedup(&["curve"]), (DEFAULT.into(), String::new(), 0));
    let banding = ["--bands", "20", "--rows", "5"];
    let threshold = ["--threshold", "0.8"];
    for flags in [&threshold[..], &banding, &["--recall", "0.999"], &[threshold, [banding[0], banding[1]]].concat()] {
        assert_eq!(dedup(&[&["curve"], flags].concat()), (DEFAULT.into(), String::new(), 0), "{flags:?}");
        assert_eq!(json(flags), json(&[]), "{flags:?}");
    }
    let chosen = json(&["--threshold", "0.5"]);
    assert_eq!(json(&["--threshold", "0.5", "--bands", "52", "--rows", "3"]), chosen, "the choice, spelled out");
}

#[test]
fn a_threshold_shows_the_choice_and_its_neighbours() {
    assert_eq!(dedup(&["curve", "--threshold", "0.5"]), (CHOSEN.into(), String::new(), 0));
}

#[test]
fn a_low_recall_is_the_warning_of_a_scan() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.txt");
    fs::write(&file, "one text alone").unwrap();
    let flags = ["--bands", "20", "--rows", "5", "--threshold", "0.5"];
    let warning = "dedup: warning: 20 bands x 5 rows find 47.00 % of the pairs at similarity 0.5; \
                   --bands 52 --rows 3 find 99.90 %\n";
    let (stdout, stderr, code) = dedup(&[&["curve"], &flags[..]].concat());
    assert!(stdout.contains("threshold   47.00 % of the pairs at 0.5 are found\n"), "{stdout}");
    assert_eq!((stderr.as_str(), code), (warning, 0));
    let (stdout, stderr, code) = dedup(&[&["scan", "-q", file.to_str().unwrap()], &flags[..]].concat());
    assert_eq!((stdout.as_str(), stderr.as_str(), code), ("", warning, 0));
    let (stdout, stderr, code) = dedup(&[&["curve", "--json"], &flags[..]].concat());
    assert!(stdout.starts_with("{\"bands\":20,"), "{stdout}");
    assert_eq!((stderr.as_str(), code), (warning, 0));
}

#[test]
fn json_holds_the_formula() {
    for (bands, rows, threshold) in [(20, 5, 0.9), (14, 7, 0.9), (64, 64, 0.97), (1, 1, 0.96)] {
        let [b, r, t] = [bands.to_string(), rows.to_string(), threshold.to_string()];
        let report = json(&["--bands", &b, "--rows", &r, "--threshold", &t]);
        assert_eq!(report["bands"], bands);
        assert_eq!(report["rows"], rows);
        assert_eq!(report["hashes"], bands * rows);
        assert_eq!(report["threshold"], threshold);
        assert_is_recall(&report["recall_at_threshold"], formula(threshold, bands, rows));
        for (key, recall) in [("similarity_at_50", 0.5), ("similarity_at_95", 0.95)] {
            let similarity = report[key].as_f64().unwrap();
            assert!((formula(similarity, bands, rows) - recall).abs() < 1e-9, "{key}: {similarity}");
        }
        let curve = report["curve"].as_array().unwrap();
        assert_eq!(curve.len(), 21);
        for (step, point) in (0..).zip(curve) {
            let similarity = f64::from(5 * step) / 100.0;
            assert_eq!(point["similarity"], similarity);
            assert_close(&point["recall"], formula(similarity, bands, rows));
        }
        assert_eq!(report.get("neighbours"), None);
    }
}

#[test]
fn json_neighbours_hold_the_formula_and_the_choice() {
    let report = json(&["--threshold", "0.7", "--recall", "0.95"]);
    let neighbours = report["neighbours"].as_array().unwrap();
    let cut = |neighbour: &Value| (neighbour["bands"].as_u64().unwrap(), neighbour["rows"].as_u64().unwrap());
    assert_eq!(neighbours.iter().map(cut).collect::<Vec<_>>(), [(8, 2), (8, 3), (12, 4), (20, 5), (24, 6)]);
    for neighbour in neighbours {
        let (bands, rows) = cut(neighbour);
        assert_eq!(neighbour["hashes"], bands * rows);
        assert_eq!(neighbour["chosen"], cut(neighbour) == cut(&report));
        assert_is_recall(&neighbour["recall_at_threshold"], formula(0.7, bands, rows));
        assert_close(&neighbour["recall_0_1_below"], formula(0.6, bands, rows));
        assert_close(&neighbour["recall_0_2_below"], formula(0.5, bands, rows));
        let similarity = neighbour["similarity_at_50"].as_f64().unwrap();
        assert!((formula(similarity, bands, rows) - 0.5).abs() < 1e-9, "{similarity}");
    }
    // The fewest bands, in fours, that reach the recall.
    assert_eq!(cut(&report), (12, 4));
    assert!(formula(0.7, 12, 4) >= 0.95 && formula(0.7, 8, 4) < 0.95);
    // There is nothing 0.2 below 0.15.
    let report = json(&["--threshold", "0.15"]);
    assert!(report["neighbours"][0]["recall_0_1_below"].is_f64());
    assert!(report["neighbours"][0]["recall_0_2_below"].is_null());
}

#[test]
fn a_corpus_is_read_and_compared_as_a_scan_does_by_the_same_flags() {
    let program =
        |name: &str| format!("def {name}({name}_a):\n    for i in range({name}_a):\n        print(i, {name}_a)\n");
    let corpus = Workspace::new("curve")
        .file("in/a.txt", format!("{LOREM} {FOX}"))
        .file("in/b.txt", format!("{LOREM} {CAT}"))
        .file("in/c.txt", FOX)
        .file("in/p.py", program("first"))
        .file("in/q.py", program("second") + "    return second_a\n")
        .file("in/t.csv", format!("id,body\n1,{LOREM}\n2,{FOX}!\n"))
        .file("in/page.html", format!("<p>{FOX}</p><p>{LOREM}</p>"))
        .file("form.txt", LOREM);
    let mut seen = Vec::new();
    for flags in [
        &["--threshold", "0.3"][..],
        &["--threshold", "0.3", "--template", "form.txt"],
        &["--threshold", "0.3", "--max-df", "1"],
        &["--threshold", "0.3", "--include", "*.txt"],
        &["--threshold", "0.3", "--html", "raw"],
        &["--threshold", "0.3", "--text-field", "body"],
        &["--preset", "code"],
        &["--preset", "code", "--threshold", "0.9", "--k", "3"],
        &["--preset", "revisions"],
        &["--preset", "sentences"],
    ] {
        let run = |args: &[&str]| {
            let output = corpus.command(&[args, flags].concat()).output().unwrap();
            (String::from_utf8(output.stdout).unwrap(), output.status.code())
        };
        let (report, code) = run(&["curve", "--json", "--corpus", "in"]);
        let report: Value = serde_json::from_str(&report).unwrap();
        let is_exhaustive = flags.contains(&"sentences");
        let (scan, scan_code) =
            run(if is_exhaustive { &["scan", "-q", "in"] } else { &["scan", "-q", "in", "--all-pairs"] });
        assert_eq!(code, scan_code, "{flags:?}");
        assert_eq!(report["pairs"].as_f64(), Some(scan.lines().count() as f64), "{flags:?}: {report} {scan}");
        assert_eq!(report["drawn"], report["texts"]);
        seen.push(scan.lines().count());
    }
    assert!(seen.iter().collect::<std::collections::BTreeSet<_>>().len() > 4, "the flags make a difference: {seen:?}");
    for flag in ["--preset=code", "--html=raw", "--template=form.txt", "--k=5", "--sample=9"] {
        let (_, stderr, code) = dedup(&["curve", flag]);
        assert_eq!(code, 2);
        assert!(stderr.contains("--corpus"), "{flag}: {stderr}");
    }
    let message = "dedup: --preset prose: finds documents by their passages, which bands and rows do not affect; choose another preset\n";
    assert_eq!(dedup(&["curve", "--corpus", ".", "--preset", "prose"]), (String::new(), message.to_owned(), 2));
}

#[test]
fn json_keys_have_a_fixed_order() {
    let (stdout, ..) = dedup(&["curve", "--json", "--threshold", "0.7"]);
    let keys = [
        "{\"bands\":",
        ",\"rows\":",
        ",\"hashes\":",
        ",\"threshold\":0.7",
        ",\"recall_at_threshold\":",
        ",\"similarity_at_50\":",
        ",\"similarity_at_95\":",
        ",\"curve\":[{\"similarity\":0.0,\"recall\":0.0},{\"similarity\":0.05,",
        "{\"similarity\":1.0,\"recall\":1.0}],\"neighbours\":[{\"bands\":",
    ];
    let mut rest = stdout.as_str();
    for key in keys {
        let (_, after) = rest.split_once(key).unwrap_or_else(|| panic!("no {key} where it belongs: {stdout}"));
        rest = after;
    }
}

#[test]
fn the_choice_is_the_one_a_scan_makes() {
    let dir = tempfile::tempdir().unwrap();
    let (file, summary) = (dir.path().join("a.txt"), dir.path().join("summary.json"));
    fs::write(&file, "one text alone").unwrap();
    for threshold in ["0.02", "0.3", "0.5", "0.8", "0.9", "1"] {
        let scan = ["scan", "-q", "--threshold", threshold, "--summary", summary.to_str().unwrap()];
        let ran = dedup(&[&scan[..], &[file.to_str().unwrap()]].concat());
        assert_eq!(ran, (String::new(), String::new(), 0));
        let summary: Value = serde_json::from_str(&fs::read_to_string(&summary).unwrap()).unwrap();
        let report = json(&["--threshold", threshold]);
        for key in ["bands", "rows", "threshold"] {
            assert_eq!(report[key], summary["settings"][key], "{key} for {threshold}");
        }
        assert_eq!(report["recall_at_threshold"], summary["recall_at_threshold"], "{threshold}");
    }
}

#[test]
fn the_plot_marks_the_threshold() {
    for (threshold, column) in [("0.2", 12), ("0.7", 42), ("1", 60)] {
        let (stdout, ..) = dedup(&["curve", "--bands", "20", "--rows", "5", "--threshold", threshold]);
        let plot: Vec<&str> = stdout.lines().filter(|line| line.contains(['│', '┤'])).collect();
        assert_eq!(plot.len(), 16);
        let marks = plot.iter().map(|line| line.chars().skip(9).position(|cell| "┊●".contains(cell)));
        let marks: Vec<usize> = marks.flatten().collect();
        assert!(marks.len() > 10 && marks.iter().all(|&mark| mark == column), "{threshold}:\n{stdout}");
        assert_eq!(stdout.matches('●').count(), 1, "one point on the curve");
        assert!(stdout.lines().any(|line| line.ends_with(&format!("threshold {threshold}"))), "{stdout}");
    }
}

#[test]
fn wrong_values_are_one_line_and_exit_code_2() {
    let cases: [(&[&str], &str); 9] = [
        (&["--bands", "0"], "--bands 0: give a whole number from 1 to 4096; see dedup curve --help"),
        (&["--rows", "0"], "--rows 0: give a whole number from 1 to 4096; see dedup curve --help"),
        (
            &["--bands", "64", "--rows", "65"],
            "64 bands x 65 rows: give numbers from 1 to 4096 whose product is at most 4096",
        ),
        (
            &["--threshold", "nan"],
            "--threshold nan: give a similarity from 0 to 1 or a percentage, such as 0.8 or 80%; see dedup curve --help",
        ),
        (
            &["--threshold", "-0.5"],
            "--threshold -0.5: give a similarity from 0 to 1 or a percentage, such as 0.8 or 80%; see dedup curve --help",
        ),
        (
            &["--recall", "0"],
            "--recall 0: give a chance above 0 and below 1, such as 0.99 or 99%; see dedup curve --help",
        ),
        (
            &["--recall", "1"],
            "--recall 1: signatures cannot find every pair with certainty; give a chance below 1, such as 0.9999; \
             see dedup curve --help",
        ),
        (
            &["--recall", "0.9", "--bands", "8"],
            "--recall: cannot be used with --bands; remove one of them; see dedup curve --help",
        ),
        (
            &["corpus"],
            "corpus: `dedup curve` accepts no paths; give documents as --corpus corpus; see dedup curve --help",
        ),
    ];
    for (flags, message) in cases {
        let expected = (String::new(), format!("dedup: {message}\n"), 2);
        assert_eq!(dedup(&[&["curve"], flags].concat()), expected);
        assert_eq!(dedup(&[&["curve", "--json"], flags].concat()), expected);
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    for flags in [&["--json"][..], &["--threshold", "0.5"], &["--threshold", "0.5", "--bands", "1"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("dedup"));
        let output = command.arg("curve").args(flags).stdout(writer).stderr(std::process::Stdio::piped());
        let output = output.spawn().unwrap().wait_with_output().unwrap();
        assert_eq!((String::from_utf8(output.stderr).unwrap().as_str(), output.status.code()), ("", Some(0)));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    // With a banding that would be warned of, since the failure is to be the only line.
    for flags in [&["--json"][..], &[], &["--threshold", "0.5", "--bands", "1"]] {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("dedup"));
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = command.arg("curve").args(flags).stdout(full).stderr(std::process::Stdio::piped());
        let output = output.spawn().unwrap().wait_with_output().unwrap();
        let message =
            "dedup: standard output: cannot write: No space left on device; the output is incomplete, run again\n";
        assert_eq!((String::from_utf8(output.stderr).unwrap().as_str(), output.status.code()), (message, Some(2)));
    }
}

const DEFAULT: &str = "\
banding     20 bands x 5 rows = 100 hashes
chosen      for a recall of at least 0.999 at 0.8
threshold   99.96 % of the pairs at 0.8 are found
50 % found  at similarity 0.5087
95 % found  at similarity 0.6740

  found                                            threshold 0.8
  100 % ┤                                          ⣀⣀⡤⠤⠤⠤●⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠄
        │                                       ⡠⠖⠋⠁     ┊
        │                                     ⡠⠏⠁        ┊
   80 % ┤                                   ⢀⡎⠁          ┊
        │                                  ⡠⠇            ┊
        │                                 ⣰⠁             ┊
   60 % ┤                                ⡜               ┊
        │                              ⢀⠎⠁               ┊
        │                             ⢀⡎                 ┊
   40 % ┤                            ⢠⠃                  ┊
        │                           ⡰⠉                   ┊
        │                         ⢀⠎⠁                    ┊
   20 % ┤                       ⢀⠴⠉                      ┊
        │                     ⢀⠴⠉                        ┊
        │                 ⢀⣀⡤⠎⠉                          ┊
    0 % ┤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠴⠒⠒⠒⠋⠉                              ┊
        └┬───────────┬───────────┬───────────┬───────────┬───────────┬
        0.0         0.2         0.4         0.6         0.8         1.0
                                  similarity

similarity     found     similarity     found     similarity     found
      0.00    0.00 %           0.35    9.99 %           0.70   97.47 %
      0.05    0.00 %           0.40   18.60 %           0.75   99.55 %
      0.10    0.01 %           0.45   31.09 %           0.80   99.96 %
      0.15    0.15 %           0.50   47.00 %           0.85   99.99 %
      0.20    0.63 %           0.55   64.39 %           0.90   99.99 %
      0.25    1.93 %           0.60   80.19 %           0.95   99.99 %
      0.30    4.74 %           0.65   91.51 %           1.00     100 %

  bands  rows  hashes  found at 0.8  0.1 below  0.2 below  50 % found at
     12     3      36       99.98 %    99.35 %    94.60 %         0.3829
     16     4      64       99.97 %    98.76 %    89.14 %         0.4538
>    20     5     100       99.96 %    97.47 %    80.19 %         0.5087
     24     6     144       99.93 %    95.04 %    68.23 %         0.5526
     32     7     224       99.94 %    93.60 %    59.69 %         0.5775
Candidates below the threshold are verified and rejected.
";

const CHOSEN: &str = "\
banding     52 bands x 3 rows = 156 hashes
chosen      for a recall of at least 0.999 at 0.5
threshold   99.90 % of the pairs at 0.5 are found
50 % found  at similarity 0.2366
95 % found  at similarity 0.3825

  found                          threshold 0.5
  100 % ┤                        ⢀⣀⣠⠤⠤⠤●⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠄
        │                     ⢀⡔⠚⠉     ┊
        │                   ⢀⡔⠃        ┊
   80 % ┤                  ⢠⠃          ┊
        │                 ⡰⠉           ┊
        │                ⡰⠁            ┊
   60 % ┤               ⡰⠁             ┊
        │              ⢠⠃              ┊
        │             ⢠⠃               ┊
   40 % ┤            ⢠⠃                ┊
        │           ⢀⠇                 ┊
        │          ⢠⠚                  ┊
   20 % ┤         ⢠⠃                   ┊
        │        ⡔⠃                    ┊
        │     ⢀⣠⠚                      ┊
    0 % ┤⠤⠤⠤⠴⠚⠉                        ┊
        └┬───────────┬───────────┬───────────┬───────────┬───────────┬
        0.0         0.2         0.4         0.6         0.8         1.0
                                  similarity

similarity     found     similarity     found     similarity     found
      0.00    0.00 %           0.35   89.75 %           0.70   99.99 %
      0.05    0.64 %           0.40   96.79 %           0.75   99.99 %
      0.10    5.06 %           0.45   99.30 %           0.80   99.99 %
      0.15   16.12 %           0.50   99.90 %           0.85     100 %
      0.20   34.14 %           0.55   99.99 %           0.90     100 %
      0.25   55.90 %           0.60   99.99 %           0.95     100 %
      0.30   75.90 %           0.65   99.99 %           1.00     100 %

  bands  rows  hashes  found at 0.5  0.1 below  0.2 below  50 % found at
     12     1      12       99.97 %    99.78 %    98.61 %         0.0561
     28     2      56       99.96 %    99.24 %    92.86 %         0.1564
>    52     3     156       99.90 %    96.79 %    75.90 %         0.2366
    108     4     432       99.90 %    93.92 %    58.45 %         0.2828
    220     5    1100       99.90 %    89.61 %    41.44 %         0.3159
Candidates below the threshold are verified and rejected.
";

//! Matching by passages on the commands beside `scan`: what a saved result of it is filtered by, and what counts as a passage.

use crate::support::*;

const LIMITS: [&[&str]; 6] = [
    &["--coverage", "0.1"],
    &["--coverage", "0.35"],
    &["--min-matched", "21"],
    &["--min-matched", "40", "--coverage", "0.2"],
    &["--min-matched", "1000"],
    &["--coverage", "1"],
];

/// Records that share spans of some words, in any order; some are equal, and some are short.
pub(crate) fn corpus(name: &'static str) -> Workspace {
    let mut random = Random(4);
    let mut lines = String::new();
    for number in 0..60usize {
        let mut text = String::new();
        for _ in 0..1 + random.below(6) {
            let (span, start) = (random.below(6), random.below(25));
            (start..start + 4 + random.below(30)).for_each(|at| text += &format!("s{span}x{at} "));
            (0..random.below(15)).for_each(|_| text += &format!("w{} ", random.below(9000)));
        }
        match number {
            7 | 31 => text = "two words".to_owned(),
            // Sentences that change places: all of both is covered, and they are not equal.
            8 => text = "o1 o2 o3 o4 o5 o6 o7 o8 p1 p2 p3 p4 p5 p6 p7 p8 p9 q1 q2 q3".to_owned(),
            32 => text = "p1 p2 p3 p4 p5 p6 p7 p8 p9 q1 q2 q3 o1 o2 o3 o4 o5 o6 o7 o8".to_owned(),
            _ => {}
        }
        lines += &format!("{{\"id\":\"{number}\",\"text\":\"{text}\"}}\n");
    }
    Workspace::new(name).file("in.jsonl", lines)
}

pub(crate) fn stdout_of(run: Run) -> String {
    let mut stdout = String::new();
    run.stdout_with(|text| stdout = text.to_owned()).stderr("").exit_code(0);
    stdout
}

#[test]
fn higher_limits_leave_of_a_saved_result_what_a_scan_with_them_prints() {
    let corpus = corpus("higher_limits");
    let scan = ["scan", "--match", "passages", "-q", "in.jsonl"];
    let all = stdout_of(corpus.dedup(&[&scan[..], &["--save", "saved"]].concat()));
    assert!(all.lines().count() > 200, "{}", all.lines().count());
    let mut lens = Vec::new();
    for limits in LIMITS {
        let fresh = stdout_of(corpus.dedup(&[&scan[..], limits].concat()));
        assert_eq!(stdout_of(corpus.dedup(&[&["scan", "--from", "saved"], limits].concat())), fresh, "{limits:?}");
        lens.push(fresh.lines().count());
        let group = |from: &[&str]| {
            stdout_of(corpus.dedup(&[&["cluster", "--linkage", "star", "--labels", "-q"], from, limits].concat()))
        };
        assert_eq!(group(&["--from", "saved"]), group(&["--match", "passages", "in.jsonl"]), "{limits:?}");
        let unique = |from: &[&str]| {
            // What is hardly covered is warned of.
            let warned =
                |stderr: &str| assert!(stderr.is_empty() || stderr.starts_with("dedup: warning: "), "{stderr}");
            let args = [&["unique", "-q", "in.jsonl", "-o", "out.jsonl", "--force"], from, limits].concat();
            corpus.dedup(&args).stdout("").stderr_with(warned).exit_code(0);
            corpus.read("out.jsonl")
        };
        assert_eq!(unique(&["--from", "saved"]), unique(&["--match", "passages"]), "{limits:?}");
    }
    // The short ones are equal, and covered whole.
    let [all, .., long, whole] = lens[..] else { unreachable!() };
    assert!(long >= 1 && whole > long && all > 10 * whole, "{lens:?}");
    // A file of pairs has the same numbers.
    let pairs = corpus.read("saved/pairs.jsonl");
    let corpus = corpus.file("pairs", pairs);
    for limits in LIMITS {
        let of = |from| stdout_of(corpus.dedup(&[&["scan", "--from", from], limits].concat()));
        assert_eq!(of("pairs"), of("saved"), "{limits:?}");
    }
}

#[test]
fn lower_limits_and_results_without_passages_are_refused() {
    let corpus = corpus("lower_limits");
    let scan = ["scan", "-q", "in.jsonl", "--save"];
    let _ = stdout_of(corpus.dedup(&[&scan[..], &["saved", "--match", "passages", "--coverage", "0.3"]].concat()));
    let _ = stdout_of(corpus.dedup(&[&scan[..], &["alike", "--threshold", "0.5", "--show-passages"]].concat()));
    let refused = |args: &[&str], stderr: &str| corpus.dedup(args).stdout("").stderr(stderr).exit_code(2);
    let lower = |limit: &str, saved: &str, given: &str| {
        format!(
            "dedup: saved: contains the pairs at or above {saved} and none at {given}; give a {limit} of {saved} or more, or \
             scan again\n"
        )
    };
    for command in [&["scan"][..], &["cluster"], &["plan"], &["unique", "in.jsonl", "-n"]] {
        let with = |from: &str, flags: [&str; 2], stderr: &str| {
            refused(&[command, &["--from", from], &flags].concat(), stderr);
        };
        with("saved", ["--coverage", "0.2"], &lower("coverage", "0.3", "0.2"));
        with("saved", ["--min-matched", "19"], &lower("min-matched", "20", "19"));
        let none = |from: &str| {
            format!(
                "dedup: {from}: its pairs did not match by passages, so they have no coverage; scan with \
                 --match passages\n"
            )
        };
        with("alike", ["--coverage", "0.2"], &none("alike"));
        let by_passages = |from: &str| {
            format!(
                "dedup: {from}: --threshold: does not apply to pairs that match by passages; give --coverage, the minimum share of the shorter document that passages cover\n"
            )
        };
        with("saved", ["--threshold", "0.8"], &by_passages("saved"));
        if command != ["plan"] && command.len() == 1 {
            with("alike/pairs.jsonl", ["--min-matched", "20"], &none("alike/pairs.jsonl"));
            with("saved/pairs.jsonl", ["--threshold", "0.8"], &by_passages("saved/pairs.jsonl"));
        }
    }
}

#[test]
fn every_command_takes_what_counts_as_a_passage() {
    // Runs of 6 words, with gaps of 3: neither is an anchor by itself.
    let run = |of: usize| (0..6).map(|at| format!("r{of}x{at} ")).collect::<String>();
    let text = |own: char| {
        let gap = |of: usize| (0..3).map(|at| format!("{own}{of}x{at} ")).collect::<String>();
        (0..5).map(|of| run(of) + &gap(of)).collect::<String>()
    };
    let workspace = Workspace::new("lengths_of_passages").file("in/a.txt", text('a')).file("in/b.txt", text('b'));
    let lengths = ["--min-run", "4", "--anchor", "6", "--max-gap", "2"];
    for (flags, is_found) in [(&[][..], false), (&lengths[..4], true), (&lengths[..2], false), (&lengths[..], true)] {
        let matching = [&["--match", "passages", "-q"], flags].concat();
        let lines = |command: &str| stdout_of(workspace.dedup(&[&[command, "in"], &matching[..]].concat()));
        assert_eq!(lines("scan").lines().count(), usize::from(is_found), "{flags:?}");
        assert_eq!(lines("cluster").lines().count(), usize::from(is_found), "{flags:?}");
        assert_eq!(lines("plan").contains("b.txt"), is_found, "{flags:?}");
        let unique = ["unique", "in", "-n", "--removed", "-"];
        let removed = stdout_of(workspace.dedup(&[&unique[..], &matching[..]].concat()));
        assert_eq!(removed.contains("b.txt"), is_found, "{flags:?}");
    }
    for command in ["cluster", "unique", "plan"] {
        let output = if command == "unique" { &["-n"][..] } else { &[] };
        for flag in lengths.chunks(2) {
            let stderr = format!(
                "dedup: {}: only applies to pairs that match by passages; add --match passages, or remove the flag\n",
                flag[0]
            );
            workspace.dedup(&[&[command, "in"], output, flag].concat()).stdout("").stderr(&stderr).exit_code(2);
        }
        let args = [&[command, "in", "--match", "passages", "--anchor", "3"], output].concat();
        let anchor =
            |stderr: &str| assert!(stderr.starts_with("dedup: --anchor 3: shorter than --min-run"), "{stderr}");
        workspace.dedup(&args).stdout("").stderr_with(anchor).exit_code(2);
    }
}

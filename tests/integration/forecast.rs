//! Forecasts: what they print, what they refuse, and that all documents make an exact one.

use crate::support::*;

fn corpus() -> Workspace {
    let mut workspace = Workspace::new("forecast");
    for number in 0..40 {
        let text = format!("{FOX} And {number} other words that no other text has, {}.", number * number);
        workspace = workspace.file(format!("in/{number}.txt"), if number % 2 == 0 { text } else { FOX.repeat(2) });
    }
    workspace
}

#[test]
fn all_documents_make_an_exact_forecast() {
    let look = |text: &str| {
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("documents  40 ("), "{text}");
        assert_eq!(lines[1], "sample     40 documents compared, 100 % of all", "{text}");
        assert!(lines[3].ends_with(" (exact)"), "{text}");
        assert!(lines[4].starts_with("time       about ") && lines[5].starts_with("memory     "), "{text}");
    };
    let workspace = corpus();
    for command in ["scan", "cluster"] {
        let forecast = workspace.dedup(&[command, "--forecast=100%", "--summary", "forecast.json", "in"]);
        forecast.stdout_with(look).stderr("").exit_code(0);
        let forecast: serde_json::Value = serde_json::from_str(&workspace.read("forecast.json")).unwrap();
        assert_eq!((&forecast["documents"], &forecast["sampled"]), (&40.into(), &40.into()));
        // 20 equal texts, and what the others are like.
        assert!(forecast["pairs"]["expected"].as_f64().unwrap() >= 190.0, "{forecast}");
        std::fs::remove_file(workspace.path("forecast.json")).unwrap();
    }
}

#[test]
fn pairs_of_copies_are_counted_and_not_made() {
    let record = |text: &str| format!("{}\n", serde_json::json!({ "text": text }));
    let (fox, near) = (record(FOX).repeat(100_000), record(&format!("{FOX} too")).repeat(1000));
    let workspace = Workspace::new("forecast_copies").file("in.jsonl", fox + &near);
    for (flags, pairs) in [(&[][..], 5_100_449_500_f64), (&["--collapse-exact"], 100_999.0)] {
        let flags =
            [&["scan", "-q", "in.jsonl", "--forecast=100%", "--threshold", "0.5", "--summary", "f.json"], flags]
                .concat();
        workspace.dedup(&flags).stdout_with(|_| ()).stderr("").exit_code(0);
        let forecast: serde_json::Value = serde_json::from_str(&workspace.read("f.json")).unwrap();
        assert_eq!(forecast["pairs"]["expected"].as_f64(), Some(pairs), "{forecast}");
        std::fs::remove_file(workspace.path("f.json")).unwrap();
    }
}

#[test]
fn few_documents_are_all_compared_unless_a_share_is_given() {
    let workspace = corpus();
    let look = |text: &str| assert!(text.contains("\nsample     40 documents compared, 100 % of all\n"), "{text}");
    workspace.dedup(&["scan", "-q", "--forecast", "in"]).stdout_with(look).stderr("").exit_code(0);
    // What is wrong is said once.
    let run = workspace.dedup(&["scan", "-q", "--forecast", "in", "nowhere"]).stdout_with(|_| ());
    run.stderr_with(|stderr| assert_eq!(stderr.matches("nowhere").count(), 1, "{stderr}")).exit_code(3);
    // A pipe is read once.
    let look = |text: &str| assert!(text.contains(", 10.00 % of all\n"), "{text}");
    workspace.shell("cat in/* | $D scan -q --forecast -").stdout_with(look).stderr("").exit_code(0);
    let says = "dedup: 5%: no such file or folder; for a share write --forecast=5%\n";
    workspace.dedup(&["scan", "-q", "--forecast", "5%", "in"]).stdout("").stderr(says).exit_code(2);
}

#[test]
fn a_sample_says_how_wrong_it_may_be() {
    let workspace = corpus();
    workspace
        .dedup(&["scan", "-q", "--forecast=50%", "--summary", "forecast.json", "in"])
        .stdout_with(|_| ())
        .stderr("")
        .exit_code(0);
    let forecast: serde_json::Value = serde_json::from_str(&workspace.read("forecast.json")).unwrap();
    let pairs = &forecast["pairs"];
    let number = |key: &str| pairs[key].as_f64().unwrap();
    assert!(number("low") <= number("expected") && number("expected") <= number("high"), "{forecast}");
    assert_eq!(forecast["documents"], 40);
    assert!(forecast["sampled"].as_u64().unwrap() < 40);
}

#[test]
fn copies_do_not_make_more_candidates_of_what_is_forecast() {
    // 100 pairs of texts of eight documents each, of which nearly all are in a sample of 30 %, and 60 texts of one document.
    let (mut workspace, number) = (Workspace::new("copies"), |number: u32| number.wrapping_mul(2_654_435_761));
    let words = |family: u32| (0..12).map(|word| format!("{:x} ", number(family * 12 + word))).collect::<String>();
    for family in 0..100 {
        for copy in 0..16 {
            // Equal but for the white space at their ends.
            let end = (if copy % 2 == 0 { "one" } else { "two" }).to_owned() + &" ".repeat(copy);
            workspace = workspace.file(format!("in/{family}-{copy}"), words(family) + &end);
        }
    }
    for alone in 0..60 {
        workspace = workspace.file(format!("in/alone-{alone}"), words(200 + alone));
    }
    for flags in [&["--bands", "50", "--rows", "2"][..], &["--all-pairs"]] {
        let args = [&["scan", "-q", "--forecast=30%", "--summary", "forecast.json", "in"][..], flags].concat();
        let look = |stdout: &str| assert_eq!(stdout.contains("\nchecks "), flags.len() == 1, "{stdout}");
        workspace.dedup(&args).stdout_with(look).stderr("").exit_code(0);
        let forecast: serde_json::Value = serde_json::from_str(&workspace.read("forecast.json")).unwrap();
        let number = |of: &str, key: &str| forecast[of][key].as_f64().unwrap();
        // A pair is seen with a chance of 0.89, so the deviation is about 4.
        assert!((number("candidates", "expected") - 100.0).abs() < 16.0, "{forecast}");
        assert!(number("candidates", "low") <= 100.0 && 100.0 <= number("candidates", "high"), "{forecast}");
        let pairs = 100.0 * 16.0 * 15.0 / 2.0;
        assert!(number("pairs", "low") <= pairs && pairs <= number("pairs", "high"), "{forecast}");
        std::fs::remove_file(workspace.path("forecast.json")).unwrap();
    }
}

#[test]
fn texts_of_both_sides_are_forecast_by_side() {
    let mut workspace = Workspace::new("sides");
    for number in 0..600u32 {
        let text = format!("{} {}", number.wrapping_mul(2_654_435_761), number.wrapping_mul(0x9E37_79B1));
        workspace = workspace.file(format!("a/{number}"), &text).file(format!("b/{number}"), &text);
    }
    let args = ["compare", "-q", "--forecast=30%", "--summary", "forecast.json", "a", "--against", "b"];
    workspace.dedup(&args).stdout_with(|_| ()).stderr("").exit_code(0);
    let forecast: serde_json::Value = serde_json::from_str(&workspace.read("forecast.json")).unwrap();
    // A pair is seen with a chance of 0.09, so the deviation is about 78.
    let number = |key: &str| forecast["candidates"][key].as_f64().unwrap();
    assert!((number("expected") - 600.0).abs() < 300.0, "{forecast}");
    assert!(number("low") <= 600.0 && 600.0 <= number("high"), "{forecast}");
}

#[test]
fn what_a_forecast_does_not_print_is_refused() {
    for wrong in [
        &["--forecast", "--output", "x"][..],
        &["--forecast=0%"],
        &["--forecast=10"],
        &["--forecast", "--list-documents"],
        &["--forecast", "--baseline", "x"],
        &["--forecast", "--changed-since", "HEAD"],
        &["--forecast", "--fail-over", "3"],
    ] {
        let run = corpus().dedup(&[&["scan", "-q"], wrong, &["in"]].concat()).stdout("");
        run.stderr_with(|stderr| assert!(stderr.contains("--forecast"), "{stderr}")).exit_code(2);
    }
}

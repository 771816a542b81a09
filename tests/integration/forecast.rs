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
        assert_eq!(lines[1], "sample     40 documents compared, 100 % drawn", "{text}");
        assert!(lines[3].ends_with(", exactly"), "{text}");
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
fn few_documents_are_all_compared_unless_a_share_is_given() {
    let workspace = corpus();
    let look = |text: &str| assert!(text.contains("\nsample     40 documents compared, 100 % drawn\n"), "{text}");
    workspace.dedup(&["scan", "-q", "--forecast", "in"]).stdout_with(look).stderr("").exit_code(0);
    // What is wrong is said once.
    let run = workspace.dedup(&["scan", "-q", "--forecast", "in", "nowhere"]).stdout_with(|_| ());
    run.stderr_with(|stderr| assert_eq!(stderr.matches("nowhere").count(), 1, "{stderr}")).exit_code(3);
    // A pipe is read once.
    let look = |text: &str| assert!(text.contains(", 10.00 % drawn\n"), "{text}");
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
fn what_a_forecast_does_not_print_is_refused() {
    for wrong in [
        &["--forecast", "--output", "x"][..],
        &["--forecast=0%"],
        &["--forecast=10"],
        &["--forecast", "--list-documents"],
    ] {
        let run = corpus().dedup(&[&["scan", "-q"], wrong, &["in"]].concat()).stdout("");
        run.stderr_with(|stderr| assert!(stderr.contains("--forecast"), "{stderr}")).exit_code(2);
    }
}

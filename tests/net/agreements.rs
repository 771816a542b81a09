//! Checks what two command lines must agree in, whatever is recorded of each.

use libtest_mimic::Failed;

use crate::Net;
use crate::recorded::difference_of_texts;

/// Two command lines, and what must be left of the lines of each to be the same.
pub(crate) struct Agreement {
    pub(crate) name: &'static str,
    commands: [String; 2],
    of_line: fn(&str) -> Option<String>,
}

pub(crate) fn all() -> Vec<Agreement> {
    let scan = |arguments: &str| format!("dedup scan {arguments} --quiet");
    let at = |threshold: &str| scan(&format!("records.jsonl --bands 40 --rows 2 --threshold {threshold}"));
    let of_all =
        |signature: &str| scan(&format!("records.jsonl --bands 200 --rows 1 --threshold 0.4 --signature {signature}"));
    let crowd = |flags: &str| scan(&format!("crowd.jsonl --bands 40 --rows 3 {flags}"));
    vec![
        Agreement {
            name: "both signatures find what no banding misses",
            commands: [of_all("classic"), of_all("fast")],
            of_line: without_estimate,
        },
        Agreement {
            name: "a threshold of 0.5 leaves out what is below",
            commands: [at("0.1"), at("0.5")],
            of_line: |line| from(line, 0.5),
        },
        Agreement {
            name: "a threshold of 0.8 leaves out what is below",
            commands: [at("0.1"), at("0.8")],
            of_line: |line| from(line, 0.8),
        },
        Agreement {
            name: "a threshold of 1 leaves out what is below",
            commands: [at("0.1"), at("1")],
            of_line: |line| from(line, 1.0),
        },
        Agreement {
            name: "a high threshold in a crowd leaves out what is below",
            commands: [crowd("--threshold 0.3"), crowd("--threshold 0.85")],
            of_line: |line| from(line, 0.85),
        },
        Agreement {
            name: "a template of another text changes no number",
            commands: [crowd("--threshold 0.8"), crowd("--threshold 0.8 --template names/a.txt")],
            of_line: |line| Some(line.split(",\"jaccard_raw\"").next()?.trim_end_matches('}').to_owned()),
        },
        Agreement {
            name: "a corpus compared with itself has all its pairs",
            commands: [
                scan("families --threshold 0.9"),
                "dedup compare families --against families --threshold 0.9 --quiet".into(),
            ],
            of_line: once_in_order,
        },
    ]
}

impl Agreement {
    pub(crate) fn holds(&self, net: &Net) -> Result<(), Failed> {
        let [a, b] = [0, 1].map(|number| {
            let outcome = net.run(&format!("{}.{number}", self.name), &self.commands[number])?;
            assert_eq!(outcome.exit, "0", "{}\n{}", self.commands[number], outcome.stderr);
            let lines = outcome.stdout.lines().filter_map(self.of_line);
            Ok::<String, Failed>(lines.map(|line| line + "\n").collect())
        });
        let (a, b) = (a?, b?);
        assert!(a.lines().count() >= 20, "too few pairs to tell: {a}");
        if a == b {
            return Ok(());
        }
        let [first, second] = &self.commands;
        Err(format!("- {first}\n+ {second}\n{}", difference_of_texts(&a, &b)).into())
    }
}

fn without_estimate(line: &str) -> Option<String> {
    Some(line.split_once(",\"estimate\"").expect("every pair has an estimate").0.to_owned())
}

fn from(line: &str, threshold: f64) -> Option<String> {
    let (_, number) = line.split_once("\"jaccard\":").expect("every pair has a similarity");
    let (number, _) = number.split_once(',').expect("other numbers follow");
    (number.parse::<f64>().expect("a number") >= threshold).then(|| line.to_owned())
}

/// A pair whose first document is the earlier one: a comparison has every pair both ways, and every document with itself.
fn once_in_order(line: &str) -> Option<String> {
    let pair: dedup_scan::records::PairRecord = serde_json::from_str(line).expect("a pair");
    let path = |name: &dedup_scan::records::Name| match name {
        dedup_scan::records::Name::Text(name) => name.split('/').map(String::from).collect::<Vec<_>>(),
        dedup_scan::records::Name::Bytes { .. } => unreachable!("all names are UTF-8"),
    };
    (path(&pair.a) < path(&pair.b)).then(|| line.to_owned())
}

//! The lines of `dedup check`: one for each difference, and the summary.

use dedup_scan::PairSource;
use dedup_scan::base::shown;
use dedup_scan::records::Name;
use dedup_scan::results::{CheckSummary, Fault, FaultKind};
use serde_json::Value;

use super::audit::audited;
use super::number::{counted, percent, plain_percent};

/// The maximum number of characters of a value in a line.
const VALUE_WIDTH: usize = 60;

/// The line about a difference.
///
/// * `result`: the result as given, for the lines of a file of pairs.
pub(crate) fn fault(fault: &Fault, result: &str) -> String {
    let file = fault.file.as_ref().map_or_else(|| shown(result), name);
    let place = fault.line.map_or_else(String::new, |line| format!("{file}:{line}: "));
    let documents = [&fault.a, &fault.b].into_iter().flatten().map(name).collect::<Vec<_>>().join(" ");
    let detail = shown(fault.detail.as_deref().unwrap_or_default());
    let similarity = fault.jaccard.map_or_else(String::new, |jaccard| format!(", with jaccard {jaccard}"));
    match fault.fault {
        FaultKind::Value => {
            let key = shown(fault.key.as_deref().unwrap_or_default());
            let [found, expected] = [&fault.found, &fault.expected].map(|side| value(side.as_ref()));
            let what = if found == expected {
                format!("{key} differs from what the documents give")
            } else {
                format!("{key} is {found}, but the documents give {expected}")
            };
            match (fault.line, documents.is_empty()) {
                (None, _) => format!("{file}: {what}"),
                (_, true) => format!("{place}{what}"),
                (_, false) => format!("{place}{what}: {documents}"),
            }
        }
        FaultKind::NotAPair => format!("{place}is not a pair ({detail})"),
        FaultKind::UnknownDocument => format!("{place}the inputs have no document with the name {detail}"),
        FaultKind::NotReported => {
            format!("{place}a scan with these settings does not report this pair{similarity}: {documents}")
        }
        FaultKind::Repeated => format!("{place}an earlier line has this pair: {documents}"),
        FaultKind::Missing => format!("missing: a scan reports this pair{similarity}: {documents}"),
        FaultKind::Changed => format!("{file}: {detail}"),
        FaultKind::Document if documents.is_empty() => format!("{place}{detail}"),
        FaultKind::Document => format!("{place}{detail}: {documents}"),
    }
}

fn name(name: &Name) -> String {
    shown(&String::from_utf8_lossy(&name.to_bytes()))
}

/// A value in a line; `absent` for none.
fn value(value: Option<&Value>) -> String {
    let text = match value {
        None | Some(Value::Null) => "absent".to_owned(),
        Some(value) => shown(&value.to_string()),
    };
    match text.char_indices().nth(VALUE_WIDTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The summary of a check.
///
/// * `only_lines`: whether missing pairs were not looked for.
pub(crate) fn checked(checked: &CheckSummary, only_lines: bool) -> String {
    let CheckSummary { search, lines, wrong_lines, missing, other, .. } = checked;
    let of = format!("{} of {}", counted(*lines, "pair"), counted(search.documents, "document"));
    let verdict = if checked.differs() {
        let differences =
            [(*wrong_lines, "wrong line"), (*missing, "missing pair"), (*other, "difference in other files")];
        let found = differences.into_iter().filter(|&(number, _)| number > 0);
        found.map(|(number, what)| several(number, what)).collect::<Vec<_>>().join(", ")
    } else if only_lines {
        "every number is right; missing pairs were not looked for".to_owned()
    } else {
        "every number is right, and no pair of the scan is missing".to_owned()
    };
    let mut text = format!("checked {of}: {verdict}");
    let settings = &search.settings;
    if only_lines {
        return text;
    }
    text += &match settings.source {
        PairSource::AllPairs => {
            "\nThe scan found every pair at the threshold: it joined all documents exhaustively".to_owned()
        }
        PairSource::Passages(_) => "\nThe scan found every common run that is long enough".to_owned(),
        PairSource::Bands => {
            let recall = percent(search.recall_at_threshold);
            format!("\nThe scan itself finds {recall} of the pairs at {}; measured:", plain_percent(settings.threshold))
        }
    };
    for (name, value) in search.audit.iter().flat_map(audited) {
        text += &format!("\n{name:<11}{value}");
    }
    text
}

/// A number of things whose plural may be irregular.
fn several(number: u64, what: &str) -> String {
    match what.strip_prefix("difference ") {
        Some(rest) => format!("{} {rest}", counted(number, "difference")),
        None => counted(number, what),
    }
}

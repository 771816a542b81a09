//! `page`: two documents as the page of `--format html`, which shows no other document.

use std::time::SystemTime;

use dedup_scan::Settings;
use dedup_scan::base::shown;
use dedup_scan::records::Name;
use dedup_scan::results::report::{self, ReportFormat, ReportMethod, ReportPair, ReportSettings, ReportTotals};
use dedup_scan::results::{Explanation, PairView};
use dedup_scan::search::SettingsRecord;

use super::super::command_line::command_of_run;
use super::heading;
use crate::cli::messages::{Failure, Result};

/// The page of an explanation.
///
/// * `has_sides`: whether the two documents belong to two sides, so that they may have the same name.
///
/// # Errors
/// When one of the documents has nothing to compare.
pub(super) fn page(
    explanation: &Explanation,
    settings: &Settings,
    has_sides: bool,
    title: Option<&str>,
) -> Result<Vec<u8>> {
    let Some(record) = explanation.pair_record() else {
        let verdict = heading::verdict(explanation);
        return Err(Failure::of_value(
            "--format",
            "html",
            format!("there is nothing to show: {verdict}; remove the flag"),
        ));
    };
    let name = |name: &Name| shown(&String::from_utf8_lossy(&name.to_bytes()));
    let of_one = ReportSettings {
        has_sides,
        of_passages: explanation.source.matching().is_some(),
        title: Some(title.map_or_else(|| format!("{} and {}", name(&record.a), name(&record.b)), str::to_owned)),
        date: Some(report::date(SystemTime::now())).filter(|date| !date.is_empty()),
        command: command_of_run(),
        ..ReportSettings::of_one_pair(capitalised(&heading::verdict(explanation)))
    };
    let format = ReportFormat::of_name("html").expect("there is a page");
    let (mut report, mut page) = ((format.report)(&of_one), Vec::new());
    let totals = ReportTotals {
        pairs: 1,
        documents: 1 + u64::from(record.a != record.b || has_sides),
        groups: 1,
        method: ReportMethod::of(&SettingsRecord::new(settings, None)),
        ..ReportTotals::default()
    };
    let written = report.begin(&mut page).and_then(|()| report.pair(&ReportPair::new(&record, false), &mut page));
    report.wanted_views();
    report.take_view(0, PairView::of_explanation(explanation));
    written.and_then(|()| report.end(&totals, &mut page)).expect("a Vec takes every byte");
    Ok(page)
}

/// A sentence with a capital at its beginning.
fn capitalised(sentence: &str) -> String {
    let mut characters = sentence.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

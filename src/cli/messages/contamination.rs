//! The messages about benchmarks: how much of each was found in a corpus.

use dedup_scan::Summary;
use dedup_scan::base::shown;
use dedup_scan::search::{BenchmarkFile, ContaminationSummary};
use indicatif::{DecimalBytes, HumanCount};

use super::number::counted;

/// The number of benchmark files that are listed.
const MOST_FILES: usize = 50;

/// The lines about a search for benchmarks: its numbers, and a line for each benchmark file.
pub(crate) fn contamination(summary: &Summary, found: &ContaminationSummary, threads: usize) -> Vec<String> {
    let count = |number: u64| HumanCount(number).to_string();
    let only_touched = found.touched.saturating_sub(found.contaminated);
    let more = match only_touched {
        0 => String::new(),
        number => format!(", {} more contain less", count(number)),
    };
    let mut lines = vec![format!(
        "{} of {} contain enough of a benchmark{more}; {} in {:.1} s, {}",
        count(found.contaminated),
        counted(summary.documents, "document"),
        DecimalBytes(summary.bytes),
        summary.seconds.total(),
        counted(threads as u64, "thread"),
    )];
    lines.extend(found.benchmarks.iter().take(MOST_FILES).map(|file| of_file(file, found.min_whole)));
    if let Some(more) = found.benchmarks.len().checked_sub(MOST_FILES).filter(|&more| more > 0) {
        lines.push(format!("  {} more benchmark files; --summary FILE lists all", count(more as u64)));
    }
    lines
}

fn of_file(file: &BenchmarkFile, min_words: usize) -> String {
    let count = |number: u64| HumanCount(number).to_string();
    let BenchmarkFile { documents, contaminated, wholly, too_short, not_searched, .. } = *file;
    let mut line = format!("  {}: {} of {} contaminated", shown(&file.file), count(contaminated), count(documents));
    if contaminated > 0 {
        line += &format!(", {} wholly", count(wholly));
    }
    if not_searched > 0 {
        line += &format!("; {} not searched for, with fewer than {min_words} words", count(not_searched));
    }
    if too_short > not_searched {
        line += &format!("; {} only in part, for a field of fewer words", count(too_short - not_searched));
    }
    line
}

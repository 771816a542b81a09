//! The lines of the summary about the measured recall, with a plot of it by similarity.

use dedup_scan::base::shown;
use dedup_scan::search::{AuditCounts, AuditSummary, MissedPair};
use indicatif::HumanCount;

use super::number::{counted, percent};

/// Maximum number of missed pairs that are listed.
const NAMED: usize = 3;
/// Number of characters of a bar.
const WIDTH: usize = 20;

/// The rows of an audit: the size of the sample, the recall of all pairs, and the recall of each range of
/// similarities.
pub(super) fn audited(audit: &AuditSummary) -> Vec<(&'static str, String)> {
    let AuditSummary { texts, of_texts, all, differs, decisive, by_similarity, missed } = audit;
    let drawn = format!("{} of {} drawn", HumanCount(*texts), counted(*of_texts, "distinct text"));
    let mut rows = vec![("audit", format!("{drawn}; they have {}", counted(all.pairs, "pair")))];
    let is_whole = texts == of_texts;
    let Some(measured) = measured(all, is_whole) else { return rows };
    rows.push(("  found", format!("{} of these: {measured}", HumanCount(all.found))));
    for bucket in by_similarity.iter().filter(|bucket| bucket.counts.pairs > 0) {
        let counts = &bucket.counts;
        let range = format!("{:.3} to {:.3}", bucket.from, bucket.to);
        let (recall, promised) = (counts.recall.unwrap_or(0.0), counts.promised.unwrap_or(0.0));
        rows.push((
            "",
            format!(
                "{range} {} {:>9} of {}, promised {}",
                bar(recall, promised),
                percent(recall),
                counted(counts.pairs, "pair"),
                percent(promised)
            ),
        ));
    }
    rows.extend(named(missed, all.pairs - all.found));
    let verdict = if *differs {
        "the measured recall differs from the stated one by more than chance (1 in 1,000); try another --seed, or --all-pairs"
    } else if *decisive {
        "the measured recall and the stated one differ by no more than chance"
    } else {
        let independent = all.independent.floor().max(1.0) as u64;
        let independent = counted(independent, "independent pair");
        rows.push(("", if is_whole {
            format!(
                "every text was drawn: the run found just these; for other seeds they count as {independent}, too few to decide; \
                 --all-pairs finds every pair"
            )
        } else {
            format!("they count as {independent}, too few to decide; draw more texts with --audit=N, or give --all-pairs")
        }));
        return rows;
    };
    rows.push(("", verdict.to_owned()));
    rows
}

/// Lists the first missed pairs.
///
/// * `all`: the number of missed pairs.
fn named(missed: &[MissedPair], all: u64) -> Vec<(&'static str, String)> {
    let mut rows: Vec<_> = missed
        .iter()
        .take(NAMED)
        .map(|pair| {
            let MissedPair { a, b, jaccard } = pair;
            ("", format!("{} and {}: {jaccard:.4}", shown(a), shown(b)))
        })
        .collect();
    if let Some((name, _)) = rows.first_mut() {
        *name = "  missed";
    }
    let others = all - rows.len() as u64;
    if others > 0 {
        let listed = if missed.len() as u64 == all { "all".to_owned() } else { format!("the first {}", missed.len()) };
        rows.push(("", format!("and {} more; --summary has {listed}", HumanCount(others))));
    }
    rows
}

/// The measured recall with its interval, and the promised recall; `None` without a pair.
///
/// * `is_whole`: whether the sample contains every text, so that the recall of this run is exact and the interval
///   applies to other seeds.
fn measured(counts: &AuditCounts, is_whole: bool) -> Option<String> {
    let ([low, high], recall, promised) = (counts.interval?, counts.recall?, counts.promised?);
    let of_others = if is_whole { " for other seeds" } else { "" };
    let interval = format!("95 % interval{of_others} {} to {}", percent(low), percent(high));
    Some(format!("{} ({interval}), promised {}", percent(recall), percent(promised)))
}

/// A bar for the measured share, with a mark at the promised share.
fn bar(measured: f64, promised: f64) -> String {
    let cell = |share: f64| ((share * WIDTH as f64).floor() as usize).min(WIDTH);
    let mark = cell(promised).min(WIDTH - 1);
    let cells = (0..WIDTH).map(|at| match at {
        _ if at == mark => '|',
        _ if at < cell(measured) => '=',
        _ => '.',
    });
    cells.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_shows_what_was_measured_and_a_mark_what_was_promised() {
        assert_eq!(bar(1.0, 1.0), "===================|");
        assert_eq!(bar(0.5, 0.75), "==========.....|....");
        assert_eq!(bar(0.0, 0.0), "|...................");
    }
}

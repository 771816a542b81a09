//! The report of a review: the errors of each threshold according to the answers, as a table.

use std::fmt::Write as _;

use dedup_scan::results::{Review, ThresholdCut};

use crate::cli::messages::percent;

/// Maximum number of rows on each side of the suggested threshold.
const MOST_ROWS: usize = 8;

/// The table, followed by the suggested threshold.
pub(super) fn text(review: &Review) -> String {
    let cuts = review.cuts();
    let (yes, no, skipped) = (cuts.yes, cuts.no, review.num_skipped());
    let mut text = format!("{:<12} {}: {yes} yes, {no} no; {skipped} skipped\n", "answers", yes + no);
    let Some(suggested) = cuts.suggested() else {
        let why = match (yes, no) {
            (0, 0) => "there are no answers yet",
            (_, 0) => {
                "all answers are yes, so nothing shows where duplicates end; answer more, or review a lower threshold"
            }
            _ => {
                "all answers are no, so nothing shows where duplicates begin; answer more, or review a higher threshold"
            }
        };
        writeln!(text, "{:<12} nothing: {why}", "suggested").expect("a string takes everything");
        return text;
    };
    let mut rows: Vec<&ThresholdCut> = cuts.cuts.iter().collect();
    if !rows.iter().any(|cut| cut.threshold == cuts.present.threshold) {
        let present = cuts.present.threshold.value();
        let place = rows.partition_point(|cut| cut.threshold.value() > present);
        rows.insert(place, &cuts.present);
    }
    let best = rows.iter().position(|cut| *cut == suggested).expect("it is one of the cuts");
    writeln!(text, "\n  threshold  precision  recall  F1      yes above  no above  yes below").expect("it takes all");
    let mut left_out = 0;
    for (number, cut) in rows.iter().enumerate() {
        let is_present = cut.threshold == cuts.present.threshold;
        if number.abs_diff(best) > MOST_ROWS && !is_present {
            left_out += 1;
            continue;
        }
        let mark = if number == best { '*' } else { ' ' };
        let note = if is_present { "  the present one" } else { "" };
        text.push_str(&row(mark, cut, note));
    }
    if left_out > 0 {
        writeln!(text, "  {left_out} thresholds farther away are not shown; --json has all").expect("it takes all");
    }
    let of = |share: Option<f64>| share.map_or("none".to_owned(), percent);
    writeln!(
        text,
        "\n{:<12} --threshold {}: precision {}, recall {}\n{:<12} on the {} answered pairs only; pairs that were not found or not \
         asked are not in it",
        "suggested",
        suggested.threshold.value(),
        of(suggested.precision()),
        of(suggested.recall()),
        "measured",
        yes + no
    )
    .expect("a string takes everything");
    text
}

fn row(mark: char, cut: &ThresholdCut, note: &str) -> String {
    let share = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{share:.4}"));
    let ThresholdCut { threshold, yes_above, no_above, yes_below } = cut;
    format!(
        "{mark} {:<10} {:<10} {:<7} {:.4}  {yes_above:<10} {no_above:<9} {yes_below}{note}\n",
        threshold.value(),
        share(cut.precision()),
        share(cut.recall()),
        cut.f1()
    )
}

//! The heading of `dedup explain`: the numbers of a pair and the verdict, one fact on each line.

use dedup_scan::Verdict;
use dedup_scan::base::shown;
use dedup_scan::results::{Comparison, ExplainedDocument, ExplainedPassages, Explanation};

use super::rows::wrap;
use crate::cli::messages::{banding, percent};

/// Maximum number of bands that are listed.
const MOST_BANDS: usize = 12;

/// Number of columns of a label and the space after it.
const LABEL: usize = 13;
/// Minimum number of columns of the text after a label; in a narrower view the lines exceed the width.
const LEAST_COLUMNS: usize = 20;

/// The lines above the texts. Lines longer than a row continue below, without a label.
pub(super) fn text(explanation: &Explanation, columns: usize) -> String {
    let Explanation { a, b, comparison, passages, matching, .. } = explanation;
    let mut lines = vec![("a", name(a)), ("b", name(b))];
    if let Some(comparison) = comparison {
        lines.extend(numbers(comparison));
    } else {
        let detail =
            |document: &ExplainedDocument| document.detail.clone().unwrap_or_else(|| counted(document.shingles));
        lines.push(("shingles", format!("a: {}; b: {}", detail(a), detail(b))));
    }
    if a.removed + b.removed > 0 {
        lines.push(("removed", format!("{} from a, {} from b", counted(a.removed), counted(b.removed))));
    }
    lines.extend([("a", a), ("b", b)].into_iter().filter(|(_, document)| !document.disguises.is_none()).map(disguises));
    if let Some(raw) = comparison.as_ref().and_then(|comparison| comparison.raw_similarity) {
        lines.push(("whole", format!("{raw:.6} similar with the removed shingles")));
    }
    if let Some(kept) = comparison.as_ref().and_then(|comparison| comparison.kept_similarity) {
        lines.push(("kept names", format!("{kept:.6} similar with names kept (jaccard_kept)")));
    }
    if let Some(passages) = passages {
        lines.push(("coverage", coverage(passages)));
    }
    if let Some(passages) = passages.as_ref().filter(|_| matching.is_some()) {
        let ExplainedPassages { matched, longest, .. } = passages;
        lines.push(("matched", format!("{matched} tokens, {longest} in the longest run that is the same in both")));
    } else if let Some(comparison) = comparison.as_ref().filter(|_| !explanation.all_pairs) {
        lines.extend(bands(comparison));
    }
    lines.push(("verdict", verdict(explanation)));
    lines.iter().map(|(what, text)| row(what, &shown(text), columns)).collect()
}

fn row(what: &str, text: &str, columns: usize) -> String {
    let rows = wrap(text, 0, columns.saturating_sub(LABEL).max(LEAST_COLUMNS), &[]);
    let labels = std::iter::once(what).chain(std::iter::repeat(""));
    labels.zip(rows).map(|(label, row)| format!("{label:<12} {}\n", row.text().trim_end())).collect()
}

fn name(document: &ExplainedDocument) -> String {
    String::from_utf8_lossy(&document.name).into_owned()
}

fn counted(shingles: u64) -> String {
    format!("{shingles} shingle{}", if shingles == 1 { "" } else { "s" })
}

fn numbers(comparison: &Comparison) -> Vec<(&'static str, String)> {
    let Comparison { shingles_a, shingles_b, shared, .. } = comparison;
    let (similarity, estimate) = (comparison.similarity(), comparison.estimate());
    let (of_a, of_b) = (comparison.containment_a(), comparison.containment_b());
    let jaccard = if comparison.weights.is_some() { "weighted Jaccard" } else { "Jaccard" };
    let mut lines = vec![
        ("similarity", format!("{similarity:.6} exact ({jaccard}), {estimate:.2} estimated")),
        ("containment", format!("{of_a:.6} of a in b, {of_b:.6} of b in a")),
        ("shingles", format!("{shingles_a} in a, {shingles_b} in b, {shared} in both")),
    ];
    lines.extend(comparison.weights.map(|weights| {
        let [a, b, shared] = weights.numbers();
        ("weights", format!("{a:.4} in a, {b:.4} in b, {shared:.4} in both"))
    }));
    lines
}

/// A line with the number of disguises of each kind that were undone in a document.
fn disguises((side, document): (&str, &ExplainedDocument)) -> (&'static str, String) {
    let kinds = document.disguises.by_kind().into_iter().filter(|&(_, number)| number > 0);
    let words = |kind| match kind {
        "homoglyphs" => "letters of other scripts",
        "invisible" => "invisible characters",
        "spaced" => "words set apart",
        "divided" => "divided words",
        "punctuation" => "look-alike marks",
        other => other,
    };
    let kinds: Vec<String> = kinds.map(|(kind, number)| format!("{} ({number})", words(kind))).collect();
    ("undone", format!("in {side}: {}; between ⟦ and ⟧ where the text is shown", kinds.join(", ")))
}

fn coverage(passages: &ExplainedPassages) -> String {
    let number = passages.passages.len();
    let passages_word = if number == 1 { "passage" } else { "passages" };
    format!("{} of a, {} of b, in {number} {passages_word}", percent(passages.coverage_a), percent(passages.coverage_b))
}

fn bands(comparison: &Comparison) -> [(&'static str, String); 2] {
    let bands = &comparison.bands;
    let named: Vec<String> = bands.agree.iter().take(MOST_BANDS).map(usize::to_string).collect();
    let more = bands.agree.len() - named.len();
    let list = match (named.is_empty(), more) {
        (true, _) => String::new(),
        (false, 0) => format!(": {}", named.join(", ")),
        (false, more) => format!(": {} and {more} more", named.join(", ")),
    };
    let chance = percent(bands.chance);
    [
        ("bands", format!("{} of {} agree{list}", bands.agree.len(), bands.bands)),
        ("chance", format!("{} find {chance} of the pairs of this similarity", banding(bands.bands, bands.rows))),
    ]
}

/// One sentence with the verdict, and advice if the reader can change the outcome.
fn verdict(explanation: &Explanation) -> String {
    let Explanation { a, b, verdict, comparison, threshold, matching, .. } = explanation;
    let threshold = threshold.value();
    let which = |is: &dyn Fn(&ExplainedDocument) -> bool| match (is(a), is(b)) {
        (true, true) => "both",
        (true, false) => "a",
        _ => "b",
    };
    let (similarity, missing, chance) = comparison
        .as_ref()
        .map_or((0.0, 0, 0.0), |comparison| (comparison.similarity(), comparison.missing, comparison.bands.chance));
    let why = match verdict {
        Verdict::Reported if comparison.as_ref().is_some_and(|comparison| comparison.same_text) => {
            return "reported: the texts are equal as they are compared".to_owned();
        }
        Verdict::Reported if matching.is_some() => {
            return "reported: passages cover enough of the shorter document".to_owned();
        }
        Verdict::Reported if explanation.all_pairs => {
            return format!("reported: the similarity reaches the threshold of {threshold}");
        }
        Verdict::Reported => {
            return format!("reported: the similarity reaches the threshold of {threshold}, and bands agree");
        }
        Verdict::BelowThreshold if comparison.as_ref().is_some_and(|comparison| comparison.weights.is_some()) => {
            format!("below the threshold of {threshold} by {:.6}", threshold - similarity)
        }
        Verdict::BelowThreshold => format!(
            "below the threshold of {threshold} by {:.6}; {missing} more shared {} would reach it",
            threshold - similarity,
            if missing == 1 { "shingle" } else { "shingles" }
        ),
        Verdict::BelowCoverage => {
            let wanted = matching.map_or((0.0, 0), |matching| (matching.coverage.value(), matching.min_matched));
            format!(
                "passages cover too little: --coverage requires {} of the shorter document, --min-matched {} tokens",
                wanted.0, wanted.1
            )
        }
        Verdict::NotFound => format!(
            "the similarity reaches the threshold of {threshold}, but no band agrees, as for {} of such pairs; try a higher \
             --recall or another --seed",
            percent(1.0 - chance)
        ),
        Verdict::SameGroup => "both are in one group of --group-by; --within-groups compares these".to_owned(),
        Verdict::OtherGroup => "they are in different groups, and --within-groups compares one group only".to_owned(),
        Verdict::SameSide => "both are on one side, and --against compares the sides with each other".to_owned(),
        Verdict::Copy => "an exact copy is compared instead; --collapse-exact reports each copy once".to_owned(),
        Verdict::Empty => format!("{} without text", which(&|document| document.shingles + document.removed == 0)),
        Verdict::Emptied => format!(
            "all shingles of {} are removed by --template or --max-df",
            which(&|document| document.shingles == 0 && document.removed > 0)
        ),
        Verdict::Short => "too few tokens; --min-tokens skips shorter documents".to_owned(),
        Verdict::Skipped => format!("{} skipped, and no document", which(&|document| document.detail.is_some())),
    };
    format!("not reported: {why}")
}

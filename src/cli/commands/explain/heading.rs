//! The heading of `dedup explain`: the numbers of a pair and the verdict, one fact on each line.

use dedup_scan::base::shown;
use dedup_scan::compare::PairWeights;
use dedup_scan::results::{
    Comparison, ExplainedDocument, ExplainedPassage, ExplainedPassages, Explanation, NearestDocuments, report,
};
use dedup_scan::{DuplicatePair, PairSource, Verdict};
use indicatif::HumanCount;

use super::rows::wrap;
use crate::cli::messages::{banding, counted, percent, plain_percent};

/// Maximum number of bands that are listed.
const MOST_BANDS: usize = 12;

/// Maximum number of passages whose slides, pages, chapters or cells are listed.
const MOST_PLACES: usize = 10;

/// Number of columns of a label and the space after it.
const LABEL: usize = 13;
/// Minimum number of columns of the text after a label; in a narrower view the lines exceed the width.
const LEAST_COLUMNS: usize = 20;

/// The lines above the texts. Lines longer than a row continue below, without a label.
pub(super) fn text(explanation: &Explanation, columns: usize) -> String {
    let Explanation { a, b, comparison, passages, source, .. } = explanation;
    let mut lines = vec![("a", name(a)), ("b", name(b))];
    if let Some(comparison) = comparison {
        lines.extend(numbers(comparison));
    } else {
        let detail = |document: &ExplainedDocument| {
            document.detail.clone().unwrap_or_else(|| counted(document.shingles, "shingle"))
        };
        lines.push(("shingles", format!("a: {}; b: {}", detail(a), detail(b))));
    }
    if a.removed + b.removed > 0 {
        lines.push((
            "removed",
            format!("{} from a, {} from b", counted(a.removed, "shingle"), counted(b.removed, "shingle")),
        ));
    }
    lines.extend([("a", a), ("b", b)].into_iter().filter(|(_, document)| !document.disguises.is_none()).map(disguises));
    if let Some(raw) = comparison.as_ref().and_then(|comparison| comparison.pair.raw_similarity()) {
        lines.push(("whole", format!("{} similar with the removed shingles", report::percent(raw))));
    }
    if let Some(kept) = comparison.as_ref().and_then(|comparison| comparison.pair.kept_similarity()) {
        lines.push(("kept names", format!("{} similar with names kept (jaccard_kept)", report::percent(kept))));
    }
    if let Some(passages) = passages {
        lines.push(("coverage", coverage(passages)));
        lines.extend(places([&a.name, &b.name], passages));
    }
    if let Some(passages) = passages.as_ref().filter(|_| source.matching().is_some()) {
        let ExplainedPassages { matched, longest, .. } = passages;
        lines.push((
            "matched",
            format!("{}, {longest} in the longest run that is the same in both", counted(*matched, "token")),
        ));
    } else if let Some(comparison) = comparison.as_ref().filter(|_| source.is_banded()) {
        lines.extend(bands(comparison));
    }
    lines.push(("verdict", verdict(explanation)));
    lines.iter().map(|(what, text)| row(what, &shown(text), columns)).collect()
}

/// The documents that are most similar to a document: for each the similarity, or the coverage of the shorter document,
/// its name, and the verdict.
pub(super) fn nearest(name: &str, nearest: &NearestDocuments) -> String {
    let Some(num_others) = nearest.num_others else {
        return format!("{name}: compared with no document, since it has no shingles: it is empty or too short\n");
    };
    let others = counted(num_others, "other document");
    let mut text = format!("{name}: compared with {others} of the corpus, each exactly\n");
    if nearest.explained.is_empty() {
        text += "no other document has anything in common with it\n";
    }
    for explanation in &nearest.explained {
        let share = match (&explanation.passages, &explanation.comparison) {
            (Some(passages), _) if explanation.source.matching().is_some() => {
                passages.coverage_a.max(passages.coverage_b)
            }
            (_, Some(comparison)) => comparison.pair.similarity(),
            _ => 0.0,
        };
        let name = shown(&String::from_utf8_lossy(&explanation.b.name));
        text += &format!("{:>7}  {name}\n         {}\n", report::percent(share), shown(&verdict(explanation)));
    }
    text
}

fn row(what: &str, text: &str, columns: usize) -> String {
    let rows = wrap(text, 0, columns.saturating_sub(LABEL).max(LEAST_COLUMNS), &[], None);
    let labels = std::iter::once(what).chain(std::iter::repeat(""));
    labels.zip(rows).map(|(label, row)| format!("{label:<12} {}\n", row.text().trim_end())).collect()
}

fn name(document: &ExplainedDocument) -> String {
    String::from_utf8_lossy(&document.name).into_owned()
}

fn numbers(comparison: &Comparison) -> Vec<(&'static str, String)> {
    let DuplicatePair { shingles_a, shingles_b, shared, weights, .. } = &comparison.pair;
    let [(similarity, share), containment] = shares([*shingles_a, *shingles_b, *shared], *weights);
    let mut lines =
        vec![(similarity, format!("{share}, {} estimated", report::percent(comparison.pair.estimate()))), containment];
    if weights.is_some() {
        lines.push(("shingles", format!("{shingles_a} in a, {shingles_b} in b, {shared} in both")));
    }
    lines
}

/// The lines with the similarity and the containments of a pair, each in percent and as an exact fraction.
///
/// * `shingles`: the number of distinct shingles of both documents, and of those that are in both.
/// * `weights`: the weights of these shingles, if shingles have weights.
pub(crate) fn shares(shingles: [u64; 3], weights: Option<PairWeights>) -> [(&'static str, String); 2] {
    let [a, b, both] = weights.map_or(shingles.map(|number| number as f64), PairWeights::numbers);
    let number = |number: f64| match weights {
        Some(_) => format!("{number:.4}"),
        None => HumanCount(number as u64).to_string(),
    };
    let percent = |of: f64| if of > 0.0 { report::percent(both / of) } else { report::percent(0.0) };
    let union = a + b - both;
    let fraction = match weights {
        Some(_) => format!("weight {} of {}", number(both), number(union)),
        None => format!("{} of {} shingles", number(both), number(union)),
    };
    [
        ("similarity", format!("{} ({fraction})", percent(union))),
        (
            "containment",
            format!(
                "{} of a in b ({} of {}), {} of b in a ({} of {})",
                percent(a),
                number(both),
                number(a),
                percent(b),
                number(both),
                number(b)
            ),
        ),
    ]
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
    format!(
        "{} of a, {} of b, in {}",
        report::percent(passages.coverage_a),
        report::percent(passages.coverage_b),
        counted(passages.passages.len() as u64, "passage")
    )
}

/// A line with the slides, pages, chapters or cells of the passages, by the numbers that the texts are marked with. `None` for
/// documents without such parts.
fn places(names: [&[u8]; 2], passages: &ExplainedPassages) -> Option<(&'static str, String)> {
    let place = |(at, passage): (usize, &ExplainedPassage)| {
        let [a, b] = [(names[0], &passage.located.a), (names[1], &passage.located.b)]
            .map(|(name, part)| report::parts(name, part));
        let sides = match (a, b) {
            (Some(a), Some(b)) => format!("{a} of a, {b} of b"),
            (Some(a), None) => format!("{a} of a"),
            (None, b) => format!("{} of b", b?),
        };
        Some(format!("[{}] {sides}", at + 1))
    };
    let all = passages.passages.iter().enumerate().filter_map(place);
    let places: Vec<String> = all.take(MOST_PLACES + 1).collect();
    let more = if places.len() > MOST_PLACES { "; …" } else { "" };
    (!places.is_empty()).then(|| ("places", places[..places.len().min(MOST_PLACES)].join("; ") + more))
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

/// Whether a document is explained with itself, in a search for copied blocks.
fn is_one(explanation: &Explanation) -> bool {
    let Explanation { a, b, source, comparison, .. } = explanation;
    let is_same_text = comparison.as_ref().is_some_and(|comparison| comparison.same_text);
    a.name == b.name && is_same_text && source.finds_blocks()
}

/// One sentence with the verdict, and advice if the reader can change the outcome.
pub(super) fn verdict(explanation: &Explanation) -> String {
    let Explanation { a, b, verdict, comparison, threshold, source, .. } = explanation;
    let threshold = plain_percent(threshold.value());
    let which = |is: &dyn Fn(&ExplainedDocument) -> bool| match (is(a), is(b)) {
        (true, true) => "both",
        (true, false) => "a",
        _ => "b",
    };
    let (missing, chance) =
        comparison.as_ref().map_or((0, 0.0), |comparison| (comparison.missing, comparison.bands.chance));
    let why = match verdict {
        Verdict::Reported if is_one(explanation) => {
            return "reported: the document repeats blocks".to_owned();
        }
        Verdict::BelowCoverage if is_one(explanation) => "the document repeats no block of --min-run tokens".to_owned(),
        Verdict::Reported if comparison.as_ref().is_some_and(|comparison| comparison.same_text) => {
            return "reported: the texts are equal as they are compared".to_owned();
        }
        Verdict::Reported => {
            let reaches = format!("reported: the similarity reaches the threshold of {threshold}");
            return match source {
                PairSource::Bands => reaches + ", and bands agree",
                PairSource::AllPairs => reaches,
                PairSource::Passages(_) => "reported: passages cover enough of the shorter document".to_owned(),
            };
        }
        Verdict::BelowThreshold if comparison.as_ref().is_some_and(|comparison| comparison.pair.weights.is_some()) => {
            format!("the similarity is below the threshold of {threshold}")
        }
        Verdict::BelowThreshold => format!(
            "the similarity is below the threshold of {threshold}; {} would reach it",
            counted(missing, "more shared shingle")
        ),
        Verdict::BelowCoverage => {
            let wanted =
                source.matching().map_or((0.0, 0), |matching| (matching.coverage.value(), matching.min_matched));
            format!(
                "passages cover too little: --coverage requires {} of the shorter document, --min-matched {}",
                plain_percent(wanted.0),
                counted(wanted.1, "token")
            )
        }
        Verdict::NotFound => format!(
            "the similarity reaches the threshold of {threshold}, but no band agrees, as for {} of such pairs; try a higher \
             --recall or another --seed",
            percent(1.0 - chance)
        ),
        Verdict::Excluded => format!(
            "the similarity reaches the threshold of {threshold}, but the signatures differ too much, as for fewer than one of 20,000 such \
             pairs; try another --seed"
        ),
        Verdict::SameGroup => "both are in one group of --group-by; --within-groups compares these".to_owned(),
        Verdict::OtherGroup => "they are in different groups, and --within-groups compares one group only".to_owned(),
        Verdict::SameSide => "both are on one side, and --against compares the sides with each other".to_owned(),
        Verdict::BothOld => "both are old, and --old documents are not compared with one another".to_owned(),
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

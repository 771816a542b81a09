//! Notes on a run, after its summary: what took most of the time, and what may be a mistake.

use dedup_scan::base::shown;
use dedup_scan::{PairSource, SignatureMethod, Summary};
use indicatif::HumanCount;

use super::compared::common_frame;
use super::number::counted;

/// Minimum number of texts of a bucket that the summary reports: it makes about a million candidates.
pub(super) const LARGE_BUCKET: u64 = 1000;
/// Minimum seconds of a run that reports which setting made it long.
const LONG_RUN: f64 = 10.0;
/// Optimisation level of this build.
const OPTIMISATION: &str = env!("DEDUP_OPT_LEVEL");
/// Minimum number of candidates per pair that indicates boilerplate.
pub(super) const FALSE_CANDIDATES: u64 = 10;

/// The notes on a run, each without the name of the program.
pub(super) fn notes(summary: &Summary) -> impl Iterator<Item = String> {
    slow_by(summary)
        .into_iter()
        .chain(common_frame(summary))
        .chain(one_group(summary))
        .chain(ignored(summary.num_ignored))
        .chain(built_as(OPTIMISATION))
}

/// A note on files that were read although git would ignore them.
fn ignored(number: u64) -> Option<String> {
    let were = if number == 1 { "was" } else { "were" };
    let files = counted(number, "file");
    (number > 0).then(|| format!("{files} that .gitignore excludes {were} read; --gitignore skips such files"))
}

/// A note on groups that have no pairs with each other, because there is only one.
fn one_group(summary: &Summary) -> Option<String> {
    let groups =
        summary.groups.as_ref().filter(|groups| !groups.within && groups.count == 1 && groups.documents > 1)?;
    let (flag, by) = (if summary.overlaps.is_some() { "--by" } else { "--group-by" }, groups.by.as_str());
    let (place, instead) = match by.strip_prefix("dir:").and_then(|depth| depth.parse::<u64>().ok()) {
        Some(depth) => ("folder", format!("{flag} dir:{} has one folder more", depth + 1)),
        None if by == "archive" => ("archive", format!("{flag} dir:1 groups them by the folders in it")),
        None if by == "dir" => ("folder", "choose another key".to_owned()),
        None => ("group", "choose another key".to_owned()),
    };
    let all = HumanCount(groups.documents);
    Some(format!("{flag} {by}: all {all} documents are in one {place}, so that no pair is between groups; {instead}"))
}

/// A note on a build without optimisation, which is much slower.
///
/// * `optimisation`: the level, from 0.
fn built_as(optimisation: &str) -> Option<String> {
    let note = "this is a build without optimisation, which is many times slower; build with --release";
    (optimisation == "0").then(|| note.to_owned())
}

/// A note on the setting that took most of a long run, with a cheaper alternative.
fn slow_by(summary: &Summary) -> Option<String> {
    let Summary { settings, seconds, candidates, pairs, .. } = summary;
    let total = seconds.total();
    if total < LONG_RUN {
        return None;
    }
    let is_most = |part: f64| part > total / 2.0;
    let took = |part: f64, what: &str| format!("{part:.0} of {total:.0} s went to {what}");
    let has_false_candidates = *candidates >= FALSE_CANDIDATES * pairs && is_most(seconds.verify);
    let largest = summary.largest_bucket.as_ref().filter(|bucket| bucket.documents >= LARGE_BUCKET);
    match settings.source {
        PairSource::Passages(_) => {
            let has_limit = summary.matches.as_ref().is_none_or(|matches| matches.key_cap.is_some());
            let what = "passages that very many documents have; --max-key-df does not search those";
            return (!has_limit && has_false_candidates).then(|| took(seconds.verify, what));
        }
        PairSource::AllPairs => {
            let what = "the exhaustive join; without --all-pairs, signatures find nearly all pairs in less time";
            return is_most(seconds.band).then(|| took(seconds.band, what));
        }
        PairSource::Bands => {}
    }
    if let Some(bucket) = largest.filter(|_| has_false_candidates) {
        let (texts, first) = (HumanCount(bucket.documents), shown(&bucket.first));
        let what = format!("candidates that are no pairs: {texts} texts such as {first} have something in common");
        return Some(took(seconds.verify, &what) + "; --template FILE or --max-df 5% removes it");
    }
    if has_false_candidates {
        let what = "candidates that are no pairs; more --rows or a higher --threshold make fewer";
        return Some(took(seconds.verify, what));
    }
    if summary.audit.is_some() && is_most(seconds.audit) {
        return Some(took(seconds.audit, "the audit; --audit N compares N texts only"));
    }
    let is_classic = settings.signature.method == SignatureMethod::Classic;
    let what = "reading and signing; without --signature classic, signing is faster";
    (is_classic && is_most(seconds.read)).then(|| took(seconds.read, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_and_ignored_files_are_reported_only_where_there_are_any() {
        assert_eq!((built_as("1"), built_as("3"), ignored(0)), (None, None, None));
        assert!(built_as("0").is_some_and(|note| note.contains("--release")));
        let one = "1 file that .gitignore excludes was read; --gitignore skips such files";
        assert_eq!(ignored(1).as_deref(), Some(one));
    }
}

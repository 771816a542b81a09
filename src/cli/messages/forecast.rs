//! The text of a forecast: one fact on each line, and flags that would help.

use std::fmt::Write;

use dedup_scan::search::{Estimate, RunForecast};
use dedup_scan::{Settings, SignatureMethod};
use indicatif::{DecimalBytes, HumanCount};

use super::number::{counted, percent};

/// Number of candidates per pair from which most of the verification is needless.
const FALSE_CANDIDATES: f64 = 10.0;
/// Minimum number of documents in a bucket for which the forecast recommends a flag.
const LARGE_BUCKET: u64 = 1000;
/// Minimum seconds of signing for which the forecast recommends another signature.
const LONG_READ: f64 = 10.0;
/// Minimum share of exact copies for which the forecast recommends a flag, since most pairs are pairs of copies.
const MANY_COPIES: f64 = 0.3;

/// The text of a forecast.
pub(crate) fn forecast(forecast: &RunForecast, settings: &Settings) -> String {
    let mut text = String::new();
    let mut row = |name: &str, value: String| writeln!(text, "{name:<11}{value}").expect("a String takes every line");
    row("documents", format!("{} ({})", HumanCount(forecast.documents), DecimalBytes(forecast.bytes)));
    let share = percent(forecast.share);
    row("sample", format!("{} compared, {share} of all", counted(forecast.sampled, "document")));
    row("candidates", pairs(forecast.candidates));
    row("pairs", pairs(forecast.pairs));
    if let Some(checks) = forecast.checks {
        let (about, number) = if forecast.share < 1.0 { ("about ", rounded(checks)) } else { ("", checks as u64) };
        row("checks", format!("{about}{} pairs of texts with a common rare shingle", HumanCount(number)));
    }
    let band = if forecast.checks.is_some() { "join" } else { "band" };
    let seconds = &forecast.seconds;
    let total = seconds.total;
    let threads = counted(settings.resources.threads.get() as u64, "thread");
    row(
        "time",
        format!(
            "about {} ({} to {}): read {}, {band} {}, verify {}; {threads}",
            time(total.expected),
            time(total.low),
            time(total.high),
            time(seconds.read),
            time(seconds.band),
            time(seconds.verify.expected),
        ),
    );
    let memory = &forecast.memory;
    let bounds = [memory.tables_low, memory.tables_high].map(|bytes| DecimalBytes(rounded_bytes(bytes)));
    let is_known = memory.tables_low == memory.tables_high;
    let between = if is_known { String::new() } else { format!(" ({} to {})", bounds[0], bounds[1]) };
    // A set has at most one shingle of eight bytes for each byte of text, and a growing set up to twice that.
    let most = forecast.bytes.saturating_mul(16);
    let (sets, limit) = if most < memory.sets { (rounded_bytes(most), "") } else { (memory.sets, " (--memory)") };
    let tables = DecimalBytes(rounded_bytes(memory.tables));
    let spilled = match memory.spilled {
        0 => String::new(),
        bytes => format!("; {} of band keys on the disk", DecimalBytes(rounded_bytes(bytes))),
    };
    row(
        "memory",
        format!("{tables}{between} of tables, and up to {} of shingle sets{limit}{spilled}", DecimalBytes(sets)),
    );
    for (number, note) in notes(forecast, settings).into_iter().enumerate() {
        row(if number == 0 { "note" } else { "" }, note.to_owned());
    }
    for (number, remedy) in remedies(forecast, settings).iter().enumerate() {
        row(if number == 0 { "would help" } else { "" }, remedy.clone());
    }
    text
}

/// Notes on effects that a sample cannot show.
fn notes(forecast: &RunForecast, settings: &Settings) -> Vec<&'static str> {
    let (input, has_copies) = (&settings.input, forecast.sampled_copies > 0);
    let is_scoped = input.against.is_some() || input.groups.is_some();
    let notes = [
        (
            settings.removal.max_df.is_some(),
            "--max-df counts in the sample only: candidates and pairs may be off by a factor; --forecast=100% counts",
        ),
        (settings.pairs.collapse_exact && has_copies, "--collapse-exact: pairs are fewer where texts have copies"),
        (is_scoped && has_copies, "candidates are fewer where texts have copies on one side or in one group"),
    ];
    notes.into_iter().filter(|&(applies, _)| applies && forecast.share < 1.0).map(|(_, note)| note).collect()
}

/// Advice on flags that would shorten the run or reduce its output.
fn remedies(forecast: &RunForecast, settings: &Settings) -> Vec<String> {
    let mut remedies = Vec::new();
    let source = settings.pairs.source;
    let (candidates, found) = (forecast.candidates.expected, forecast.pairs.expected);
    if source.is_banded() && forecast.largest_bucket >= LARGE_BUCKET && candidates > FALSE_CANDIDATES * found.max(1.0) {
        remedies.push(format!(
            "--template FILE or --max-df 5%: about {} have something in common that makes no pairs",
            counted(forecast.largest_bucket, "text")
        ));
    } else if source.is_banded() && candidates > FALSE_CANDIDATES * found.max(1.0) && candidates > 1e6 {
        remedies.push("more --rows, or a higher --threshold: most candidates are not pairs".to_owned());
    }
    let copies = forecast.sampled_copies as f64;
    if copies > MANY_COPIES * forecast.sampled.max(1) as f64 && !settings.pairs.collapse_exact && found > 1e6 {
        remedies.push("--collapse-exact: most pairs are of equal texts".to_owned());
    }
    let is_classic = settings.signature.method == SignatureMethod::Classic;
    let seconds = &forecast.seconds;
    if source.is_banded() && is_classic && seconds.read > LONG_READ && seconds.read > seconds.total.expected / 2.0 {
        remedies.push("remove --signature classic: most of the time goes to signatures of the documents".to_owned());
    }
    if let Some(limit) = forecast.memory.limit.filter(|&limit| forecast.memory.tables + forecast.memory.sets > limit) {
        remedies.push(format!(
            "fewer --bands, a smaller --memory, or the corpus in parts: there are {} of memory",
            DecimalBytes(limit)
        ));
    }
    if source.matching().is_some_and(|matching| matching.max_key_df.is_none()) && candidates > 1e7 {
        remedies.push("--max-key-df: passages that very many documents have make most of the work".to_owned());
    }
    remedies
}

/// An estimated number of pairs with its interval.
fn pairs(estimate: Estimate) -> String {
    let Estimate { expected, low, high } = estimate;
    let number = |number: f64| HumanCount(rounded(number));
    if low == high {
        return format!("{} (exact)", HumanCount(expected as u64));
    }
    format!("about {}, 19 times of 20 from {} to {}", number(expected), number(low), number(high))
}

/// The number with two significant digits, which suits an estimate.
fn rounded(number: f64) -> u64 {
    let number = number.round() as u64;
    let unit = 10u64.pow(number.max(1).ilog10().saturating_sub(1));
    number.saturating_add(unit / 2) / unit * unit
}

fn rounded_bytes(bytes: u64) -> u64 {
    rounded(bytes as f64)
}

/// A time with one or two digits of its largest unit.
fn time(seconds: f64) -> String {
    match seconds {
        ..0.1 => format!("{:.2} s", seconds),
        ..10.0 => format!("{:.1} s", seconds),
        ..100.0 => format!("{:.0} s", seconds),
        ..6000.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_have_two_digits() {
        assert_eq!([0.0, 4.4, 99.0, 104.0, 12_345.0, 98_765.0].map(rounded), [0, 4, 99, 100, 12_000, 99_000]);
        assert_eq!([0.014, 1.26, 61.0, 700.0, 7200.0].map(time), ["0.01 s", "1.3 s", "61 s", "12 min", "2.0 h"]);
        let sure = Estimate { expected: 12_345.0, low: 12_345.0, high: 12_345.0 };
        assert_eq!(pairs(sure), "12,345 (exact)");
        let vague = Estimate { expected: 100.0, low: 7.0, high: 234.0 };
        assert_eq!(pairs(vague), "about 100, 19 times of 20 from 7 to 230");
    }
}

//! Warnings of a finished run, such as a line for each setting that had no effect.

use dedup_scan::Summary;
use dedup_scan::base::shown;
use dedup_scan::documents::ValueKind;
use dedup_scan::search::CodeSummary;
use dedup_scan::unique::UniqueCorpus;

use super::number::counted;

/// The warnings, without the `dedup: warning: ` at the start.
pub(crate) fn warnings(summary: &Summary) -> Vec<String> {
    let mut warnings = nothing_found(summary);
    warnings.extend(ids_of_other_files(summary));
    warnings.extend(no_groups(summary));
    warnings.extend(empty_template(summary));
    warnings.extend(max_df_too_low(summary));
    warnings.extend(no_lines_left(summary));
    warnings.extend(all_short(summary));
    warnings.extend(few_tokens(summary));
    warnings.extend(max_df_of_programs(summary));
    warnings
}

/// Warns of a corpus, or a side of a comparison, without documents.
fn nothing_found(summary: &Summary) -> Vec<String> {
    let skipped: Vec<String> = (summary.skipped.iter().filter(|(why, _)| why.is_skip()))
        .map(|(why, number)| format!("{number} {}", why.of_number(*number)))
        .collect();
    let warning = |which| match skipped.as_slice() {
        [] => format!("no documents were found{which}; check the paths, --include and --exclude"),
        skipped => format!("no documents are left{which} ({}); check the paths and flags", skipped.join(", ")),
    };
    let Some(sides) = &summary.sides else {
        return (summary.documents == 0).then(|| warning("")).into_iter().collect();
    };
    let second = if sides.old { " that are old" } else { " to compare against" };
    let sides = [(&sides.a, " to compare"), (&sides.b, second)];
    sides.into_iter().filter(|(side, _)| side.documents == 0).map(|(_, which)| warning(which)).collect()
}

fn ids_of_other_files(summary: &Summary) -> Option<String> {
    let number = summary.ids_of_other_files;
    (number > 0).then(|| {
        let records = counted(number, "record");
        format!("duplicate ids across files ({records}); --id-prefix file makes them distinct")
    })
}

/// Warns of documents that are removed for passages that cover less than half of them.
pub(crate) fn hardly_covered(corpus: &UniqueCorpus) -> Option<String> {
    /// Minimum coverage of a removed document.
    const LEAST: f64 = 0.5;
    let of_removed = corpus.removed().iter().zip(corpus.coverages());
    let of_removed = of_removed.filter_map(|(stand_in, coverages)| Some((stand_in.document, (*coverages)?[0])));
    let covered: Vec<_> = of_removed.filter(|&(_, coverage)| coverage < LEAST).collect();
    let &(document, least) = covered.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let name = String::from_utf8_lossy(corpus.documents().name(document));
    let (number, all) = (covered.len() as u64, counted(corpus.removed().len() as u64, "removed document"));
    Some(format!(
        "{number} of {all}: less than half of each is in the document that is kept (lowest: {least:.2} of {}), and the rest is removed too; --keep longest removes the shorter of two, --coverage {LEAST} removes none if less than half of the shorter is covered; --removed lists them",
        shown(&name)
    ))
}

/// Warns of documents that `--keep max:FIELD` and `--keep min:FIELD` put last, because they have no value of the field's kind.
pub(crate) fn without_value(corpus: &UniqueCorpus) -> Option<String> {
    let (field, order) = corpus.field_order()?;
    if order.others + order.missing == 0 {
        return None;
    }
    let kind = match order.kind {
        ValueKind::Number => "number",
        ValueKind::Date => "date",
        ValueKind::Text => "text",
    };
    let mut parts = Vec::new();
    if order.others > 0 {
        parts.push(format!("{} with something else in it, such as nan or N/A", counted(order.others, "document")));
    }
    if order.missing > 0 {
        parts.push(format!("{} without it", counted(order.missing, "document")));
    }
    let values = counted(order.values, kind);
    let field = shown(field);
    Some(format!("--keep: the field `{field}` has {values}; put last: {}", parts.join(", and ")))
}

fn no_groups(summary: &Summary) -> Option<String> {
    let groups = summary.groups.as_ref().filter(|groups| groups.documents == 0 && summary.documents > 0)?;
    let by = &groups.by;
    let what = match by.strip_prefix("field:") {
        Some(field) => format!("no document has the field `{field}`"),
        None if by == "archive" => "no document is in an archive".to_owned(),
        None if by == "host" => "no document has a URI as its name; give its field with --id-field".to_owned(),
        None => "the expression matches no name of a document".to_owned(),
    };
    let flag = if summary.overlaps.is_some() { "--by" } else { "--group-by" };
    Some(format!("{flag} {by}: {what}; each document is its own group"))
}

/// Warns of a regular expression that matches every line.
fn no_lines_left(summary: &Summary) -> Vec<String> {
    let is_everywhere = |pattern: &&String| {
        let finds = |line| regex::Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(line));
        // An expression that matches a blank line and a line with a private character matches every line.
        finds("") && finds("\u{F8FF}")
    };
    let patterns = summary.settings.skip_lines.iter().filter(is_everywhere);
    let warning = |pattern| format!("--skip-lines {pattern:?} matches every line, so no text is left; correct it");
    patterns.map(warning).collect()
}

fn empty_template(summary: &Summary) -> Option<String> {
    let removed = summary.removed.as_ref()?;
    let is_nothing = removed.template_shingles == Some(0);
    is_nothing.then(|| "--template: contains no text, so nothing is removed; check the paths".to_owned())
}

fn max_df_too_low(summary: &Summary) -> Option<String> {
    let most = summary.removed.as_ref()?.most_documents.filter(|&most| most < 2 && summary.documents > 0)?;
    let effect = if most == 0 { "every shingle is removed" } else { "no two different texts have a shingle in common" };
    Some(format!("--max-df comes to {most} of these documents, so {effect}; give a larger number or share"))
}

/// Warns of a shingle size, or a length of a passage, that exceeds the length of every document.
fn all_short(summary: &Summary) -> Option<String> {
    let num_texts = summary.documents - summary.empty;
    // The corpus may consist of a few short texts.
    const FEW: u64 = 3;
    if num_texts <= FEW {
        return None;
    }
    let documents = counted(num_texts, "document");
    if let Some(matches) = &summary.matches {
        let distinct = num_texts - summary.exact_copies;
        let anchor = counted(matches.every_run_of, "token");
        return (matches.short >= distinct).then(|| {
            format!("each of the {documents} has fewer than {anchor}, so that only equal texts are pairs; lower --anchor and --min-run")
        });
    }
    (summary.short >= num_texts).then(|| {
        format!("each of the {documents} is shorter than one shingle, so that only equal texts are pairs; lower --k")
    })
}

/// Warns of programs that are too short for a comparison of their masked tokens.
fn few_tokens(summary: &Summary) -> Option<String> {
    let code = summary.code.as_ref().filter(|code| code.few_tokens > 0)?;
    let is_masked = !summary.settings.folding.contains(&"keep-names");
    is_masked.then(|| {
        let (documents, few) = (counted(code.few_tokens, "document"), CodeSummary::FEW_TOKENS);
        format!(
            "{documents} of fewer than {few} tokens: short programs agree by coincidence; --list-documents lists them, --min-tokens {few} skips them"
        )
    })
}

/// Warns of a maximum document frequency that removes code with many copies.
fn max_df_of_programs(summary: &Summary) -> Option<String> {
    /// Minimum percentage of the documents.
    const LEAST: u64 = 30;
    let most = summary.removed.as_ref().filter(|_| summary.code.is_some())?.most_documents?;
    // Equal texts count once, and empty texts are not counted.
    let texts = summary.documents - summary.empty - summary.exact_copies;
    (most >= 2 && most * 100 < texts * LEAST).then(|| {
        format!(
            "--max-df comes to {most} of {}: below {LEAST}% it removes what many copied from one source; remove starter code with --template",
            counted(texts, "program")
        )
    })
}

//! The messages about a clean corpus and a plan: the documents that were written, and those that remain.

use dedup_scan::base::shown;
use dedup_scan::unique::{
    CopiedWhole, CutCounts, CutPlace, FilePlan, LeftDocument, RepeatCutRecord, UniqueCorpus, Written,
};
use dedup_scan::{ShingleKind, Summary};
use indicatif::{DecimalBytes, HumanCount};

use super::failure::Result;
use super::number::counted;
use super::report::{NAMED, line};

/// Lists the documents that a plan does not cover.
pub(crate) fn left(plan: &FilePlan) {
    for LeftDocument { name, why } in plan.left().iter().take(NAMED as usize) {
        line(&format!("dedup: {}: {why}; not in the plan, use dedup unique", shown(&String::from_utf8_lossy(name))));
    }
    if let Some(more) = plan.left().len().checked_sub(NAMED as usize).filter(|&more| more > 0) {
        line(&format!("dedup: {} more are not in the plan", HumanCount(more as u64)));
    }
}

/// The line that summarises a plan.
pub(crate) fn planned(plan: &FilePlan) -> String {
    let count = |number: u64| HumanCount(number).to_string();
    let (files, documents, bytes) =
        (count(plan.num_files()), count(plan.num_documents()), DecimalBytes(plan.num_bytes()));
    let left = match plan.left().len() as u64 {
        0 => String::new(),
        left => format!("; {} not in the plan", counted(left, "duplicate")),
    };
    format!("plan       {files} of {documents} documents, {bytes}{left}")
}

/// Messages about files that were copied with their duplicates.
pub(crate) fn copied_whole(written: &Written) -> Vec<String> {
    let (mut lines, mut containers) = (Vec::new(), 0_u64);
    for CopiedWhole { file, line, removed, uncut } in &written.copied_whole {
        let file = shown(file);
        let Some(line) = line else {
            containers += 1;
            if containers <= NAMED {
                let removed = counted(*removed, "document");
                lines.push(format!(
                    "dedup: {file}: nothing is removed from within mail and web crawls; the whole file is copied, with {removed} that would be removed"
                ));
            }
            continue;
        };
        let what = match (removed, uncut) {
            (0, 0) => "with what was not compared".to_owned(),
            (0, uncut) => format!("with {} that would be cut", counted(*uncut, "record")),
            (removed, _) => format!("with {} that would be removed", counted(*removed, "record")),
        };
        lines.push(format!(
            "dedup: {file}:{line}: the ends of records are uncertain from this line on; the whole file is copied, {what} (repair the file, or give the flags that read all of it)"
        ));
    }
    if containers > NAMED {
        let more = HumanCount(containers - NAMED);
        lines.push(format!("dedup: {more} more mail files or web crawls with duplicates inside are copied whole"));
    }
    lines
}

/// The line about what is cut from the texts of a corpus.
pub(crate) fn cut(summary: &Summary, counts: &CutCounts) -> String {
    let CutCounts { documents, emptied, cuts, tokens, of_tokens, dropped } = *counts;
    let share = if of_tokens > 0 { 100.0 * tokens as f64 / of_tokens as f64 } else { 0.0 };
    let (of_tokens, read) = (HumanCount(of_tokens), counted(summary.documents - summary.empty, "document"));
    let mut text = format!(
        "cut        {} of {of_tokens} {} ({share:.1} %), {} from {} of {read} ({})",
        HumanCount(tokens),
        token_name(summary) + "s",
        counted(cuts, "part"),
        HumanCount(documents),
        DecimalBytes(summary.bytes),
    );
    if emptied > 0 {
        let emptied = counted(emptied, "document");
        text +=
            &format!("\n  empty    {emptied} without a {} left; --drop-shorter 1 removes them", token_name(summary));
    }
    if dropped > 0 {
        text += &format!("\n  dropped  {} with too few {} left", counted(dropped, "document"), left_name(summary));
    }
    text
}

/// The name of the tokens of a run.
fn token_name(summary: &Summary) -> String {
    match summary.settings.shingle {
        ShingleKind::Char => "character",
        ShingleKind::Word => "word",
        ShingleKind::Line => "line",
        ShingleKind::Paragraph => "paragraph",
        ShingleKind::Sentence => "sentence",
        _ => "token",
    }
    .to_owned()
}

/// The name of the tokens that `--drop-shorter` counts.
fn left_name(summary: &Summary) -> &'static str {
    match summary.settings.shingle {
        ShingleKind::Char => "characters",
        ShingleKind::Code => "tokens",
        _ => "words",
    }
}

/// The number of cuts that a dry run shows, and the characters that it shows of each.
const EXAMPLES: usize = 10;
const EXAMPLE_CHARS: usize = 60;

/// Shows some cuts.
///
/// # Errors
/// When a document has changed.
pub(crate) fn cut_examples(corpus: &UniqueCorpus, written: &Written) -> Result<()> {
    let place = |place: &CutPlace| {
        let [first, last] = place.lines;
        let lines = if first == last { first.to_string() } else { format!("{first}-{last}") };
        format!("{}:{lines}", shown(&String::from_utf8_lossy(&place.document.to_bytes())))
    };
    let token = corpus.summary().map_or_else(|| "token".to_owned(), token_name);
    corpus.each_cut(&written.copied_whole, EXAMPLES, &mut |RepeatCutRecord { cut, tokens, first, text }| {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut example: String = words.chars().take(EXAMPLE_CHARS).collect();
        if example.len() < words.len() {
            example.push('…');
        }
        let first = first.as_ref().map_or(String::new(), |first| format!(", first in {}", place(first)));
        let tokens = counted((*tokens).into(), &token);
        line(&format!("  {}: {tokens}{first}: {}", place(cut), shown(&example)));
        Ok(())
    })?;
    Ok(())
}

/// The line about the corpus that was written, or would have been written.
///
/// * `command`: the command, which the line begins with.
pub(crate) fn written(command: &str, written: &Written, dry_run: bool) -> String {
    let count = |number: u64| HumanCount(number).to_string();
    let Written { kept, removed, skipped, dropped, files, files_left_out, bytes, input_bytes, .. } = *written;
    let Written { passed_over, links, links_nowhere, .. } = *written;
    let mut text = format!("{command:<10} {} kept, {} removed", count(kept), count(removed));
    if skipped > 0 {
        text += &format!(", {} not compared (kept)", count(skipped));
    }
    if dropped > 0 {
        text += &format!(", {} not compared (not written)", count(dropped));
    }
    let stays = written.unpreserved.map(|number| {
        format!(
            "\n  preserve {} similar to a kept one, but too little of it is in there; kept",
            counted(number, "document")
        )
    });
    let verb = if dry_run { "would be written" } else { "written" };
    // A dry run of standard input only counts documents.
    if files + files_left_out > 0 || input_bytes > 0 || !dry_run {
        text += &format!("; {} {verb}", counted(files, "file"));
        if files_left_out > 0 {
            text += &format!(", {} not written", count(files_left_out));
        }
        text += &format!(", {} of {} in files", DecimalBytes(bytes), DecimalBytes(input_bytes));
    }
    text += &stays.unwrap_or_default();
    if passed_over > 0 {
        let what = "hidden, or by --exclude, --include or --gitignore; not in the output";
        text += &format!("\n  passed   {} over: {what}", count(passed_over));
    }
    if links > 0 {
        let nowhere = links_nowhere.filter(|&number| number > 0);
        let nowhere = nowhere.map(|number| format!(", {} of which lead nowhere from there", count(number)));
        let copied = if dry_run { "would be copied" } else { "copied" };
        let as_it_is = if links == 1 { "as it is" } else { "as they are" };
        let links = counted(links, "symbolic link");
        text += &format!(
            "\n  links    {links} {copied} {as_it_is}{}; --follow-links reads what they name",
            nowhere.unwrap_or_default()
        );
    }
    text
}

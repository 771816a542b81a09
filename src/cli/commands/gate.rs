//! `Gate`: decides whether each pair is new, by a baseline and by the files that changed in git, and computes the exit
//! code.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use dedup_scan::base::shown;
use dedup_scan::documents::OwnFiles;
use dedup_scan::records::{Name, PairRecord, Source};
use dedup_scan::results::report::{Involved, ReportTotals};
use dedup_scan::results::{AcceptedPair, Baseline, ChangedFiles, SavedDocuments};
use dedup_scan::search::LineSet;
use dedup_scan::{DocId, Documents};
use serde::Serialize;

use super::replaced_file::{BASELINE, ReplacedFile};
use crate::cli::flags::{FailOver, GateFlags};
use crate::cli::messages::{self, Failure, Result};
use crate::cli::stream_writer::count_output;

/// Maximum number of obsolete entries that are listed.
const NAMED: usize = 20;

/// Hides pairs that are not new.
pub(crate) struct Gate<'a> {
    flags: &'a GateFlags,
    baseline: Option<Baseline>,
    changed: Option<ChangedFiles>,
    /// Folder that relative file names refer to.
    folder: PathBuf,
    has_sides: bool,
    num_known: u64,
    num_unchanged: u64,
    num_new: u64,
    /// Documents of new pairs, for a limit on their share.
    involved: Involved,
    /// Lines of new blocks by the names of their documents, for a limit on their share; `None` if pairs are not blocks.
    lines: Option<HashMap<Vec<u8>, LineSet>>,
}

/// The numbers of known, unchanged and new pairs in the summary, with `--baseline` or `--changed-since`. Keys are only
/// ever added.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct GateSummary {
    /// Number of pairs that the baseline accepts.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<u64>,
    /// Number of pairs without a changed file.
    #[serde(skip_serializing_if = "Option::is_none")]
    unchanged: Option<u64>,
    /// Number of all other pairs, including pairs that `--top` does not print.
    new: u64,
}

/// The limits of a result, which decide the baseline entries that can occur in it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Limits {
    /// Minimum Jaccard similarity; `None` if it is not known or pairs match by passages.
    pub(crate) threshold: Option<f64>,
    /// Minimum coverage of pairs that match by passages.
    pub(crate) coverage: Option<f64>,
    /// Number of inputs that could not be used because of an error, and that may contain pairs.
    pub(crate) errors: u64,
    /// Number of compared documents; with two sides, only the first side counts.
    pub(crate) compared: Option<u64>,
    /// Number of lines of the compared documents, if pairs are copied blocks.
    pub(crate) lines: Option<u64>,
    /// Whether documents are records of files.
    pub(crate) has_records: bool,
    /// Whether pairs are hidden regardless of their similarity, such as pairs within one group or of further exact
    /// copies.
    pub(crate) leaves_out: bool,
}

impl<'a> Gate<'a> {
    /// Reads the baseline, and the files that changed in git.
    ///
    /// * `folder`: the folder that relative file names refer to.
    /// * `inputs`: the inputs as given; git looks up changes in the work tree of the first one.
    ///
    /// # Errors
    /// When the baseline cannot be read, or git cannot list the changed files.
    pub(crate) fn open(flags: &'a GateFlags, folder: &Path, inputs: &[PathBuf], has_sides: bool) -> Result<Self> {
        if flags.prune {
            count_output();
        }
        // The exit code is an output, so a closed pipe must not end the run before the code is known.
        if flags.limit().is_some() {
            count_output();
        }
        let baseline = flags.baseline.as_deref().map(Baseline::read).transpose()?;
        let input = inputs.first().map(PathBuf::as_path).filter(|input| *input != Path::new("-"));
        let changed = flags.changed_since.as_deref().map(|revision| ChangedFiles::since(folder, input, revision));
        let changed = changed.transpose().map_err(|error| Failure::of_flag("--changed-since", error))?;
        let involved = Involved::default();
        let folder = folder.to_owned();
        Ok(Self {
            flags,
            baseline,
            changed,
            folder,
            has_sides,
            num_known: 0,
            num_unchanged: 0,
            num_new: 0,
            involved,
            lines: None,
        })
    }

    /// Limits the share of lines in blocks instead of the share of documents, if pairs are copied blocks.
    pub(crate) fn of_blocks(self, are_blocks: bool) -> Self {
        Self { lines: are_blocks.then(HashMap::new), ..self }
    }

    /// Marks the documents of a run as present in the baseline; to be called before the first pair.
    pub(crate) fn mark_present(&mut self, documents: &Documents) {
        if let Some(baseline) = &mut self.baseline {
            (0..documents.len()).for_each(|number| baseline.mark_present(documents.name(DocId::new(number))));
        }
    }

    /// Marks the documents of a saved result as present in the baseline; to be called before the first pair.
    pub(crate) fn mark_saved_present(&mut self, documents: &SavedDocuments) {
        if let Some(baseline) = &mut self.baseline {
            baseline.mark_present_if(|name| documents.has(name));
        }
    }

    /// Whether all pairs are new and only their number is needed.
    pub(crate) fn is_open(&self) -> bool {
        self.baseline.is_none() && self.changed.is_none() && !matches!(self.flags.limit(), Some(FailOver::Share(_)))
    }

    /// Adds `pairs` new pairs, for a gate that [is open](Self::is_open).
    pub(crate) fn count(&mut self, pairs: usize) {
        self.num_new += pairs as u64;
    }

    /// Whether a pair is new.
    ///
    /// * `texts`: the hashes of the texts of both documents, if known.
    /// * `is_kept`: whether no other filter hides the pair; a hidden pair is not counted.
    pub(crate) fn is_new(&mut self, pair: &PairRecord, texts: [Option<u128>; 2], is_kept: bool) -> bool {
        // Every pair is looked up, since its baseline entry is in use even if another filter hides the pair.
        let is_known = self.baseline.as_mut().is_some_and(|baseline| {
            let pair = AcceptedPair::new(pair, texts, self.has_sides);
            pair.names.iter().for_each(|name| baseline.mark_present(name));
            baseline.knows(&pair)
        });
        if is_known || !is_kept {
            self.num_known += u64::from(is_known && is_kept);
            return false;
        }
        if self.changed.is_some() && !files_of(pair).iter().any(|file| self.is_changed(file)) {
            self.num_unchanged += 1;
            return false;
        }
        self.num_new += 1;
        if let Some(FailOver::Share(_)) = self.flags.limit() {
            if let Some(lines) = &mut self.lines {
                add_lines(lines, pair, !self.has_sides && pair.old_b != Some(true));
            }
            self.involved.add(&pair.a.to_bytes(), &pair.b.to_bytes(), self.has_sides);
        }
        true
    }

    /// Whether a pair is reported on its second document, because only that document changed.
    pub(crate) fn is_about_b(&mut self, pair: &PairRecord) -> bool {
        if self.changed.is_none() {
            return false;
        }
        let [a, b] = files_of(pair);
        !self.is_changed(&a) && self.is_changed(&b)
    }

    /// The numbers of pairs; `None` if no flag can hide pairs.
    pub(crate) fn summary(&self) -> Option<GateSummary> {
        self.flags.leaves_out().then(|| GateSummary {
            known: self.baseline.is_some().then_some(self.num_known),
            unchanged: self.changed.is_some().then_some(self.num_unchanged),
            new: self.num_new,
        })
    }

    /// Adds the numbers of known, unchanged and new pairs to the totals of reports.
    pub(crate) fn totals(&self, totals: ReportTotals) -> ReportTotals {
        ReportTotals {
            known: self.baseline.is_some().then_some(self.num_known),
            unchanged: self.changed.is_some().then_some(self.num_unchanged),
            ..totals
        }
    }

    /// Reports the hidden pairs, and prunes the baseline. Returns whether there are too many new pairs.
    ///
    /// # Errors
    /// When the baseline cannot be written, or a share of documents is the limit and their number is not known.
    pub(crate) fn finish(mut self, limits: Limits, quiet: bool) -> Result<bool> {
        let new_lines = self.lines.as_mut().map(|lines| lines.values_mut().map(LineSet::count).sum::<u64>());
        let is_too_much = match self.flags.limit() {
            None => false,
            Some(limit @ FailOver::Pairs(_)) => limit.is_met(self.num_new, 0, 0),
            Some(limit) => match new_lines.zip(limits.lines) {
                Some((new_lines, lines)) => limit.is_met(self.num_new, new_lines, lines),
                None => {
                    let compared = limits.compared.ok_or_else(Failure::share_of_pairs)?;
                    limit.is_met(self.num_new, self.involved.num_first(), compared)
                }
            },
        };
        if let Some((number, first)) = self.changed.as_ref().and_then(ChangedFiles::outside) {
            let top = self.changed.as_ref().map(|changed| changed.top().to_string_lossy()).unwrap_or_default();
            messages::line(&format!(
                "dedup: warning: --changed-since: {number} of the files are outside of the repository {}, such as {}; they count as \
                 unchanged",
                shown(&top),
                shown(&first.to_string_lossy())
            ));
        }
        if self.changed.is_some() && !quiet {
            messages::line(&format!("unchanged  {} hidden", messages::counted(self.num_unchanged, "pair")));
        }
        if let Some((baseline, path)) = self.baseline.as_ref().zip(self.flags.baseline.as_deref()) {
            let could_have = |entry: &AcceptedPair| limits.could_have(entry);
            let gone: Vec<&AcceptedPair> = baseline.gone(&self.folder, limits.has_records, could_have).collect();
            if !quiet {
                say(path, baseline, self.num_known, &gone, self.flags.prune);
            }
            if self.flags.prune && !gone.is_empty() {
                prune(path, baseline, &gone, limits, quiet)?;
            }
        }
        if let Some(limit) = self.flags.fail_over.filter(|_| is_too_much && !quiet) {
            let new = messages::counted(self.num_new, "new pair");
            messages::line(&match limit {
                FailOver::Pairs(most) => format!("failed     {new}, more than the {most} of --fail-over"),
                FailOver::Share(millionths) => {
                    let (part, all, unit) = match new_lines.zip(limits.lines) {
                        Some((new_lines, lines)) => (new_lines, lines, "lines"),
                        None => (self.involved.num_first(), limits.compared.unwrap_or(0), "documents"),
                    };
                    let share = 100.0 * part as f64 / all as f64;
                    let most = millionths as f64 / 10_000.0;
                    format!("failed     {new} of {share:.2} % of the {unit}, more than the {most} % of --fail-over")
                }
            });
        }
        Ok(is_too_much)
    }

    fn is_changed(&mut self, file: &[u8]) -> bool {
        self.changed.as_mut().is_some_and(|changed| changed.is_changed(file))
    }
}

/// Adds the lines of the blocks of a pair.
///
/// * `with_b`: whether the lines of the second document count too.
fn add_lines(lines: &mut HashMap<Vec<u8>, LineSet>, pair: &PairRecord, with_b: bool) {
    let sides = [Some(&pair.a), Some(&pair.b).filter(|_| with_b)];
    for (side, name) in sides.into_iter().enumerate() {
        let Some(name) = name else { continue };
        let set = lines.entry(name.to_bytes()).or_default();
        for passage in pair.passages.iter().flatten().flatten() {
            set.add([passage.a.lines, passage.b.lines][side]);
        }
    }
}

impl Limits {
    /// Whether a run would have reported an entry of the baseline if its documents still existed.
    fn could_have(self, entry: &AcceptedPair) -> bool {
        match entry.coverage {
            _ if self.leaves_out => false,
            Some(coverage) => self.coverage.is_some_and(|least| coverage >= least),
            None => self.threshold.is_some_and(|least| entry.jaccard >= least),
        }
    }
}

/// The file names of both documents.
fn files_of(pair: &PairRecord) -> [Vec<u8>; 2] {
    let file = |source: &Option<Source>, name: &Name| source.as_ref().map_or(name, |source| &source.file).to_bytes();
    [file(&pair.source_a, &pair.a), file(&pair.source_b, &pair.b)]
}

/// Reports how many entries of a baseline occur, and lists entries that do not occur any more.
fn say(path: &Path, baseline: &Baseline, num_known: u64, gone: &[&AcceptedPair], prunes: bool) {
    let known = messages::counted(num_known, "pair");
    messages::line(&format!("baseline   {known} known, {} accepted", messages::counted(baseline.len() as u64, "pair")));
    let path = shown(&path.to_string_lossy());
    for entry in gone.iter().take(NAMED) {
        let [a, b] = entry.names.each_ref().map(|name| shown(&String::from_utf8_lossy(name)));
        messages::line(&format!("dedup: note: {path}: accepts {a} and {b}, which are no longer a pair"));
    }
    if let Some(more) = gone.len().checked_sub(NAMED).filter(|&more| more > 0) {
        messages::line(&format!("dedup: note: {path}: and {more} more"));
    }
    if !gone.is_empty() && !prunes {
        messages::line(&format!("dedup: note: {path}: --prune removes the entries that are no longer a pair"));
    }
}

/// Removes obsolete entries from a baseline file.
fn prune(path: &Path, baseline: &Baseline, gone: &[&AcceptedPair], limits: Limits, quiet: bool) -> Result<()> {
    let shown_path = shown(&path.to_string_lossy());
    if limits.errors > 0 {
        messages::line(&format!(
            "dedup: warning: {shown_path}: not pruned, since {} could not be read and may be in accepted pairs; repair them, and run again",
            messages::counted(limits.errors, "input")
        ));
        return Ok(());
    }
    let mut file = ReplacedFile::open(path, &BASELINE, &mut OwnFiles::default(), quiet)?;
    let mut text = Vec::new();
    let written = baseline.write(&mut text, gone).and_then(|()| file.write_all(&text));
    written.map_err(|error| file.failure(error))?;
    file.finish()
}

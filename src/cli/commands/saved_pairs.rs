//! `SavedPairs`: prints the pairs of a saved result as lines and reports, with the filters that `scan --from` and
//! `report` share.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dedup_scan::base::shown;
use dedup_scan::documents::{Filter, OwnFiles, OwnUse};
use dedup_scan::records::PairRecord;
use dedup_scan::results::report::{ReportMethod, ReportSearch, ReportSettings, ReportTotals};
use dedup_scan::results::{Answers, PairFilter, ResultHeader, SavedDocuments, SavedResult};
use dedup_scan::{Error, Threshold};

use super::answered::AnsweredPairs;
use super::command_line::command_of_result;
use super::gate::{Gate, Limits};
use super::only::OnlyNames;
use super::printed_search::{PrintedSearch, print_found};
use super::printer::PairPrinter;
use super::publication::{OutputFiles, Publication, Published};
use super::report_of::ReportOf;
use super::saved_reading::{ReadingOf, SavedReading};
use super::views::Views;
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::{FailOver, FilterFlags, FormatArg, GateFlags, ReportLook};
use crate::cli::messages::{self, Failure, Reporter, Result};

/// A saved result, and the filters and formats to print it with.
pub(crate) struct SavedPairs<'a> {
    pub(crate) from: &'a Path,
    pub(crate) files: OutputFiles<'a>,
    pub(crate) filter: PairFilter,
    pub(crate) filters: &'a FilterFlags,
    /// The names of `--only`; without a name all pairs are printed.
    pub(crate) only: &'a [OsString],
    pub(crate) look: ReportLook,
    /// The file with the answers of a person, which the reports show.
    pub(crate) answers: Option<&'a Path>,
    /// Commands that turn other formats into text, for reports that show texts.
    pub(crate) text_filters: &'a [Filter],
    /// Whether lines are printed unless a report replaces them.
    pub(crate) lines: bool,
    pub(crate) gate: &'a GateFlags,
    /// Finds how the texts for reports are read again.
    pub(crate) reading_of: ReadingOf,
}

impl SavedPairs<'_> {
    /// Refuses a limit that is a share of documents or lines if the result does not have their number.
    fn check_share(&self, saved: &SavedResult, documents: &SavedDocuments, are_blocks: bool) -> Result<()> {
        if !matches!(self.gate.limit(), Some(FailOver::Share(_))) {
            return Ok(());
        }
        if documents.num_compared().is_none() {
            return Err(Failure::share_of_pairs());
        }
        let has_lines = saved.header().is_some_and(|header| header.lines.is_some());
        if are_blocks && !has_lines { Err(Failure::share_of_saved_lines()) } else { Ok(()) }
    }

    /// Prints the pairs and writes the reports, and returns the exit code.
    pub(crate) fn print(self) -> Result<ExitCode> {
        let mut own_files = files_of_result(self.from);
        self.gate.add_files(&mut own_files);
        let answers = Arc::new(self.answers.map_or_else(|| Ok(Answers::default()), Answers::read)?);
        let mut answered = AnsweredPairs::new(Arc::clone(&answers));
        if let Some(metadata) = self.answers.and_then(|path| fs::metadata(path).ok()) {
            own_files.add(&metadata, OwnUse::List("--answers"));
        }
        let mut saved = open_for_reports(self.from, self.files.formats)?;
        saved.check(&self.filter)?;
        let mut only = OnlyNames::new(self.only);
        only.check_documents(&saved)?;
        let shows_texts = self.files.formats.iter().any(|format| format.format.shows_texts);
        let has_hashes = self.gate.baseline.is_some() || shows_texts;
        let is_read = !self.files.formats.is_empty() || self.gate.leaves_out() || self.gate.fail_over.is_some();
        let documents = if is_read { SavedDocuments::read(&saved, has_hashes)? } else { SavedDocuments::default() };
        let are_blocks = saved.header().map_or(Ok(false), ResultHeader::finds_blocks)?;
        self.check_share(&saved, &documents, are_blocks)?;
        let mut filters = self.filters.clone();
        let is_by_passages = saved.header().map_or(Ok(false), ResultHeader::is_by_passages)?;
        let has_kept = saved.header().map_or(Ok(false), ResultHeader::has_kept)?;
        filters.set_view(is_by_passages, has_kept);
        let mut of = ReportOf::of_pairs(self.filters, self.look.clone());
        of.has_summary = false;
        of.settings = ReportSettings {
            folder: saved.header().map(ResultHeader::folder_path),
            has_sides: documents.has_sides(),
            of_passages: is_by_passages,
            search: search_of(saved.header())?,
            texts_are_known: saved.header().is_some(),
            command: command_of_result(saved.header()),
            answers,
            ..of.settings
        };
        let publication = Publication::open(&self.files, &mut own_files, of)?;
        let folder = saved.header().map_or_else(|| ".".into(), ResultHeader::folder_path);
        let mut gate = Gate::open(self.gate, &folder, &[], documents.has_sides())?.of_blocks(are_blocks);
        gate.mark_saved_present(&documents);
        let printer = PairPrinter::new(publication, &filters, gate, true, self.lines)?;
        let left_out_by = filters.leave_out().chain(self.gate.leave_out()).collect();
        print_found(printer, left_out_by, |printer| {
            let mut print = |line: &[u8], pair: &PairRecord| {
                answered.see(pair);
                if only.keeps(pair) {
                    printer.print_saved(line, pair, &documents).map_err(Error::Output)
                } else {
                    Ok(())
                }
            };
            Reporter::watch(self.files.quiet, |reporter| saved.for_each_of(&self.filter, reporter, &mut print))?;
            only.check(&saved)?;
            answered.warn(self.answers, &saved)?;
            let errors = saved.header().map_or(0, |header| header.errors);
            let totals = ReportTotals {
                compared: documents.num_compared(),
                threshold: self.threshold(&saved)?,
                errors,
                method: saved.header().map(|header| ReportMethod::of(&header.settings)).unwrap_or_default(),
                ..ReportTotals::default()
            };
            let limits = self.limits(&saved, errors, &documents)?;
            let reading = shows_texts.then(|| (self.reading_of)(saved.header(), self.text_filters)).transpose()?;
            Ok(SavedFound { pairs: &self, saved, documents: &documents, totals, limits, reading })
        })
    }

    /// The limits that decide which entries of a baseline could be among the pairs. For a file of pairs, which has no
    /// settings, every entry could be.
    fn limits(&self, saved: &SavedResult, errors: u64, documents: &SavedDocuments) -> Result<Limits> {
        let given = |limit: Option<Threshold>| limit.map_or(0.0, |limit| limit.value());
        let PairFilter { threshold, coverage, min_matched, .. } = self.filter;
        let (mut least, mut least_coverage) = (Some(given(threshold)), Some(given(coverage)));
        if let Some(header) = saved.header() {
            let is_by_passages = header.is_by_passages()?;
            least = if is_by_passages { None } else { Some(header.threshold()?.max(given(threshold))) };
            least_coverage = least_coverage.filter(|_| is_by_passages);
        }
        // An entry does not record the number of tokens in its passages.
        least_coverage = least_coverage.filter(|_| min_matched.is_none());
        let leaves_out = !self.only.is_empty() || saved.header().is_some_and(ResultHeader::leaves_out);
        Ok(Limits {
            threshold: least,
            coverage: least_coverage,
            errors,
            compared: documents.num_compared(),
            lines: saved.header().and_then(|header| header.lines),
            has_records: documents.has_records(),
            leaves_out,
        })
    }

    /// The minimum similarity of the pairs; `None` if they match by passages or it is not known.
    fn threshold(&self, saved: &SavedResult) -> Result<Option<f64>> {
        let given = self.filter.threshold.map(|threshold| threshold.value());
        let Some(header) = saved.header().filter(|_| given.is_none()) else { return Ok(given) };
        Ok(if header.is_by_passages()? { None } else { Some(header.threshold()?) })
    }
}

/// The pairs of a saved result, after they were read.
struct SavedFound<'a> {
    pairs: &'a SavedPairs<'a>,
    saved: SavedResult,
    documents: &'a SavedDocuments,
    totals: ReportTotals,
    limits: Limits,
    /// Reads the texts of the result, if a report shows them.
    reading: Option<SavedReading>,
}

impl PrintedSearch for SavedFound<'_> {
    fn documents(&self) -> Option<&SavedDocuments> {
        Some(self.documents)
    }

    fn totals(&self) -> ReportTotals {
        self.totals.clone()
    }

    fn views(&self) -> Views<'_> {
        self.reading.as_ref().map_or(Views::None, |reading| Views::Saved(reading, self.documents))
    }

    fn report(&self, published: Published<'_>) -> Result<ExitCode> {
        published.hint(false);
        note_of_threshold(&self.saved, self.pairs.filter.threshold, self.pairs.files.quiet);
        note_of_errors(&self.saved, self.pairs.files.quiet);
        published.end(self.limits)
    }
}

/// Opens a result for reports. Changed inputs are an error, unless all reports show texts, which are checked one by
/// one.
pub(crate) fn open_for_reports(from: &Path, formats: &[FormatArg]) -> Result<SavedResult> {
    let are_pages = !formats.is_empty() && formats.iter().all(|format| format.format.shows_texts);
    Ok(if are_pages { SavedResult::open_without_inputs(from)? } else { SavedResult::open(from)? })
}

/// The search that found the pairs of a result; `None` for a file of pairs.
pub(crate) fn search_of(header: Option<&ResultHeader>) -> Result<Option<ReportSearch>> {
    let Some(header) = header else { return Ok(None) };
    Ok(Some(header.banding()?.map_or(ReportSearch::EveryPair, ReportSearch::Banded)))
}

/// Notes that a file of pairs may lack pairs at the given threshold, since the file does not record its own threshold.
pub(crate) fn note_of_threshold(saved: &SavedResult, threshold: Option<Threshold>, quiet: bool) {
    let lacking = threshold.and_then(|threshold| Some((threshold.value(), saved.may_lack(threshold)?)));
    if let Some((threshold, least)) = lacking.filter(|_| !quiet) {
        let path = shown(&saved.path().to_string_lossy());
        messages::line(&format!(
            "dedup: note: {path}: its lowest similarity is {least:.6}, and a file of pairs does not say its threshold; if the scan \
             had a higher one than {threshold}, pairs are missing: scan again, or --save a folder, which says it"
        ));
    }
}

/// Notes that a result is incomplete because its run could not read all inputs.
pub(crate) fn note_of_errors(saved: &SavedResult, quiet: bool) {
    let errors = saved.header().map_or(0, |header| header.errors);
    if errors > 0 && !quiet {
        let path = shown(&saved.path().to_string_lossy());
        let inputs = messages::counted(errors, "input");
        messages::line(&format!("dedup: note: {path}: its scan could not read {inputs}, so pairs may be missing"));
    }
}

/// The files of a saved result and of its documents, which no output may overwrite.
pub(crate) fn files_of_result(from: &Path) -> OwnFiles {
    let mut own_files = OwnFiles::default();
    let mut add = |files: Vec<PathBuf>, own: OwnUse| {
        for metadata in files.iter().filter_map(|file| fs::metadata(file).ok()) {
            own_files.add(&metadata, own.clone());
        }
    };
    add(SavedResult::files_of(from), OwnUse::List("--from"));
    add(SavedResult::inputs_of(from), OwnUse::Written("a document of the result"));
    own_files
}

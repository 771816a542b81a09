//! `dedup unique`: writes the corpus without its duplicates to a file or folder, and the numbers to stderr.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Arg, Args};
use dedup_scan::documents::{Compared, OwnUse};
use dedup_scan::records::{DroppedRecord, Name, RemovedRecord};
use dedup_scan::results::{PairFilter, SavedResult};
use dedup_scan::unique::{
    CopiedWhole, CutSettings, Preserve, StandIn, UniqueCorpus, Written, find_cuts, find_unique_saved,
};
use dedup_scan::{Error, Settings, ShingleKind, ShingleSettings, Summary, find_unique};
use serde::Serialize;

use super::corpus_lists::{CorpusLists, ListRun, list_output};
use super::destination::GatheredLines;
use super::replaced_file::{CUTS, REMOVED};
use super::summary::{summary_file, write_summary};
use super::written_corpus::{CorpusDestination, check_places};
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::values::similarity;
use crate::cli::flags::{
    AgainstFlags, ChoiceFlags, CutFlags, GroupFlags, InputFlags, ResourceFlags, RunFlags, VerbosityFlags, WriteFlags,
    not_with_cut,
};
use crate::cli::interrupt::{self, Left};
use crate::cli::messages::{self, Failure, Reporter, Result};
use crate::cli::registry::FlagEntry;

/// Write a corpus without its duplicates, in the format of the input
#[derive(Debug, Args)]
#[command(mut_args(conflict_with_from), mut_args(not_with_cut), mut_args(for_unique), after_help = ExitCode::help(None))]
pub(crate) struct Unique {
    #[command(flatten)]
    run: RunFlags,

    #[command(flatten)]
    choice: ChoiceFlags,

    #[command(flatten)]
    cut: CutFlags,

    #[command(flatten)]
    groups: GroupFlags,

    /// Remove a document only when this share of its shingles is in the document that is kept instead (containment); other
    /// similar documents stay, and the summary counts them. Needs all pairs, and --linkage star
    #[arg(long, value_name = "SHARE", value_parser = similarity, allow_negative_numbers = true, help_heading = "Choice")]
    preserve: Option<f64>,

    /// Count the shingles of all kept documents that are similar to a document together, for --preserve
    #[arg(long, requires = "preserve", help_heading = "Choice")]
    several: bool,

    #[command(flatten)]
    against: AgainstFlags,

    /// Use the pairs of a saved result, a folder of --save, instead of a run. PATHs and input flags must be the same as
    /// in that run; --threshold, --coverage and --min-matched exclude pairs
    #[arg(long, value_name = "DIR", help_heading = "Choice")]
    from: Option<PathBuf>,

    #[command(flatten)]
    write: WriteFlags,

    /// Write a JSON line for each removed document, with the document that is kept and their similarity; with --cut for
    /// each document that --drop-shorter removes, with the number of tokens left. `-` is standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    removed: Option<PathBuf>,

    /// Write the summary to a file as one JSON object, when the run is complete
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    summary: Option<PathBuf>,

    #[command(flatten)]
    verbosity: VerbosityFlags,

    #[command(flatten)]
    resources: ResourceFlags,
}

/// Rewords the help of flags that work differently here, and sets which flags exclude each other.
fn for_unique(arg: Arg) -> Arg {
    let arg = match arg.get_id().as_str() {
        "against" => arg.help(
            "Also remove the documents of PATH that are similar to a document of these paths, which are read and not written. \
             Accepts several paths up to the next flag; repeatable",
        ),
        "dry_run" => arg.help(
            "Write nothing, and print the number of documents that would be written; with --cut also the first ten cuts",
        ),
        _ => arg,
    };
    let is_of_choice = |id: &str| {
        matches!(id, "preserve" | "several" | "against" | "against_files_from" | "against_include" | "against_exclude")
    };
    if is_of_choice(arg.get_id().as_str()) { arg.conflicts_with_all(["from", "cut"]) } else { arg }
}

/// The summary of a run that writes a corpus.
#[derive(Serialize)]
struct UniqueSummary<'a> {
    #[serde(flatten)]
    scan: Option<&'a Summary>,
    unique: &'a Written,
}

/// Makes flags that control the search for pairs exclude `--from`, which brings its own pairs.
fn conflict_with_from(arg: Arg) -> Arg {
    let is_of_it =
        matches!(arg.get_help_heading(), Some("Method" | "Matching" | "Passages" | "Shingles" | "Folding" | "Pairs"));
    if is_of_it && !FlagEntry::of(arg.get_id().as_str()).filters_result { arg.conflicts_with("from") } else { arg }
}

impl Unique {
    pub(crate) fn run(mut self) -> Result<ExitCode> {
        interrupt::signal_leaves(Left::Nothing);
        self.run.refuse_blocks("unique")?;
        let filter = self.from.is_some().then(|| self.run.take_filter()).transpose()?;
        let mut settings = self.run.settings(self.against.given(), &self.resources, self.verbosity.quiet)?;
        if let Some(against) = &mut settings.input.against {
            against.compared = Compared::All;
        }
        settings.input.groups = self.groups.settings();
        let cut = self.cut_settings(&mut settings)?;
        self.check_groups(&settings, cut.as_ref())?;
        InputFlags::refuse_unwritten(&settings.input, cut.is_some())?;
        self.run.check_passages(&settings)?;
        if self.from.is_none() {
            self.run.input.keep_mail_quotes(&mut settings.input);
        }
        settings.pairs.collapse_exact = true;
        let mut destination = CorpusDestination::new(&self.write, self.cut.to_text())?;
        self.check_outputs(&settings)?;
        let own_files = &mut settings.input.own_files;
        let list_run = ListRun { dry_run: self.write.dry_run, force: self.write.force, quiet: self.verbosity.quiet };
        let removed_output = list_output(self.removed.as_deref(), &REMOVED, own_files, list_run)?;
        let cuts_output = list_output(self.cut.cuts.as_deref(), &CUTS, own_files, list_run)?;
        // The check reports a wrong destination before the run. It may create and remove a folder, so a signal waits
        // for it.
        let checked = interrupt::uninterrupted(|| UniqueCorpus::check(&settings, &destination.write));
        checked.map_err(|error| destination.failure(error))?;
        let open_summary = |path| summary_file(path, None, &mut settings.input.own_files, self.verbosity.quiet);
        let summary_file = self.summary.as_deref().map(open_summary).transpose()?;
        let (corpus, errors) = self.find(&mut settings, cut, filter)?;
        for warning in messages::hardly_covered(&corpus).into_iter().chain(messages::without_value(&corpus)) {
            messages::line(&format!("dedup: warning: {warning}"));
        }
        let summary = corpus.summary();
        let removed = |written: &Written, out: &mut (dyn Write + Send)| {
            write_removed(&corpus, written, out).map_err(Error::Output)
        };
        let cuts = |written: &Written, out: &mut (dyn Write + Send)| write_cuts(&corpus, written, out);
        let mut lists = CorpusLists::new([(removed_output, &removed), (cuts_output, &cuts)]);
        let write_files = &mut |written: &Written| lists.write_files(written);
        let written = interrupt::cancelled_by_signals(|| corpus.write_with_lists(&destination.write, write_files));
        let written = written.map_err(|error| lists.failure(destination.failure(error)))?;
        destination.finish(&written)?;
        let errors = errors + written.copied_whole.len() as u64;
        lists.finish(&written)?;
        if !self.verbosity.quiet {
            self.report(&corpus, &written, settings.resources.threads.get())?;
            destination.report("unique", &written);
        }
        if let Some(file) = summary_file {
            write_summary(file, &UniqueSummary { scan: summary, unique: &written })?;
        }
        Ok(if errors > 0 { ExitCode::Incomplete } else { ExitCode::Complete })
    }

    /// Refuses outputs in places that cannot have them.
    fn check_outputs(&self, settings: &Settings) -> Result<()> {
        let places = [
            ("--output", "the clean corpus goes to", self.write.output.as_deref()),
            ("--removed", "the list of removed documents goes to", self.removed.as_deref()),
            ("--cuts", "the list of cuts goes to", self.cut.cuts.as_deref()),
            ("--summary", "the summary goes to", self.summary.as_deref()),
        ];
        check_places(&places, &settings.input)
    }

    /// Reports the search and the cuts of a finished run on stderr.
    fn report(&self, corpus: &UniqueCorpus, written: &Written, num_threads: usize) -> Result<()> {
        if let Some((counts, summary)) = written.cut.zip(corpus.summary()) {
            messages::line(&messages::cut(summary, &counts));
            if self.write.dry_run {
                messages::cut_examples(corpus, written)?;
            }
        } else if let Some(summary) = corpus.summary() {
            messages::line(&messages::summary_without_copies(summary, num_threads, self.verbosity.stats));
        }
        Ok(())
    }

    /// Finds the duplicates, or reads them from a saved result. Also returns the number of inputs that could not be
    /// used because of an error.
    ///
    /// * `cut`: the parts of texts to cut instead.
    /// * `filter`: the filter for the pairs of a saved result.
    fn find(
        &self,
        settings: &mut Settings,
        cut: Option<CutSettings>,
        filter: Option<PairFilter>,
    ) -> Result<(UniqueCorpus, u64)> {
        if let Some(cut) = cut {
            let corpus = Reporter::watch(self.verbosity.quiet, |reporter| find_cuts(settings, &cut, reporter))?;
            let summary = corpus.summary().expect("of a run");
            for warning in self.run.input.without_effect(summary) {
                messages::line(&format!("dedup: warning: {warning}"));
            }
            let errors = summary.errors;
            return Ok((corpus, errors));
        }
        let mut choice = self.choice.settings()?;
        choice.preserve = self.preserve.map(|share| Preserve { share, several: self.several });
        let needs_stars = [("--preserve", choice.preserve.is_some()), ("--against", settings.input.against.is_some())];
        if let Some((flag, _)) = needs_stars.into_iter().find(|&(_, is_given)| is_given && !self.choice.is_of_stars()) {
            return Err(Failure::of_flag(flag, "applies to --linkage star; remove one of the two").and("--linkage"));
        }
        if choice.preserve.is_some() && settings.pairs.source.matching().is_some() {
            return Err(Failure::of_flag(
                "--preserve",
                "counts shingles, and documents match by passages; remove one, or give --coverage",
            )
            .and("--coverage"));
        }
        let (Some(from), Some(filter)) = (&self.from, filter) else {
            self.run.warn_of_banding()?;
            let corpus = Reporter::watch(self.verbosity.quiet, |reporter| find_unique(settings, &choice, reporter))?;
            let summary = corpus.summary().expect("of a run");
            self.run.warn(summary);
            let errors = summary.errors;
            return Ok((corpus, errors));
        };
        for file in SavedResult::files_of(from) {
            // A result may lie in a folder that is an input.
            if let Ok(metadata) = fs::metadata(file) {
                settings.input.own_files.add(&metadata, OwnUse::List("--from"));
            }
        }
        let find = |reporter: &Reporter| find_unique_saved(settings, from, &choice, filter, reporter);
        Ok(Reporter::watch(self.verbosity.quiet, find)?)
    }

    /// The parts of texts to cut, if any. They are compared by words unless another kind of token is given.
    fn cut_settings(&self, settings: &mut Settings) -> Result<Option<CutSettings>> {
        if self.cut.cut.is_none() {
            return Ok(None);
        }
        if !self.run.shingles.has_kind() {
            settings.shingles = ShingleSettings::new(ShingleKind::Word).with_min_tokens(settings.shingles.min_tokens());
        }
        if let Some(groups) = &mut settings.input.groups {
            groups.within = true;
        }
        let cut = self.cut.settings(self.choice.kept_occurrence()?, settings.input.groups.as_ref())?;
        if self.run.shingles.has_kind() && cut.is_some_and(|cut| cut.repeats.unit.kind().is_some()) {
            return Err(Failure::of_flag(
                "--shingle",
                "lines, paragraphs and sentences are compared as a whole; remove the flag, or give --cut passages",
            )
            .and("--cut"));
        }
        Ok(cut)
    }

    /// Refuses groups in which duplicates cannot be removed.
    fn check_groups(&self, settings: &Settings, cut: Option<&CutSettings>) -> Result<()> {
        let Some(groups) = settings.input.groups.as_ref().filter(|_| cut.is_none()) else { return Ok(()) };
        if self.from.is_some() {
            return Err(Failure::of_flag("--group-by", "a saved result has its own pairs; remove the flag, or --from"));
        }
        if !groups.within {
            return Err(Failure::of_flag(
                "--group-by",
                "add --within-groups, which removes duplicates only within each group",
            ));
        }
        Ok(())
    }
}

fn write_cuts(corpus: &UniqueCorpus, written: &Written, out: &mut (dyn Write + Send)) -> dedup_scan::Result<()> {
    let mut lines = GatheredLines::default();
    corpus.each_cut(&written.copied_whole, usize::MAX, &mut |record| lines.push(record, out))?;
    lines.write(out).map_err(Error::Output)
}

fn write_removed(corpus: &UniqueCorpus, written: &Written, out: &mut dyn Write) -> io::Result<()> {
    let mut lines = GatheredLines::default();
    for &(document, left) in corpus.dropped() {
        lines.push(&DroppedRecord { removed: Name::new(corpus.documents().name(document)), left }, out)?;
    }
    for (at, &StandIn { document, by, similarity, preserved }) in corpus.removed().iter().enumerate() {
        let stays = |copied: &CopiedWhole| {
            let origin = corpus.documents().origin(document).expect("a corpus keeps where documents come from");
            copied.holds(origin.file)
        };
        if written.copied_whole.iter().any(stays) {
            continue;
        }
        let coverages = corpus.coverages().get(at).copied().flatten();
        let record = RemovedRecord::new(corpus.documents(), document, by, similarity, coverages);
        lines.push(&RemovedRecord { preserved, ..record }, out)?;
    }
    lines.write(out)
}

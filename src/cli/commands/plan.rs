//! `dedup plan`: writes a script for the files that other files can replace, and the numbers to stderr.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use dedup_scan::results::SavedResult;
use dedup_scan::unique::{FilePlan, PlanAction, UniqueCorpus, plan_result};
use dedup_scan::{Error, UniqueSettings, find_unique};

use super::destination::LineOutput;
use super::exclusions::not_with_from;
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::{ChoiceFlags, ResourceFlags, RunFlags, VerbosityFlags};
use crate::cli::interrupt;
use crate::cli::messages::{self, Failure, Reporter, Result};

/// Write a shell script that removes, moves or links duplicate files
#[derive(Debug, Args)]
#[command(mut_args(not_with_from), after_help = ExitCode::help(None))]
pub(crate) struct PlanCommand {
    #[command(flatten)]
    run: RunFlags,

    #[command(flatten)]
    choice: ChoiceFlags,

    /// Plan for the files of a saved result, a folder of --save, instead of a run. A result has no shingles and no
    /// fields, so --keep must be first, last, newest, oldest, path-order or matching:GLOB
    #[arg(long, value_name = "DIR", help_heading = "Choice")]
    from: Option<PathBuf>,

    /// How the script handles a duplicate file
    #[arg(long, value_enum, default_value_t = ActionFlag::Remove, requires_if("move", "into"), help_heading = "Output")]
    action: ActionFlag,

    /// The folder that --action move moves files into, by their paths
    #[arg(long, value_name = "FOLDER", help_heading = "Output")]
    into: Option<PathBuf>,

    /// Write the script to a file instead of standard output, when it is complete. Replaces files like --summary
    #[arg(short, long, visible_alias = "script", value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    #[command(flatten)]
    verbosity: VerbosityFlags,

    #[command(flatten)]
    resources: ResourceFlags,
}

/// How the script handles a duplicate file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ActionFlag {
    /// Removes it
    Remove,
    /// Moves it into the folder --into
    Move,
    /// Makes it a hard link to the file that is kept
    Link,
}

impl PlanCommand {
    pub(crate) fn run(self) -> Result<ExitCode> {
        self.run.refuse_blocks("the script")?;
        let action = match (self.action, &self.into) {
            (ActionFlag::Remove, None) => PlanAction::Remove,
            (ActionFlag::Link, None) => PlanAction::Link,
            (ActionFlag::Move, Some(into)) => PlanAction::Move(into.clone()),
            _ => return Err(Failure::of_flag("--into", "only applies to --action move; add it, or remove the flag")),
        };
        let choice = self.choice.settings()?;
        if let Some(from) = &self.from {
            return self.plan_saved(from, &choice, action);
        }
        let mut settings = self.run.settings(None, &self.resources, self.verbosity.quiet)?;
        self.run.check_passages(&settings)?;
        self.run.input.keep_mail_quotes(&mut settings.input);
        settings.pairs.collapse_exact = true;
        UniqueCorpus::check_plan(&settings)?;
        let output = LineOutput::open(self.output.as_deref(), &mut settings.input.own_files, self.verbosity.quiet)?;
        self.run.warn_of_banding()?;
        let corpus = Reporter::watch(self.verbosity.quiet, |reporter| find_unique(&settings, &choice, reporter))?;
        let plan = interrupt::cancelled_by_signals(|| corpus.plan(action))?;
        let summary = corpus.summary().expect("of a run");
        self.run.warn(summary);
        if let Some(warning) = messages::without_value(&corpus) {
            messages::line(&format!("dedup: warning: {warning}"));
        }
        if !self.verbosity.quiet {
            messages::line(&messages::summary_without_copies(
                summary,
                settings.resources.threads.get(),
                self.verbosity.stats,
            ));
        }
        self.write(&plan, output)?;
        Ok(if summary.errors > 0 { ExitCode::Incomplete } else { ExitCode::Complete })
    }

    fn plan_saved(&self, from: &Path, choice: &UniqueSettings, action: PlanAction) -> Result<ExitCode> {
        let output = LineOutput::open(self.output.as_deref(), &mut Default::default(), self.verbosity.quiet)?;
        let mut saved = SavedResult::open(from)?;
        let filter = self.run.filter()?;
        let plan = |reporter: &Reporter| plan_result(&mut saved, choice, filter, action, reporter);
        let plan = Reporter::watch(self.verbosity.quiet, plan)?;
        self.write(&plan, output)?;
        let is_incomplete = saved.header().is_some_and(|header| header.errors > 0);
        Ok(if is_incomplete { ExitCode::Incomplete } else { ExitCode::Complete })
    }

    fn write(&self, plan: &FilePlan, mut output: LineOutput<'_>) -> Result<()> {
        messages::left(plan);
        let write = |output: &mut LineOutput<'_>| -> io::Result<()> {
            let mut out = BufWriter::with_capacity(1 << 16, output);
            plan.write("use dedup unique", &mut out)?;
            out.flush()
        };
        let written = write(&mut output).map_err(Error::Output);
        written.map_err(|error| output.failure(error.into()))?;
        output.finish()?;
        if !self.verbosity.quiet {
            messages::line(&messages::planned(plan));
        }
        Ok(())
    }
}

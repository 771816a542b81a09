//! `dedup index merge` and `rebuild`: make a new index from the texts of other indexes.

use std::path::{Path, PathBuf};

use clap::{Arg, Args};
use dedup_scan::index::{Restored, merge_indexes, rebuild_index};
use dedup_scan::{InputSettings, Settings};

use crate::cli::exit_code::ExitCode;
use crate::cli::flags::{
    ContainmentFlags, KEPT_OF_INDEX, KeptNamesFlags, KnownFlags, MethodAndShingleFlags, ResourceFlags,
};
use crate::cli::interrupt::{self, Left, cancelled_by_signals, signal_leaves};
use crate::cli::messages::{self, Reporter, Result};

/// Make one index of several
///
/// The indexes must have the same settings. Documents are in the order of the indexes; a document in several indexes
/// with one name and text is added once. The file is written next to its place as `.OUT.building-...`. SIGKILL or a crash
/// leaves that file, and the next `dedup index build`, `merge` or `rebuild` with the same OUT deletes it.
#[derive(Debug, Args)]
#[command(after_help = ExitCode::help(None))]
pub(crate) struct IndexMerge {
    /// The index to make; an existing file is never replaced
    #[arg(value_name = "OUT")]
    out: PathBuf,

    /// The indexes
    #[arg(value_name = "INDEX", required = true)]
    indexes: Vec<PathBuf>,

    #[command(flatten)]
    known: KnownFlags,

    #[command(flatten)]
    resources: ResourceFlags,

    /// Print only errors and warnings on stderr
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

impl IndexMerge {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let settings = Settings {
            resources: self.resources.settings()?,
            cancel: interrupt::cancel(),
            ..Settings::of(InputSettings::default())
        };
        signal_leaves(Left::Nothing);
        let merge =
            |reporter: &Reporter| merge_indexes(&self.out, &self.indexes, self.known.known, &settings, reporter);
        let merged = cancelled_by_signals(|| Reporter::watch(self.quiet, merge))?;
        Ok(report(&self.out, &merged, self.quiet))
    }
}

/// Make an index from the texts of another index, with other settings
///
/// Flags that are not given come from the index. The file is written next to its place as `.OUT.building-...`. SIGKILL or a
/// crash leaves that file, and the next `dedup index build`, `merge` or `rebuild` with the same OUT deletes it.
#[derive(Debug, Args)]
#[command(mut_args(for_rebuilding), after_help = ExitCode::help(None))]
pub(crate) struct IndexRebuild {
    /// The index to make; an existing file is never replaced
    #[arg(value_name = "OUT")]
    out: PathBuf,

    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,

    #[command(flatten)]
    flags: MethodAndShingleFlags,

    #[command(flatten)]
    containment: ContainmentFlags,

    #[command(flatten)]
    kept_names: KeptNamesFlags,

    #[command(flatten)]
    resources: ResourceFlags,

    /// Print only errors and warnings on stderr
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

fn for_rebuilding(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "all_pairs" | "weights" | "default_weight" => arg.hide(true),
        "jaccard_kept" => arg.help(KEPT_OF_INDEX),
        _ => arg,
    }
}

impl IndexRebuild {
    /// * `given`: the ids of the flags on the command line.
    pub(crate) fn run(self, given: &[String]) -> Result<ExitCode> {
        self.flags.check_preset_of_index()?;
        let mut settings =
            Settings { resources: self.resources.settings()?, cancel: interrupt::cancel(), ..self.flags.settings()? };
        settings.pairs.kept_names = self.kept_names.size(self.flags.preset(), settings.shingles.kind());
        self.flags.warn_of_banding()?;
        signal_leaves(Left::Nothing);
        let given = self.flags.given_settings(given);
        let built = self.containment.settings(self.flags.preset());
        let rebuild = |reporter: &Reporter| rebuild_index(&self.out, &self.index, built, &settings, &given, reporter);
        let rebuilt = cancelled_by_signals(|| Reporter::watch(self.quiet, rebuild));
        let rebuilt = rebuilt.map_err(messages::index::of_rebuilding)?;
        Ok(report(&self.out, &rebuilt, self.quiet))
    }
}

/// Reports the numbers of restored, damaged and changed documents.
fn report(out: &Path, restored: &Restored, quiet: bool) -> ExitCode {
    let lost = restored.damage.iter().map(|damaged| format!("dedup: {damaged}; its documents are skipped"));
    lost.for_each(|lost| messages::line(&lost));
    if !quiet {
        messages::line(&messages::index::restored(restored));
        let num_bytes = out.metadata().map_or(0, |metadata| metadata.len());
        messages::wrote(out, &messages::counted(restored.documents, "document"), num_bytes);
    }
    let stale: Vec<String> = restored.stale.iter().map(messages::problem_line).collect();
    messages::index::faults(&stale, stale.len() as u64);
    if restored.damage.is_empty() && stale.is_empty() { ExitCode::Complete } else { ExitCode::Incomplete }
}

//! `dedup index build`: makes a new index from inputs.

use std::path::PathBuf;

use clap::Args;
use dedup_scan::index::{IndexSettings, build_index, index_info};

use crate::cli::exit_code::ExitCode;
use crate::cli::flags::{ContainmentFlags, KeptNamesFlags, ResultSettingsFlags, TextStorageFlags, for_building};
use crate::cli::interrupt::{Left, cancelled_by_signals, signal_leaves};
use crate::cli::messages::{self, Reporter, Result};

/// Make an index of documents
///
/// The file appears when it is complete. All settings of later queries are decided here: how texts are folded, shingled
/// and signed. The file is written next to its place as `.INDEX.building-...`. SIGKILL or a crash leaves that file, and
/// the next `dedup index build`, `merge` or `rebuild` with the same INDEX deletes it.
#[derive(Debug, Args)]
#[command(mut_args(for_building), after_help = ExitCode::help(None))]
pub(crate) struct IndexBuild {
    /// The file to make; an existing file is never replaced
    #[arg(value_name = "INDEX")]
    index: PathBuf,

    #[command(flatten)]
    flags: ResultSettingsFlags,

    #[command(flatten)]
    containment: ContainmentFlags,

    #[command(flatten)]
    storage: TextStorageFlags,

    #[command(flatten)]
    kept_names: KeptNamesFlags,

    /// Print only errors and warnings on stderr, for records only the first 20 of a kind
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

impl IndexBuild {
    pub(crate) fn run(self) -> Result<ExitCode> {
        self.flags.texts.check_preset_of_index()?;
        let mut settings = self.flags.settings(self.quiet)?;
        settings.pairs.kept_names = self.kept_names.size(self.flags.texts.preset(), settings.shingles.kind());
        self.flags.texts.warn_of_banding()?;
        signal_leaves(Left::Nothing);
        let built =
            IndexSettings { texts: self.storage.storage, ..self.containment.settings(self.flags.texts.preset()) };
        let build = || Reporter::watch(self.quiet, |reporter| build_index(&self.index, built, &settings, reporter));
        let summary = cancelled_by_signals(build)?;
        self.flags.warn(&summary);
        if !self.quiet {
            let info = index_info(&self.index)?;
            messages::line(&messages::index::built(&summary, &info));
            messages::wrote(&self.index, &messages::counted(info.documents, "document"), info.bytes);
        }
        Ok(if summary.errors > 0 { ExitCode::Incomplete } else { ExitCode::Complete })
    }
}

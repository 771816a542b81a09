//! `dedup baseline`: writes the pairs of a saved result to a file of accepted pairs, for `--baseline`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use dedup_scan::Error;
use dedup_scan::records::{PairRecord, PairSide};
use dedup_scan::results::{AcceptedPair, Baseline, SavedDocuments, SavedResult};

use super::destination::LineOutput;
use super::saved_pairs::{files_of_result, note_of_errors};
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::SavedFlags;
use crate::cli::messages::{self, Reporter, Result};

/// Accept the pairs of a saved result: write a file for --baseline
///
/// Writes one JSON line for each pair, sorted so that git can merge the file. The file accepts a pair when each of its
/// documents has the name or the normalised text of a document in one entry, and its similarity is at most 0.05 above
/// the accepted one.
#[derive(Debug, Args)]
#[command(after_help = ExitCode::help(None))]
pub(crate) struct BaselineCommand {
    #[command(flatten)]
    saved: SavedFlags,

    /// Write the baseline to a file instead of standard output, when it is complete
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Print only errors and warnings on stderr
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

impl BaselineCommand {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let from = self.saved.path();
        let mut output = LineOutput::open(self.output.as_deref(), &mut files_of_result(from), self.quiet)?;
        let mut saved = SavedResult::open(from)?;
        let filter = self.saved.filter()?;
        saved.check(&filter)?;
        let documents = SavedDocuments::read(&saved, true)?;
        let mut pairs = Vec::new();
        let mut accept = |_: &[u8], pair: &PairRecord| {
            let (a, b) = (pair.a.to_bytes(), pair.b.to_bytes());
            let texts = [documents.text_hash(&a, PairSide::A), documents.text_hash(&b, PairSide::B)];
            pairs.push(AcceptedPair::new(pair, texts, documents.has_sides()));
            Ok(())
        };
        Reporter::watch(self.quiet, |reporter| saved.for_each_of(&filter, reporter, &mut accept))?;
        let num_pairs = pairs.len() as u64;
        let mut text = Vec::new();
        let written = Baseline::of(pairs).write(&mut text, &[]);
        let written = written.and_then(|()| output.write_all(&text)).map_err(Error::Output);
        written.map_err(|error| output.failure(error.into()))?;
        output.finish()?;
        note_of_errors(&saved, self.quiet);
        if !self.quiet {
            messages::line(&format!("baseline   {} accepted", messages::counted(num_pairs, "pair")));
            if saved.header().is_none() && num_pairs > 0 {
                messages::line(
                    "dedup: note: a file of pairs has no hashes of texts, so pairs are recognised by their names only; use a folder of --save, which has them",
                );
            }
        }
        Ok(ExitCode::of(saved.header().map_or(0, |header| header.errors), false))
    }
}

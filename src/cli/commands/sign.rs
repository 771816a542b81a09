//! `dedup sign`: prints band keys and signatures to stdout or a file as soon as they are computed.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Arg, Args};
use dedup_scan::exchange::{sign_blocks, sign_rows};
use dedup_scan::records::SignatureRecord;
use dedup_scan::search::sign_documents;

use super::destination::LineOutput;
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::values::whole;
use crate::cli::flags::{PipeFlags, SignFlags};
use crate::cli::messages::{Reporter, Result};

/// Print the band keys of each document as one JSON line
///
/// Each line has id, shingles, text_hash and keys, and with --values signature, in document order. Two documents with
/// an equal key in the same band are a candidate pair.
///
/// With --pipe the command is a filter: it writes one row for each row of id and text, in the same order, and ends with
/// exit code 2 at a row that it cannot use. In TSV a row has id, shingles, text_hash and keys, the keys as signed
/// numbers separated by commas, and with --values signature.
#[derive(Debug, Args)]
#[command(mut_args(for_sign), after_help = ExitCode::help(None))]
pub(crate) struct SignCommand {
    #[command(flatten)]
    sign: SignFlags,

    /// Add the signature to each line, bands x rows numbers
    #[arg(long, help_heading = "Output")]
    values: bool,

    /// With --pipe: read rows ord, id, text, and write keys in blocks, split into N parts. Rows are ord, id, bytes,
    /// text_hash and node, the number of the text. After about ten thousand rows come rows with part and block only,
    /// which `dedup cluster --edges --by-block` reads, and the last row has counts
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1 << 20), requires = "pipe", conflicts_with = "values",
        allow_negative_numbers = true, help_heading = "Rows")]
    blocks: Option<u32>,

    #[command(flatten)]
    pipe: PipeFlags,

    /// Write the lines to a file instead of standard output, when the run is complete. Replaces files like --summary of
    /// `dedup scan`
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Print only errors and warnings on stderr, for records only the first 20 of a kind
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

/// Rewords the help of flags that work differently for signatures.
fn for_sign(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "threshold" => arg.help(
            "The similarity that --bands and --rows are chosen for, from 0 to 1, as `dedup scan` does [default: 0.8]",
        ),
        "seed" => arg.help("The seed of the hash functions; only keys and signatures of the same seed are comparable"),
        "paths" => arg.required_unless_present_any(["files_from", "pipe"]),
        "params" => arg.requires("pipe"),
        // `--all-pairs` needs all documents, and signing reads them one by one.
        "all_pairs" => arg.hide(true),
        _ => arg,
    }
}

impl SignCommand {
    /// * `given`: the ids of the flags on the command line.
    pub(crate) fn run(self, given: &[String]) -> Result<ExitCode> {
        if self.pipe.is_given() {
            return self.filter(given);
        }
        let mut settings = self.sign.settings(self.quiet)?;
        let mut output = LineOutput::open(self.output.as_deref(), &mut settings.input.own_files, self.quiet)?;
        self.sign.warn_of_banding()?;
        let summary = output.write_records(|lines| {
            let mut sink = |record: &SignatureRecord| lines.push(record);
            Reporter::watch(self.quiet, |reporter| sign_documents(&settings, self.values, reporter, &mut sink))
        })?;
        output.finish()?;
        self.sign.warn(&summary);
        Ok(if summary.errors > 0 { ExitCode::Incomplete } else { ExitCode::Complete })
    }

    /// Signs the rows of standard input.
    fn filter(&self, given: &[String]) -> Result<ExitCode> {
        PipeFlags::refuse_others(given, &[&SignFlags::OF_TEXTS[..], &["values", "blocks"]].concat())?;
        let settings = self.sign.settings(self.quiet)?;
        self.pipe.check(&settings)?;
        let format = match self.blocks {
            Some(_) => self.pipe.format_of_blocks("--blocks")?,
            None => self.pipe.format()?,
        };
        let (mut input, mut output) = PipeFlags::open()?;
        match self.blocks.and_then(NonZeroU32::new) {
            Some(num_parts) => sign_blocks(&settings, format, num_parts, &mut input, &mut output)?,
            None => sign_rows(&settings, format, self.values, &mut input, &mut output)?,
        }
        Ok(ExitCode::Complete)
    }
}

//! `dedup params`: prints the settings that two filters must share, as one string and its hash.

use std::io::Write;

use clap::{Arg, Args};
use dedup_scan::exchange::RowParams;
use serde::Serialize;

use crate::cli::exit_code::ExitCode;
use crate::cli::flags::MethodAndShingleFlags;
use crate::cli::messages::{Failure, Result};

/// Print the settings that results depend on, as one string
///
/// Runs of `dedup sign --pipe` and `dedup verify` with the same string make parts of one result. Give the string to
/// their --params, and a run with other settings stops.
#[derive(Debug, Args)]
#[command(mut_args(for_rows))]
pub(crate) struct ParamsCommand {
    #[command(flatten)]
    texts: MethodAndShingleFlags,

    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// The version and the settings as `--json` prints them. Keys are only ever added.
#[derive(Serialize)]
struct ParamsRecord<'a> {
    /// Version of the program.
    version: &'a str,
    /// The version, a colon, and `xxh3_128` of `params` in 32 hexadecimal digits.
    hash: &'a str,
    /// The settings: a JSON object on one line.
    params: &'a str,
}

/// Hides flags that do not apply to filters; the filters refuse them with the reason.
pub(crate) fn for_rows(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "all_pairs" | "weights" | "default_weight" => arg.hide(true),
        _ => arg,
    }
}

impl ParamsCommand {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let params = RowParams::of(&self.texts.settings()?)?;
        self.texts.warn_of_banding()?;
        let (version, hash, params) = (RowParams::VERSION, params.hash(), params.as_str());
        let text = if self.json {
            let record = ParamsRecord { version, hash: &hash, params };
            serde_json::to_string(&record).expect("strings") + "\n"
        } else {
            format!("version {version}\nhash    {hash}\nparams  {params}\n")
        };
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(Failure::output)?;
        Ok(ExitCode::Complete)
    }
}

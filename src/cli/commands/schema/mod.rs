//! `dedup schema`: prints the JSON Schema of a record; each schema is a file in this folder.

use std::fmt::Write as _;
use std::io::Write;

use clap::Args;
use dedup_scan::base::shown;

use crate::cli::exit_code::ExitCode;
use crate::cli::flags::values::WordOf;
use crate::cli::messages::{Failure, Result, instead_of};

/// Print the JSON Schema of a record, or the list of records
#[derive(Debug, Args)]
pub(crate) struct SchemaCommand {
    /// The record; without it the records are listed
    #[arg(value_name = "RECORD", value_parser = WordOf(names()), hide_possible_values = true)]
    record: Option<String>,
}

/// A record, its description and its JSON Schema.
struct SchemaFile {
    name: &'static str,
    about: &'static str,
    schema: &'static str,
}

macro_rules! records {
    ($($name:literal: $about:literal,)*) => {
        [$(SchemaFile { name: $name, about: $about, schema: include_str!(concat!($name, ".json")) },)*]
    };
}

const RECORDS: &[SchemaFile] = &records! {
    "pair": "a line of dedup scan, compare and query, and of pairs.jsonl in a saved result",
    "document": "a line of dedup scan --list-documents, and of documents.jsonl in a saved result",
    "cluster": "a line of dedup cluster",
    "label": "a line of dedup cluster --labels",
    "overlap": "a line of dedup cluster --by",
    "signature": "a line of dedup sign",
    "verified": "a row of dedup verify --pipe jsonl",
    "component": "a row of dedup cluster --edges --pipe jsonl",
    "params": "what dedup params --json prints",
    "removed": "a line of dedup unique --removed",
    "cut": "a line of dedup unique --cuts",
    "hit": "a line of dedup decontaminate --hits",
    "summary": "the file of --summary",
    "forecast": "the file of --summary of --forecast",
    "explain": "what dedup explain --json prints",
    "curve": "what dedup curve --json prints",
    "curve-corpus": "what dedup curve --corpus PATH --json prints",
    "review": "what dedup review --report --json prints",
    "fault": "a line of dedup check --json",
    "answer": "a line of the file of dedup review --answers",
    "baseline": "a line of the file of dedup baseline",
    "header": "header.json of a saved result",
    "config": "what dedup config --json prints",
    "followed": "a line of dedup query --stdin",
    "index": "what dedup index info --json prints",
};

impl SchemaCommand {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let text = match &self.record {
            None => list(),
            Some(name) => {
                RECORDS.iter().find(|record| record.name == name).map(|record| record.schema.to_owned()).ok_or_else(
                    || Failure::new(format!("{}: no such record; {}", shown(name), instead_of(name, &names()))),
                )?
            }
        };
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(Failure::output)?;
        Ok(ExitCode::Complete)
    }
}

fn names() -> Vec<String> {
    RECORDS.iter().map(|record| record.name.to_owned()).collect()
}

/// The records with their descriptions, one on each line.
fn list() -> String {
    RECORDS.iter().fold(String::new(), |mut text, SchemaFile { name, about, .. }| {
        writeln!(text, "{name:<14}{about}").expect("a String takes every line");
        text
    })
}

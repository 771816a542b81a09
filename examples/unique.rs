//! Writes a folder without its near-duplicates, and prints which document represents each removed one.
//!
//! ```text
//! cargo run --example unique
//! cargo run --example unique -- ~/notes ~/notes-clean
//! ```

use std::path::PathBuf;

use dedup_scan::unique::Keep;
use dedup_scan::{InputSettings, Settings, UniqueSettings, Unwatched, WriteSettings, find_unique};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let default = || concat!(env!("CARGO_MANIFEST_DIR"), "/examples/corpus/news").into();
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = arguments.next().unwrap_or_else(default);
    let output = arguments.next();

    let settings = Settings::of(InputSettings::of(vec![folder]));
    let choice = UniqueSettings { keep: vec![Keep::Longest], ..UniqueSettings::default() };
    let corpus = find_unique(&settings, &choice, &Unwatched)?;
    let name = |document| String::from_utf8_lossy(corpus.documents().name(document)).into_owned();
    for removed in corpus.removed() {
        println!(
            "{} stands for {} ({:.3})",
            name(removed.by),
            name(removed.document),
            removed.similarity.expect("a run counts all")
        );
    }

    // Without an output folder, this counts the documents that would be written.
    let dry_run = output.is_none();
    let write = WriteSettings { output: output.unwrap_or_default(), dry_run, ..WriteSettings::default() };
    let written = corpus.write(&write)?;
    println!("{} documents stay, {} are removed; {} bytes", written.kept, written.removed, written.bytes);
    Ok(())
}

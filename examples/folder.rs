//! Prints the near-duplicates in a folder as a table. It calls `find_duplicates` with its own sink, and with an
//! observer that reports inputs that could not be read.
//!
//! ```text
//! cargo run --example folder
//! cargo run --example folder -- ~/notes
//! ```

use std::path::PathBuf;

use dedup_scan::base::Problem;
use dedup_scan::{
    Documents, DuplicatePair, InputSettings, Observer, PairSettings, Settings, Threshold, find_duplicates,
};

/// Prints problems and ignores everything else; a graphical program could update a progress bar here.
struct ProblemsOnStderr;

impl Observer for ProblemsOnStderr {
    fn problem(&self, problem: &Problem) {
        eprintln!("{} {problem}", if problem.is_error { "error:" } else { "note:" });
    }
}

fn main() -> dedup_scan::Result<()> {
    let default = || concat!(env!("CARGO_MANIFEST_DIR"), "/examples/corpus").into();
    let folder = std::env::args_os().nth(1).map_or_else(default, PathBuf::from);

    // All other settings have their defaults.
    let settings = Settings {
        pairs: PairSettings { threshold: Threshold::new(0.5)?, ..PairSettings::default() },
        banding: dedup_scan::Banding::for_recall(0.5, dedup_scan::Banding::DEFAULT_RECALL),
        ..Settings::of(InputSettings::of(vec![folder.clone()]))
    };

    println!("{:>7}  {:>7}  {:>7}  pair", "Jaccard", "a in b", "b in a");
    // The sink is called with one batch of pairs after another, in document order, while the search is running.
    let sink = &mut |documents: &Documents, pairs: &[DuplicatePair]| {
        for pair in pairs {
            // Names are bytes, since paths may be. The part of the path inside the folder is enough to print.
            let name = |document| {
                let name = String::from_utf8_lossy(documents.name(document)).into_owned();
                name.strip_prefix(&format!("{}/", folder.display())).map_or(name.clone(), str::to_owned)
            };
            let (similarity, in_b, in_a) = (pair.similarity(), pair.containment_a(), pair.containment_b());
            println!("{similarity:7.3}  {in_b:7.3}  {in_a:7.3}  {}  {}", name(pair.a), name(pair.b));
        }
        Ok(())
    };
    let summary = find_duplicates(&settings, &ProblemsOnStderr, sink)?;

    println!(
        "{} documents, {} pairs at {} or above, out of {} candidates and {} exact copies; {:.1} % of such pairs are found",
        summary.documents,
        summary.pairs,
        summary.settings.threshold,
        summary.candidates,
        summary.exact_copies,
        summary.recall_at_threshold * 100.0,
    );
    Ok(())
}

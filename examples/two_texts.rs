//! Compares two texts, given as strings or as the names of files: the exact similarity, the share of each text that is
//! in the other, and the estimates by the signatures of both methods.
//!
//! ```text
//! cargo run --example two_texts
//! cargo run --example two_texts -- "the quick brown fox" "the quick brown dog"
//! cargo run --example two_texts -- examples/corpus/news/ferry-agency.txt examples/corpus/news/ferry-regional.txt
//! ```

use std::path::Path;

use dedup_scan::compare::shared_shingles;
use dedup_scan::{
    Banding, ShingleKind, ShingleSet, Shingler, SignatureMethod, SignatureSettings, estimated_similarity, jaccard,
    normalize,
};

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (first, second) = match arguments.as_slice() {
        [first, second] => (text(first)?, text(second)?),
        [] => (
            "The ferry leaves at eight, calls at both islands, and is back before dark.".to_owned(),
            "The ferry leaves at nine, calls at both islands,\nand is back before dark.".to_owned(),
        ),
        _ => {
            eprintln!("usage: two_texts [<text or file> <text or file>]");
            std::process::exit(2);
        }
    };

    // A text is a set of shingles: all runs of 9 characters, once its white space is folded.
    let kind = ShingleKind::Char;
    let mut shingler = Shingler::new(kind, kind.default_size());
    let mut shingles = |text: &str| ShingleSet::new(shingler.shingles(&normalize(text)));
    let (a, b) = (shingles(&first), shingles(&second));
    if a.is_empty() || b.is_empty() {
        println!("An empty text is like no other.");
        return Ok(());
    }

    let shared = shared_shingles(&a, &b);
    println!("shingles            {} and {}, {shared} of them shared", a.len(), b.len());
    println!("Jaccard similarity  {:.4}", jaccard(&a, &b));
    println!("first in second     {:.4}", shared as f64 / a.len() as f64);
    println!("second in first     {:.4}", shared as f64 / b.len() as f64);

    // A signature keeps 100 numbers for each set, whatever its size. The share of equal numbers estimates the
    // similarity, with a standard deviation of at most 0.05.
    let banding = Banding::default();
    for (name, method) in [("classic", SignatureMethod::Classic), ("fast", SignatureMethod::Fast)] {
        let mut signer = SignatureSettings { method, ..SignatureSettings::default() }.signer(banding);
        let mut sign = |mut set: &ShingleSet| {
            let mut signature = vec![0; signer.num_hashes()];
            signer.sign(&mut set, &mut signature);
            signature
        };
        println!("{:<19} {:.4}", format!("estimate, {name}"), estimated_similarity(&sign(&a), &sign(&b)));
    }
    println!("found by a scan     with probability {:.4}", banding.recall(jaccard(&a, &b)));
    Ok(())
}

/// The content of the file with this name, or the argument itself when there is no such file.
fn text(argument: &str) -> std::io::Result<String> {
    if Path::new(argument).is_file() { std::fs::read_to_string(argument) } else { Ok(argument.to_owned()) }
}

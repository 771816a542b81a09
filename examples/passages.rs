//! Shows the passages that two text files share: each passage, and the share of each text that they cover, in words.
//!
//! ```text
//! cargo run --example passages
//! cargo run --example passages -- examples/corpus/news/ferry-agency.txt examples/corpus/news/ferry-regional.txt
//! ```

use dedup_scan::compare::passages::{Aligner, PassageSettings};
use dedup_scan::{ShingleKind, Shingler, normalize};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/corpus/essays");
    let names = match arguments.as_slice() {
        [a, b] => [a.clone(), b.clone()],
        _ => ["on-writing-in-books", "term-paper"].map(|name| format!("{corpus}/{name}.txt")),
    };

    // A text is a sequence of words, each with its place in the normalised text.
    let mut shingler = Shingler::new(ShingleKind::Word, 5);
    let mut tokens =
        |name: &str| -> std::io::Result<_> { Ok(shingler.tokens(normalize(&std::fs::read_to_string(name)?))) };
    let (a, b) = (tokens(&names[0])?, tokens(&names[1])?);

    let mut aligner = Aligner::new(PassageSettings::of(ShingleKind::Word)?);
    let alignment = aligner.align(&a, &b);
    println!("{:5.1} % of the first text is in the second", 100.0 * alignment.coverage_a());
    println!("{:5.1} % of the second text is in the first", 100.0 * alignment.coverage_b());
    for passage in &alignment.passages {
        let kind = if passage.is_exact { "the same" } else { "nearly the same" };
        println!("\n{} words, {kind}:", passage.matched);
        println!("  {}", &a.text()[a.bytes_of(passage.a.clone())]);
        if !passage.is_exact {
            println!("  {}", &b.text()[b.bytes_of(passage.b.clone())]);
        }
    }
    Ok(())
}

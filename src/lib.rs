//! `dedup` finds the near-duplicate documents of a corpus and proves every pair it reports.
//!
//! ```text
//! paths -input-> documents -normalize-> text -shingle-> shingle hashes -signature-> signatures
//!       -banding-> candidate pairs -verify-> duplicate pairs -output-> one JSON line per pair
//! ```
//!
//! The handbook of the program is in [`guide`].
//!
//! # Layers
//!
//! The modules are the layers of the library, in the order in which data flows. **A layer imports only from the layers above
//! it**, and within a layer a module imports only from the modules above it in the table of that layer; unit tests may import
//! from anywhere. No files import each other in a circle, so a file with child modules imports from them and they do not
//! import from it. `tests/architecture` enforces these rules.
//!
//! | Layer | Comes in, goes out |
//! | --- | --- |
//! | [`base`] | Containers, errors, memory, storage, the observer; this layer knows no documents. |
//! | [`text`] | A text in; its shingles out. |
//! | [`documents`] | Paths in; decoded documents out. |
//! | [`sign`] | Shingles in; signatures and the candidate pairs of their bands out. |
//! | [`compare`] | Two sets or texts in; their exact similarity or passages out. |
//! | [`records`] | The JSON lines of pairs, groups, documents and signatures. |
//! | [`search`] | Settings in; pairs and a summary out: candidates by bands, join or passages, and their verification. |
//! | [`results`] | Pairs in; saved results, explanations, reviews, baselines and reports out. |
//! | [`unique`] | A finished search in; the corpus without its duplicates or repeated parts out. |
//! | [`index`] | Documents in; an index file, and the documents of it that are similar to a query, out. |
//! | [`exchange`] | Rows of another program in; signatures, verified pairs and components out. |
//! | [`guide`] | The handbook. |
//! | `cli` | The program: flags in, settings out. It sees only the public interface of this library. |
//!
//! # Where a change begins
//!
//! | To add | Begin in `src/`; the first lines of the file say what else belongs to it |
//! | --- | --- |
//! | an input format | `documents/input/formats/format.rs`; a kind of document, `documents/input/bytes/extract/mod.rs` |
//! | an encoding of texts | `documents/input/charset.rs` |
//! | a fold of texts | `text/normalize/settings.rs` |
//! | a language of programs | `text/code/mod.rs` |
//! | a kind of shingle | `text/shingle/kinds/mod.rs` |
//! | a source of candidates | `search/mod.rs`, `search/pairs/settings.rs` |
//! | a value of each pair, or of all pairs | `search/run/pair_steps.rs` |
//! | a key in the line of a pair | `records/mod.rs` |
//! | a report, or a column of tables | `results/report/mod.rs`, `results/report/table.rs` |
//! | a flag, or a preset | `cli/flags/mod.rs`, `cli/flags/preset.rs` |
//! | an exit code | `cli/exit_code.rs` |
//!
//! # Use
//!
//! [`find_duplicates`] joins the stages over files and folders, of any size; [`search::Search`] also lists documents and finds groups:
//!
//! ```
//! use dedup_scan::{InputSettings, Settings, Unwatched, find_duplicates};
//!
//! let settings = Settings::of(InputSettings::of(vec!["examples/corpus/licences".into()]));
//! let mut print = |documents: &dedup_scan::Documents, pairs: &[dedup_scan::DuplicatePair]| {
//!     pairs.iter().for_each(|pair| println!("{:?} {}", documents.name(pair.a), pair.similarity()));
//!     Ok(())
//! };
//! let summary = find_duplicates(&settings, &Unwatched, &mut print)?;
//! assert_eq!(summary.pairs, 2);
//! # Ok::<(), dedup_scan::Error>(())
//! ```
//!
//! Each stage can be used by itself. Read documents of any format:
//!
//! ```
//! use dedup_scan::{InputSettings, Resources, Unwatched, read_texts};
//!
//! let input = InputSettings::of(vec!["examples/corpus/licences".into()]);
//! let texts = read_texts(&input, Resources::default(), &Unwatched)?;
//! assert!(texts[0].name.ends_with("lantern-1.0.txt") && texts[0].text.starts_with("THE LANTERN LICENCE"));
//! # Ok::<(), dedup_scan::Error>(())
//! ```
//!
//! Normalise a text; [`normalize`] folds white space, a [`Normalizer`] what is asked for:
//!
//! ```
//! use dedup_scan::{Normalization, Normalizer, Units};
//!
//! let folding = Normalization { lowercase: true, ..Normalization::default() };
//! let mut normalizer = Normalizer::new(&folding, Units::Text);
//! assert_eq!(normalizer.normalize("The  quick\nFox "), "the quick fox");
//! ```
//!
//! Cut it into shingles, as a set of hashes, and compare two sets exactly:
//!
//! ```
//! use dedup_scan::{ShingleKind, ShingleSet, Shingler, jaccard, normalize};
//!
//! let mut shingler = Shingler::new(ShingleKind::Char, 9);
//! let mut shingles = |text: &str| ShingleSet::new(shingler.shingles(&normalize(text)));
//! let a = shingles("The quick brown fox jumps over the lazy dog.");
//! let b = shingles("The quick brown fox\njumps over the lazy cat.");
//! assert_eq!(jaccard(&a, &b), 32.0 / 40.0);
//! ```
//!
//! Sign sets; the share of equal values estimates the similarity. Sets of other things than text are slices of 64-bit hashes:
//!
//! ```
//! use dedup_scan::{Banding, SignatureSettings, estimated_similarity};
//!
//! let mut signer = SignatureSettings::default().signer(Banding::default());
//! let (mut a, mut b) = (vec![0; signer.num_hashes()], vec![0; signer.num_hashes()]);
//! let hashes = |items: [&str; 4]| items.map(|item| xxhash_rust::xxh3::xxh3_64(item.as_bytes()));
//! signer.sign(&mut hashes(["tea", "milk", "bread", "salt"]).as_slice(), &mut a);
//! signer.sign(&mut hashes(["tea", "milk", "bread", "rice"]).as_slice(), &mut b);
//! assert!((estimated_similarity(&a, &b) - 0.6).abs() < 0.25);
//! ```
//!
//! Band signatures; documents that share a bucket are candidates:
//!
//! ```
//! use dedup_scan::sign::banding::{BucketTable, band_keys};
//! use dedup_scan::{Banding, DocId};
//!
//! let banding = Banding::for_recall(0.8, 0.999);
//! let signatures = [vec![1; banding.num_hashes()], vec![2; banding.num_hashes()], vec![1; banding.num_hashes()]];
//! let mut keys = vec![vec![0; banding.bands()]; 3];
//! signatures.iter().zip(&mut keys).for_each(|(signature, keys)| band_keys(signature, keys));
//! let table = BucketTable::build(banding.bands(), 3, |band, bucket| {
//!     bucket.extend((0..3).map(|document| (keys[document][band], DocId::new(document))));
//! });
//! assert_eq!(table.candidates().of(DocId::new(0)), [DocId::new(2)]);
//! ```
//!
//! Show where two texts are the same; [`compare::passages`] says what a passage is, and [`find_passages`] finds those of a corpus:
//!
//! ```
//! use dedup_scan::compare::passages::{Aligner, PassageSettings};
//! use dedup_scan::{ShingleKind, Shingler, normalize};
//!
//! let mut shingler = Shingler::new(ShingleKind::Word, 5);
//! let mut tokens = |text| shingler.tokens(normalize(text));
//! let a = tokens("She said that the quick brown fox jumps over the lazy dog.");
//! let b = tokens("The quick brown fox jumps over the lazy dog, and sleeps. The quick brown fox.");
//! let alignment = Aligner::new(PassageSettings::of(ShingleKind::Word)?).align(&a, &b);
//! let passage = &alignment.passages[0];
//! assert_eq!(&b.text()[b.bytes_of(passage.b.clone())], "quick brown fox jumps over the lazy dog");
//! assert_eq!(alignment.coverage_a(), 8.0 / 12.0);
//! # Ok::<(), dedup_scan::Error>(())
//! ```
//!
//! Find the documents that share passages, however different the rest of them is; every common run of 8 words is found:
//!
//! ```
//! use dedup_scan::{
//!     InputSettings, MatchSettings, PairSource, Settings, ShingleKind, ShingleSettings, Unwatched, find_duplicates,
//! };
//!
//! let mut settings = Settings::of(InputSettings::of(vec!["examples/corpus/essays".into()]));
//! settings.shingles = ShingleSettings::new(ShingleKind::Word);
//! settings.pairs.source = PairSource::Passages(MatchSettings::of(ShingleKind::Word)?);
//! let summary = find_duplicates(&settings, &Unwatched, &mut |_, _| Ok(()))?;
//! assert_eq!(summary.pairs, 3);
//! assert_eq!(summary.matches.map(|matches| matches.every_run_of), Some(8));
//! # Ok::<(), dedup_scan::Error>(())
//! ```
//!
//! Measure on the documents themselves how many pairs a run has found of those that there are; or find all of them, by
//! [`PairSource::AllPairs`]:
//!
//! ```
//! use dedup_scan::{AuditSettings, InputSettings, Settings, Unwatched, find_duplicates};
//!
//! let mut settings = Settings::of(InputSettings::of(vec!["examples/corpus/licences".into()]));
//! settings.audit = Some(AuditSettings::default());
//! let summary = find_duplicates(&settings, &Unwatched, &mut |_, _| Ok(()))?;
//! let measured = summary.audit.expect("it was asked for").all;
//! assert_eq!((measured.pairs, measured.recall), (2, Some(1.0)));
//! # Ok::<(), dedup_scan::Error>(())
//! ```
//!
//! Ask why two documents are or are not reported as a pair:
//!
//! ```
//! use dedup_scan::{InputSettings, Settings, Unwatched, Verdict, explain};
//!
//! let settings = Settings::of(InputSettings::of(vec!["examples/corpus/essays".into()]));
//! let names = ["examples/corpus/essays/on-writing-in-books.txt", "examples/corpus/essays/term-paper.txt"];
//! let explanation = explain(&settings, names.map(str::as_bytes), None, &Unwatched)?;
//! assert_eq!(explanation.verdict, Verdict::BelowThreshold);
//! assert!(explanation.comparison.is_some_and(|comparison| comparison.pair.similarity() < 0.3));
//! # Ok::<(), dedup_scan::Error>(())
//! ```
//!
//! Verify one set against many; a [`Verifier`] counts no further than the threshold needs. [`records`] writes pairs as lines.
//!
//! [`find_unique`] finds which document stands for its duplicates, and writes the corpus without them:
//!
//! ```
//! use dedup_scan::{InputSettings, Settings, UniqueSettings, Unwatched, WriteSettings, find_unique};
//!
//! let settings = Settings::of(InputSettings::of(vec!["examples/corpus/licences".into()]));
//! let corpus = find_unique(&settings, &UniqueSettings::default(), &Unwatched)?;
//! let written = corpus.write(&WriteSettings { dry_run: true, ..WriteSettings::default() })?;
//! assert_eq!((written.kept, written.removed), (4, 2));
//! # Ok::<(), dedup_scan::Error>(())
//! ```
//!
//! These programs show the library at work; run them with `cargo run --example <name>`:
//!
//! - `two_texts`: two strings or files; exact similarity, containments, and what the signatures estimate;
//! - `folder`: the pairs of a folder as a table, by [`find_duplicates`] with a sink and an [`Observer`];
//! - `unique`: a folder without its near-duplicates, by [`find_unique`];
//! - `passages`: two files; what they share and where, by an [`Aligner`](compare::passages::Aligner);
//! - `baskets`: customers' baskets instead of texts, from [`Signer`] by [`sign::banding`] to [`Verifier`];
//! - `families`: families of functions for other distances, measured against their formulas;
//! - `spam_filter`: an index of what was reported, asked about each message;
//! - `fingerprints`: prints of one finger, by functions made for them;
//! - `entities`: the customers that two companies have in common, in records with typos.

pub mod base;
pub mod text;
pub mod documents;
pub mod sign;
pub mod compare;
pub mod records;
pub mod search;
pub mod results;
pub mod unique;
pub mod index;
pub mod exchange;
pub mod guide;

pub use self::base::{Error, Observer, Resources, Result, Unwatched};
pub use self::compare::{Clusters, DuplicatePair, Threshold, Verifier, jaccard};
pub use self::documents::{DocId, Documents, InputSettings};
pub use self::results::{Verdict, explain};
pub use self::search::{
    AuditSettings, ClusterSettings, MatchSettings, PairSettings, PairSource, Settings, Sink, Summary, find_clusters,
    find_duplicates, find_passages, read_texts,
};
pub use self::sign::{Banding, SignatureMethod, SignatureSettings, Signer, estimated_similarity};
pub use self::text::{Normalization, Normalizer, ShingleKind, ShingleSet, ShingleSettings, Shingler, Units, normalize};
pub use self::unique::{UniqueSettings, WriteSettings, find_unique};

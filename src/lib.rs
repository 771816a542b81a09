//! `dedup` finds the near-duplicate documents of a corpus and proves every pair it reports.
//!
//! ```text
//! paths -input-> documents -normalize-> text -shingle-> shingle hashes -signature-> signatures
//!       -banding-> candidate pairs -verify-> duplicate pairs -output-> one JSON line per pair
//! ```
//!
//! The handbook of the program is in [`guide`].
//!
//! # Rooms
//!
//! In the order in which data flows. **A room imports only what stands above it**; its unit tests may look anywhere. Within a
//! room no files import each other in a circle, which is why a file that has children takes from them and gives them
//! nothing: what both need has a file of its own. `tests/house` holds the source to this table.
//!
//! | Room | Comes in, goes out |
//! | --- | --- |
//! | `flat` | small containers |
//! | `shown` | names of anybody's, as people may see them |
//! | `scripts` | a character in, whether its script has spaces between words out |
//! | `problem` | what costs a run one input |
//! | `error` | what ends a run; values only, no limits and no flags |
//! | `memory` | what the process may take; the shares of it, by pass |
//! | `storage` | records in, the distinct ones out in order, by way of the disk where the memory ends |
//! | `observe` | who watches a run |
//! | `code` | a program's text and its language in, its tokens out |
//! | `document` | documents by number: names, places, copies, sides and groups |
//! | `input` | paths in, decoded texts with their names out, in document order |
//! | `normalize` | text in, the text that is compared out |
//! | `shingle` | that text in, shingle hashes out; a file for each kind |
//! | `banding` | signatures in, candidate pairs out |
//! | `signature` | shingle hashes in, signatures out |
//! | `families` | points of several distances in, keys out that near points share |
//! | `removal` | shingle hashes in, those that are not removed out |
//! | `weights` | shingle hashes in, the same with their weights out |
//! | `verify` | two shingle sets in, what they share out, or that it is too little |
//! | `clusters` | verified edges in, groups of documents out |
//! | `passages` | the tokens of two texts in, the passages that they share out |
//! | `output` | pairs in, lines out |
//! | `corpus` | the first pass: inputs in, signed documents and a summary out |
//! | `matching` | documents in, the pairs of texts out that share enough passages |
//! | `join` | documents in, all pairs of texts out that may reach the threshold |
//! | `pairs` | the second pass: the bucket table in, duplicate pairs and a summary out |
//! | `audit` | a run's pairs in, the measured share of all pairs that it found out |
//! | `similarities` | documents in, how similar some of them are to all others out |
//! | `run` | settings in, pairs and the whole summary out; the only room that knows both passes |
//! | `forecast` | settings in, what a run will find and take out, by a sample of the documents |
//! | `index` | documents in, an index file out that stays; questions in, its similar documents out |
//! | `exchange` | rows of another program in, their signatures, verified pairs and components out |
//! | `explain` | two documents of a corpus in, how they compare and why they are or are not a pair out |
//! | `results` | pairs and documents in, a saved result out, and read again |
//! | `views` | pairs of a run or of a saved result in, their texts as people read them out |
//! | `review` | a saved result and a person's answers in, the next question and a better threshold out |
//! | `unique` | a finished run or a saved result in, the corpus without its duplicates out, or a plan for its files |
//! | `baseline` | accepted pairs in and out, and whether another pair is new |
//! | `changes` | a revision of git in, the files that were changed since out |
//! | `report` | pairs in, what other programs and people read out; a file for each format |
//! | `kernels` | the inner loops that this processor runs |
//! | `guide` | the handbook |
//! | `cli` | the program: flags in, settings out; sees nothing but the public face of this library |
//!
//! # Use
//!
//! [`find_duplicates`] joins the stages over files and folders, of any size:
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
//! use dedup_scan::banding::{BucketTable, band_keys};
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
//! Show where two texts are the same; [`passages`] says what a passage is, and [`find_passages`] finds those of a corpus:
//!
//! ```
//! use dedup_scan::passages::{Aligner, PassageSettings};
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
//! use dedup_scan::{InputSettings, MatchSettings, Settings, ShingleKind, ShingleSettings, Unwatched, find_duplicates};
//!
//! let mut settings = Settings::of(InputSettings::of(vec!["examples/corpus/essays".into()]));
//! settings.shingles = ShingleSettings::new(ShingleKind::Word);
//! settings.pairs.by_passages = Some(MatchSettings::of(ShingleKind::Word)?);
//! let summary = find_duplicates(&settings, &Unwatched, &mut |_, _| Ok(()))?;
//! assert_eq!(summary.pairs, 3);
//! assert_eq!(summary.matches.map(|matches| matches.every_run_of), Some(8));
//! # Ok::<(), dedup_scan::Error>(())
//! ```
//!
//! Measure on the documents themselves how many pairs a run has found of those that there are; or find all of them, by
//! [`PairSettings::all_pairs`]:
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
//! assert!(explanation.comparison.is_some_and(|comparison| comparison.similarity() < 0.3));
//! # Ok::<(), dedup_scan::Error>(())
//! ```
//!
//! Verify one set against many; a [`Verifier`] counts no further than the threshold needs. [`output`] writes pairs as lines.
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
//! - `passages`: two files; what they share and where, by an [`Aligner`](passages::Aligner);
//! - `baskets`: customers' baskets in place of texts, from [`Signer`] by [`banding`] to [`Verifier`];
//! - `families`: [families of functions](families) for other distances, measured against their formulas;
//! - `spam_filter`: an index of what was reported, asked about each message;
//! - `fingerprints`: prints of one finger, by functions made for them;
//! - `entities`: the customers that two companies have in common, in records with typos.

mod audit;
mod baseline;
mod changes;
mod clusters;
mod code;
mod corpus;
mod document;
mod error;
mod exchange;
mod explain;
mod flat;
mod forecast;
mod index;
mod input;
mod join;
mod kernels;
mod matching;
mod memory;
mod normalize;
mod observe;
mod pairs;
mod problem;
mod removal;
mod results;
mod review;
mod run;
mod scripts;
mod shingle;
mod shown;
mod signature;
mod similarities;
mod storage;
mod unique;
mod verify;
mod views;
mod weights;

pub mod banding;
pub mod families;
pub mod guide;
pub mod output;
pub mod passages;
pub mod report;

pub use self::audit::{AuditBucket, AuditCounts, AuditSettings, AuditSummary, MissedPair};
pub use self::banding::Banding;
pub use self::baseline::{AcceptedPair, AcceptedRecord, BASELINE_FORM, Baseline};
pub use self::changes::{ChangedFiles, ChangesError};
pub use self::clusters::{CentreOrder, Cluster, ClusterBuilder, ClusterSort, Clusters, Joined, Linkage, VerifiedEdge};
pub use self::code::Syntax;
pub use self::corpus::{CodeSummary, GroupSummary, NamedText, Removed, Side, Sides, read_texts};
pub use self::document::{DocId, Documents, FieldOrder, GroupBy, GroupSettings, OffsetsOf, Origin, Place, ValueKind};
pub use self::error::{CorpusError, Error, ExchangeError, IndexError, Result, WeightsError};
pub use self::exchange::{
    ClusterBy, ComponentRecord, GroupEndRecord, RowFormat, RowParams, VerifiedRecord, VerifyBy, cluster_edges,
    sign_blocks, sign_rows, verify_rows,
};
pub use self::explain::{
    BandAgreement, Comparison, ExplainableCorpus, ExplainedDocument, ExplainedPassage, ExplainedPassages, Explanation,
    ExplanationRecord, Verdict, explain,
};
pub use self::flat::offset_map::OffsetMap;
pub use self::forecast::{Estimate, ForecastMemory, ForecastSeconds, RunForecast, forecast};
pub use self::index::{
    AddSettings, AddWhat, Added, ContainmentRecall, ContainmentSummary, ExportedRecord, FollowSummary, FollowedAnswer,
    FollowedLine, FollowedMatch, IndexInfo, IndexParts, IndexSettings, KnownName, OpenAnswer, OpenIndex, QuerySettings,
    QuerySummary, Restored, SampleRate, TextStorage, add_to_index, build_index, check_index, check_meaning,
    compact_index, export_index, follow_index, index_info, index_settings, merge_indexes, names_in_index, query_index,
    rebuild_index, remove_from_index, stale_documents,
};
pub use self::input::{
    Against, Cancel, Filter, HtmlMode, InputFormat, InputSettings, InvalidBytes, MemberTimes, OwnFiles, OwnUse,
    PathGlob, Quoting, TextEncoding, read_path_list,
};
pub use self::join::JoinSummary;
pub use self::kernels::kernels;
pub use self::matching::{KeyCap, MatchSettings, MatchSummary, NamedDocuments};
pub use self::memory::{MemoryPlan, Resources, is_asking_for_memory};
pub use self::normalize::{
    CodeText, Disguises, LinePattern, Markers, Normalization, Normalizer, UnicodeForm, Units, normalize,
};
pub use self::observe::{MemoryForecast, Observer, Stage, Unwatched};
pub use self::pairs::{Coverages, PairSettings, PassageSink, Sink};
pub use self::problem::{BinaryKind, Problem, Reason};
pub use self::removal::{MaxDf, RemovalSettings};
pub use self::results::{
    InputRecord, PairFilter, ReadingRecord, ResultHeader, ResultWriter, SavedDocuments, SavedResult, cluster_result,
};
pub use self::review::{
    Answer, AnswerFile, AnswerRecord, Answers, CutRecord, Cuts, PairTexts, Question, Review, ReviewRecord, ThresholdCut,
};
pub use self::run::{
    ClusterSettings, ClusterSummary, DocumentSink, FoundClusters, LargestBucket, MatchingRecord, Memory, Seconds,
    Settings, SettingsRecord, Summary, find_clusters, find_duplicates, find_duplicates_and_list, find_passages,
    list_documents, sample_similarities, sign_documents,
};
pub use self::shingle::{
    Language, ShingleHashes, ShingleKind, ShingleSet, ShingleSettings, Shingler, StopWords, TextShingles, Tokens,
};
pub use self::shown::{shown, shown_lines};
pub use self::signature::{SignatureMethod, SignatureSettings, Signer, estimated_similarity};
pub use self::similarities::{ExpectedRun, SimilaritySample};
pub use self::unique::{
    CopiedWhole, FilePlan, Keep, LeftDocument, PlanAction, StandIn, UniqueCorpus, UniqueSettings, WriteSettings,
    Written, find_unique, find_unique_saved, plan_result,
};
pub use self::verify::{
    DuplicatePair, KeptNames, PairWeights, RemovedShingles, Threshold, VerifiableSet, Verifier, jaccard,
    shared_shingles,
};
pub use self::views::{
    PairView, TextView, ViewKey, ViewReader, ViewedPassage, ViewedRun, find_clusters_to_view, find_duplicates_to_view,
};
pub use self::weights::{TokenWeights, WeightTableRecord, Weighting, weight_of_frequency};

//! `ContaminatedCorpus`: a corpus with documents that contain benchmarks; writes the corpus without them.

use std::path::PathBuf;
use std::time::Instant;

use super::corpus::UniqueCorpus;
use super::cut::{TextEditor, TextEdits};
use super::fates::Fates;
use super::jobs::Fingerprints;
use super::layout::{Layout, is_stored};
use super::settings::{WriteSettings, Written};
use super::write::{BeforeName, CorpusWriter};
use super::written::write_corpus;
use crate::base::error::{CorpusError, Error, Result};
use crate::base::observe::Observer;
use crate::base::setting::Setting;
use crate::documents::document::{DocId, DocSet, Documents};
use crate::documents::input::{Against, ByName, InputSettings, Inputs, OwnUse, TreeKind, each_file};
use crate::records::push_json;
use crate::search::contamination::{FoundContamination, find_contamination};
use crate::search::run::{Settings, Summary};
use crate::search::{BenchmarkRecord, ContaminationSettings, ContaminationSummary, MarkRecord};
use crate::text::normalize::Normalization;
use crate::text::shingle::ShingleSettings;

/// A corpus and the benchmarks that its documents contain.
pub struct ContaminatedCorpus {
    settings: Settings,
    found: FoundContamination,
    prints: Fingerprints,
    summary: Summary,
    pool: rayon::ThreadPool,
}

/// The treatment of a contaminated document when the corpus is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContaminationAction {
    /// It is not written.
    Drop,
    /// It is written without the words of its common runs.
    Cut,
    /// It is written with a last field [`MarkRecord::FIELD`]; only for records of JSON and JSON Lines.
    Mark,
}

/// Finds the documents of a corpus that contain passages of benchmarks, the other side of the inputs.
///
/// Every common run of [`ContaminationSettings::min_run`] words is found for certain, whatever the line breaks, case,
/// punctuation, accents and Unicode forms are. Stages other than the input have no effect.
///
/// A benchmark file in a folder of the corpus is not a document of the corpus, and is not written.
///
/// Memory: about 60 bytes for each word of the benchmarks, the places of the corpus's documents as for
/// [`find_unique`](super::find_unique), and the spans of contaminated documents. The corpus itself is read once, and not
/// kept.
///
/// ```
/// use dedup_scan::documents::Against;
/// use dedup_scan::search::ContaminationSettings;
/// use dedup_scan::unique::find_contaminated;
/// use dedup_scan::{InputSettings, Settings, Unwatched};
///
/// let mut settings = Settings::of(InputSettings::of(vec!["examples/corpus/essays".into()]));
/// let paths = vec!["examples/corpus/essays/on-writing-in-books.txt".into()];
/// settings.input.against = Some(Against { paths, ..Against::default() });
/// let corpus = find_contaminated(&settings, &ContaminationSettings::default(), &Unwatched)?;
/// assert_eq!(corpus.contamination().benchmarks[0].contaminated, 1);
/// # Ok::<(), dedup_scan::Error>(())
/// ```
///
/// # Errors
/// When the run fails, or a benchmark is also given as a path of the corpus.
///
/// # Panics
/// When the settings specify no other side.
pub fn find_contaminated(
    settings: &Settings,
    rule: &ContaminationSettings,
    observer: &dyn Observer,
) -> Result<ContaminatedCorpus> {
    let mut settings = settings.clone();
    settings.check()?;
    let against = settings.input.against.take().expect("a search has benchmarks");
    check_read_once(&against, rule)?;
    let Against { paths, listed, include, exclude, .. } = against;
    let benchmarks = InputSettings { paths, listed, include, exclude, ..settings.input.clone() };
    exclude_benchmarks(&mut settings.input, &benchmarks)?;
    settings.input.with_source = true;
    settings.input.groups = None;
    // Texts are hashed as they are, so that a document that is edited is recognised.
    settings.normalization = Normalization { keep_whitespace: true, ..Normalization::default() };
    settings.shingles = ShingleSettings::default();
    settings.input.value_field = None;
    settings.input.container_items = ByName::collected();
    let pool = settings.thread_pool()?;
    let prints = Fingerprints::of(settings.corpus().inputs());
    let start = Instant::now();
    let mut found = find_contamination(&settings, &benchmarks, rule, observer, &pool)?;
    let mut summary = Summary::of_reading(&settings, std::mem::take(&mut found.summary));
    summary.seconds.read = start.elapsed().as_secs_f64();
    Ok(ContaminatedCorpus { settings, found, prints, summary, pool })
}

/// Whether a run only counts documents: a dry run without an output whose inputs can be read only once.
fn is_counted(settings: &Settings, write: &WriteSettings) -> bool {
    let mut inputs = settings.input.paths.iter().chain(&settings.input.listed);
    write.dry_run && write.output.as_os_str().is_empty() && inputs.any(|path| !is_stored(path))
}

/// Refuses standard input for benchmarks that are read several times.
fn check_read_once(against: &Against, rule: &ContaminationSettings) -> Result<()> {
    let stdin = against.paths.iter().chain(&against.listed).find(|path| path.as_os_str() == "-");
    match stdin.filter(|_| rule.fields.len() > 1) {
        None => Ok(()),
        Some(path) => Err(Error::Corpus(CorpusError::NoPlace {
            path: path.clone(),
            why: "the benchmarks are read once for each field, and standard input can only be read once".into(),
            remedy: "save it as a file first".into(),
        })),
    }
}

/// Makes the corpus skip the files of the benchmarks, as files that the run uses for something else.
///
/// # Errors
/// When a path of the corpus is such a file.
fn exclude_benchmarks(input: &mut InputSettings, benchmarks: &InputSettings) -> Result<()> {
    let mut own_files = input.own_files.clone();
    each_file(Inputs { settings: benchmarks, sets: false }, &mut |file| {
        if let TreeKind::File(metadata) = &file.kind {
            own_files.add(metadata, OwnUse::List(Setting::Against.name()));
        }
        Ok(())
    })?;
    let is_benchmark = |path: &&PathBuf| {
        let own = path.metadata().ok().and_then(|metadata| own_files.find(&metadata).cloned());
        own == Some(OwnUse::List(Setting::Against.name()))
    };
    let real = |path: &PathBuf| path.canonicalize().ok();
    let all = benchmarks.include.is_empty() && benchmarks.exclude.is_empty();
    let folders: Vec<PathBuf> =
        benchmarks.paths.iter().chain(&benchmarks.listed).filter_map(real).filter(|_| all).collect();
    // Every document in such a folder is a benchmark.
    let is_inside = |path: &PathBuf| {
        path.is_dir() && real(path).is_some_and(|path| folders.iter().any(|folder| path.starts_with(folder)))
    };
    if let Some(path) = input.paths.iter().chain(&input.listed).find(|path| is_benchmark(path) || is_inside(path)) {
        return Err(Error::Corpus(CorpusError::NoPlace {
            path: path.clone(),
            why: "is a document of the corpus and a benchmark".into(),
            remedy: "remove it from one of them".into(),
        }));
    }
    input.own_files = own_files;
    Ok(())
}

impl ContaminatedCorpus {
    /// The documents of the corpus.
    pub fn documents(&self) -> &Documents {
        &self.found.documents
    }

    /// The documents that contain enough of a benchmark, in document order.
    pub fn contaminated(&self) -> &[DocId] {
        self.found.contaminated()
    }

    /// The summary of reading the corpus, which counts no pairs.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The numbers of the benchmarks and of the documents that contain them.
    pub fn contamination(&self) -> ContaminationSummary {
        self.found.summary()
    }

    /// Passes a record for each benchmark document that has a run in common with a document, in document order.
    ///
    /// # Errors
    /// When `sink` fails.
    pub fn for_each_benchmark(&self, sink: &mut dyn FnMut(&BenchmarkRecord) -> Result<()>) -> Result<()> {
        self.found.for_each_record(sink)
    }

    /// Checks, without a run, that the clean corpus could be written.
    ///
    /// # Errors
    /// When the output does not suit these inputs. A dry run without an output may read standard input.
    pub fn check(settings: &Settings, write: &WriteSettings) -> Result<()> {
        if is_counted(settings, write) { Ok(()) } else { UniqueCorpus::check(settings, write) }
    }

    /// Writes the corpus as [`UniqueCorpus::write_with_lists`] writes one without duplicates; `action` says what happens to
    /// contaminated documents.
    ///
    /// # Errors
    /// When the output does not suit the inputs, an input has changed since the run began, or writing fails. When documents
    /// are cut or marked, also when the text or the format of one of them does not allow it. The error that `lists` returns.
    pub fn write(
        &self,
        write: &WriteSettings,
        action: ContaminationAction,
        lists: &mut dyn FnMut(&Written) -> Result<()>,
    ) -> Result<Written> {
        if is_counted(&self.settings, write) {
            let num_removed = if action == ContaminationAction::Drop { self.contaminated().len() as u64 } else { 0 };
            let kept = self.documents().len() as u64 - num_removed;
            let written = Written { kept, removed: num_removed, ..Written::default() };
            lists(&written)?;
            return Ok(written);
        }
        match action {
            ContaminationAction::Drop => self.write_edited(write, None, lists),
            ContaminationAction::Cut => {
                let cuts = self.found.covered().map(|(document, bytes)| (document, bytes.to_vec())).collect();
                self.write_edited(write, Some(TextEdits::Bytes(&cuts)), lists)
            }
            ContaminationAction::Mark => {
                let field = |mark: MarkRecord| {
                    let mut field = format!("\"{}\":", MarkRecord::FIELD).into_bytes();
                    push_json(&mut field, &mark);
                    field
                };
                let fields = self.found.marks().map(|(document, mark)| (document, field(mark))).collect();
                self.write_edited(write, Some(TextEdits::Fields(&fields)), lists).map_err(|error| match error {
                    Error::Corpus(CorpusError::NotCut { place, why }) => {
                        Error::Corpus(CorpusError::NotMarked { place, why })
                    }
                    error => error,
                })
            }
        }
    }

    /// Writes the corpus with edited documents, or without the contaminated ones.
    fn write_edited(&self, write: &WriteSettings, edits: Option<TextEdits>, lists: BeforeName) -> Result<Written> {
        let mut removed = DocSet::new(self.documents().len());
        if edits.is_none() {
            self.contaminated().iter().for_each(|&document| removed.insert(document));
        }
        let editor = edits
            .map(|edits| TextEditor::of_edits(self.settings.corpus(), self.documents(), &self.found.sources, edits));
        if let Some(editor) = editor.as_ref().filter(|_| matches!(edits, Some(TextEdits::Bytes(_)))) {
            self.pool.install(|| editor.check(self.contaminated().iter().copied(), false))?;
        }
        let layout = Layout::new(&self.settings.input, write)?;
        let fates = Fates::new(self.documents(), &removed).with_edits(edits);
        let inputs = self.settings.corpus().inputs();
        let (prints, cancel) = (&self.prints, &self.settings.cancel);
        let writer =
            CorpusWriter { inputs, fates, prints, settings: write, layout: &layout, cancel, editor: editor.as_ref() };
        write_corpus(&writer, &self.pool, lists)
    }
}

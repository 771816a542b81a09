//! The first pass: reads every document once, in parallel, and keeps its name, place, content hash and band keys.
//!
//! The walk runs on a thread of its own and hands out pieces; workers sign them in any order; the parts are put
//! together in document order, which is when lines get their numbers and names are made unique.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, mpsc};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::{Observer, Summary};
use crate::banding::band_keys;
use crate::config::Config;
use crate::document::{DocId, Documents, Located};
use crate::error::{Error, Problem, Reason, Result};
use crate::input::{Document, Item, Name, Piece, PieceKind, Reader, Sources, walk};
use crate::shingle::{ShingleSet, Shingler};
use crate::signature::Signer;

/// The documents of a run and their band keys.
pub(super) struct Corpus {
    pub(super) documents: Documents,
    pub(super) keys: BandKeys,
}

/// The band keys of all documents that have shingles, part by part and in a part band by band: 8 bytes a band.
pub(super) struct BandKeys(Vec<KeyPart>);

struct KeyPart {
    documents: Box<[DocId]>,
    keys: Box<[u64]>,
}

/// What one piece of work yields.
struct Part {
    number: u64,
    /// The source of a piece of records and how many of its lines start in the piece.
    lines: Option<(u32, u64)>,
    entries: Vec<Entry>,
    names: Vec<u8>,
    /// The keys of documents with shingles, one document after another.
    keys: Vec<u64>,
    num_bytes: u64,
    short: u64,
    /// Of each document, when they are to be listed.
    sizes: Vec<Sizes>,
}

/// What the program saw of a document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    pub(super) num_bytes: u64,
    pub(super) num_tokens: usize,
    pub(super) num_shingles: usize,
    pub(super) is_short: bool,
}

/// A document, or an input that is none, in document order.
pub(super) enum Listed {
    Document(DocId, Sizes),
    Skipped(Problem),
}

/// A document or a problem, in order.
enum Entry {
    Document { name: EntryName, content: Option<u128>, located: Located },
    Problem(Problem),
    RecordProblem { line: u64, reason: Reason, detail: String, is_error: bool },
}

/// The next `len` bytes of the part's names, or the place alone.
enum EntryName {
    Path { len: u32 },
    Member { len: u32 },
    Id { len: u32, line: u64 },
    Line { line: u64 },
}

impl Corpus {
    pub(super) fn read(
        config: &Config,
        sources: &Sources,
        observer: &dyn Observer,
        pool: &rayon::ThreadPool,
        summary: &mut Summary,
        list: Option<&mut Vec<Listed>>,
    ) -> Result<Self> {
        let lists = list.is_some();
        let (send, receive) = mpsc::channel::<Piece>();
        let strict = Strict::new(config.input.strict);
        let mut parts = std::thread::scope(|scope| {
            let strict = &strict;
            scope.spawn(move || {
                let units = Mutex::new(0);
                walk(&config.input, config.threads.get(), sources, &|piece| {
                    let mut units = units.lock().expect("no holder panics");
                    *units += piece.units();
                    observer.total(*units);
                    drop(units);
                    strict.wants(piece.number) && !sources.has_failed() && send.send(piece).is_ok()
                });
            });
            let work = || {
                let new_worker = || Worker::new(config, sources, lists);
                let sign = |worker: &mut Worker, piece: Piece| {
                    strict.wants(piece.number).then(|| {
                        let part = worker.sign(piece, observer);
                        strict.see(&part);
                        part
                    })
                };
                receive.into_iter().par_bridge().map_init(new_worker, sign).flatten().collect::<Vec<Part>>()
            };
            pool.install(work)
        });
        sources.check()?;
        parts.sort_unstable_by_key(|part| part.number);
        let may_repeat = parts.iter().any(Part::names_may_repeat);
        let mut assembly = Assembly {
            documents: Documents::default(),
            names: Names { sources: sources.names(), ..Names::default() },
            unique_names: !may_repeat,
            strict: config.input.strict,
            sources,
            observer,
            summary,
            list,
        };
        let num_bands = config.banding.bands();
        let keys = parts.into_iter().map(|part| assembly.add(part, num_bands)).collect::<Result<_>>()?;
        let documents = assembly.finish()?;
        Ok(Self { documents, keys: BandKeys(keys) })
    }
}

/// Puts the parts together, in document order.
struct Assembly<'a> {
    documents: Documents,
    names: Names,
    /// Paths alone are unique; ids and members of archives need not be.
    unique_names: bool,
    strict: bool,
    sources: &'a Sources,
    observer: &'a dyn Observer,
    summary: &'a mut Summary,
    list: Option<&'a mut Vec<Listed>>,
}

impl Assembly<'_> {
    fn add(&mut self, part: Part, num_bands: usize) -> Result<KeyPart> {
        self.names.enter(part.lines, self.sources);
        self.summary.bytes += part.num_bytes;
        self.summary.short += part.short;
        let mut banded = Vec::new();
        let mut names = part.names.as_slice();
        let mut sizes = part.sizes.into_iter();
        for entry in part.entries {
            match entry {
                Entry::Problem(problem) => self.tell(problem)?,
                Entry::RecordProblem { line, reason, detail, is_error } => {
                    let place = self.names.place(line);
                    let problem = Problem::error(String::from_utf8_lossy(&place), reason, detail);
                    self.tell(Problem { is_error, ..problem })?;
                }
                Entry::Document { name, content, located } => {
                    if self.documents.len() == DocId::LIMIT {
                        return Err(Error::TooManyDocuments);
                    }
                    let name = self.name(&name, &mut names)?;
                    let document = self.documents.push(&name, content, located);
                    if let (Some(list), Some(sizes)) = (&mut self.list, sizes.next()) {
                        list.push(Listed::Document(document, sizes));
                    }
                    match content {
                        Some(_) => banded.push(document),
                        None => self.summary.empty += 1,
                    }
                }
            }
        }
        self.names.leave(part.lines);
        Ok(KeyPart::new(banded, &part.keys, num_bands))
    }

    /// The document's name; takes it off the part's names unless the place is the name.
    fn name<'n>(&mut self, name: &EntryName, names: &mut &'n [u8]) -> Result<Cow<'n, [u8]>> {
        let (len, line) = match *name {
            EntryName::Line { line } => return Ok(self.names.place(line).into()),
            EntryName::Path { len } | EntryName::Member { len } => (len, None),
            EntryName::Id { len, line } => (len, Some(line)),
        };
        let given = names.split_off(..len as usize).expect("a part holds its names");
        if self.unique_names {
            return Ok(given.into());
        }
        let claims_place =
            self.names.is_place(given) && line.is_none_or(|line| self.names.place(line).as_slice() != given);
        if !claims_place && self.names.is_new(given) {
            return Ok(given.into());
        }
        let shown = String::from_utf8_lossy(given);
        let Some(line) = line else {
            let fault = match name {
                _ if claims_place => "this path reads as the place of a record",
                EntryName::Member { .. } => "this name was there before",
                _ => "this path is the id of a record before",
            };
            let other = self.other_spelling(given);
            let detail = format!("{fault}; compared as {}", String::from_utf8_lossy(&other));
            self.tell(Problem::error(shown, Reason::RepeatedId, detail))?;
            return Ok(other.into());
        };
        let place = self.names.place(line);
        let fault = if claims_place { "is the place of a record" } else { "was used before" };
        let detail = format!("the id {shown:?} {fault}; compared under this name");
        self.tell(Problem::error(String::from_utf8_lossy(&place), Reason::RepeatedId, detail))?;
        Ok(place.into())
    }

    /// A path to the same file whose name is free.
    fn other_spelling(&mut self, path: &[u8]) -> Vec<u8> {
        let mut other = path.to_vec();
        loop {
            let prefix: &[u8] = if other.starts_with(b"/") { b"/." } else { b"./" };
            other.splice(0..0, prefix.iter().copied());
            if self.names.is_new(&other) {
                return other;
            }
        }
    }

    fn tell(&mut self, mut problem: Problem) -> Result<()> {
        if self.strict && problem.is_error {
            // Nothing is skipped, since nothing goes on.
            if let Some(detail) = problem.detail.strip_suffix("; skipped") {
                problem.detail.truncate(detail.len());
            }
            return Err(Error::Strict(problem));
        }
        self.summary.count(&problem);
        self.observer.problem(&problem);
        if let Some(list) = self.list.as_mut().filter(|_| problem.is_skip()) {
            list.push(Listed::Skipped(problem));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Documents> {
        let nothing_there =
            !self.summary.skipped.is_empty() && self.summary.skipped.keys().all(|&why| why == Reason::Missing);
        if self.documents.is_empty() && nothing_there {
            return Err(Error::NoInput);
        }
        self.documents.group_copies();
        self.summary.documents = self.documents.len() as u64;
        self.summary.exact_groups = self.documents.groups().count() as u64;
        self.summary.exact_copies = self.documents.groups().map(|(_, copies)| copies as u64).sum();
        Ok(self.documents)
    }
}

/// Ends a strict run early, at the same place every time: the first piece with an error.
struct Strict {
    is_strict: bool,
    first: AtomicU64,
}

impl Strict {
    fn new(is_strict: bool) -> Self {
        Self { is_strict, first: AtomicU64::new(u64::MAX) }
    }

    /// Whether the piece is before all errors.
    fn wants(&self, number: u64) -> bool {
        number <= self.first.load(Ordering::Relaxed)
    }

    fn see(&self, part: &Part) {
        if self.is_strict && part.has_error() {
            self.first.fetch_min(part.number, Ordering::Relaxed);
        }
    }
}

impl BandKeys {
    /// Appends the (key, document) of each first document of its text, ascending by document.
    pub(super) fn of_band(&self, band: usize, documents: &Documents, out: &mut Vec<(u64, DocId)>) {
        for part in &self.0 {
            let len = part.documents.len();
            let keys = &part.keys[band * len..(band + 1) * len];
            let both = keys.iter().copied().zip(part.documents.iter().copied());
            out.extend(both.filter(|&(_, document)| documents.is_first(document)));
        }
    }
}

impl KeyPart {
    fn new(documents: Vec<DocId>, keys: &[u64], num_bands: usize) -> Self {
        let by_band = (0..num_bands).flat_map(|band| keys.iter().skip(band).step_by(num_bands));
        Self { documents: documents.into(), keys: by_band.copied().collect() }
    }
}

/// Makes names: keeps the source and line of the part at hand, and the hashes of all names while there are records.
#[derive(Default)]
struct Names {
    /// Whose lines are places.
    sources: HashSet<Vec<u8>>,
    seen: HashSet<u128>,
    source: Option<u32>,
    source_name: Vec<u8>,
    /// Lines of the source before the part at hand.
    lines_before: u64,
}

impl Names {
    fn enter(&mut self, lines: Option<(u32, u64)>, sources: &Sources) {
        if let Some((source, _)) = lines
            && self.source != Some(source)
        {
            self.source = Some(source);
            self.source_name = sources.name(source);
            self.lines_before = 0;
        }
    }

    fn leave(&mut self, lines: Option<(u32, u64)>) {
        self.lines_before += lines.map_or(0, |(_, count)| count);
    }

    /// `file:line` of a line counted from 0 at the start of the part.
    fn place(&self, line: u64) -> Vec<u8> {
        let mut place = self.source_name.clone();
        place.push(b':');
        place.extend_from_slice((self.lines_before + line + 1).to_string().as_bytes());
        place
    }

    /// Whether a name has the form `file:line` for one of the sources, which a record without an id may have as well.
    fn is_place(&self, name: &[u8]) -> bool {
        let Some(colon) = name.iter().rposition(|&byte| byte == b':') else { return false };
        let (source, line) = (&name[..colon], &name[colon + 1..]);
        !line.is_empty() && line.iter().all(u8::is_ascii_digit) && self.sources.contains(source)
    }

    fn is_new(&mut self, name: &[u8]) -> bool {
        self.seen.insert(xxh3_128(name))
    }
}

/// Signs documents; one a thread.
struct Worker<'a> {
    reader: Reader<'a>,
    signing: Signing,
}

struct Signing {
    shingler: Shingler,
    signer: Signer,
    signature: Vec<u32>,
    num_bands: usize,
    lists: bool,
}

impl<'a> Worker<'a> {
    fn new(config: &'a Config, sources: &'a Sources, lists: bool) -> Self {
        let banding = config.banding;
        let signer = Signer::new(config.signature, banding.bands(), banding.rows(), config.seed);
        let signature = vec![0; signer.num_hashes()];
        let shingler = Shingler::new(config.shingle_kind, config.shingle_size.get());
        let signing = Signing { shingler, signer, signature, num_bands: banding.bands(), lists };
        Self { reader: Reader::new(&config.input, sources), signing }
    }

    fn sign(&mut self, piece: Piece, observer: &dyn Observer) -> Part {
        // Progress is told file by file; what is read many at a time is too short for that.
        let (source, is_single) = match &piece.kind {
            PieceKind::Records { source, .. } | PieceKind::Lines { source, .. } => (Some(*source), false),
            PieceKind::Batch { batch, .. } => (batch.source, false),
            PieceKind::Files { .. } | PieceKind::Problem(_) => (None, true),
        };
        let units = piece.units();
        let mut part = Part::new(piece.number);
        let signing = &mut self.signing;
        let lines = self.reader.read_piece(piece.kind, &mut |item| match item {
            Item::Document(document) => {
                part.add(&document, signing);
                if is_single {
                    observer.advance(1, 1, document.num_bytes);
                }
            }
            Item::Problem(problem) => {
                if is_single && problem.is_skip() {
                    observer.advance(1, 0, 0);
                }
                part.entries.push(Entry::Problem(problem));
            }
            Item::RecordProblem { line, reason, detail } => {
                part.entries.push(Entry::RecordProblem { line, reason, detail, is_error: true });
            }
            Item::RecordNote { line, reason, detail } => {
                part.entries.push(Entry::RecordProblem { line, reason, detail, is_error: false });
            }
        });
        part.lines = source.map(|source| (source, lines));
        if !is_single {
            observer.advance(units, part.entries.len() as u64, part.num_bytes);
        }
        part
    }
}

impl Part {
    fn new(number: u64) -> Self {
        Self {
            number,
            lines: None,
            entries: Vec::new(),
            names: Vec::new(),
            keys: Vec::new(),
            num_bytes: 0,
            short: 0,
            sizes: Vec::new(),
        }
    }

    fn names_may_repeat(&self) -> bool {
        let is_member = |entry: &Entry| matches!(entry, Entry::Document { name: EntryName::Member { .. }, .. });
        self.lines.is_some() || self.entries.iter().any(is_member)
    }

    fn has_error(&self) -> bool {
        self.entries.iter().any(|entry| match entry {
            Entry::Document { .. } => false,
            Entry::Problem(problem) => problem.is_error,
            Entry::RecordProblem { is_error, .. } => *is_error,
        })
    }

    fn add(&mut self, document: &Document, signing: &mut Signing) {
        let Signing { shingler, signer, signature, num_bands, lists } = signing;
        let text = document.text;
        self.num_bytes += document.num_bytes;
        let is_short = shingler.is_short(text);
        self.short += u64::from(is_short);
        if *lists {
            self.sizes.push(Sizes {
                num_bytes: document.num_bytes,
                num_tokens: shingler.num_tokens(text),
                num_shingles: ShingleSet::new(shingler.shingles_utf8(text)).len(),
                is_short,
            });
        }
        let signed = signer.sign(&mut shingler.shingles_utf8(text), signature);
        let content = signed.then(|| xxh3_128(text));
        if signed {
            let start = self.keys.len();
            self.keys.resize(start + *num_bands, 0);
            band_keys(signature, &mut self.keys[start..]);
        }
        let len = |bytes: &[u8]| u32::try_from(bytes.len()).expect("a name is shorter than its record");
        let name = match document.name {
            Name::Path(path) => {
                self.names.extend_from_slice(path);
                EntryName::Path { len: len(path) }
            }
            Name::Member(name) => {
                self.names.extend_from_slice(name);
                EntryName::Member { len: len(name) }
            }
            Name::Id(id, line) => {
                self.names.extend_from_slice(id.as_bytes());
                EntryName::Id { len: len(id.as_bytes()), line }
            }
            Name::Line(line) => EntryName::Line { line },
        };
        self.entries.push(Entry::Document { name, content, located: document.located });
    }
}

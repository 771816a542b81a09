//! `PackedFile`: finds texts by their places in a file that must be read from the beginning, such as an archive.
//!
//! A thread reads the file like an ordinary input, and waits while no text is requested. If the texts are requested in
//! the order of the file, the file is read once; a text before the last one needs another pass.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::{thread, vec};

use xxhash_rust::xxh3::xxh3_64;

use crate::base::error::{Error, Result};
use crate::base::observe::Unwatched;
use crate::documents::input::ReadSettings;
use crate::documents::input::{
    Cancel, Document, DocumentName, Fold, Folded, FoldedPiece, Inputs, Places, Sources, path_bytes, path_of,
    read_in_order,
};

/// A file whose texts are read in order.
pub(crate) struct PackedFile {
    pub(crate) file: Vec<u8>,
    pub(crate) settings_number: u32,
    read_settings: ReadSettings,
    stream: TextStream,
    /// The hashes of the members of the file, after it was read to its end.
    members: Option<HashSet<u64>>,
}

/// A text of the file, with its place.
struct PackedText {
    member: Vec<u8>,
    line: Option<u64>,
    text: Vec<u8>,
}

/// One pass over a file.
struct TextStream {
    receive: Receiver<Vec<PackedText>>,
    ready: vec::IntoIter<PackedText>,
    next: Option<PackedText>,
    /// The place of the last text that was read.
    last: Option<(Vec<u8>, Option<u64>)>,
    seen: HashSet<u64>,
    cancel: Cancel,
}

impl PackedFile {
    /// Starts reading a file.
    ///
    /// * `file`: the absolute path of the file.
    pub(crate) fn open(file: &[u8], settings_number: u32, read_settings: &ReadSettings) -> Result<Self> {
        let stream = TextStream::start(file, read_settings)?;
        Ok(Self { file: file.to_vec(), settings_number, read_settings: read_settings.clone(), stream, members: None })
    }

    /// The text at a place; `None` when the file has none there.
    pub(crate) fn find(&mut self, member: &[u8], line: Option<u64>) -> Result<Option<Vec<u8>>> {
        if self.members.as_ref().is_some_and(|members| !members.contains(&xxh3_64(member))) {
            return Ok(None);
        }
        loop {
            let is_whole = self.stream.last.is_none();
            match self.stream.find(member, line) {
                Passed::Text(text) => return Ok(Some(text)),
                Passed::Gone => return Ok(None),
                Passed::End if self.members.is_none() => self.members = Some(std::mem::take(&mut self.stream.seen)),
                Passed::End | Passed::Behind => {}
            }
            if is_whole {
                return Ok(None);
            }
            self.stream = TextStream::start(&self.file, &self.read_settings)?;
        }
    }
}

/// The outcome of a search in the rest of a file.
enum Passed {
    Text(Vec<u8>),
    /// The file no longer has a text at the place.
    Gone,
    /// The place is before the last text that was read.
    Behind,
    End,
}

impl TextStream {
    fn start(file: &[u8], read_settings: &ReadSettings) -> Result<Self> {
        let (send, receive) = mpsc::sync_channel(1);
        let cancel = Cancel::default();
        let (read_settings, path, its_cancel) = (read_settings.clone(), path_of(file).to_owned(), cancel.clone());
        // A file that cannot be read has no texts.
        let read = move || drop(read_file(&read_settings, path, its_cancel, &send));
        thread::Builder::new().spawn(read).map_err(Error::Thread)?;
        let ready = Vec::new().into_iter();
        Ok(Self { receive, ready, next: None, last: None, seen: HashSet::new(), cancel })
    }

    /// Reads the next text into `next`, unless it is there; returns `false` at the end of the file.
    fn look(&mut self) -> bool {
        while self.next.is_none() {
            self.next = self.ready.next();
            if self.next.is_none() {
                let Ok(more) = self.receive.recv() else { return false };
                self.ready = more.into_iter();
            }
        }
        true
    }

    fn find(&mut self, member: &[u8], line: Option<u64>) -> Passed {
        while self.look() {
            let next = self.next.as_ref().expect("it was looked for");
            if next.member == member {
                let is_behind = matches!(&self.last, Some((last, at)) if last == member && *at >= line);
                match next.line.cmp(&line) {
                    std::cmp::Ordering::Equal => {
                        let text = self.next.take().expect("it is there");
                        self.seen.insert(xxh3_64(&text.member));
                        self.last = Some((text.member, text.line));
                        return Passed::Text(text.text);
                    }
                    std::cmp::Ordering::Greater if is_behind => return Passed::Behind,
                    std::cmp::Ordering::Greater => return Passed::Gone,
                    std::cmp::Ordering::Less => {}
                }
            }
            let passed = self.next.take().expect("it is there");
            self.seen.insert(xxh3_64(&passed.member));
            self.last = Some((passed.member, passed.line));
        }
        Passed::End
    }
}

impl Drop for TextStream {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// Reads a file and sends its texts.
fn read_file(
    read_settings: &ReadSettings,
    path: PathBuf,
    cancel: Cancel,
    send: &SyncSender<Vec<PackedText>>,
) -> Result<()> {
    let given = path_bytes(&path).to_vec();
    let settings = read_settings.inputs(vec![path]);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(Error::ThreadPool)?;
    let sources = Sources::read_once(cancel);
    let mut places = Places::default();
    let mut pass_on = |piece: FoldedPiece<StoredBlockPart>| {
        places.enter(&piece, &sources);
        let texts = piece.folded.0.into_iter().map(|(name, text)| {
            let (name, line) = match name {
                Ok(name) => (name, None),
                Err(line) => (places.source_name().to_vec(), Some(places.line(line))),
            };
            let member = name.strip_prefix(given.as_slice()).map(<[u8]>::to_vec).unwrap_or_default();
            PackedText { member, line, text }
        });
        let texts = texts.collect();
        places.leave(piece.lines);
        send.send(texts).map_err(|_| Error::Cancelled)
    };
    let inputs = Inputs { settings: &settings, sets: read_settings.sets };
    read_in_order(inputs, &sources, &Unwatched, &pool, || KeepPlacedTexts, &mut pass_on)
}

/// The texts of a piece of a file, each with its name or its line in the piece.
#[derive(Default)]
struct StoredBlockPart(Vec<NamedPart>);

/// A text, with its name or otherwise its line in the piece.
type NamedPart = (Result<Vec<u8>, u64>, Vec<u8>);

impl Folded for StoredBlockPart {
    fn num_documents(&self) -> usize {
        self.0.len()
    }
}

struct KeepPlacedTexts;

impl Fold for KeepPlacedTexts {
    type Output = StoredBlockPart;

    fn add(&mut self, piece: &mut FoldedPiece<StoredBlockPart>, document: Document) -> Result<()> {
        let place = match document.name {
            DocumentName::Path(name) | DocumentName::Member(name) => Ok(name.to_vec()),
            DocumentName::Id(_, line) | DocumentName::Line(line) => Err(line),
        };
        // A copy needs no more memory than the text, and the buffer is used again.
        piece.folded.0.push((place, document.text.clone()));
        Ok(())
    }
}

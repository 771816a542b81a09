//! `read_texts`: reads the inputs as named texts in memory, for programs that process them further.

use crate::base::error::{Error, Result};
use crate::base::memory::Resources;
use crate::base::observe::Observer;
use crate::documents::input::{
    Cancel, Document, DocumentName, Fold, Folded, FoldedPiece, InputSettings, Inputs, Places, Sources, read_documents,
};

/// A document: its name and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedText {
    /// A path as given, an id, or `file:line`, with U+FFFD instead of bytes that are not UTF-8. Names may repeat.
    pub name: String,
    /// The decoded text, without any folding.
    pub text: String,
}

/// Reads all documents, in parallel; returns them in document order.
///
/// All texts are in memory at the same time. For corpora of any size there is
/// [`find_duplicates`](crate::search::find_duplicates).
///
/// * `observer`: receives the problems of inputs that are not documents.
///
/// # Errors
/// When the inputs cannot be read at all, or, with [`InputSettings::strict`], at the first input that cannot be read.
pub fn read_texts(input: &InputSettings, resources: Resources, observer: &dyn Observer) -> Result<Vec<NamedText>> {
    input.check()?;
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(resources.threads.get()).build().map_err(Error::ThreadPool)?;
    let sources = Sources::new(Cancel::default());
    let inputs = Inputs { settings: input, sets: false };
    let (pieces, _) = read_documents(inputs, &sources, observer, &pool, || KeepTexts)?;
    let mut places = Places::default();
    let mut texts = Vec::new();
    for piece in pieces {
        places.enter(&piece, &sources);
        for problem in piece.problems.into_iter().filter_map(|(_, problem)| places.problem(problem)) {
            if input.strict && problem.is_error {
                return Err(Error::Strict(problem.ending_the_run()));
            }
            observer.problem(&problem);
        }
        texts.extend(piece.folded.0.into_iter().map(|(name, text)| {
            let name = name.unwrap_or_else(|line| places.place(line));
            let text = String::from_utf8(text).expect("what is decoded is UTF-8");
            NamedText { name: String::from_utf8_lossy(&name).into_owned(), text }
        }));
        places.leave(piece.lines);
    }
    Ok(texts)
}

/// The documents of a piece.
#[derive(Default)]
struct Texts(Vec<KeptText>);

/// The name of a document, or its line in the piece if it has no name, and its text.
type KeptText = (Result<Vec<u8>, u64>, Vec<u8>);

impl Folded for Texts {
    fn num_documents(&self) -> usize {
        self.0.len()
    }
}

struct KeepTexts;

impl Fold for KeepTexts {
    type Output = Texts;

    fn add(&mut self, piece: &mut FoldedPiece<Texts>, document: Document) -> Result<()> {
        let name = match document.name {
            DocumentName::Path(name) | DocumentName::Member(name) | DocumentName::Id(name, _) => Ok(name.to_vec()),
            DocumentName::Line(line) => Err(line),
        };
        // A copy needs no more memory than the text, and the buffer is used again.
        piece.folded.0.push((name, document.text.clone()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::observe::Unwatched;

    #[test]
    fn files_records_and_members_come_in_document_order_under_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
        write("a.txt", b"  one\xEF\xBB\xBF ");
        write("b.jsonl", b"{\"text\":\"two\"}\n{\"id\":\"x\",\"text\":\"three\"}\n");
        write("c.bin", b"\0");
        write("d.txt", b"four");
        let read = |threads: usize| {
            let resources = Resources { threads: threads.try_into().unwrap(), ..Resources::with_memory_bytes(1 << 24) };
            read_texts(&InputSettings::of(vec![folder.path().into()]), resources, &Unwatched).unwrap()
        };
        let texts = read(1);
        let place = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        let expected = [
            (place("a.txt"), "  one\u{FEFF} "),
            (place("b.jsonl:1"), "two"),
            ("x".to_owned(), "three"),
            (place("d.txt"), "four"),
        ];
        assert_eq!(texts, expected.map(|(name, text)| NamedText { name, text: text.to_owned() }));
        assert_eq!(read(4), texts);
    }
}

//! `DocumentLocation`: the source, offset and length that are needed to read a document again.

use super::markup::Markup;
use super::offsets_of::OffsetsOf;
use crate::base::error::Result;
use crate::base::memory::reserve_exact;

/// The place from which a document can be read again. 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DocumentLocation {
    pub(crate) offset: u64,
    pub(crate) len: u32,
    pub(crate) source: u32,
}

/// How the spool stores a document that cannot be read twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) form: KeptForm,
    /// Which bytes the offsets in the document count.
    pub(crate) of: OffsetsOf,
}

/// The form in which the spool stores a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeptForm {
    /// The document's text.
    Text,
    /// The document's text with HTML markup, which is stripped when the text is read.
    Page,
    /// The document's original bytes, which are decoded when they are read.
    Bytes(Markup),
}

const FORMS: [KeptForm; 6] = [
    KeptForm::Text,
    KeptForm::Page,
    KeptForm::Bytes(Markup::None),
    KeptForm::Bytes(Markup::Html),
    KeptForm::Bytes(Markup::Markdown),
    KeptForm::Bytes(Markup::Latex),
];

impl DocumentLocation {
    /// The source number of a document that is a whole file; its path is the document's name.
    pub(crate) const FILE: u32 = u32::MAX;
    /// The length of a document that is its whole source.
    pub(crate) const WHOLE: u32 = u32::MAX;
    /// Source numbers from this one up to `FILE` mean the spool; the number encodes how the document is stored.
    pub(crate) const SPOOL: u32 = Self::FILE - (FORMS.len() * OffsetsOf::ALL.len()) as u32;

    /// The place of a document that is a file.
    pub(crate) fn file() -> Self {
        Self { offset: 0, len: Self::WHOLE, source: Self::FILE }
    }

    /// The place of a document in the spool.
    pub(crate) fn kept(offset: u64, len: u32, kept: Kept) -> Self {
        let ways = || OffsetsOf::ALL.into_iter().flat_map(|of| FORMS.map(|form| Kept { form, of }));
        let way = ways().position(|way| way == kept).expect("every way has a number");
        Self { offset, len, source: Self::SPOOL + way as u32 }
    }

    /// How the spool stores the document; `None` when the document is read from its source.
    pub(crate) fn how_kept(self) -> Option<Kept> {
        let way = self.source.checked_sub(Self::SPOOL).filter(|_| self.source != Self::FILE)? as usize;
        Some(Kept { form: FORMS[way % FORMS.len()], of: OffsetsOf::ALL[way / FORMS.len()] })
    }

    /// Which bytes the offsets in the document count.
    pub(crate) fn offsets_of(self) -> OffsetsOf {
        match self.how_kept() {
            Some(kept) => kept.of,
            None if self.source == Self::FILE => OffsetsOf::File,
            None => OffsetsOf::Field,
        }
    }
}

/// The place of each document of a list. Uses no memory as long as every document is a file.
#[derive(Debug, Default)]
pub(crate) struct LocatedList {
    list: Vec<DocumentLocation>,
}

impl LocatedList {
    /// Adds a document.
    ///
    /// * `number`: the number of documents before it.
    /// * `room`: the number of documents to reserve memory for once places are stored.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub(crate) fn push(&mut self, number: usize, located: DocumentLocation, room: usize) -> Result<()> {
        if located != DocumentLocation::file() || !self.list.is_empty() {
            let more = room.max(number + 1) - self.list.len();
            reserve_exact(&mut self.list, more, "the table of documents")?;
            self.list.resize(number, DocumentLocation::file());
            self.list.push(located);
        }
        Ok(())
    }

    /// The place of a document of the list.
    pub(crate) fn get(&self, number: usize) -> DocumentLocation {
        self.list.get(number).copied().unwrap_or(DocumentLocation::file())
    }

    /// Frees unused capacity.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.list.shrink_to_fit();
    }

    pub(crate) fn num_bytes(&self) -> usize {
        size_of_val(self.list.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_tells_how_its_document_is_kept() {
        for of in OffsetsOf::ALL {
            for form in FORMS {
                let located = DocumentLocation::kept(7, 9, Kept { form, of });
                assert_eq!((located.how_kept(), located.offsets_of()), (Some(Kept { form, of }), of));
            }
        }
        assert_eq!(
            (DocumentLocation::file().how_kept(), DocumentLocation::file().offsets_of()),
            (None, OffsetsOf::File)
        );
        let record = DocumentLocation { offset: 0, len: 1, source: DocumentLocation::SPOOL - 1 };
        assert_eq!((record.how_kept(), record.offsets_of()), (None, OffsetsOf::Field));
    }

    #[test]
    fn a_list_has_each_place_and_takes_none_for_files() {
        let record = |number: u32| DocumentLocation { offset: number.into(), len: 1, source: number };
        let mut list = LocatedList::default();
        for number in 0..5 {
            list.push(number, DocumentLocation::file(), 8).unwrap();
        }
        assert_eq!((list.num_bytes(), list.get(3)), (0, DocumentLocation::file()));
        let places: Vec<DocumentLocation> =
            (5..20).map(|number| if number % 3 == 0 { DocumentLocation::file() } else { record(number) }).collect();
        for (number, &place) in (5..).zip(&places) {
            list.push(number, place, 8).unwrap();
        }
        assert!((0..5).all(|number| list.get(number) == DocumentLocation::file()));
        assert!((5..).zip(&places).all(|(number, &place)| list.get(number) == place));
        assert_eq!(list.num_bytes(), 20 * 16);
    }
}

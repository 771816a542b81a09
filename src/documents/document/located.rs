//! `DocumentLocation`: the source, offset and length that are needed to read a document again.

use super::markup::Markup;
use super::offsets_of::OffsetsOf;
use crate::base::error::Result;
use crate::base::flat::packed_numbers::PackedNumbers;
use crate::base::memory::{asking_for_table, no_room};

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

const FORMS: [KeptForm; 2 + Markup::ALL.len()] = {
    let mut forms = [KeptForm::Text; 2 + Markup::ALL.len()];
    forms[1] = KeptForm::Page;
    let mut number = 0;
    while number < Markup::ALL.len() {
        forms[2 + number] = KeptForm::Bytes(Markup::ALL[number]);
        number += 1;
    }
    forms
};

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
        let kinds = || OffsetsOf::ALL.into_iter().flat_map(|of| FORMS.map(|form| Kept { form, of }));
        let kind = kinds().position(|kind| kind == kept).expect("every kind has a number");
        Self { offset, len, source: Self::SPOOL + kind as u32 }
    }

    /// How the spool stores the document; `None` when the document is read from its source.
    pub(crate) fn how_kept(self) -> Option<Kept> {
        let kind = self.source.checked_sub(Self::SPOOL).filter(|_| self.source != Self::FILE)? as usize;
        Some(Kept { form: FORMS[kind % FORMS.len()], of: OffsetsOf::ALL[kind / FORMS.len()] })
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

/// The place of each document of a list, packed. Uses no memory as long as every document is a file.
#[derive(Debug, Default)]
pub(crate) struct LocatedList {
    offsets: PackedNumbers,
    lens: PackedNumbers,
    sources: PackedNumbers,
}

/// The name of this memory in the message of a failed allocation.
const TABLE: &str = "the table of documents";

impl LocatedList {
    /// Adds a document.
    ///
    /// * `number`: the number of documents before it.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub(crate) fn push(&mut self, number: usize, located: DocumentLocation) -> Result<()> {
        if located != DocumentLocation::file() || self.lens.len() > 0 {
            while self.lens.len() < number {
                self.push_last(DocumentLocation::file())?;
            }
            self.push_last(located)?;
        }
        Ok(())
    }

    fn push_last(&mut self, DocumentLocation { offset, len, source }: DocumentLocation) -> Result<()> {
        let packed = asking_for_table(|| {
            self.offsets.push(offset)?;
            self.lens.push(len.into())?;
            self.sources.push(source.into())
        });
        packed.map_err(|len| no_room::<u64>(len, TABLE))
    }

    /// The place of a document of the list.
    pub(crate) fn get(&self, number: usize) -> DocumentLocation {
        if number >= self.lens.len() {
            return DocumentLocation::file();
        }
        let (len, source) = (self.lens.get(number) as u32, self.sources.get(number) as u32);
        DocumentLocation { offset: self.offsets.get(number), len, source }
    }

    /// Frees unused capacity.
    pub(crate) fn shrink_to_fit(&mut self) {
        let Self { offsets, lens, sources } = self;
        [offsets, lens, sources].into_iter().for_each(PackedNumbers::shrink_to_fit);
    }

    pub(crate) fn num_bytes(&self) -> usize {
        let Self { offsets, lens, sources } = self;
        [offsets, lens, sources].map(PackedNumbers::num_bytes).into_iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_has_the_form_of_its_kept_document() {
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
            list.push(number, DocumentLocation::file()).unwrap();
        }
        assert_eq!((list.num_bytes(), list.get(3)), (0, DocumentLocation::file()));
        let places: Vec<DocumentLocation> =
            (5..20).map(|number| if number % 3 == 0 { DocumentLocation::file() } else { record(number) }).collect();
        for (number, &place) in (5..).zip(&places) {
            list.push(number, place).unwrap();
        }
        assert!((0..5).all(|number| list.get(number) == DocumentLocation::file()));
        assert!((5..).zip(&places).all(|(number, &place)| list.get(number) == place));
        assert!(list.num_bytes() > 0);
    }
}

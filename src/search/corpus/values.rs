//! `read_values`: reads one field of records whose places are known. It reads all inputs, but normalises and signs no
//! text.

use super::stage_settings::StageSettings;
use crate::base::error::Result;
use crate::base::observe::Unwatched;
use crate::documents::document::{DocId, Documents, FieldValue, Place};
use crate::documents::input::{
    Cancel, Document, DocumentName, Fold, Folded, FoldedPiece, Places, Sources, read_documents,
};

/// Sets the value of [`InputSettings::value_field`](crate::documents::InputSettings::value_field) for each document. A value needs
/// 24 bytes, and 32 more while the inputs are read. Records that do not belong to the documents are skipped.
///
/// Returns the first document that was not found in its place.
///
/// # Errors
/// When the inputs cannot be read.
///
/// # Panics
/// When the documents have no origins.
pub(crate) fn read_values(
    settings: StageSettings,
    cancel: &Cancel,
    pool: &rayon::ThreadPool,
    documents: &mut Documents,
) -> Result<Option<DocId>> {
    let (values, missing) = read_field(settings, cancel, pool, documents)?;
    values.into_iter().try_for_each(|value| documents.push_value(value))?;
    Ok(missing)
}

/// Reads the value of [`InputSettings::value_field`](crate::documents::InputSettings::value_field) for each document.
///
/// Also returns the first document that was not found in its place.
///
/// # Errors
/// When the inputs cannot be read.
///
/// # Panics
/// When the documents have no origins.
pub(crate) fn read_field(
    settings: StageSettings,
    cancel: &Cancel,
    pool: &rayon::ThreadPool,
    documents: &Documents,
) -> Result<(Vec<FieldValue>, Option<DocId>)> {
    let sources = Sources::new(cancel.clone());
    let (pieces, _) = read_documents(settings.inputs(), &sources, &Unwatched, pool, || KeepValues)?;
    let (mut places, mut values) = (Places::default(), vec![FieldValue::default(); documents.len()]);
    // A file, or a whole member of an archive, has no field.
    let place_of = |document: usize| {
        let origin = documents.origin(DocId::new(document)).expect("these have origins");
        origin.place.map(|(Place::Line(place) | Place::Row(place))| (origin.file, place))
    };
    let mut records = (0..documents.len()).filter_map(|document| Some((document, place_of(document)?))).peekable();
    for piece in pieces {
        places.enter(&piece, &sources);
        for (line, value) in piece.folded.0 {
            let is_it = |&(_, place): &(usize, (&[u8], u64))| place == (places.source_name(), places.line(line));
            if let Some((document, _)) = records.next_if(is_it) {
                values[document] = value;
            }
        }
        places.leave(piece.lines);
    }
    let missing = records.next().map(|(document, _)| DocId::new(document));
    Ok((values, missing))
}

/// Reads all inputs to collect the modification times of archive members in the settings.
///
/// # Errors
/// When the inputs cannot be read.
pub(crate) fn read_member_times(settings: StageSettings, cancel: &Cancel, pool: &rayon::ThreadPool) -> Result<()> {
    let sources = Sources::new(cancel.clone());
    read_documents(settings.inputs(), &sources, &Unwatched, pool, || PassOver).map(drop)
}

struct PassOver;

impl Fold for PassOver {
    type Output = ();

    fn add(&mut self, _: &mut FoldedPiece<()>, _: Document) -> Result<()> {
        Ok(())
    }
}

/// The records of a piece: the line of each, counted from the start of the piece, and its value.
#[derive(Default)]
struct Values(Vec<(u64, FieldValue)>);

impl Folded for Values {
    fn num_documents(&self) -> usize {
        self.0.len()
    }
}

struct KeepValues;

impl Fold for KeepValues {
    type Output = Values;

    fn add(&mut self, piece: &mut FoldedPiece<Values>, document: Document) -> Result<()> {
        if let DocumentName::Id(_, line) | DocumentName::Line(line) = document.name {
            piece.folded.0.push((line, document.group.map(FieldValue::new).unwrap_or_default()));
        }
        Ok(())
    }
}

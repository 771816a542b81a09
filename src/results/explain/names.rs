//! `find`: finds the documents, or the skipped inputs, with two given names.

use crate::base::error::{Error, Result};
use crate::base::problem::{Problem, Reason};
use crate::documents::document::{DocId, Documents, Place};
use crate::search::corpus::Listed;

/// The input that a name belongs to.
pub(super) enum NamedInput<'a> {
    Document(DocId),
    /// An input that was skipped.
    Skipped {
        problem: &'a Problem,
        /// The index of its name among the two names, 0 or 1.
        side: usize,
    },
}

impl NamedInput<'_> {
    /// The document; `None` for a skipped input.
    pub(super) fn document(&self) -> Option<DocId> {
        match *self {
            Self::Document(id) => Some(id),
            Self::Skipped { .. } => None,
        }
    }
}

/// Finds the inputs with two names. If both sides of a comparison have a document with a name, the first name means the
/// document of the first side, and the second name the document of the second side.
///
/// # Errors
/// When a name matches no input, or several documents.
pub(super) fn find<'a>(documents: &Documents, list: &'a [Listed], names: [&[u8]; 2]) -> Result<[NamedInput<'a>; 2]> {
    Ok([named(documents, list, names[0], 0)?, named(documents, list, names[1], 1)?])
}

/// Finds the input with a name.
///
/// # Errors
/// When the name matches no input, or several documents.
pub(super) fn find_one<'a>(documents: &Documents, list: &'a [Listed], name: &[u8]) -> Result<NamedInput<'a>> {
    named(documents, list, name, 0)
}

/// * `side`: the index of the name among the two names.
fn named<'a>(documents: &Documents, list: &'a [Listed], name: &[u8], side: usize) -> Result<NamedInput<'a>> {
    if let Some(id) = document(documents, name, side)? {
        return Ok(NamedInput::Document(id));
    }
    let lossy = String::from_utf8_lossy(name);
    let skipped = list.iter().find_map(|listed| match listed {
        Listed::Skipped(problem) if problem.place == lossy && problem.reason != Reason::Missing => Some(problem),
        _ => None,
    });
    let longer = || {
        let names = (0..documents.len()).map(|number| documents.name(DocId::new(number)));
        let mut below = names.filter(|other| other.strip_suffix(name).is_some_and(|folder| folder.ends_with(b"/")));
        below.next().map(|name| String::from_utf8_lossy(name).into_owned())
    };
    skipped
        .map(|problem| NamedInput::Skipped { problem, side })
        .ok_or_else(|| Error::NoSuchDocument { name: lossy.clone().into_owned(), longer: longer() })
}

/// The document with this name, at this place, or the only document in the file with this name.
fn document(documents: &Documents, name: &[u8], side: usize) -> Result<Option<DocId>> {
    let all = || (0..documents.len()).map(DocId::new);
    let named: Vec<DocId> = all().filter(|&id| documents.name(id) == name).collect();
    if let Some(&id) = named.get(side).or(named.first()) {
        return Ok(Some(id));
    }
    let is_place = |id: &DocId| {
        let Some((file, number)) = place(name) else { return false };
        let origin = documents.origin(*id).expect("places are kept");
        let at = match origin.place {
            Some(Place::Line(line)) => line,
            Some(Place::Row(row)) => row,
            None => return false,
        };
        origin.file == file && at == number
    };
    let placed: Vec<DocId> = all().filter(is_place).collect();
    if let Some(&id) = placed.get(side).or(placed.first()) {
        return Ok(Some(id));
    }
    let is_in = |id: &DocId| {
        let file = documents.origin(*id).expect("places are kept").file;
        file.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"!"))
    };
    let inside: Vec<DocId> = all().filter(is_in).collect();
    match inside[..] {
        [] => Ok(None),
        [id] => Ok(Some(id)),
        [first, ..] => Err(Error::SeveralDocuments {
            name: String::from_utf8_lossy(name).into_owned(),
            documents: inside.len() as u64,
            first: String::from_utf8_lossy(documents.name(first)).into_owned(),
        }),
    }
}

/// The file and the number in `file:number`.
fn place(name: &[u8]) -> Option<(&[u8], u64)> {
    let colon = name.iter().rposition(|&byte| byte == b':')?;
    let number = std::str::from_utf8(&name[colon + 1..]).ok()?;
    Some((&name[..colon], number.parse().ok()?))
}

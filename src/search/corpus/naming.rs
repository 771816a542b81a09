//! `Naming`: gives each document a name that no earlier document has.
//!
//! A file is named by its path, and a record by its id or, without an id, by its place (`file:line`). If that name is
//! taken, a record is named by its place, a member of an archive gets a number, and a file gets another spelling of its
//! path. Each replacement is reported.

use std::borrow::Cow;

use super::names::{Names, TakenBy};
use super::piece_rows::RowName;
use super::report::Report;
use crate::base::error::Result;
use crate::base::problem::{Problem, Reason};
use crate::documents::input::{PieceProblem, Places, numbered};

/// Names documents, in document order.
pub(super) struct Naming {
    pub(super) names: Names,
    pub(super) places: Places,
    /// Whether the documents of the current piece are stored in an index.
    pub(super) is_stored: bool,
}

impl Naming {
    pub(super) fn new(names: Names) -> Self {
        Self { names, places: Places::default(), is_stored: false }
    }

    /// The document's name. Unless the name is its place, it is split off the front of `names`.
    pub(super) fn name<'n>(
        &mut self,
        name: &RowName,
        names: &mut &'n [u8],
        report: &mut Report,
    ) -> Result<Cow<'n, [u8]>> {
        let (len, line) = match *name {
            RowName::Line { line } => return self.free_place(line, report).map(Cow::from),
            RowName::Path { len } | RowName::Member { len } => (len, None),
            RowName::Id { len, line } => (len, Some(line)),
        };
        let given = names.split_off(..len).expect("a piece holds its names");
        if self.names.all_differ {
            return Ok(given.into());
        }
        let claims_place =
            self.names.is_place(given) && line.is_none_or(|line| self.places.place(line).as_slice() != given);
        let taken = match line {
            _ if claims_place => Some(TakenBy::Own),
            Some(_) => self.names.take_for_record(given, self.places.source())?,
            None => self.names.take_for_file(given)?,
        };
        let Some(taken_by) = taken else { return Ok(given.into()) };
        report.summary.ids_of_other_files += u64::from(matches!(taken_by, TakenBy::Source(_)));
        // An old version of a document may have its id.
        let is_error = taken_by != TakenBy::New;
        let shown = String::from_utf8_lossy(given);
        // A record of an index has no file in which a person would look up its line.
        let Some(line) = line.filter(|_| !self.is_stored) else {
            let is_member = self.is_stored || matches!(name, RowName::Member { .. });
            let fault = match is_member {
                _ if claims_place => "this path reads as the place of a record",
                true => "this name was there before",
                false => "this path is the id of a record before",
            };
            let other = if is_member { self.next_number(given)? } else { self.other_spelling(given)? };
            let detail =
                format!("{fault}; compared as {}", crate::base::shown::shown(&String::from_utf8_lossy(&other)));
            // Archives may contain several members with the same name, so that is not an error.
            let problem = Problem::error(shown, Reason::RepeatedId, detail);
            report.report_problem(Problem { is_error: is_error && !is_member, ..problem })?;
            return Ok(other.into());
        };
        let place = self.free_place(line, report)?;
        let fault = if claims_place { "is the place of a record" } else { "is a duplicate" };
        let detail = format!("the id {shown:?} {fault}; compared under this name");
        let problem = Problem::error(String::from_utf8_lossy(&place), Reason::RepeatedId, detail);
        report.report_problem(Problem { is_error, ..problem })?;
        Ok(place.into())
    }

    /// Reports a problem of the current piece.
    ///
    /// # Errors
    /// When the run is strict and it is an error.
    pub(super) fn report_problem(&mut self, problem: PieceProblem, report: &mut Report) -> Result<()> {
        self.places.problem(problem).map_or(Ok(()), |problem| report.report_problem(problem))
    }

    /// The place of a record, or another name if an earlier document has this place as its name. That is possible only
    /// where documents are named while they are read.
    fn free_place(&mut self, line: u64, report: &mut Report) -> Result<Vec<u8>> {
        let place = self.places.place(line);
        if !self.names.is_taken_place(&place)? {
            return Ok(place);
        }
        let other = self.next_number(&place)?;
        let other_shown = crate::base::shown::shown(&String::from_utf8_lossy(&other));
        let detail = format!("this place is the id of a record before; compared as {other_shown}");
        report.report_problem(Problem::error(String::from_utf8_lossy(&place), Reason::RepeatedId, detail))?;
        Ok(other)
    }

    /// A name with a number that makes it unique.
    fn next_number(&mut self, name: &[u8]) -> Result<Vec<u8>> {
        let mut count = 2;
        loop {
            let other = numbered(name, count);
            if self.names.is_new(&other)? {
                return Ok(other);
            }
            count += 1;
        }
    }

    /// Another path to the same file that no document has as its name yet.
    fn other_spelling(&mut self, path: &[u8]) -> Result<Vec<u8>> {
        let mut other = path.to_vec();
        loop {
            let prefix: &[u8] = if other.starts_with(b"/") { b"/." } else { b"./" };
            other.splice(0..0, prefix.iter().copied());
            if self.names.is_new(&other)? {
                return Ok(other);
            }
        }
    }
}

//! The assembly: parts become documents, in document order, which is when lines get their numbers and names are made unique.

use std::borrow::Cow;

use super::names::Names;
use super::part::{Part, PartProblem, RowName, Sizes};
use crate::document::{DocId, Documents};
use crate::error::{Error, Problem, Reason, Result};
use crate::input::Sources;
use crate::pipeline::{Observer, Summary};

/// Puts the parts together, in document order.
pub(super) struct Assembly<'a> {
    documents: Documents,
    names: Names,
    strict: bool,
    sources: &'a Sources,
    observer: &'a dyn Observer,
    summary: &'a mut Summary,
    list: Option<&'a mut Vec<Listed>>,
}

/// A document, or an input that is none, in document order.
pub(in crate::pipeline) enum Listed {
    Document(DocId, Sizes),
    Skipped(Problem),
}

impl<'a> Assembly<'a> {
    /// Puts all parts together; returns the documents, and the bytes that it took to keep names apart.
    pub(super) fn documents(
        parts: Vec<Part>,
        strict: bool,
        sources: &'a Sources,
        observer: &'a dyn Observer,
        summary: &'a mut Summary,
        list: Option<&'a mut Vec<Listed>>,
    ) -> Result<(Documents, usize)> {
        let num_documents = parts.iter().map(|part| part.rows.len()).sum();
        let mut assembly = Self {
            documents: Documents::with_capacity(num_documents),
            names: Names::new(&parts, sources),
            strict,
            sources,
            observer,
            summary,
            list,
        };
        parts.into_iter().try_for_each(|part| assembly.add(part))?;
        let name_bytes = assembly.names.num_bytes();
        Ok((assembly.finish()?, name_bytes))
    }
}

impl Assembly<'_> {
    fn add(&mut self, part: Part) -> Result<()> {
        self.names.enter(part.lines, self.sources);
        self.summary.bytes += part.num_bytes;
        self.summary.short += part.short;
        let mut names = part.names.as_slice();
        let mut problems = part.problems.into_iter().peekable();
        let mut sizes = part.sizes.into_iter();
        for (number, row) in part.rows.into_iter().enumerate() {
            while let Some((_, problem)) = problems.next_if(|&(before, _)| before == number) {
                self.tell_of_part(problem)?;
            }
            if self.documents.len() == DocId::LIMIT {
                return Err(Error::TooManyDocuments);
            }
            let name = self.name(&row.name(), &mut names)?;
            self.summary.empty += u64::from(row.num_shingles == 0);
            let document = self.documents.push(&name, row.content(), row.num_shingles, row.located);
            if let (Some(list), Some(sizes)) = (&mut self.list, sizes.next()) {
                list.push(Listed::Document(document, sizes));
            }
        }
        problems.try_for_each(|(_, problem)| self.tell_of_part(problem))?;
        self.names.leave(part.lines);
        Ok(())
    }

    fn tell_of_part(&mut self, problem: PartProblem) -> Result<()> {
        match problem {
            PartProblem::Named(problem) => self.tell(problem),
            PartProblem::Record { line, reason, detail, is_error } => {
                let place = self.names.place(line);
                let problem = Problem::error(String::from_utf8_lossy(&place), reason, detail);
                self.tell(Problem { is_error, ..problem })
            }
        }
    }

    /// The document's name; takes it off the part's names unless the place is the name.
    fn name<'n>(&mut self, name: &RowName, names: &mut &'n [u8]) -> Result<Cow<'n, [u8]>> {
        let (len, line) = match *name {
            RowName::Line { line } => return Ok(self.names.place(line).into()),
            RowName::Path { len } | RowName::Member { len } => (len, None),
            RowName::Id { len, line } => (len, Some(line)),
        };
        let given = names.split_off(..len).expect("a part holds its names");
        if self.names.all_differ {
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
                RowName::Member { .. } => "this name was there before",
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

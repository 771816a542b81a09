//! The assembly: parts become documents, in document order, which is when lines get their numbers and names are made unique.

use std::borrow::Cow;

use super::absent::AbsentBySource;
use super::grouping::Grouping;
use super::names::Names;
use super::part::{Part, PartProblem, RowName};
use super::report::{Listed, Report};
use crate::config::Config;
use crate::document::{DocId, Documents};
use crate::error::{Error, Problem, Reason, Result};
use crate::input::{Sources, Walked, numbered};
use crate::memory::reserve;
use crate::origin::Origins;
use crate::pipeline::Summary;
use crate::pipeline::summary::{Side, Sides};
use crate::scope::Scope;

/// Puts the parts together, in document order.
pub(super) struct Assembly<'a> {
    documents: Documents,
    names: Names,
    grouping: Option<Grouping<'a>>,
    /// Where documents come from, when that is asked for.
    origins: Option<Origins>,
    absent: AbsentBySource,
    sources: &'a Sources,
    report: Report<'a>,
}

impl<'a> Assembly<'a> {
    /// Puts all parts together; returns the documents, and the bytes that it took to keep names apart.
    pub(super) fn documents(
        mut parts: Vec<Part>,
        config: &'a Config,
        walked: &'a Walked,
        sources: &'a Sources,
        report: Report<'a>,
    ) -> Result<(Documents, usize)> {
        let mut absent = AbsentBySource::default();
        for part in &mut parts {
            if let Some(((source, _), fields)) = part.lines.zip(part.absent.take()) {
                absent.add(source, fields);
            }
        }
        let num_documents = parts.iter().map(|part| part.rows.len()).sum();
        let mut assembly = Self {
            documents: Documents::with_capacity(num_documents)?,
            names: Names::new(&parts, sources)?,
            grouping: Grouping::new(config, walked),
            origins: config.with_source.then(|| Origins::with_capacity(num_documents)).transpose()?,
            absent,
            sources,
            report,
        };
        let is_comparison = config.input.against.is_some();
        let mut side_a = None;
        let mut name_bytes = 0;
        for part in parts {
            if is_comparison && side_a.is_none() && part.number >= walked.against {
                side_a = Some(assembly.end_side());
                name_bytes = assembly.names.num_bytes();
                assembly.names.forget();
                assembly.report.begin_against();
            }
            assembly.add(part)?;
        }
        let side_a = is_comparison.then(|| side_a.unwrap_or_else(|| assembly.end_side()));
        name_bytes = name_bytes.max(assembly.names.num_bytes());
        name_bytes += assembly.grouping.as_ref().map_or(0, Grouping::num_bytes);
        Ok((assembly.finish(side_a)?, name_bytes))
    }
}

impl Assembly<'_> {
    fn add(&mut self, part: Part) -> Result<()> {
        if let Some(source) = self.names.enter(part.lines, self.sources) {
            let note = self.absent.take_note(source, self.sources);
            note.map_or(Ok(()), |note| self.report.tell(note))?;
            if let Some(origins) = &mut self.origins {
                origins.begin_file(&self.names.source_name, self.sources.has_rows(source));
            }
        }
        self.report.summary.bytes += part.num_bytes;
        self.report.summary.short += part.short;
        let emptied = part.removed.emptied;
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
            let (row_name, given) = (row.name(), names);
            let name = self.name(&row_name, &mut names)?;
            if let Some(origins) = &mut self.origins {
                match row_name {
                    RowName::Path { len } | RowName::Member { len } => {
                        origins.push_file(Some(&given[..len]).filter(|given| **given != *name));
                    }
                    RowName::Id { line, .. } | RowName::Line { line } => origins.push_record(self.names.line(line)),
                }
            }
            if let Some(grouping) = &mut self.grouping {
                let file = match row_name {
                    RowName::Path { len } | RowName::Member { len } => &given[..len],
                    RowName::Id { .. } | RowName::Line { .. } => self.names.source_name.as_slice(),
                };
                let field = part.fields.get(number).copied().flatten();
                grouping.add(part.number, &name, file, field)?;
            }
            self.report.summary.empty += u64::from(row.num_shingles == 0);
            let document = self.documents.push(&name, row.content(), row.num_shingles, row.located)?;
            if let (Some(list), Some(sizes)) = (&mut self.report.list, sizes.next()) {
                reserve(list, 1, "documents")?;
                list.push(Listed::Document(document, sizes));
            }
        }
        // What is empty is so by itself.
        self.report.summary.empty -= emptied;
        problems.try_for_each(|(_, problem)| self.tell_of_part(problem))?;
        self.names.leave(part.lines);
        Ok(())
    }

    fn tell_of_part(&mut self, problem: PartProblem) -> Result<()> {
        match problem {
            PartProblem::Named(problem) => self.report.tell(problem),
            PartProblem::Record { line, reason, detail, is_error } => {
                let place = self.names.place(line);
                let problem = Problem::error(String::from_utf8_lossy(&place), reason, &*detail);
                self.report.tell(Problem { is_error, ..problem })
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
        let taken = match line {
            _ if claims_place => Some(false),
            Some(_) => self.names.take_for_record(given)?,
            None => (!self.names.is_new(given)?).then_some(false),
        };
        let Some(is_of_other_file) = taken else { return Ok(given.into()) };
        self.report.summary.ids_of_other_files += u64::from(is_of_other_file);
        let shown = String::from_utf8_lossy(given);
        let Some(line) = line else {
            let fault = match name {
                _ if claims_place => "this path reads as the place of a record",
                RowName::Member { .. } => "this name was there before",
                _ => "this path is the id of a record before",
            };
            let is_member = matches!(name, RowName::Member { .. });
            let other = if is_member { self.next_number(given)? } else { self.other_spelling(given)? };
            let detail = format!("{fault}; compared as {}", crate::shown::shown(&String::from_utf8_lossy(&other)));
            // What has a name of its own within its archive is no fault.
            let problem = Problem::error(shown, Reason::RepeatedId, detail);
            self.report.tell(Problem { is_error: !is_member, ..problem })?;
            return Ok(other.into());
        };
        let place = self.names.place(line);
        let fault = if claims_place { "is the place of a record" } else { "was used before" };
        let detail = format!("the id {shown:?} {fault}; compared under this name");
        self.report.tell(Problem::error(String::from_utf8_lossy(&place), Reason::RepeatedId, detail))?;
        Ok(place.into())
    }

    /// The name of a member, numbered so that it is free.
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

    /// A path to the same file whose name is free.
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

    /// The numbers of all documents so far.
    fn end_side(&self) -> Side {
        let Summary { bytes, empty, short, .. } = *self.report.summary;
        Side { documents: self.documents.len() as u64, bytes, empty, short, ..Side::default() }
    }

    fn finish(mut self, side_a: Option<Side>) -> Result<Documents> {
        self.documents.set_origins(self.origins.take());
        let against = side_a.map(|side| side.documents as usize);
        let groups = self.grouping.take().map(|grouping| {
            self.report.summary.groups = Some(grouping.summary());
            grouping.into_groups()
        });
        self.documents.group_copies(Scope::new(self.documents.len(), against, groups))?;
        self.report.summary.documents = self.documents.len() as u64;
        self.report.summary.sides = side_a.map(|a| Sides { a, b: self.report.summary.all_but(&a) });
        self.report.summary.count_copies(&self.documents);
        Ok(self.documents)
    }
}

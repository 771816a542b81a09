//! `Assembly`: joins the documents of all pieces of the inputs into one table, in document order.
//!
//! Records get their line numbers here, and repeated names are replaced, since both depend on all earlier documents.

use super::grouping::Grouping;
use super::names::Names;
use super::naming::Naming;
use super::piece_documents::PieceDocuments;
use super::piece_rows::RowName;
use super::programs::CodeSummary;
use super::report::{Listed, Report};
use super::stage_settings::StageSettings;
use super::summary::{ReadSummary, Side, Sides};
use crate::base::error::{Error, Result};
use crate::base::memory::give_back_freed;
use crate::documents::document::{DocId, Documents, Origins, Scope};
use crate::documents::input::{AbsentBySource, Against, ByName, FoldedPiece, Sources, Walked, path_bytes};

/// The number of documents after which the freed memory of their pieces is returned to the system, some ten megabytes
/// each time. Without it, a million small files needed 379 MB at the peak.
const GIVE_BACK_EVERY: usize = 1 << 17;

/// The documents of all pieces, joined.
pub(super) struct Assembled {
    pub(super) documents: Documents,
    /// The list of documents; empty unless one is requested.
    pub(super) list: Vec<Listed>,
    pub(super) summary: ReadSummary,
    /// The bytes of the hashes and groups that the assembly needed.
    pub(super) name_bytes: usize,
}

/// Joins the pieces, in document order.
pub(super) struct Assembly<'a> {
    documents: Documents,
    naming: Naming,
    grouping: Option<Grouping<'a>>,
    /// The origins of the documents, if they are requested.
    origins: Option<Origins>,
    /// The offsets of the records of web crawls.
    offsets: ByName<u64>,
    /// Whether some documents are not compared with one another, where there are sides.
    compares_sides: bool,
    /// Whether the documents of the second side are old.
    has_old: bool,
    /// Whether the value of a field is kept for each document.
    keeps_values: bool,
    /// Whether the language of each document is kept.
    of_programs: bool,
    absent: AbsentBySource,
    walked: &'a Walked,
    sources: &'a Sources,
    report: Report<'a>,
}

impl<'a> Assembly<'a> {
    /// Joins all pieces.
    ///
    /// # Errors
    /// When memory is too small for the documents, or the run is strict and there is an error.
    pub(super) fn assemble(
        mut pieces: Vec<FoldedPiece<PieceDocuments>>,
        settings: StageSettings<'a>,
        walked: &'a Walked,
        sources: &'a Sources,
        report: Report<'a>,
    ) -> Result<Assembled> {
        let absent = AbsentBySource::take(&mut pieces);
        let num_documents = pieces.iter().map(|piece| piece.folded.rows.len()).sum();
        let name_bytes = pieces.iter().map(|piece| piece.folded.names.len()).sum();
        let mut assembly = Self {
            documents: Documents::with_capacity(num_documents, name_bytes)?,
            naming: Naming::new(Names::new(&pieces, sources)?),
            grouping: Grouping::new(settings.input, walked),
            offsets: settings.input.record_offsets.clone(),
            origins: settings.input.with_source.then(|| Origins::with_capacity(num_documents)).transpose()?,
            compares_sides: settings.input.against.as_ref().is_some_and(Against::limits_pairs),
            has_old: settings.input.against.as_ref().is_some_and(Against::is_old),
            keeps_values: settings.keeps_values(),
            of_programs: settings.shingles.of_programs(),
            absent,
            walked,
            sources,
            report,
        };
        assembly.report.summary.code = assembly.of_programs.then(CodeSummary::default);
        let is_comparison = settings.input.against.is_some();
        let mut side_a = None;
        let mut name_bytes = 0;
        let mut give_back_at = GIVE_BACK_EVERY;
        for piece in pieces {
            if is_comparison && side_a.is_none() && piece.number >= walked.against {
                side_a = Some(assembly.end_side());
                name_bytes = assembly.naming.names.num_bytes();
                if assembly.has_old {
                    assembly.naming.names.begin_old();
                } else {
                    assembly.naming.names.forget();
                }
                assembly.report.begin_against();
            }
            assembly.add(piece)?;
            if assembly.documents.len() >= give_back_at {
                give_back_freed();
                give_back_at = assembly.documents.len() + GIVE_BACK_EVERY;
            }
        }
        give_back_freed();
        let side_a = is_comparison.then(|| side_a.unwrap_or_else(|| assembly.end_side()));
        name_bytes = name_bytes.max(assembly.naming.names.num_bytes());
        name_bytes += assembly.grouping.as_ref().map_or(0, Grouping::num_bytes);
        assembly.finish(side_a, name_bytes)
    }
}

impl Assembly<'_> {
    fn add(&mut self, piece: FoldedPiece<PieceDocuments>) -> Result<()> {
        let index = self.walked.index(piece.number);
        self.naming.is_stored = index.is_some();
        if let Some(origins) = &mut self.origins {
            origins.in_index(index.map(path_bytes));
        }
        if let Some(source) = self.naming.places.enter(&piece, self.sources) {
            let note = self.absent.take_note(source, self.sources);
            note.map_or(Ok(()), |note| self.report.report_problem(note))?;
            if let Some(origins) = &mut self.origins {
                origins.begin_file(self.naming.places.source_name(), self.sources.has_rows(source));
            }
        }
        let folded = piece.folded;
        self.report.summary.bytes += folded.num_bytes;
        self.report.summary.short += folded.short;
        if let Some(code) = &mut self.report.summary.code {
            code.append(&folded.code);
        }
        let emptied = folded.removed.emptied;
        let mut names = folded.names.as_slice();
        let mut problems = piece.problems.into_iter().peekable();
        let mut sizes = folded.sizes.into_iter();
        for (number, row) in folded.rows.iter().enumerate() {
            while let Some((_, problem)) = problems.next_if(|&(before, _)| before == number) {
                self.naming.report_problem(problem, &mut self.report)?;
            }
            if self.documents.len() == DocId::LIMIT {
                return Err(Error::TooManyDocuments);
            }
            let (row_name, given) = (row.name, names);
            let name = self.naming.name(&row_name, &mut names, &mut self.report)?;
            if let Some(origins) = &mut self.origins {
                match row_name {
                    RowName::Path { len } | RowName::Member { len } => {
                        let given = &given[..len];
                        origins.push_file(Some(given).filter(|given| **given != *name), self.offsets.of(given));
                    }
                    RowName::Id { line, .. } | RowName::Line { line } => {
                        origins.push_record(self.naming.places.line(line))
                    }
                }
            }
            if let Some(grouping) = &mut self.grouping {
                let file = match row_name {
                    RowName::Path { len } | RowName::Member { len } => &given[..len],
                    RowName::Id { .. } | RowName::Line { .. } => self.naming.places.source_name(),
                };
                let field = folded.fields.get(number).copied().flatten();
                let field = field.map(|hash| (hash, folded.group_names.get(&hash).map(|value| &**value)));
                grouping.add(piece.number, &name, file, field)?;
            }
            self.report.summary.empty += u64::from(row.num_shingles == 0);
            let document = self.documents.push(&name, row.content, row.num_shingles, folded.located.get(number))?;
            if self.keeps_values {
                self.documents.push_value(folded.values.get(number).copied().unwrap_or_default())?;
            }
            if self.of_programs {
                self.documents.push_syntax(row.syntax)?;
            }
            sizes.next().map_or(Ok(()), |sizes| self.report.list(document, sizes))?;
        }
        // Documents that removal emptied are not counted as empty.
        self.report.summary.empty -= emptied;
        problems.try_for_each(|(_, problem)| self.naming.report_problem(problem, &mut self.report))?;
        self.naming.places.leave(piece.lines);
        Ok(())
    }

    /// The counts of all documents so far, when these are the documents of the first side.
    fn end_side(&self) -> Side {
        let ReadSummary { bytes, empty, short, .. } = self.report.summary;
        Side { documents: self.documents.len() as u64, bytes, empty, short, ..Side::default() }
    }

    fn finish(mut self, side_a: Option<Side>, name_bytes: usize) -> Result<Assembled> {
        self.documents.set_origins(self.origins.take());
        let against = side_a.map(|side| side.documents as usize).filter(|_| self.compares_sides);
        // The documents of another corpus are not compared with each other where both corpora count as one.
        let settled_from = side_a.map(|side| side.documents as usize).filter(|_| !self.compares_sides);
        let groups = self.grouping.take().map(|grouping| {
            self.report.summary.groups = Some(grouping.summary());
            grouping.into_groups()
        });
        let scope = match against {
            Some(num_new) if self.has_old => Scope::with_old(self.documents.len(), num_new, groups),
            _ => Scope::new(self.documents.len(), against, groups).with_settled_from(settled_from),
        };
        self.documents.group_copies(scope)?;
        let Report { mut summary, list, .. } = self.report;
        summary.documents = self.documents.len() as u64;
        summary.sides = side_a.map(|a| Sides { a, b: summary.all_but(&a), old: self.has_old });
        summary.count_copies(&self.documents);
        Ok(Assembled { documents: self.documents, list, summary, name_bytes })
    }
}

//! `GroupPrinter`: prints groups of documents as lines and reports.

use std::io;

use dedup_scan::compare::ClusterSort;
use dedup_scan::records::{ClusterRecord, LabelRecord};
use dedup_scan::results::SavedDocuments;
use dedup_scan::results::report::ReportTotals;
use dedup_scan::search::FoundClusters;
use dedup_scan::unique::KeptOrder;
use dedup_scan::{DocId, Documents};
use serde::Serialize;

use super::destination::GatheredLines;
use super::printed_search::Printer;
use super::publication::{Printed, Publication};
use super::views::Views;
use crate::cli::messages::{Failure, Result};

/// The groups that are printed, and their order.
pub(super) struct ShownGroups {
    pub(super) sort: ClusterSort,
    /// The maximum number of groups.
    pub(super) top: usize,
    /// Whether the group of each document is printed instead of the groups.
    pub(super) labels: bool,
    /// Whether documents without a duplicate are printed too, as groups of one.
    pub(super) singletons: bool,
}

/// Prints the groups of a run or of a saved result.
pub(super) struct GroupPrinter<'a> {
    publication: Publication<'a>,
    shown: ShownGroups,
    /// Whether lines are printed; `false` when a report replaces them.
    prints_lines: bool,
    lines: GatheredLines,
    /// The number of groups of several documents.
    num_groups: u64,
}

impl<'a> GroupPrinter<'a> {
    pub(super) fn new(publication: Publication<'a>, shown: ShownGroups) -> Self {
        let prints_lines = !publication.reports.take_output(&publication.output);
        Self { publication, shown, prints_lines, lines: GatheredLines::default(), num_groups: 0 }
    }

    /// Whether any report shows texts.
    pub(super) fn shows_texts(&self) -> bool {
        self.publication.reports.show_texts()
    }

    /// Prints groups, or the group of each document.
    ///
    /// * `keep`: the rule that chose the representatives.
    pub(super) fn print(&mut self, documents: &Documents, found: &FoundClusters, keep: &KeptOrder) -> io::Result<()> {
        self.num_groups = found.clusters.len() as u64;
        if self.shown.labels {
            self.print_labels(documents, found)?;
        } else {
            self.print_groups(documents, found, keep)?;
        }
        self.lines.write(&mut self.publication.output)
    }

    fn print_groups(&mut self, documents: &Documents, found: &FoundClusters, keep: &KeptOrder) -> io::Result<()> {
        let clusters = &found.clusters;
        for (at, number) in clusters.sorted(self.shown.sort, &found.least).into_iter().enumerate() {
            let group = clusters.group(number);
            self.publication.reports.count_group(group.members.len() as u64);
            if at >= self.shown.top {
                continue;
            }
            let least = found.least[number].zip(found.is_loose(number));
            let record =
                ClusterRecord::new(documents, number, &group, found.linkage, least, found.coverages_of(number));
            self.push_group(&match keep.has_times() {
                true => record.with_times(group.members.iter().map(|&member| keep.time_of(member))),
                false => record,
            })?;
        }
        if self.shown.singletons { self.print_singletons(documents, found) } else { Ok(()) }
    }

    /// Prints the documents without a duplicate, which are numbered after the groups.
    fn print_singletons(&mut self, documents: &Documents, found: &FoundClusters) -> io::Result<()> {
        let num_groups = found.clusters.len();
        let left = self.shown.top.saturating_sub(num_groups);
        for (at, document) in alone(documents, found).enumerate() {
            self.publication.reports.count_group(1);
            if at < left {
                self.push_group(&ClusterRecord::alone(documents, num_groups + at, document))?;
            }
        }
        Ok(())
    }

    /// Prints the number of the group of each document; each document without a duplicate has a separate number, and empty
    /// documents have none.
    fn print_labels(&mut self, documents: &Documents, found: &FoundClusters) -> io::Result<()> {
        let mut next_alone = found.clusters.len()..;
        for document in (0..documents.len()).map(DocId::new) {
            let own = || if documents.is_compared(document) { next_alone.next() } else { None };
            let group = found.clusters.group_of(document).or_else(own);
            self.push(&LabelRecord::new(documents, document, group))?;
        }
        Ok(())
    }

    /// Writes a group to the reports and, if lines are printed, as a line.
    fn push_group(&mut self, group: &ClusterRecord) -> io::Result<()> {
        let Publication { output, reports, .. } = &mut self.publication;
        if !reports.is_empty() {
            reports.group(group, output)?;
        }
        if self.prints_lines { self.push(group) } else { Ok(()) }
    }

    fn push(&mut self, record: &impl Serialize) -> io::Result<()> {
        self.lines.push(record, &mut self.publication.output)
    }
}

/// The compared documents without a duplicate.
fn alone<'d>(documents: &'d Documents, found: &'d FoundClusters) -> impl Iterator<Item = DocId> + 'd {
    let is_alone =
        move |&document: &DocId| found.clusters.group_of(document).is_none() && documents.is_compared(document);
    (0..documents.len()).map(DocId::new).filter(is_alone)
}

impl<'a> Printer<'a> for GroupPrinter<'a> {
    fn finish(mut self, _: &SavedDocuments, totals: ReportTotals, views: &Views<'_>) -> Result<Printed<'a>> {
        let Publication { output, reports, .. } = &mut self.publication;
        if let Err(error) = reports.end(totals, views, output) {
            return Err(self.failure(Failure::output(error)));
        }
        Ok(Printed {
            on_terminal: self.prints_lines && self.num_groups > 0 && self.publication.output.is_terminal(),
            publication: self.publication,
            gate: None,
            num_printed: self.num_groups,
            what: String::new(),
        })
    }

    fn failure(mut self, failure: Failure) -> Failure {
        self.publication.failure(failure)
    }
}

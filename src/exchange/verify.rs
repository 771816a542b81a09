//! `verify_rows`: reads rows of documents in groups, or rows of pairs, and writes the pairs that reach the threshold.

use std::collections::HashSet;
use std::io::{BufRead, Write};

use xxhash_rust::xxh3::xxh3_128;

use super::columns::{ColumnKind, RowColumn, RowFormat};
use super::group::RowGroup;
use super::pair::{PairNumbers, RowPair, RowPairs};
use super::params::RowParams;
use super::row_writer::RowWriter;
use super::rows::RowReader;
use super::verified_rows::{VERIFIED, VerifiedRows};
use crate::base::error::{Error, Result};
use crate::search::corpus::TextSigner;
use crate::search::run::Settings;

const OF_GROUP: &[RowColumn] = &[
    RowColumn { name: "group", kind: ColumnKind::Name },
    RowColumn { name: "ord", kind: ColumnKind::Order },
    RowColumn { name: "id", kind: ColumnKind::Name },
    RowColumn { name: "text", kind: ColumnKind::Text },
];
const OF_GROUP_WITH_COPIES: &[RowColumn] =
    &[OF_GROUP[0], OF_GROUP[1], OF_GROUP[2], OF_GROUP[3], RowColumn { name: "copy_of", kind: ColumnKind::Order }];
const OF_PAIR: &[RowColumn] = &[
    RowColumn { name: "a", kind: ColumnKind::Name },
    RowColumn { name: "b", kind: ColumnKind::Name },
    RowColumn { name: "ord_a", kind: ColumnKind::Order },
    RowColumn { name: "ord_b", kind: ColumnKind::Order },
    RowColumn { name: "text_a", kind: ColumnKind::Text },
    RowColumn { name: "text_b", kind: ColumnKind::Text },
];
const OF_COPY: &[RowColumn] = &[
    RowColumn { name: "a", kind: ColumnKind::Name },
    RowColumn { name: "b", kind: ColumnKind::Name },
    RowColumn { name: "ord_a", kind: ColumnKind::Order },
    RowColumn { name: "ord_b", kind: ColumnKind::Order },
    RowColumn { name: "shingles", kind: ColumnKind::Count },
];

/// The content of an input row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerifyBy {
    /// A document of a group: group, ord, id, text. The rows of a group are consecutive, and ascend by the bytes of
    /// ord, then of id. All candidates of a group are verified.
    Group,
    /// Like `Group`, with a fifth column copy_of: if it is not empty, it is the id of an earlier document in the group
    /// with the same text, and text is empty.
    GroupWithCopies,
    /// A pair: a, b, ord_a, ord_b, text_a, text_b. It is verified, whether or not it is a candidate.
    Pair,
    /// Two documents with the same text: a, b, ord_a, ord_b, and the number of shingles of the text. Nothing is
    /// compared.
    Copy,
}

/// Verifies pairs and writes those that reach the threshold, each with the line that `dedup scan --collapse-exact`
/// prints for it.
///
/// A row has a, b, ord_a, ord_b and the line. The pairs of a group are written in document order. When each group
/// consists of whole components of the bucket graph, the rows of all groups are the pairs of a run over all documents:
/// band keys are computed again inside a group, so that its candidates are the candidates of the run. The texts of a
/// group use a quarter of the memory limit, and an unlinked file beyond it. The tables of its documents are not part of
/// the limit, as in a run.
///
/// * `ends`: whether to write a row after each group, or after all rows of pairs, with the numbers of rows and pairs:
///   group, nothing, rows, pairs, nothing.
///
/// # Errors
/// When a row cannot be used, read or written, or a setting needs more than rows have. Rows that were written before
/// remain.
pub fn verify_rows(
    settings: &Settings,
    format: RowFormat,
    by: VerifyBy,
    ends: bool,
    input: &mut (dyn BufRead + Send),
    output: &mut (dyn Write + Send),
) -> Result<()> {
    RowParams::of(settings)?;
    let rows = VerifiedRows::new(format, ends, RowWriter::new(output, format, VERIFIED)?);
    settings.thread_pool()?.install(|| match by {
        VerifyBy::Group => verify_groups(settings, RowReader::new(input, format, OF_GROUP), rows),
        VerifyBy::GroupWithCopies => verify_groups(settings, RowReader::new(input, format, OF_GROUP_WITH_COPIES), rows),
        VerifyBy::Pair => verify_pairs(settings, RowReader::new(input, format, OF_PAIR), rows),
        VerifyBy::Copy => write_copies(settings, RowReader::new(input, format, OF_COPY), rows),
    })
}

fn check_cancelled(settings: &Settings) -> Result<()> {
    if settings.cancel.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
}

fn verify_groups(settings: &Settings, mut reader: RowReader, mut rows: VerifiedRows) -> Result<()> {
    const MOST_DOCUMENTS: usize = crate::documents::document::DocId::LIMIT;
    let mut signer = TextSigner::new(settings.corpus());
    let mut group: Option<RowGroup> = None;
    // The names of the groups that have ended.
    let mut past = HashSet::new();
    while reader.read()? {
        check_cancelled(settings)?;
        if let Some(ended) = group.take_if(|group| group.name != reader.field(0)) {
            past.insert(xxh3_128(&ended.name));
            ended.verify(settings.corpus(), settings.pairs, &mut rows)?;
        }
        let of_row = group.get_or_insert_with(|| RowGroup::new(reader.field(0), settings.corpus()));
        if of_row.len() == 0 && past.contains(&xxh3_128(&of_row.name)) {
            return Err(reader.fault("its group ended before; sort the rows by group, ord and id"));
        }
        if of_row.last().is_some_and(|last| last >= (reader.field(1), reader.field(2))) {
            return Err(reader.fault("it is out of order; sort by group, then by the bytes of ord and id"));
        }
        if of_row.len() == MOST_DOCUMENTS {
            return Err(reader.fault("its group has more documents than a run; make smaller groups"));
        }
        if reader.num_columns() > OF_GROUP.len() && !reader.field(4).is_empty() {
            let [order, id, of] = [1, 2, 4].map(|column| reader.field(column));
            if !reader.field(3).is_empty() || !of_row.push_copy(order, id, of, settings.banding.bands())? {
                return Err(
                    reader.fault("it is a copy with a text of its own, or its original is not earlier in the group")
                );
            }
            continue;
        }
        let mut text = std::mem::take(reader.field_mut(3));
        let fits = of_row.push(reader.field(1), reader.field(2), &mut text, &mut signer)?;
        *reader.field_mut(3) = text;
        if !fits {
            return Err(reader.fault("its text has 4 GiB or more; cut it"));
        }
    }
    if let Some(group) = group {
        group.verify(settings.corpus(), settings.pairs, &mut rows)?;
    }
    rows.finish()
}

fn verify_pairs(settings: &Settings, mut reader: RowReader, mut rows: VerifiedRows) -> Result<()> {
    let mut pairs = RowPairs::new(settings.corpus(), settings.pairs.threshold);
    let mut num_rows = 0;
    while reader.read()? {
        check_cancelled(settings)?;
        let pair = pair_of(&reader)?;
        pairs.verify(&pair, [reader.field(4), reader.field(5)], &mut rows)?;
        num_rows += 1;
    }
    rows.end_group(None, num_rows)?;
    rows.finish()
}

fn write_copies(settings: &Settings, mut reader: RowReader, mut rows: VerifiedRows) -> Result<()> {
    let num_hashes = settings.banding.num_hashes();
    let mut num_rows = 0;
    while reader.read()? {
        check_cancelled(settings)?;
        let pair = pair_of(&reader)?;
        let shared = reader.count(4);
        if shared == 0 {
            return Err(reader.fault("a text without shingles has no copies; omit the row"));
        }
        let numbers = PairNumbers { shared, sizes: [shared; 2], equal_values: num_hashes as u32 };
        pair.write(numbers, num_hashes, &mut rows)?;
        num_rows += 1;
    }
    rows.end_group(None, num_rows)?;
    rows.finish()
}

/// The names and orders of the pair in the current row.
fn pair_of<'r>(reader: &'r RowReader) -> Result<RowPair<'r>> {
    let field = |column| reader.field(column);
    let pair = RowPair { names: [field(0), field(1)], orders: [field(2), field(3)] };
    if pair.is_ordered() {
        Ok(pair)
    } else {
        Err(reader.fault("a is not before b by the bytes of their orders, then of their names; swap them"))
    }
}

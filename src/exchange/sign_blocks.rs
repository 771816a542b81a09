//! `sign_blocks`: reads rows of order, id and text, and writes a row for each. After each batch of some ten thousand
//! texts it also writes a row for each part of the keys, with a block of all keys in that part.

use std::io::{BufRead, Write};
use std::num::NonZeroU32;

use xxhash_rust::xxh3::xxh3_64;

use super::columns::{ColumnKind, FieldColumn, FieldKind, RowColumn, RowField, RowFormat};
use super::key_blocks::{KeyBlocks, node_of};
use super::params::RowParams;
use super::row_writer::RowWriter;
use super::rows::RowReader;
use crate::base::error::{Error, Result};
use crate::search::corpus::TextSigner;
use crate::search::run::Settings;

const COLUMNS: &[RowColumn] = &[
    RowColumn { name: "ord", kind: ColumnKind::Order },
    RowColumn { name: "id", kind: ColumnKind::Name },
    RowColumn { name: "text", kind: ColumnKind::Text },
];
const BLOCKED: &[FieldColumn] = &[
    FieldColumn { name: "ord", kind: FieldKind::Text },
    FieldColumn { name: "id", kind: FieldKind::Text },
    FieldColumn { name: "bytes", kind: FieldKind::Number },
    FieldColumn { name: "text_hash", kind: FieldKind::Bytes },
    FieldColumn { name: "node", kind: FieldKind::Number },
    FieldColumn { name: "part", kind: FieldKind::Number },
    FieldColumn { name: "block", kind: FieldKind::Bytes },
];
const ORDER: usize = 0;
const ID: usize = 1;
const TEXT: usize = 2;

/// Signs row by row as [`sign_rows`](super::sign_rows) does, but writes keys in blocks, from which
/// [`cluster_edges`](super::cluster_edges) finds components.
///
/// Rows have ord, id, bytes, text_hash, node, part and block. In the row of a document, part and block are empty;
/// text_hash and node are empty too when its text has no shingles. The row of a block has only part and block.
///
/// The last row has the number of document rows as bytes and the number of block rows as part, so that a job can check
/// that no row was lost. `bytes` is the length of the original text, and `node` is a number that represents the text:
/// 48 bits of its hash. Rows with the same part belong together. Memory is about 100 MB and one row, or in Arrow one
/// batch.
///
/// * `num_parts`: the number of parts that keys are split into.
///
/// # Errors
/// When a row cannot be used, read or written, or a setting needs more than a row. Rows that were written before
/// remain.
///
/// # Panics
/// With JSON Lines, which cannot contain bytes.
pub fn sign_blocks(
    settings: &Settings,
    format: RowFormat,
    num_parts: NonZeroU32,
    input: &mut dyn BufRead,
    output: &mut (dyn Write + Send),
) -> Result<()> {
    assert!(format != RowFormat::JsonLines, "JSON Lines have no bytes");
    RowParams::of(settings)?;
    let mut signer = TextSigner::new(settings.corpus());
    let mut reader = RowReader::new(input, format, COLUMNS);
    let mut writer = RowWriter::new(output, format, BLOCKED)?;
    let mut blocks = KeyBlocks::new(num_parts.get());
    let (mut num_documents, mut num_blocks) = (0, 0);
    while reader.read()? {
        if settings.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        // Characters that at least one format cannot write.
        if reader.field(ORDER).iter().any(|&byte| byte < b' ') {
            return Err(reader.fault("its order has a control character; use numbers or words"));
        }
        if reader.field(ID).iter().any(|byte| b"\t\n\r".contains(byte)) {
            return Err(reader.fault("its id has a tab or a line end; use ids of one line"));
        }
        let mut text = std::mem::take(reader.field_mut(TEXT));
        let (id, num_bytes) = (reader.field(ID), text.len());
        let signed = signer.sign(id, &mut text)?;
        let text_hash = signed.map(|signed| signed.content.to_be_bytes());
        let node = signed.map(|signed| node_of(signed.content));
        blocks.push_document(xxh3_64(id));
        if let Some(node) = node {
            blocks.push_text(node, signer.keys());
        }
        writer.push(&[
            RowField::Text(reader.field(ORDER)),
            RowField::Text(id),
            RowField::Number(num_bytes as i64),
            text_hash.as_ref().map_or(RowField::Nothing, |hash| RowField::Bytes(hash)),
            node.map_or(RowField::Nothing, |node| RowField::Number(node as i64)),
            RowField::Nothing,
            RowField::Nothing,
        ])?;
        num_documents += 1;
        // The row keeps its buffer.
        *reader.field_mut(TEXT) = text;
        if blocks.is_full() {
            num_blocks += write_blocks(&mut blocks, &mut writer)?;
        }
    }
    num_blocks += write_blocks(&mut blocks, &mut writer)?;
    let (nothing, [documents, blocks]) = (RowField::Nothing, [num_documents, num_blocks].map(RowField::Number));
    writer.push(&[NO_TEXT, NO_TEXT, documents, nothing, nothing, blocks, nothing])?;
    writer.finish()
}

/// An empty string, which engines distinguish from null.
const NO_TEXT: RowField = RowField::Text(b"");

/// Writes the blocks so far; returns their number.
fn write_blocks(blocks: &mut KeyBlocks, writer: &mut RowWriter) -> Result<i64> {
    let mut num_blocks = 0;
    blocks.finish(|part, block| {
        num_blocks += 1;
        let (nothing, part) = (RowField::Nothing, RowField::Number(part.into()));
        writer.push(&[NO_TEXT, NO_TEXT, nothing, nothing, nothing, part, RowField::Bytes(&block)])
    })?;
    Ok(num_blocks)
}

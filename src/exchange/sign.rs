//! `sign_rows`: reads rows of id and text, and writes a row with the signature for each, in the same order.

use std::borrow::Cow;
use std::io::{BufRead, Write};

use super::columns::{ColumnKind, FieldColumn, FieldKind, RowColumn, RowField, RowFormat};
use super::params::RowParams;
use super::row_writer::RowWriter;
use super::rows::RowReader;
use crate::base::error::{Error, Result};
use crate::records::{Name, SignatureRecord};
use crate::search::corpus::TextSigner;
use crate::search::run::Settings;

const COLUMNS: &[RowColumn] =
    &[RowColumn { name: "id", kind: ColumnKind::Name }, RowColumn { name: "text", kind: ColumnKind::Text }];
const SIGNED: &[FieldColumn] = &[
    FieldColumn { name: "id", kind: FieldKind::Text },
    FieldColumn { name: "shingles", kind: FieldKind::Number },
    FieldColumn { name: "text_hash", kind: FieldKind::Text },
    FieldColumn { name: "keys", kind: FieldKind::Numbers },
    FieldColumn { name: "signature", kind: FieldKind::Numbers },
];
const ID: usize = 0;
const TEXT: usize = 1;

/// Signs row by row on the calling thread, as [`sign_documents`](crate::search::sign_documents) signs documents.
///
/// A row of TSV has the id, the number of distinct shingles, `xxh3_128` of the normalised text in 32 hexadecimal
/// digits, and the band keys as signed 64-bit numbers separated by commas; with `values` also the signature. A text
/// without shingles has an empty hash and no keys. JSON Lines contain [`SignatureRecord`]s. Arrow has lists of keys and
/// values, and null instead of an empty hash. Repeated ids are not detected. Only one row is in memory, and in Arrow
/// one batch.
///
/// # Errors
/// When a row cannot be used, read or written, or a setting needs more than a row. Rows that were written before
/// remain.
pub fn sign_rows(
    settings: &Settings,
    format: RowFormat,
    values: bool,
    input: &mut dyn BufRead,
    output: &mut (dyn Write + Send),
) -> Result<()> {
    RowParams::of(settings)?;
    let mut signer = TextSigner::new(settings.corpus());
    let mut reader = RowReader::new(input, format, COLUMNS);
    let num_fields = if values { SIGNED.len() } else { SIGNED.len() - 1 };
    let mut writer = RowWriter::new(output, format, &SIGNED[..num_fields])?;
    while reader.read()? {
        if settings.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let mut text = std::mem::take(reader.field_mut(TEXT));
        let id = reader.field(ID);
        let signed = signer.sign(id, &mut text)?;
        let shingles = signed.map_or(0, |signed| signer.num_distinct(&text, signed.num_shingles));
        let text_hash = signed.map(|signed| format!("{:032x}", signed.content));
        if format == RowFormat::JsonLines {
            writer.push_json(&SignatureRecord {
                id: Name::new(id),
                shingles,
                text_hash: text_hash.map(Cow::Owned),
                keys: Cow::Borrowed(signer.keys()),
                signature: values.then_some(Cow::Borrowed(signer.signature())),
            })?;
        } else {
            let fields = [
                RowField::Text(id),
                RowField::Number(shingles as i64),
                text_hash.as_ref().map_or(RowField::Nothing, |hash| RowField::Text(hash.as_bytes())),
                RowField::Keys(signer.keys()),
                RowField::Values(signer.signature()),
            ];
            writer.push(&fields[..num_fields])?;
        }
        // The row keeps its buffer.
        *reader.field_mut(TEXT) = text;
    }
    writer.finish()
}

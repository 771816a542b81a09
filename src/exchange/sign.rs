//! `sign_rows`: rows of an id and a text in; for each, in their order, a row of the signature out.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{BufRead, Write};

use super::params::RowParams;
use super::rows::{ColumnKind, RowColumn, RowFormat, RowReader, RowWriter};
use crate::corpus::TextSigner;
use crate::error::{Error, Result};
use crate::output::{Name, SignatureRecord};
use crate::run::Settings;

const COLUMNS: &[RowColumn] =
    &[RowColumn { name: "id", kind: ColumnKind::Name }, RowColumn { name: "text", kind: ColumnKind::Text }];
const ID: usize = 0;
const TEXT: usize = 1;

/// Signs row by row on the calling thread, as [`sign_documents`](crate::sign_documents) signs documents.
///
/// A row of TSV has id, distinct shingles, `xxh3_128` of the normalised text in 32 hexadecimal digits, and the band keys as signed
/// numbers of 64 bits between commas; with `values` also the signature. A text without shingles has an empty hash and no keys.
/// JSON Lines are of [`SignatureRecord`]. Rows of equal ids are not looked for. Memory is that of one row.
///
/// # Errors
/// When a row cannot be used, or read, or written, or the settings ask for more than a row. What was written before stands.
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
    let mut writer = RowWriter::new(output);
    let mut fields = TsvFields::default();
    while reader.read()? {
        if settings.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let mut text = std::mem::take(reader.field_mut(TEXT));
        let id = reader.field(ID);
        let signed = signer.sign(id, &mut text)?;
        let shingles = signed.map_or(0, |signed| signer.num_distinct(&text, signed.num_shingles));
        let text_hash = signed.map(|signed| format!("{:032x}", signed.content));
        match format {
            RowFormat::Tsv => {
                fields.set(shingles, signer.keys(), signer.signature());
                let hash = text_hash.unwrap_or_default();
                let row: [&[u8]; 5] =
                    [id, fields.size.as_bytes(), hash.as_bytes(), fields.keys.as_bytes(), fields.values.as_bytes()];
                writer.push_tsv(&row[..if values { 5 } else { 4 }])?;
            }
            RowFormat::JsonLines => writer.push_json(&SignatureRecord {
                id: Name::new(id),
                shingles,
                text_hash: text_hash.map(Cow::Owned),
                keys: Cow::Borrowed(signer.keys()),
                signature: values.then_some(Cow::Borrowed(signer.signature())),
            })?,
        }
        // The row keeps its room.
        *reader.field_mut(TEXT) = text;
    }
    writer.finish()
}

/// The fields of numbers, as text.
#[derive(Default)]
struct TsvFields {
    size: String,
    keys: String,
    values: String,
}

impl TsvFields {
    fn set(&mut self, size: u64, keys: &[u64], values: &[u32]) {
        [&mut self.size, &mut self.keys, &mut self.values].into_iter().for_each(String::clear);
        write!(self.size, "{size}").expect("a String takes every number");
        // Engines have signed numbers only.
        push_list(&mut self.keys, keys.iter().map(|&key| key as i64));
        push_list(&mut self.values, values.iter().map(|&value| value.into()));
    }
}

fn push_list(list: &mut String, numbers: impl Iterator<Item = i64>) {
    for (place, number) in numbers.enumerate() {
        let comma = if place == 0 { "" } else { "," };
        write!(list, "{comma}{number}").expect("a String takes every number");
    }
}

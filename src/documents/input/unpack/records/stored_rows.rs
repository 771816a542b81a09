//! `stored_rows`: reads a stream of CSV or TSV and passes on the fields of its rows, to be written in another format.

use std::io::{self, Read};
use std::path::Path;

use super::delimited::rows_of;
use crate::base::shown::counted;
use crate::documents::input::settings::Inputs;

/// Receives a row: its line, from 1, and its fields, each `None` when it is null.
pub(crate) type UseRow<'u> = &'u mut dyn FnMut(u64, &[Option<&[u8]>]) -> io::Result<()>;

/// Passes on the header and the rows of a table.
///
/// # Errors
/// When the table cannot be read, or a row is malformed, with its line and the fault; and the error that `pass`
/// returns.
pub(crate) fn stored_rows(inputs: Inputs, delimiter: u8, stream: &mut dyn Read, pass: UseRow) -> io::Result<()> {
    let table = rows_of(inputs, Path::new(""), stream, delimiter);
    let (mut rows, mut fields) = table.map_err(|problem| io::Error::other(problem.detail))?;
    let mut num_columns = None;
    while let Some(row) = rows.next()? {
        let line = row.line + 1;
        let at = |fault: String| io::Error::other(format!("line {line}: {fault}"));
        let bytes = row.bytes.map_err(|_| at("it is uncertain where the row ends".to_owned()))?;
        if !fields.split(bytes).map_err(|panicked| at(panicked.to_string()))? {
            continue;
        }
        let expected = *num_columns.get_or_insert(fields.len());
        if fields.len() != expected {
            return Err(at(format!("{} where the header has {expected}", counted(fields.len() as u64, "field"))));
        }
        let values: Vec<Option<&[u8]>> =
            (0..expected).map(|field| (!fields.is_null(field)).then(|| fields.get(field))).collect();
        pass(line, &values)?;
    }
    Ok(())
}

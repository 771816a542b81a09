//! Arrow IPC, as files and as streams, and Feather: reads the rows and passes them on as documents. The name of a row is its
//! id or its number.
//!
//! Data sets of Hugging Face are stored in this way. Only the columns that were requested are decoded.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufReader, Seek};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Schema};

use super::arrow_lengths::{FILE_MARK, readable};
use super::fields::{Fields, IdAndGroup, NULL_TEXT, listed};
use super::sets::{fields_to_lines, push_element_bytes};
use crate::base::problem::{Problem, Reason};
use crate::base::setting::Setting;
use crate::base::storage::read_at;
use crate::documents::input::messages::too_large;
use crate::documents::input::panic_guard::contain;
use crate::documents::input::unpack::batch_writer::BatchWriter;
use crate::documents::input::unpack::content::{Bytes, Content};

/// The first bytes of Feather before version 2, which is another format.
const FEATHER_1: &[u8] = b"FEA1";
/// The message about such a file.
const OLD_FEATHER: &str = "Feather version 1, which is not read; write it again with a current version of pyarrow or R";

/// The batches of a file.
type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>>>;

/// Reads rows and passes them on. A truncated file is read up to its last whole batch of rows.
pub(in crate::documents::input) fn read(out: &mut BatchWriter, content: Content, bytes: Bytes) {
    let Some(file) = out.seekable(content, bytes) else { return };
    let mut start = Vec::new();
    if read_at(&file, 0, FEATHER_1.len(), &mut start).is_ok() && start == FEATHER_1 {
        return out.problem(Problem::error(content.place(), Reason::Unreadable, OLD_FEATHER));
    }
    let (num_batches, fault) = match contain(|| readable(&file, &out.meter(), out.inputs().unpacked_bytes())) {
        Ok(Ok(readable)) => readable,
        Ok(Err(error)) => return out.damaged(content, &error, "skipped"),
        Err(panicked) => return out.damaged(content, &panicked, "skipped"),
    };
    // Opening a file reads its dictionaries.
    if num_batches == 0
        && let Some(fault) = fault
    {
        return out.damaged(content, &fault, "skipped");
    }
    let fields = Fields::new(out.inputs());
    let find = || {
        let (schema, _) = open(&file, None)?;
        Ok((ArrowColumns::find(&schema, &fields), fields.note_missing(content.place(), names(&schema))))
    };
    let (columns, missing) = match checked(find) {
        Ok((Ok(columns), missing)) => (columns, missing),
        Ok((Err(detail), _)) => return out.problem(Problem::error(content.place(), Reason::Malformed, detail)),
        Err(error) => return out.damaged(content, &error, "skipped"),
    };
    let note = columns.note.iter().cloned();
    let note = note.map(|detail| Problem::note(content.place(), Reason::MissingField, detail));
    note.chain(missing).for_each(|problem| out.problem(problem));
    let source = out.add_source(content);
    out.rows_of(Some(source));
    const REST: &str = "the rows before that are compared";
    let mut batches = match checked(|| open(&file, Some(columns.roots.clone()))) {
        Ok((_, batches)) => batches,
        Err(error) => return out.damaged(content, &error, REST),
    };
    let mut row = 0;
    for _ in 0..num_batches {
        if !out.is_open() {
            return;
        }
        let next = contain(|| batches.next()).unwrap_or_else(|panicked| Some(Err(inconsistent(&panicked))));
        let Some(batch) = next else { break };
        let passed = batch.and_then(|batch| {
            checked(|| columns.of_batch(&batch)).and_then(|found| pass_rows(out, &columns, &found, &batch, &mut row))
        });
        if let Err(error) = passed {
            return out.damaged(content, &error, REST);
        }
    }
    if let Some(fault) = fault {
        out.damaged(content, &fault, REST);
    }
}

/// Calls the library and turns a panic into an error.
fn checked<T>(call: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, ArrowError> {
    contain(call).map_err(|panicked| inconsistent(&panicked)).flatten()
}

fn inconsistent(panicked: &dyn std::fmt::Display) -> ArrowError {
    ArrowError::IpcError(panicked.to_string())
}

/// Opens a file of either form: its schema and its batches.
///
/// * `columns`: the numbers of the columns to read; `None` for all.
fn open(file: &File, columns: Option<Vec<usize>>) -> Result<(Arc<Schema>, Batches), ArrowError> {
    let mut start = Vec::new();
    read_at(file, 0, FILE_MARK.len(), &mut start)?;
    let mut reader = BufReader::new(file.try_clone()?);
    reader.rewind()?;
    if start == FILE_MARK {
        let reader = FileReader::try_new(reader, columns)?;
        return Ok((reader.schema(), Box::new(reader)));
    }
    let reader = StreamReader::try_new(reader, columns)?;
    Ok((reader.schema(), Box::new(reader)))
}

/// The columns that are read, each by its path of names.
struct ArrowColumns {
    id: Option<Vec<String>>,
    group: Option<Vec<String>>,
    texts: Vec<Vec<String>>,
    /// The numbers of the columns of the file that hold them.
    roots: Vec<usize>,
    note: Option<String>,
}

/// The columns of a batch.
struct BatchColumns {
    id: Option<ArrowValues>,
    group: Option<ArrowValues>,
    texts: Vec<ArrowValues>,
}

impl ArrowColumns {
    fn find(schema: &Schema, fields: &Fields) -> Result<Self, String> {
        fields.refuse_repeated(names(schema))?;
        let mut texts = Vec::new();
        for name in &fields.texts {
            let Some((path, kind)) = column_of(schema, name) else { continue };
            if !is_text(kind) {
                let what = if fields.sets { "strings, and lists of numbers," } else { "strings" };
                let is_element = fields.sets && element(kind).is_some_and(is_number);
                if !is_element {
                    return Err(format!(
                        "the column `{name}` has the type {kind}; only {what} are read as text; choose another with {}",
                        Setting::TextFields
                    ));
                }
            }
            texts.push(path);
        }
        if texts.is_empty() {
            return Err(format!("{} (there are: {})", fields.missing("the file"), listed(names(schema))));
        }
        let value = |name: &str, what: &str, setting: Setting| match column_of(schema, name) {
            Some((_, kind)) if !is_value(kind) => Err(format!(
                "the column `{name}` has the type {kind}, and {what} is one string or number; choose another with {setting}"
            )),
            found => Ok(found.map(|(path, _)| path)),
        };
        let IdAndGroup { id, group, note } = fields.id_and_group(value)?;
        let paths = texts.iter().chain(&id).chain(&group);
        let mut roots: Vec<usize> = paths.filter_map(|path| schema.index_of(&path[0]).ok()).collect();
        roots.sort_unstable();
        roots.dedup();
        Ok(Self { id, group, texts, roots, note })
    }

    fn of_batch(&self, batch: &RecordBatch) -> Result<BatchColumns, ArrowError> {
        let column = |path: &Vec<String>| ArrowValues::of(batch, path);
        Ok(BatchColumns {
            id: self.id.as_ref().map(column).transpose()?,
            group: self.group.as_ref().map(column).transpose()?,
            texts: self.texts.iter().map(column).collect::<Result<_, _>>()?,
        })
    }
}

/// The path of names and the type of the column with this name: a column of the file, or `a.b` for the field `b` of the
/// column `a`.
fn column_of<'s>(schema: &'s Schema, name: &str) -> Option<(Vec<String>, &'s DataType)> {
    if let Ok(field) = schema.field_with_name(name) {
        return Some((vec![name.to_owned()], field.data_type()));
    }
    let mut parts = name.split('.');
    let mut kind = schema.field_with_name(parts.next()?).ok()?.data_type();
    for part in parts {
        let DataType::Struct(fields) = kind else { return None };
        kind = fields.iter().find(|field| field.name() == part)?.data_type();
    }
    Some((name.split('.').map(str::to_owned).collect(), kind))
}

/// The names of all columns and of the fields inside them.
fn names(schema: &Schema) -> impl Iterator<Item = Cow<'static, str>> + Clone {
    let mut names = Vec::new();
    for field in schema.fields() {
        add_names(field.name(), field.data_type(), &mut names);
    }
    names.into_iter()
}

fn add_names(name: &str, kind: &DataType, names: &mut Vec<Cow<'static, str>>) {
    match kind {
        DataType::Struct(fields) => {
            fields.iter().for_each(|field| add_names(&format!("{name}.{}", field.name()), field.data_type(), names));
        }
        _ => names.push(name.to_owned().into()),
    }
}

fn element(kind: &DataType) -> Option<&DataType> {
    match kind {
        DataType::List(field) | DataType::LargeList(field) | DataType::FixedSizeList(field, _) => {
            Some(field.data_type())
        }
        _ => None,
    }
}

fn is_string(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_string(values),
        _ => false,
    }
}

/// Whether values of the type are texts: strings, lists of strings, or always null.
fn is_text(kind: &DataType) -> bool {
    is_string(kind) || kind == &DataType::Null || element(kind).is_some_and(is_string)
}

fn is_number(kind: &DataType) -> bool {
    (kind.is_integer() || kind.is_floating()) && kind != &DataType::Float16
}

fn is_value(kind: &DataType) -> bool {
    is_string(kind) || is_number(kind) || matches!(kind, DataType::Boolean | DataType::Null)
}

/// A column of a batch, whose values are read row by row.
struct ArrowValues {
    values: ArrayRef,
    /// For a dictionary, the number of the value of each row.
    keys: Option<Vec<usize>>,
    /// The columns around it, where a row may be null.
    outer: Vec<ArrayRef>,
}

impl ArrowValues {
    fn of(batch: &RecordBatch, path: &[String]) -> Result<Self, ArrowError> {
        let missing = || ArrowError::IpcError("a column is missing".to_owned());
        let mut values = Arc::clone(batch.column_by_name(&path[0]).ok_or_else(missing)?);
        let mut outer = Vec::new();
        for part in &path[1..] {
            let inner = values.as_struct_opt().and_then(|it| it.column_by_name(part)).ok_or_else(missing)?;
            let inner = Arc::clone(inner);
            outer.push(std::mem::replace(&mut values, inner));
        }
        Ok(Self::of_array(values, outer))
    }

    /// * `outer`: the columns around the values.
    fn of_array(mut values: ArrayRef, mut outer: Vec<ArrayRef>) -> Self {
        let Some(dictionary) = values.as_any_dictionary_opt() else { return Self { values, keys: None, outer } };
        let (keys, inner) = (dictionary.normalized_keys(), Arc::clone(dictionary.values()));
        outer.push(std::mem::replace(&mut values, inner));
        Self { values, keys: Some(keys), outer }
    }

    /// The texts of a row; `None` when it is null.
    fn texts(&self, row: usize) -> Option<Vec<Cow<'_, [u8]>>> {
        if self.outer.iter().any(|outer| outer.is_null(row)) {
            return None;
        }
        let row = self.keys.as_ref().map_or(row, |keys| keys[row]);
        if self.values.is_null(row) || self.values.data_type() == &DataType::Null {
            return None;
        }
        let list = match self.values.data_type() {
            DataType::List(_) => self.values.as_list::<i32>().value(row),
            DataType::LargeList(_) => self.values.as_list::<i64>().value(row),
            DataType::FixedSizeList(..) => self.values.as_fixed_size_list().value(row),
            _ => return Some(vec![value(&self.values, row)?]),
        };
        let num_elements = list.len();
        let list = Self::of_array(list, Vec::new());
        let element = |at| Some(list.value(at)?.into_owned().into());
        Some((0..num_elements).filter_map(element).collect())
    }

    /// The value of a row, for an id.
    fn value(&self, row: usize) -> Option<Cow<'_, [u8]>> {
        self.texts(row)?.pop()
    }
}

/// A string or number as text.
fn value(array: &ArrayRef, row: usize) -> Option<Cow<'_, [u8]>> {
    let number = |text: String| Some(Cow::Owned(text.into_bytes()));
    match array.data_type() {
        DataType::Utf8 => Some(array.as_string::<i32>().value(row).as_bytes().into()),
        DataType::LargeUtf8 => Some(array.as_string::<i64>().value(row).as_bytes().into()),
        DataType::Utf8View => Some(array.as_string_view().value(row).as_bytes().into()),
        DataType::Boolean => number(array.as_boolean().value(row).to_string()),
        DataType::Int8 => number(array.as_primitive::<Int8Type>().value(row).to_string()),
        DataType::Int16 => number(array.as_primitive::<Int16Type>().value(row).to_string()),
        DataType::Int32 => number(array.as_primitive::<Int32Type>().value(row).to_string()),
        DataType::Int64 => number(array.as_primitive::<Int64Type>().value(row).to_string()),
        DataType::UInt8 => number(array.as_primitive::<UInt8Type>().value(row).to_string()),
        DataType::UInt16 => number(array.as_primitive::<UInt16Type>().value(row).to_string()),
        DataType::UInt32 => number(array.as_primitive::<UInt32Type>().value(row).to_string()),
        DataType::UInt64 => number(array.as_primitive::<UInt64Type>().value(row).to_string()),
        DataType::Float32 => number(serde_json::to_string(&array.as_primitive::<Float32Type>().value(row)).ok()?),
        DataType::Float64 => number(serde_json::to_string(&array.as_primitive::<Float64Type>().value(row)).ok()?),
        _ => None,
    }
}

/// Passes the rows of a batch on.
fn pass_rows(
    out: &mut BatchWriter,
    columns: &ArrowColumns,
    found: &BatchColumns,
    batch: &RecordBatch,
    row: &mut u64,
) -> Result<(), ArrowError> {
    let (limit, sets) = (out.inputs().unpacked_bytes(), out.inputs().sets);
    debug_assert_eq!(columns.texts.len(), found.texts.len());
    for index in 0..batch.num_rows() {
        if !out.is_open() {
            return Ok(());
        }
        let (texts, id, group) = checked(|| {
            let texts: Vec<_> = found.texts.iter().map(|column| column.texts(index)).collect();
            let [id, group] = [&found.id, &found.group].map(|column| column.as_ref().and_then(|it| it.value(index)));
            Ok((texts, id, group))
        })?;
        let parts = || texts.iter().flatten().flatten();
        let num_bytes = parts().map(|text| text.len() + 1).sum::<usize>() + id.as_ref().map_or(0, |id| id.len());
        // Any number of rows may share one value of a dictionary.
        out.meter().add(num_bytes as u64).map_err(|error| ArrowError::IpcError(error.to_string()))?;
        if texts.iter().all(Option::is_none) {
            out.row_problem(*row, Reason::NoText, NULL_TEXT.into());
        } else if num_bytes as u64 > limit {
            out.row_problem(*row, Reason::TooLarge, too_large(limit));
        } else if sets {
            let set = |(column, texts): (&ArrowValues, &Vec<Cow<[u8]>>)| {
                let mut elements = Vec::new();
                for text in texts {
                    if element(column.values.data_type()).is_some() {
                        push_element_bytes(text, &mut elements);
                    } else {
                        elements.extend_from_slice(text);
                        fields_to_lines(&mut elements);
                    }
                }
                elements
            };
            let rows = found.texts.iter().zip(&texts).filter_map(|(column, texts)| Some((column, texts.as_ref()?)));
            let sets: Vec<Vec<u8>> = rows.map(set).collect();
            out.row(*row, id.as_deref(), group.as_deref(), sets.iter().map(Vec::as_slice), num_bytes as u64, true);
        } else {
            out.row(*row, id.as_deref(), group.as_deref(), parts().map(|text| &**text), num_bytes as u64, false);
        }
        *row += 1;
    }
    Ok(())
}

//! `AllColumns`: the columns of all records in the order in which they first appear, and the type of each.

use std::collections::HashMap;

use super::rows::CellValue;
use crate::documents::input::FileKind;

/// The columns of all records.
#[derive(Debug, Default)]
pub(super) struct AllColumns {
    pub(super) names: Vec<String>,
    numbers: HashMap<String, u32>,
    seen: Vec<SeenValues>,
    /// Whether any text has a quotation mark, a tab or the end of a line.
    pub(super) has_marks: bool,
}

/// The values that a column has so far.
#[derive(Debug, Default)]
struct SeenValues {
    kind: Option<ValueType>,
    /// Whether the column contains fractions, and whole numbers that a 64-bit float may not represent.
    has_fractions: bool,
    has_large: bool,
}

/// The kind of a cell's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueType {
    Bool,
    Number,
    Text,
    Nested,
}

/// The type of a Parquet column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnType {
    Bool,
    Integer,
    Float,
    Text,
    Json,
}

/// The bound below which a 64-bit float represents every whole number.
const MOST_EXACT: i64 = 1 << 53;

impl AllColumns {
    /// The index of the column with this name.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        self.seen.push(SeenValues::default());
        number
    }

    /// Adds a value of a column.
    ///
    /// # Errors
    /// When the format cannot write the value, or not together with the earlier values.
    pub(super) fn see(&mut self, column: u32, cell: &CellValue, target: FileKind) -> Result<(), String> {
        let (name, seen) = (&self.names[column as usize], &mut self.seen[column as usize]);
        if let CellValue::Text(text) = cell {
            self.has_marks |= text.contains(['"', '\t', '\n', '\r']);
        }
        match target {
            FileKind::Parquet => seen.see(cell).map_err(|fault| format!("`{name}`: {fault}")),
            FileKind::Json => match cell {
                CellValue::Number(number) if !is_of_json(number) => Err(format!("`{name}`: JSON has no {number}")),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// The Parquet type of each column; a column without values is text.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    pub(super) fn types(&self) -> Vec<ColumnType> {
        let kind = |seen: &SeenValues| match seen.kind {
            Some(ValueType::Bool) => ColumnType::Bool,
            Some(ValueType::Number) if seen.has_fractions => ColumnType::Float,
            Some(ValueType::Number) => ColumnType::Integer,
            Some(ValueType::Nested) => ColumnType::Json,
            Some(ValueType::Text) | None => ColumnType::Text,
        };
        self.seen.iter().map(kind).collect()
    }
}

impl SeenValues {
    fn see(&mut self, cell: &CellValue) -> Result<(), String> {
        let (kind, what) = match cell {
            CellValue::Null => return Ok(()),
            CellValue::Bool(_) => (ValueType::Bool, "true or false"),
            CellValue::Number(_) => (ValueType::Number, "a number"),
            CellValue::Text(_) => (ValueType::Text, "a text"),
            CellValue::Nested(_) | CellValue::Record(_) => (ValueType::Nested, "an object or array"),
        };
        if *self.kind.get_or_insert(kind) != kind {
            return Err(format!("{what} after values of another type, and a column of Parquet has one type"));
        }
        let CellValue::Number(number) = cell else { return Ok(()) };
        match number.parse::<i64>() {
            Ok(whole) => self.has_large |= !(-MOST_EXACT..=MOST_EXACT).contains(&whole),
            Err(_) if is_exact(number) => self.has_fractions = true,
            Err(_) => return Err(format!("{number} has more digits than a number of Parquet")),
        }
        if self.has_large && self.has_fractions {
            return Err(format!("{number}: the column has fractions and whole numbers of more than 53 bits"));
        }
        Ok(())
    }
}

/// Whether the number is valid JSON.
fn is_of_json(number: &str) -> bool {
    number.starts_with(|c: char| c == '-' || c.is_ascii_digit()) && number != "-inf"
}

/// Whether a 64-bit float represents the number with all its digits.
fn is_exact(number: &str) -> bool {
    let Ok(value) = number.parse::<f64>() else { return false };
    value.is_finite() && decimal(number) == decimal(&format!("{value:e}"))
}

/// The sign, the digits without zeros at their ends, and the exponent of the last digit; `None` for zero.
fn decimal(number: &str) -> Option<(bool, String, i64)> {
    let (is_negative, number) = number.strip_prefix('-').map_or((false, number), |number| (true, number));
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let kept = digits.trim_end_matches('0');
    let exponent = exponent.parse::<i64>().ok()? - fraction.len() as i64 + (digits.len() - kept.len()) as i64;
    let kept = kept.trim_start_matches('0');
    (!kept.is_empty()).then(|| (is_negative, kept.to_owned(), exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact_or_refused() {
        for number in ["0.1", "1.50", "-2e-3", "1E+2", "0.30000000000000004", "5e-324", "0.0", "100000000000000000000"]
        {
            assert!(is_exact(number), "{number}");
        }
        for number in ["0.12345678901234567890", "12345678901234567890", "1e400", "NaN", "inf"] {
            assert!(!is_exact(number), "{number}");
        }
    }

    #[test]
    fn a_column_of_parquet_has_one_type() {
        let number = |text: &str| CellValue::Number(text.to_owned());
        let type_of = |cells: &[CellValue]| {
            let mut columns = AllColumns::default();
            let column = columns.number("x");
            cells.iter().try_for_each(|cell| columns.see(column, cell, FileKind::Parquet)).map(|()| columns.types()[0])
        };
        assert_eq!(type_of(&[CellValue::Null, number("9223372036854775807")]), Ok(ColumnType::Integer));
        assert_eq!(type_of(&[number("1"), number("0.5")]), Ok(ColumnType::Float));
        assert_eq!(type_of(&[CellValue::Null]), Ok(ColumnType::Text));
        assert_eq!(type_of(&[CellValue::Bool(true), CellValue::Null]), Ok(ColumnType::Bool));
        assert!(type_of(&[number("9223372036854775807"), number("0.5")]).is_err());
        assert!(type_of(&[number("9223372036854775808")]).is_err());
        assert!(type_of(&[number("1"), CellValue::Text("1".to_owned())]).is_err());
    }
}

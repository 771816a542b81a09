//! `dialect_of`: determines how the fields of a table are delimited, quoted and escaped, by the flags or by the table's
//! first rows.
//!
//! Programs write tables in contradictory ways: Spark, Hive and MySQL write a quotation mark in a field as `\"`, Excel
//! and pandas as `""`, and many TSV files contain single quotation marks without a meaning. The first rows override the
//! default only if another way reads all of them and the default does not. Both the first pass and `unique` decide
//! here.

use super::dialect::Dialect;
use super::rows::{RowFault, Rows};
use super::splitter::Splitter;
use crate::documents::input::marks::UTF8_MARK;
use crate::documents::input::settings::{Inputs, Quoting};

/// Number of bytes at the start of a table that decide about its dialect.
pub(in crate::documents::input) const SAMPLE: usize = 256 << 10;
/// The escape character of Spark, Hive and MySQL.
const BACKSLASH: u8 = b'\\';

/// The delimiter of a table, which Excel reads from a first line such as `sep=;`; whether there is such a line.
pub(in crate::documents::input) fn delimiter_of(delimiter: u8, start: &[u8]) -> (u8, bool) {
    let start = start.strip_prefix(UTF8_MARK).unwrap_or(start);
    match start.get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"sep=")).then(|| &start[4..]) {
        Some([given, b'\n', ..] | [given, b'\r', b'\n', ..]) if given.is_ascii_punctuation() || *given == b'\t' => {
            (*given, true)
        }
        _ => (delimiter, false),
    }
}

/// The dialect of a table that begins with these bytes. Only the first [`SAMPLE`] bytes are examined.
pub(in crate::documents::input) fn dialect_of(inputs: Inputs, delimiter: u8, start: &[u8]) -> Dialect {
    let is_cut = start.len() >= SAMPLE;
    let start = &start[..start.len().min(SAMPLE)];
    let start = start.strip_prefix(UTF8_MARK).unwrap_or(start);
    let given = inputs.csv_escape;
    let of = |quoting, escape| Dialect { delimiter, quoting, escape, escapes_unquoted: !quoting };
    let tab_separated = delimiter == b'\t' && inputs.quoting == Quoting::Auto;
    let usual = of(inputs.quoting != Quoting::Off && !tab_separated, given);
    let has_any = |byte| memchr::memchr(byte, start).is_some();
    let escape = given.unwrap_or(BACKSLASH);
    let has_escapes = has_any(escape);
    if !has_any(b'"') && !has_escapes {
        return usual;
    }
    let read = |dialect: Dialect| FirstRows::read(dialect, start, is_cut);
    // In a table of several columns, a delimiter or line end inside a text changes the number of fields if it is read
    // wrongly. So if all rows have as many fields as the header, the dialect is the one in which the table was written.
    let anywhere = Dialect { escape: Some(escape), escapes_unquoted: true, ..usual };
    let is_escaped_anywhere = || {
        let found = read(anywhere);
        found.is_right && (found.num_columns > 1 || given.is_some()) && found.escaped_unquoted > 0
    };
    let plain = read(usual);
    let quoted = tab_separated.then(|| read(of(true, given)));
    if let Some(quoted) = &quoted {
        let is_proof = quoted.has_quoted_header || quoted.is_right && (quoted.doubled > 0 || !plain.is_right);
        if is_proof && quoted.is_right {
            return of(true, given);
        }
    }
    if has_escapes && is_escaped_anywhere() {
        return anywhere;
    }
    if let Some(quoted) = quoted {
        let escaped = of(true, Some(escape));
        let found = read(escaped);
        if found.is_right && found.escaped > 0 {
            return escaped;
        }
        if quoted.has_quoted_header {
            return of(true, given);
        }
    }
    let escaped = Dialect { escape: Some(BACKSLASH), ..usual };
    let is_escaped = || {
        let found = read(escaped);
        found.is_right && found.escaped > 0
    };
    if given.is_none() && !plain.is_right && is_escaped() { escaped } else { usual }
}

/// Properties of the first rows of a table when they are read in a dialect.
#[derive(Debug)]
struct FirstRows {
    /// Whether all rows have as many fields as the header.
    is_right: bool,
    has_quoted_header: bool,
    /// The number of quotation marks that are written as two. `escaped` counts escape characters before what they
    /// escape.
    doubled: usize,
    escaped: usize,
    /// Escape characters before delimiters and line ends outside quotation marks.
    escaped_unquoted: usize,
    /// The number of fields of the header; 0 before the header was read.
    num_columns: usize,
}

impl FirstRows {
    fn read(dialect: Dialect, start: &[u8], is_cut: bool) -> Self {
        let mut found = Self {
            is_right: true,
            has_quoted_header: false,
            doubled: 0,
            escaped: 0,
            escaped_unquoted: 0,
            num_columns: 0,
        };
        let mut rows = Rows::new(start, dialect, start.len() + 1);
        let mut fields = Splitter::new(dialect);
        loop {
            let begins_at = rows.position();
            let Ok(Some(row)) = rows.next() else { return found };
            let bytes = match row.bytes {
                // Its end may be after the sample.
                Err(RowFault::Unclosed) if is_cut => return found,
                Err(_) => break,
                Ok(bytes) => bytes,
            };
            if is_cut && begins_at as usize + bytes.len() == start.len() {
                return found;
            }
            let Ok(is_any) = fields.split(bytes) else { break };
            if !is_any {
                continue;
            }
            if found.num_columns == 0 {
                found.has_quoted_header = bytes.first() == Some(&b'"');
                found.num_columns = fields.len();
            }
            if found.num_columns != fields.len() {
                break;
            }
            found.escaped_unquoted += fields.num_escaped_unquoted();
            if dialect.quoting {
                // Two quotation marks that form a whole field are an empty field.
                found.doubled += memchr::memmem::find_iter(bytes, b"\"\"")
                    .filter(|&at| {
                        let is_end = |byte: Option<&u8>| {
                            byte.is_none_or(|&byte| byte == dialect.delimiter || matches!(byte, b'\n' | b'\r'))
                        };
                        !(is_end(at.checked_sub(1).and_then(|at| bytes.get(at))) && is_end(bytes.get(at + 2)))
                    })
                    .count();
            }
            if let Some(escape) = dialect.escape {
                let applies =
                    |at: usize| bytes.get(at + 1).is_some_and(|&next| next != escape && dialect.is_escapable(next));
                found.escaped += memchr::memchr_iter(escape, bytes).filter(|&at| applies(at)).count();
            }
        }
        found.is_right = false;
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::input::settings::InputSettings;

    fn dialect(delimiter: u8, table: &str) -> (bool, Option<u8>) {
        let settings = InputSettings::default();
        let found = dialect_of(Inputs { settings: &settings, sets: false }, delimiter, table.as_bytes());
        (found.quoting, found.escape)
    }

    #[test]
    fn escapes_are_recognised_only_where_they_make_all_rows_right() {
        let escaped = (true, Some(b'\\'));
        assert_eq!(dialect(b',', "id,text\n1,\"a \\\"b\\\"\nc, d\"\n2,x\n"), escaped);
        assert_eq!(dialect(b';', "id;text\n1;\"a \\\"b\\\"\"\n"), escaped);
        for usual in [
            "id,text\n1,\"a \"\"b\"\"\"\n",
            "id,text\n1,C:\\new\n",
            "id,text\n1,\"C:\\\"\n2,\"D:\\\"\n",
            "id,text\n1,\"a\n",
        ] {
            assert_eq!(dialect(b',', usual), (true, None), "{usual}");
        }
        // One row is wrong in both ways.
        assert_eq!(dialect(b',', "id,text\n1,\"a \\\"b\\\"\"\n2,x,y\n"), (true, None));
        // Spark, and a text column that ends in a backslash.
        assert_eq!(dialect(b',', "id,text,x\n1,C:\\,y\n"), (true, None));
        assert_eq!(dialect(b',', "text\nC:\\\nD:\\\n"), (true, None));
        // MySQL escapes delimiters and line ends without quotation marks, in rows that would be whole without escapes
        // too.
        assert_eq!(dialect(b',', "id,text\n1,Dear Ann\\\nyes\\, we\n2,Bob\n"), escaped);
        assert_eq!(dialect(b'\t', "id\ttext\n1\tDear Ann\\\nyes\\\twe\n2\tBob\n"), (false, Some(b'\\')));
        // Within quotation marks the default reading is right too.
        assert_eq!(dialect(b'\t', "\"id\"\t\"text\"\n\"1\"\t\"a\\\nb\"\n"), (true, None));
        let marked = "\u{feff}\"id\"\t\"text\"\n\"1\"\t\"a\"\n";
        assert_eq!(dialect(b'\t', marked), (true, None));
        // MySQL writes line ends in a text after an escape character.
        assert_eq!(dialect(b'\t', "id\ttext\n1\ta\\\nb\n2\tc\n"), (false, Some(b'\\')));
    }

    #[test]
    fn a_first_line_of_excel_has_the_delimiter() {
        for (start, expected) in [
            ("sep=;\r\nid;text\n", (b';', true)),
            ("\u{FEFF}SEP=\t\nid\ttext", (b'\t', true)),
            ("sep=;", (b',', false)),
            ("sep=;a\n", (b',', false)),
            ("sep=a\n", (b',', false)),
            ("id,text\nsep=;\n", (b',', false)),
        ] {
            assert_eq!(delimiter_of(b',', start.as_bytes()), expected, "{start}");
        }
    }

    #[test]
    fn quotation_marks_of_tsv_enclose_fields_where_the_table_proves_it() {
        for (table, quoting) in [
            ("id\ttext\n1\t\"a\n2\tb\n3\tc\"\n", false),
            ("id\ttext\n1\t\"a\" said b\n", false),
            ("id\ttext\n1\t\"a sentence.\"\n", false),
            ("id\ttext\n1\t\"\"\n", false),
            ("id\ttext\n1\t\"a\nb\"\n", true),
            ("id\ttext\n1\t\"a\tb\"\n", true),
            ("id\ttext\n1\t\"a \"\"b\"\"\"\n", true),
            ("\"id\"\t\"text\"\n\"1\"\t\"a\"\n", true),
        ] {
            assert_eq!(dialect(b'\t', table), (quoting, None), "{table}");
        }
        assert_eq!(dialect(b'\t', "id\ttext\n1\t\"a \\\"b\\\"\"\n"), (true, Some(b'\\')));
    }
}

//! JSON Lines against `serde_json::Value`, and tables against the writer of the `csv` crate.

use dedup_scan::InputSettings;
use dedup_scan::documents::Quoting;
use serde_json::Value;

use super::{Files, text};
use crate::random::Random;

pub(crate) fn json_lines(seed: u64) -> Result<(), String> {
    let random = &mut Random(seed);
    let fields: &[&str] = if random.percent(50) { &["text"] } else { &["text", "a.b"] };
    let mut files = Files::new();
    for file in 0..4 {
        let (mut lines, mut expected) = (Vec::new(), Vec::new());
        for number in 1..=random.below(20) {
            let mut line = object(random).into_bytes();
            match random.below(12) {
                0 => line.clear(),
                1 => line = b" \t".to_vec(),
                2 => line.truncate(random.below(line.len())),
                3 => line.extend_from_slice(b"{}"),
                4 => line = [b"[", line.as_slice(), b"]"].concat(),
                5 => {
                    line = [
                        b"{\"text\":\"",
                        line.escape_ascii().to_string().replace(['"', '\\'], "").as_bytes(),
                        b"\xFF\"}",
                    ]
                    .concat()
                }
                _ => {}
            }
            let is_blank = line.trim_ascii().is_empty();
            if !is_blank {
                expected.push((format!(":{number}"), text_of(&line, fields)));
            }
            lines.extend_from_slice(&line);
            lines.extend_from_slice(if random.percent(20) { b"\r\n" } else { b"\n" });
        }
        if random.percent(30) {
            lines.pop();
        }
        files.add(&format!("{file}.jsonl"), &lines, expected);
    }
    let text_fields = fields.iter().map(|&field| field.to_owned()).collect();
    files.check(&InputSettings { text_fields, ..InputSettings::default() })
}

/// An object with the fields that are asked for, or without, among others; none is there twice.
fn object(random: &mut Random) -> String {
    let mut fields = Vec::new();
    if random.percent(85) {
        fields.push(format!("\"text\":{}", value(random, 2)));
    }
    if random.percent(60) {
        let inner = |random: &mut Random| format!("{{\"c\":1,{}:{}}}", string(random, "b"), element(random, 1));
        let a = match random.below(4) {
            0 => value(random, 1),
            1 => format!("[{}, {},7]", inner(random), inner(random)),
            _ => inner(random),
        };
        fields.push(format!("\"a\" : {a}"));
    }
    for number in 0..random.below(3) {
        fields.push(format!("\"other{number}\":{}", value(random, 3)));
    }
    random.shuffle(&mut fields);
    format!("{}{{{}}}", random.pick(&["", " "]), fields.join(random.pick(&[",", " , ", ",\t"])))
}

fn value(random: &mut Random, depth: usize) -> String {
    match random.below(if depth > 0 { 12 } else { 9 }) {
        0..=5 => {
            let text = text(random, 12);
            string(random, &text)
        }
        6 => "null".into(),
        7 => random.pick(&["true", "-1.5e3", "18446744073709551616"]).into(),
        8 => "[]".into(),
        _ => {
            let elements: Vec<String> = (0..random.below(4)).map(|_| element(random, depth - 1)).collect();
            format!("[{}]", elements.join(","))
        }
    }
}

/// A value in a list, but no empty list: before others it adds an empty line to the text, which is neither here nor there.
fn element(random: &mut Random, depth: usize) -> String {
    Some(value(random, depth)).filter(|value| value != "[]").unwrap_or_else(|| "null".into())
}

/// A string of JSON, each character written in any of the ways there are.
fn string(random: &mut Random, text: &str) -> String {
    let mut written = String::from("\"");
    for c in text.chars() {
        let must = matches!(c, '"' | '\\') || c < ' ';
        match (must, random.percent(20)) {
            (false, false) => written.push(c),
            (true, false) if c != '\u{1}' && c != '\u{B}' => match c {
                '"' => written.push_str("\\\""),
                '\\' => written.push_str("\\\\"),
                '\n' => written.push_str("\\n"),
                '\r' => written.push_str("\\r"),
                '\t' => written.push_str("\\t"),
                _ => written.push_str("\\f"),
            },
            _ => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| written.push_str(&format!("\\u{unit:04X}"))),
        }
    }
    written + "\""
}

/// The text of a record, or none when the line is no record with one.
fn text_of(line: &[u8], fields: &[&str]) -> Option<String> {
    let Ok(Value::Object(record)) = serde_json::from_slice::<Value>(line) else { return None };
    let mut texts = Vec::new();
    for field in fields {
        let (mut parts, mut is_there) = (Vec::new(), false);
        let found = match field.split_once('.') {
            None => record
                .get(*field)
                .map_or(Some(()), |value| collect(value, fields.len() == 1, &mut parts, &mut is_there)),
            Some((outer, inner)) => {
                record.get(outer).map_or(Some(()), |value| collect_inside(value, inner, &mut parts, &mut is_there))
            }
        };
        found?;
        if is_there {
            texts.push(parts.join("\n"));
        }
    }
    if texts.is_empty() { None } else { Some(texts.join("\n")) }
}

/// Strings, in lists too; none at what is no text.
fn collect<'v>(value: &'v Value, is_single: bool, parts: &mut Vec<&'v str>, is_there: &mut bool) -> Option<()> {
    match value {
        Value::String(text) => parts.push(text),
        Value::Array(list) if list.is_empty() => {}
        Value::Array(list) => return list.iter().try_for_each(|value| collect(value, false, parts, is_there)),
        Value::Null if !is_single => return Some(()),
        _ => return None,
    }
    *is_there = true;
    Some(())
}

/// The field of an object, or of each object in a list.
fn collect_inside<'v>(value: &'v Value, field: &str, parts: &mut Vec<&'v str>, is_there: &mut bool) -> Option<()> {
    match value {
        Value::Object(object) => object.get(field).map_or(Some(()), |value| collect(value, false, parts, is_there)),
        Value::Array(list) => list.iter().try_for_each(|value| collect_inside(value, field, parts, is_there)),
        _ => Some(()),
    }
}

pub(crate) fn tables(seed: u64) -> Result<(), String> {
    let random = &mut Random(seed);
    let delimiter = [b',', b';', b'|'][random.below(3)];
    let mut files = Files::new();
    for file in 0..4 {
        let is_tsv = random.percent(25);
        let mut columns = vec!["text", "a", "b c"];
        columns.truncate(2 + random.below(2));
        random.shuffle(&mut columns);
        let text_column = columns.iter().position(|&column| column == "text").expect("it is one of the first two");
        let terminator = if random.percent(30) { csv::Terminator::CRLF } else { csv::Terminator::Any(b'\n') };
        let style = [csv::QuoteStyle::Necessary, csv::QuoteStyle::Always][random.below(2)];
        let mut expected = Vec::new();
        let mut table = Vec::new();
        let mut rows = vec![columns.iter().map(|&column| column.to_owned()).collect::<Vec<_>>()];
        rows.extend((0..random.below(12)).map(|_| columns.iter().map(|_| text(random, 8)).collect()));
        for (number, row) in rows.iter().enumerate() {
            let line = table.iter().filter(|&&byte| byte == b'\n').count() + 1;
            if number > 0 {
                let mut line = line;
                if random.percent(10) {
                    // A row that is too short costs itself alone.
                    table.extend_from_slice(b"short\n");
                    line += 1;
                }
                expected.push((format!(":{line}"), Some(row[text_column].clone())));
            }
            let mut writer = csv::WriterBuilder::new();
            writer.delimiter(if is_tsv { b'\t' } else { delimiter }).terminator(terminator).quote_style(style);
            let mut writer = writer.from_writer(Vec::new());
            writer.write_record(row).expect("memory takes all");
            table.extend(writer.into_inner().expect("memory takes all"));
        }
        files.add(&format!("{file}.{}", if is_tsv { "tsv" } else { "csv" }), &table, expected);
    }
    files.check(&InputSettings { delimiter, quoting: Quoting::On, ..InputSettings::default() })
}

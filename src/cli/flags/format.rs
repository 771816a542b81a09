//! `FormatFlags`: `--format`, the formats of pairs and their files.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::builder::{NonEmptyStringValueParser, PossibleValue, TypedValueParser};
use clap::{Arg, Args, Command};
use dedup_scan::results::report::{FORMATS, ReportFormat, ReportSettings};

use super::color::Color;
use super::values::{size, whole};
use crate::cli::messages::{Failure, Result};

/// The formats of the output, and their limits.
#[derive(Debug, Args)]
pub(crate) struct FormatFlags {
    #[arg(short, long, value_name = "NAME[=FILE]", value_parser = FormatParser, hide_possible_values = true, help = help(), help_heading = "Output")]
    format: Vec<FormatArg>,

    /// With --format html: the maximum number of pairs on the page; the most similar, or the first of --sort [default:
    /// 10000]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=1 << 24), allow_negative_numbers = true,
        help_heading = "Output")]
    max_pairs: Option<usize>,

    /// With --format html: the maximum size of all texts on the page, compressed. The table lists other pairs without
    /// their texts [default: 32MiB]
    #[arg(long, value_name = "SIZE", value_parser = size(0..=1 << 40, "up to 1TiB"), allow_negative_numbers = true,
        help_heading = "Output")]
    max_bytes: Option<u64>,

    /// The title of the page of --format html [default: Near-duplicates, or Groups of near-duplicates]
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new(), help_heading = "Output")]
    title: Option<String>,

    /// With --format text: when to colour it
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, help_heading = "Output")]
    color: Color,
}

/// Limits and title of a report with texts, and whether a report on a terminal is coloured.
#[derive(Debug, Clone)]
pub(crate) struct ReportLook {
    pub(crate) max_pairs: usize,
    pub(crate) max_bytes: u64,
    pub(crate) title: Option<String>,
    pub(crate) color: Color,
}

/// A format and its output file.
#[derive(Debug, Clone)]
pub(crate) struct FormatArg {
    pub(crate) format: &'static ReportFormat,
    /// `None` for `--output` or standard output.
    pub(crate) file: Option<PathBuf>,
}

impl FormatFlags {
    /// The formats, in the order given.
    ///
    /// # Errors
    /// When two formats go to standard output, or a limit applies to none of the formats.
    pub(crate) fn formats(&self) -> Result<&[FormatArg]> {
        let of_page = [
            ("--max-pairs", self.max_pairs.is_some()),
            ("--max-bytes", self.max_bytes.is_some()),
            ("--title", self.title.is_some()),
        ];
        let given = of_page.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag);
        if let Some(flag) = given.filter(|_| !self.show_texts()) {
            return Err(Failure::of_flag(flag, "only applies to HTML reports; add --format html, or remove the flag")
                .and("--format"));
        }
        let mut without_file = self.format.iter().filter(|format| format.file.is_none());
        match (without_file.next(), without_file.next()) {
            (Some(one), Some(other)) => {
                let (one, other) = (one.format.name, other.format.name);
                Err(Failure::of_flag(
                    "--format",
                    format!(
                        "{one} and {other} would both go to standard output; give a file to one of them, as in --format {other}=FILE"
                    ),
                ))
            }
            _ => Ok(&self.format),
        }
    }

    /// Whether any of the formats shows texts.
    pub(crate) fn show_texts(&self) -> bool {
        self.format.iter().any(|format| format.format.shows_texts)
    }

    /// Whether text for people is printed instead of lines.
    pub(crate) fn is_text(&self) -> bool {
        self.format.iter().any(|format| format.file.is_none() && format.format.name == "text")
    }

    /// The limits and the colour of reports.
    pub(crate) fn look(&self) -> ReportLook {
        ReportLook {
            max_pairs: self.max_pairs.unwrap_or(ReportSettings::MAX_PAIRS),
            max_bytes: self.max_bytes.unwrap_or(ReportSettings::MAX_BYTES),
            title: self.title.clone(),
            color: self.color,
        }
    }

    /// The formats, or text on standard output if no format is given.
    ///
    /// # Errors
    /// The errors of [`formats`](Self::formats).
    pub(crate) fn formats_or_text(&self) -> Result<&[FormatArg]> {
        let formats = self.formats()?;
        Ok(if formats.is_empty() { &TEXT } else { formats })
    }

    /// The formats, and text on standard output if no other format goes there.
    ///
    /// # Errors
    /// The errors of [`formats`](Self::formats).
    pub(crate) fn formats_and_text(&self) -> Result<Vec<FormatArg>> {
        let mut formats = self.formats()?.to_vec();
        if formats.iter().all(|format| format.file.is_some()) {
            formats.extend_from_slice(&TEXT);
        }
        Ok(formats)
    }
}

/// The format without `--format`: text on standard output.
static TEXT: LazyLock<Vec<FormatArg>> = LazyLock::new(|| vec![FormatArg { format: &FORMATS[0], file: None }]);

fn help() -> String {
    let formats: Vec<String> = FORMATS.iter().map(|format| format!("{} ({})", format.name, format.about)).collect();
    format!(
        "Write a report to a file, or without =FILE to standard output instead of JSON lines; repeatable. A report that shows lines \
         needs --show-passages, and shows line 1 of each document otherwise. NAME is {}",
        formats.join(", ")
    )
}

/// Parses a format, and lists all formats for completions.
#[derive(Clone)]
struct FormatParser;

impl TypedValueParser for FormatParser {
    type Value = FormatArg;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<FormatArg, clap::Error> {
        format_arg.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.about))))
    }
}

fn format_arg(text: &str) -> Result<FormatArg, String> {
    let (name, file) = text.split_once('=').map_or((text, None), |(name, file)| (name, Some(file)));
    let name = if name == "json" { "jsonl" } else { name };
    let Some(format) = ReportFormat::of_name(name) else {
        let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        let (last, others) = names.split_last().expect("there are formats");
        return Err(format!("give {} or {last}, with =FILE to write it to a file", others.join(", ")));
    };
    let file = file.filter(|file| *file != "-");
    if format.is_lines() && file.is_some() {
        return Err(format!("the lines go to a file by --output {}", file.unwrap_or_default()));
    }
    if file == Some("") {
        return Err(format!("there is no file after the =; give one, as in {name}=report.{name}"));
    }
    Ok(FormatArg { format, file: file.map(|file| Path::new(file).to_owned()) })
}

/// Parses the format of a report of one pair, which is a page.
pub(crate) fn page_format(text: &str) -> Result<FormatArg, String> {
    format_arg(text)
        .ok()
        .filter(|arg| arg.format.shows_texts)
        .ok_or_else(|| "give html, or html=FILE; --json prints the numbers".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_may_have_a_file() {
        let file = |text: &str| format_arg(text).map(|arg| (arg.format.name, arg.file));
        assert_eq!(file("sarif"), Ok(("sarif", None)));
        assert_eq!(file("csv=-"), Ok(("csv", None)));
        assert_eq!([file("jsonl"), file("json")], [Ok(("jsonl", None)), Ok(("jsonl", None))]);
        assert!(file("jsonl=a.jsonl").unwrap_err().ends_with("--output a.jsonl"));
        assert_eq!(file("csv=a=b.csv"), Ok(("csv", Some("a=b.csv".into()))));
        assert!(file("csv=").unwrap_err().contains("csv=report.csv"));
        assert!(file("xml").unwrap_err().starts_with("give text, jsonl, markdown, "));
    }
}

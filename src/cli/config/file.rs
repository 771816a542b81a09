//! `ConfigFile`: finds and reads a settings file, and lists its entries with their lines.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{fault_at, fault_of};
use crate::cli::messages::Result;

/// File name of settings files.
const NAME: &str = "dedup.toml";
/// Maximum size of a settings file.
const MOST_BYTES: u64 = 1 << 20;

/// A settings file with its entries.
#[derive(Debug)]
pub(super) struct ConfigFile {
    pub(super) path: PathBuf,
    /// Folder that paths in the file are relative to; empty for the working directory.
    pub(super) folder: PathBuf,
    pub(super) entries: Vec<Entry>,
}

/// A key with its value.
#[derive(Debug)]
pub(super) struct Entry {
    /// Command of the table that contains the entry; `None` for all commands.
    pub(super) command: Option<String>,
    pub(super) key: String,
    /// Line number, from 1.
    pub(super) line: usize,
    pub(super) value: FileValue,
}

/// A value in a settings file.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FileValue {
    /// `true` or `false`.
    Switch(bool),
    /// A string or a number.
    One(String),
    /// A list.
    Many(Vec<FileValue>),
}

/// The nearest settings file, in the working directory or a folder above it.
pub(super) fn find() -> Option<PathBuf> {
    if Path::new(NAME).is_file() {
        return Some(NAME.into());
    }
    let folder = std::env::current_dir().ok()?;
    folder.ancestors().skip(1).map(|folder| folder.join(NAME)).find(|path| path.is_file())
}

impl ConfigFile {
    /// Reads a settings file.
    ///
    /// # Errors
    /// When the file cannot be read, or is not valid TOML.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = text_of(path).map_err(|error| {
            fault_of(path, &format!("cannot read the settings: {error}; check --config, or add --no-config"))
        })?;
        let line_of = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
        let table = DeTable::parse(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(span.start));
            let message = error.message().lines().collect::<Vec<_>>().join(", ");
            fault_at(path, line, &format!("it is not valid TOML: {message}; correct it"))
        })?;
        let mut entries = Vec::new();
        for (key, value) in table.get_ref() {
            match value.get_ref() {
                DeValue::Table(of_command) => {
                    for (inner, value) in of_command {
                        entries.push(entry(path, Some(key.get_ref()), inner, value, &line_of)?);
                    }
                    if of_command.is_empty() {
                        // An empty table still has an entry, so that the name of its command is checked.
                        let command = Some(key.get_ref().to_string());
                        let line = line_of(key.span().start);
                        entries.push(Entry { command, key: String::new(), line, value: FileValue::Switch(false) });
                    }
                }
                _ => entries.push(entry(path, None, key, value, &line_of)?),
            }
        }
        entries.sort_by_key(|entry| entry.line);
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok(Self { path: path.to_owned(), folder, entries })
    }
}

fn text_of(path: &Path) -> io::Result<String> {
    // The length of a pipe or of a file under /proc is not known before it is read.
    let mut text = String::new();
    File::open(path)?.take(MOST_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MOST_BYTES { Err(io::Error::other("it has more than 1 MiB")) } else { Ok(text) }
}

fn entry(
    path: &Path,
    command: Option<&str>,
    key: &Spanned<std::borrow::Cow<str>>,
    value: &Spanned<DeValue>,
    line_of: &dyn Fn(usize) -> usize,
) -> Result<Entry> {
    let line = line_of(key.span().start);
    let value = value_of(value.get_ref()).ok_or_else(|| {
        let fault = format!("{}: give a string, a number, true or false, or a list of these", key.get_ref());
        fault_at(path, line, &fault)
    })?;
    Ok(Entry { command: command.map(str::to_owned), key: key.get_ref().to_string(), line, value })
}

/// A value that flags can have; `None` for other types of TOML.
fn value_of(value: &DeValue) -> Option<FileValue> {
    Some(match value {
        DeValue::String(text) => FileValue::One(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => FileValue::One(number.as_str().to_owned()),
        DeValue::Float(number) => FileValue::One(number.as_str().to_owned()),
        DeValue::Boolean(is_on) => FileValue::Switch(*is_on),
        DeValue::Array(values) => {
            FileValue::Many(values.iter().map(|value| value_of(value.get_ref())).collect::<Option<_>>()?)
        }
        DeValue::Integer(_) | DeValue::Datetime(_) | DeValue::Table(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn entries_have_their_lines_and_commands() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let text =
            "# A project\nthreshold = 0.70\nexclude = [\"a\", \"b\"]\n\n[cluster]\nlinkage = \"star\"\nlabels = true\n";
        fs::write(&path, text).unwrap();
        let file = ConfigFile::read(&path).unwrap();
        let entries: Vec<_> = file
            .entries
            .iter()
            .map(|entry| (entry.command.as_deref(), entry.key.as_str(), entry.line, entry.value.clone()))
            .collect();
        let one = |text: &str| FileValue::One(text.to_owned());
        assert_eq!(
            entries,
            [
                (None, "threshold", 2, one("0.70")),
                (None, "exclude", 3, FileValue::Many(vec![one("a"), one("b")])),
                (Some("cluster"), "linkage", 6, one("star")),
                (Some("cluster"), "labels", 7, FileValue::Switch(true)),
            ]
        );
    }

    #[test]
    fn what_is_no_toml_is_named_by_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        for (text, line) in
            [("a = 1\nb = \n", ":2: "), ("a = 1979-05-27", ":1: "), ("a = 0x10", ":1: "), ("a = 1\na = 2", ":2: ")]
        {
            fs::write(&path, text).unwrap();
            let message = ConfigFile::read(&path).unwrap_err().to_string();
            assert!(message.contains(line), "{text:?}: {message}");
            assert_eq!(message.lines().count(), 1, "{message}");
        }
    }
}

//! `ResultHeader`: the settings and files that a result was made from.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use xxhash_rust::xxh3::xxh3_128;

use super::reading::ReadingRecord;
use crate::base::error::{Error, Result};
use crate::base::setting::Setting;
use crate::documents::input::path_of;
use crate::records::{Name, push_json};
use crate::search::run::{MatchingRecord, RecordedSettings};
use crate::sign::banding::Banding;
use crate::text::shingle::ShingleKind;

/// The names of the files of a result.
pub(crate) const HEADER: &str = "header.json";
pub(crate) const PAIRS: &str = "pairs.jsonl";
pub(crate) const DOCUMENTS: &str = "documents.jsonl";

/// The contents of `header.json` in a saved result. Later versions only add keys.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResultHeader {
    /// The version of the format: 1.
    pub dedup_result: u32,
    /// The version of the program that wrote it.
    pub version: String,
    /// The command line of the run without the program's name; empty for a result that was not saved by a command.
    #[serde(default, deserialize_with = "all_owned", skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<Name<'static>>,
    /// The settings that affect the pairs, as in a summary.
    pub settings: Box<RawValue>,
    /// The input settings that determine the documents.
    pub reading: ReadingRecord,
    /// Whether exact copies count as one text, because they are compared with each other. `false` across two sides or
    /// groups.
    pub copies_are_one_text: bool,
    /// The folder to which relative file names refer.
    #[serde(deserialize_with = "owned")]
    pub folder: Name<'static>,
    /// Every file that was read, in the order of paths.
    pub inputs: Vec<InputRecord>,
    /// The other files of the result, `pairs.jsonl` and `documents.jsonl`.
    pub files: Vec<InputRecord>,
    /// The number of lines of `documents.jsonl`.
    pub documents: u64,
    /// The number of lines of `pairs.jsonl`.
    pub pairs: u64,
    /// The number of inputs that could not be used because of an error. Above 0 the result is incomplete.
    pub errors: u64,
    /// If pairs are copied blocks: the number of lines of all documents, or of the first side of a comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<u64>,
}

/// An input file, or a file of the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputRecord {
    /// The path as given.
    #[serde(deserialize_with = "owned")]
    pub file: Name<'static>,
    /// The length in bytes, as stored.
    pub bytes: u64,
    /// The `xxh3_128` hash of these bytes, in 32 hexadecimal digits.
    pub hash: String,
}

/// The keys that headers of all format versions have.
#[derive(Deserialize)]
struct HeaderForm {
    dedup_result: u32,
    version: String,
}

/// The text before the hash at the end of a header.
const CHECK: &str = ",\"check\":\"";

/// Whether the text of a header has the hash that was saved with it.
fn is_as_written(text: &str) -> bool {
    text.rfind(CHECK).is_some_and(|end| {
        let check = text[end + CHECK.len()..].strip_suffix("\"}\n");
        check == Some(&format!("{:032x}", xxh3_128(&text.as_bytes()[..end])))
    })
}

fn owned<'de, D: Deserializer<'de>>(name: D) -> Result<Name<'static>, D::Error> {
    Name::deserialize(name).map(Name::into_owned)
}

fn all_owned<'de, D: Deserializer<'de>>(names: D) -> Result<Vec<Name<'static>>, D::Error> {
    let names = Vec::<Name>::deserialize(names)?;
    Ok(names.into_iter().map(Name::into_owned).collect())
}

impl ResultHeader {
    /// The format version that this program writes and reads.
    pub const FORM: u32 = 1;

    /// Reads the header of a folder.
    ///
    /// # Errors
    /// When the header is missing, was changed, has another format version, or was written by a version that saved
    /// fewer keys.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let (header, is_intact) = Self::read_unchecked(folder)?;
        let fault = || format!("{HEADER} is not as it was saved; scan again");
        if is_intact { Ok(header) } else { Err(Error::SavedResult { path: folder.to_owned(), fault: fault() }) }
    }

    /// Reads the header of a folder, and returns whether it is as it was saved.
    ///
    /// # Errors
    /// When the header is missing, has another format version, or was written by a version that saved fewer keys.
    pub fn read_unchecked(folder: &Path) -> Result<(Self, bool)> {
        let fault = |fault: String| Error::SavedResult { path: folder.to_owned(), fault };
        let text = Self::text(folder)?;
        let HeaderForm { dedup_result, version } = serde_json::from_str(&text)
            .map_err(|error| fault(format!("{HEADER} is none of a saved result ({error}); scan again")))?;
        if dedup_result != Self::FORM {
            return Err(fault(format!("it is of form {dedup_result}, written by version {version}; scan again")));
        }
        let header = serde_json::from_str(&text)
            .map_err(|error| fault(format!("{HEADER} is none of this version ({error}); scan again")))?;
        Ok((header, is_as_written(&text)))
    }

    /// The contents of the header file. The last key, `check`, is the `xxh3_128` hash of all bytes before it.
    pub(super) fn to_text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        push_json(&mut text, self);
        let end = text.pop();
        debug_assert_eq!(end, Some(b'}'));
        let check = format!("{CHECK}{:032x}\"}}\n", xxh3_128(&text));
        text.extend_from_slice(check.as_bytes());
        text
    }

    /// Whether a folder has a header of any format version.
    pub(super) fn is_in(folder: &Path) -> bool {
        Self::text(folder).is_ok_and(|text| serde_json::from_str::<HeaderForm>(&text).is_ok())
    }

    fn text(folder: &Path) -> Result<String> {
        let fault = |fault: String| Error::SavedResult { path: folder.to_owned(), fault };
        let file = match File::open(folder.join(HEADER)) {
            Ok(file) => file,
            Err(error) => {
                return Err(match error.kind() {
                    ErrorKind::NotFound => Error::NoSavedResult { path: folder.to_owned() },
                    _ => {
                        fault(format!("{HEADER} cannot be read ({error}); name a folder that {} wrote", Setting::Save))
                    }
                });
            }
        };
        std::io::read_to_string(file).map_err(|error| fault(format!("{HEADER}: {error}; scan again")))
    }

    /// The folder to which relative file names refer.
    pub fn folder_path(&self) -> PathBuf {
        path_of(&self.folder.to_bytes()).to_owned()
    }

    /// Whether flags of the run hid pairs whatever their similarity: pairs within or across groups, of old documents, or
    /// of further exact copies.
    pub fn leaves_out(&self) -> bool {
        let leave_out = [b"--group-by".as_slice(), b"--collapse-exact", b"--old"];
        let is_one = |argument: &Name| {
            let argument = argument.to_bytes();
            leave_out.contains(&argument.split(|&byte| byte == b'=').next().unwrap_or_default())
        };
        self.arguments.iter().any(is_one)
    }

    /// The minimum similarity of the pairs.
    ///
    /// # Errors
    /// When the settings cannot be read.
    pub fn threshold(&self) -> Result<f64> {
        Ok(self.saved_settings()?.threshold)
    }

    /// The kind of shingle.
    ///
    /// # Errors
    /// When the settings cannot be read.
    pub fn shingle(&self) -> Result<ShingleKind> {
        Ok(self.saved_settings()?.shingle)
    }

    /// The bands and rows with which the pairs were found; `None` when every pair was compared.
    ///
    /// # Errors
    /// When the settings cannot be read.
    pub fn banding(&self) -> Result<Option<Banding>> {
        self.saved_settings()?.banding()
    }

    /// Whether documents were paired by the passages that they share instead of by their similarity.
    ///
    /// # Errors
    /// When the settings cannot be read.
    pub fn is_by_passages(&self) -> Result<bool> {
        Ok(self.matching()?.is_some())
    }

    /// Whether pairs are copied blocks, also within documents.
    ///
    /// # Errors
    /// When the settings cannot be read.
    pub fn finds_blocks(&self) -> Result<bool> {
        Ok(self.matching()?.is_some_and(|matching| matching.blocks))
    }

    /// Whether pairs have the similarity with identifiers kept.
    ///
    /// # Errors
    /// When the settings cannot be read.
    pub fn has_kept(&self) -> Result<bool> {
        Ok(self.saved_settings()?.jaccard_kept.is_some())
    }

    /// The limits for documents that match by their passages; `None` for a result by similarity.
    ///
    /// # Errors
    /// When the settings cannot be read.
    pub(super) fn matching(&self) -> Result<Option<MatchingRecord>> {
        Ok(self.saved_settings()?.matching)
    }

    fn saved_settings(&self) -> Result<RecordedSettings> {
        serde_json::from_str(self.settings.get()).map_err(|error| Error::SavedResult {
            path: HEADER.into(),
            fault: format!("its settings cannot be read ({error}); scan again"),
        })
    }
}

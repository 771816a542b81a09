//! `OutputForm`: chooses from the inputs and the output's name whether the output is one file in its own format, one
//! file with all records, or a folder.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::settings::WriteSettings;
use crate::base::error::{CorpusError, Error, Result};
use crate::base::setting::Setting;
use crate::base::shown::shown;
use crate::documents::input::{
    Codec, FileForm, FileKind, InputSettings, Inputs, TreeFile, TreeKind, codec_of_name, each_file, is_named_a_text,
    name_inside, path_bytes, path_of,
};

/// Extensions of file formats that dedup does not write. A folder with such an extension would be mistaken for a
/// file.
const FILE_ENDINGS: [&str; 41] = [
    "7z", "arrow", "arrows", "avro", "br", "db", "doc", "docx", "duckdb", "eml", "feather", "h5", "hdf5", "htm",
    "html", "ipc", "lz", "lz4", "mbox", "mbx", "md", "msgpack", "npy", "npz", "ods", "odt", "orc", "parq", "pdf",
    "pickle", "pkl", "pq", "rar", "sqlite", "sqlite3", "txt", "warc", "wet", "xls", "xlsx", "xml",
];

/// Extensions that say nothing about the format, in addition to the extensions of texts.
const NEUTRAL_ENDINGS: [&str; 8] = ["bak", "clean", "dedup", "new", "out", "part", "tmp", "unique"];

/// The extensions of formats in which records can be written.
const WRITABLE: &str = if cfg!(feature = "parquet") {
    ".jsonl, .json, .csv, .tsv or .parquet, with .gz, .zst, .bz2 or .xz after it for compression"
} else {
    ".jsonl, .json, .csv or .tsv, with .gz, .zst, .bz2 or .xz after it for compression"
};

/// The form in which a corpus is written.
#[derive(Debug)]
pub(super) enum OutputForm {
    /// The only input file, in its own format; with another compression if one is given.
    OneFile(Option<Vec<Codec>>),
    /// All records in one file.
    Records(Conversion),
    Folder,
}

/// The format and compression to which all records are converted.
#[derive(Debug)]
pub(super) struct Conversion {
    pub(super) kind: FileKind,
    /// Whether JSON records become elements of an array, as for the extension `.json`.
    pub(super) is_array: bool,
    /// The delimiter of CSV.
    pub(super) delimiter: u8,
    /// The compression of the output.
    pub(super) codecs: Vec<Codec>,
}

impl OutputForm {
    /// # Errors
    /// When the output's name has the extension of a form that the inputs cannot have.
    pub(super) fn of(input: &InputSettings, write: &WriteSettings) -> Result<Self> {
        let mut arguments = input.paths.iter().chain(&input.listed);
        let only = arguments.next().filter(|_| arguments.next().is_none());
        let only_file = only.filter(|path| input.listed.is_empty() && !path.is_dir());
        if write.one_file {
            return Self::without_name(input, only_file.is_some());
        }
        let said = Promise::of(&write.output);
        match only_file {
            Some(path) => Self::of_file(input, path, &said, write.to_text),
            None => Self::of_files(input, only.map(PathBuf::as_path).filter(|path| path.is_dir()), &said),
        }
    }

    /// The form of an output without a name, such as standard output, which must be one file.
    fn without_name(input: &InputSettings, is_file: bool) -> Result<Self> {
        if is_file {
            return Ok(Self::OneFile(None));
        }
        let (mut num_files, mut kinds) = (0u64, Vec::new());
        each_file(Inputs { settings: input, sets: false }, &mut |TreeFile { path, kind, .. }| {
            match kind {
                TreeKind::EmptyFolder => return Ok(()),
                TreeKind::Link => kinds.push(None),
                TreeKind::File(_) => kinds.push(FileForm::of(input, path).map(|form| form.kind)),
            }
            num_files += 1;
            kinds.dedup();
            Ok(())
        })?;
        match kinds.as_slice() {
            [Some(_)] if num_files == 1 => Ok(Self::OneFile(None)),
            [Some(kind)] if kind.holds_records() && *kind != FileKind::Parquet => Ok(Self::Records(Conversion {
                kind: *kind,
                is_array: false,
                delimiter: input.delimiter,
                codecs: Vec::new(),
            })),
            _ => {
                let why = format!("standard output is one file, and these are {num_files} files");
                let output = Setting::Output;
                let remedy = format!("give {output} a folder, or a name such as clean.jsonl for records");
                Err(no_place(Path::new("-"), why, remedy))
            }
        }
    }

    /// * `to_text`: whether texts may be written instead of the file.
    fn of_file(input: &InputSettings, path: &Path, said: &Promise, to_text: bool) -> Result<Self> {
        // A file that cannot be read is reported where it is read.
        let Some(stored) = FileForm::of(input, path) else { return Ok(Self::OneFile(None)) };
        let has = Promise::of(path);
        let same_form = Self::OneFile(said.has_ending().then(|| said.codecs.clone()).filter(|it| *it != stored.codecs));
        if to_text && !stored.kind.holds_records() {
            return Ok(same_form);
        }
        let Some(kind) = said.kind else {
            let is_known = said.ending.as_ref().is_none_or(|ending| {
                let is_neutral = NEUTRAL_ENDINGS.contains(&ending.as_str());
                is_neutral || has.ending.as_ref() == Some(ending) || is_named_a_text(format!("x.{ending}").as_bytes())
            });
            return if is_known { Ok(same_form) } else { Err(said.unknown(&has)) };
        };
        let keeps_array =
            stored.kind != FileKind::Json || said.is_array == stored.is_array || said.is_array == has.is_array;
        if kind == stored.kind && keeps_array || kind.holds_rows_of(stored.kind, input.delimiter) {
            return Ok(same_form);
        }
        if kind.holds_records() && stored.kind.holds_records() {
            return Ok(Self::Records(said.conversion(kind, stored.kind, input)));
        }
        let why = format!(
            "its name says {}, and the input {} is {}",
            kind.name(),
            shown(&path.to_string_lossy()),
            stored.kind.name()
        );
        Err(no_place(&said.path, why, "use the extension of the input"))
    }

    /// * `folder`: the only input, if it is a folder.
    fn of_files(input: &InputSettings, folder: Option<&Path>, said: &Promise) -> Result<Self> {
        // Spark writes a table as a folder of this name.
        let has_same_ending =
            folder.is_some_and(|folder| said.has_ending() && Promise::of(folder).endings() == said.endings());
        let is_file_name = said.kind.is_some()
            || !said.codecs.is_empty()
            || said.ending.as_ref().is_some_and(|ending| FILE_ENDINGS.contains(&ending.as_str()));
        if !is_file_name || has_same_ending || path_bytes(&said.path).ends_with(b"/") {
            return Ok(Self::Folder);
        }
        let Some(kind) = said.kind.filter(|kind| kind.holds_records()) else {
            let why = format!("the output of several files is a folder, and this name says {}", said.endings());
            return Err(no_place(
                &said.path,
                why,
                format!("for a folder give a name without it; for records {WRITABLE}"),
            ));
        };
        let (mut other, mut kinds) = (None, Vec::new());
        each_file(Inputs { settings: input, sets: false }, &mut |TreeFile { path, kind, .. }| {
            let found = match kind {
                TreeKind::EmptyFolder => return Ok(()),
                TreeKind::File(_) => FileForm::of(input, path).map(|form| form.kind).filter(|it| it.holds_records()),
                TreeKind::Link => None,
            };
            match found {
                Some(found) if !kinds.contains(&found) => kinds.push(found),
                Some(_) => {}
                None => drop(other.get_or_insert_with(|| path.to_owned())),
            }
            Ok(())
        })?;
        let folder_name = format!("give {}/ for a folder", shown(&said.path.to_string_lossy()));
        if let Some(other) = other {
            let why = format!("is to be one file of records, and {} is not", shown(&other.to_string_lossy()));
            return Err(no_place(&said.path, why, format!("exclude it, or {folder_name}")));
        }
        if kind == FileKind::Parquet && kinds.contains(&FileKind::Parquet) {
            let why = "Parquet files are not joined to one, which could change the types of columns";
            return Err(no_place(&said.path, why, folder_name));
        }
        match kinds.as_slice() {
            [] => {
                Err(no_place(&said.path, "is to be one file of records, and the inputs hold no records", folder_name))
            }
            [only] => Ok(Self::Records(said.conversion(kind, *only, input))),
            _ => Ok(Self::Records(said.conversion(kind, FileKind::Text, input))),
        }
    }
}

/// The form that the name of a file implies.
struct Promise {
    path: PathBuf,
    kind: Option<FileKind>,
    /// Whether the name ends with `.json`, which implies an array.
    is_array: bool,
    codecs: Vec<Codec>,
    /// The extension before the extension of a compression, in lower case; a number does not count as one.
    ending: Option<String>,
}

impl Promise {
    fn of(path: &Path) -> Self {
        let name = path_bytes(path);
        let codecs: Vec<Codec> = codec_of_name(name).into_iter().collect();
        let inside = if codecs.is_empty() { name.to_owned() } else { name_inside(name) };
        let ending = path_of(&inside).extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let ending = ending.filter(|ending| !ending.bytes().all(|byte| byte.is_ascii_digit()));
        Self {
            path: path.to_owned(),
            kind: FileKind::of_name(name),
            is_array: ending.as_deref() == Some("json"),
            codecs,
            ending,
        }
    }

    /// Whether the name has an extension; a name without one implies no form.
    fn has_ending(&self) -> bool {
        self.ending.is_some() || !self.codecs.is_empty()
    }

    /// The extensions of the name, such as `.csv.gz`.
    fn endings(&self) -> String {
        let ending = self.ending.iter().map(|ending| format!(".{}", shown(ending)));
        ending.chain(self.codecs.iter().map(|codec| format!(".{}", codec.extension()))).collect()
    }

    /// * `from`: the format of all inputs, if they have one.
    fn conversion(&self, kind: FileKind, from: FileKind, input: &InputSettings) -> Conversion {
        let delimiter = if from == FileKind::Csv { input.delimiter } else { b',' };
        Conversion { kind, is_array: self.is_array, delimiter, codecs: self.codecs.clone() }
    }

    /// The error for the extension of a format that cannot be written.
    ///
    /// * `has`: the name of the only input.
    fn unknown(&self, has: &Self) -> Error {
        let why = format!("cannot write the format {}", self.endings());
        let own = has.ending.iter().map(|ending| format!("the extension of the input, .{}, or ", shown(ending)));
        no_place(&self.path, why, format!("give {}{WRITABLE}", own.collect::<String>()))
    }
}

fn no_place(path: &Path, why: impl Into<Cow<'static, str>>, remedy: impl Into<Cow<'static, str>>) -> Error {
    Error::Corpus(CorpusError::NoPlace { path: path.to_owned(), why: why.into(), remedy: remedy.into() })
}

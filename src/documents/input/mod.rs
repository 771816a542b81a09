//! Input: reads paths and yields decoded texts with their names, in document order.
//!
//! In order; a part imports only from the parts above it. The files at the top are small tools that all parts need, such
//! as settings, globs and messages, and `panic_guard`, which guards all calls of libraries that parse untrusted input.
//!
//! | Part | Contents |
//! | --- | --- |
//! | `codec` | Decompression: gzip, zstd, bzip2, xz and their kin. |
//! | `encoder` | Compression of outputs. |
//! | `formats` | Recognises how a file is read, by its name and its first bytes. A new format begins here. |
//! | `bytes` | Turns bytes into text: encodings, HTML, office documents, books and notebooks, and programs that extract text from other formats. |
//! | `streams` | Standard input and pipes, and the spool of documents that cannot be read twice. |
//! | `unpack` | Reads from beginning to end what has no positions to read at: archives, compressed files, records. |
//! | `walk` | Turns the given paths into pieces of work, in document order. |
//! | `reading` | Reads every document in parallel and in order, and a single document again for verification. |

mod cancel;
mod panic_guard;
mod marks;
mod charset;
mod paths;
mod by_name;
mod member_times;
mod own_files;
mod text_modes;
mod path_glob;
mod stored_input;
mod against;
mod settings;
mod read_settings;
mod globs;
mod earlier_outputs;
mod codec;
mod encoder;
mod messages;
mod piece;
#[cfg(feature = "parquet")]
mod parquet_footer;
#[cfg(feature = "parquet")]
mod parquet_file;
mod formats;
mod bytes;
mod streams;
mod unpack;
mod walk;
mod reading;

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::base::error::{Error, Result};

pub use self::against::{Against, Compared};
pub use self::by_name::ByName;
pub use self::bytes::extract::{EXTRACT_FLAG, extract_from_stdin, set_extractor};
pub use self::cancel::Cancel;
pub(crate) use self::codec::{Codec, decoded};
pub(crate) use self::earlier_outputs::is_written;
pub(crate) use self::encoder::encoder;
pub(crate) use self::formats::format::{codec_of_name, extension, is_named_a_text, name_inside};
pub use self::member_times::MemberTimes;
pub use self::own_files::{OwnFiles, OwnUse};
pub(crate) use self::panic_guard::contain;
#[cfg(feature = "parquet")]
pub(crate) use self::parquet_file::ParquetFile;
pub use self::path_glob::PathGlob;
pub(crate) use self::paths::{numbered, path_bytes, path_of, unnumbered};
pub(crate) use self::read_settings::ReadSettings;
pub(crate) use self::reading::absent_by_source::AbsentBySource;
pub(crate) use self::reading::documents::read_documents;
pub(crate) use self::reading::folded_piece::{Fold, Folded, FoldedPiece, PieceProblem};
pub(crate) use self::reading::in_order::read_in_order;
pub(crate) use self::reading::places::Places;
pub(crate) use self::reading::reader::{Document, DocumentName, Reader};
pub(crate) use self::reading::work::useful_threads;
pub(crate) use self::settings::Inputs;
pub use self::settings::{Filter, InputFormat, InputSettings, InvalidBytes, Quoting, TextEncoding};
pub use self::stored_input::StoredInput;
pub(crate) use self::stored_input::{ReadStored, StoredDocument, StoredItem, StoredPlace};
pub(crate) use self::streams::spool::{LineForm, Sources};
pub use self::text_modes::{HtmlMode, MailQuotes, MarkupMode, NotebookCells};
pub(crate) use self::unpack::archive::MemberNames;
pub(crate) use self::unpack::archive::headers::Headers;
pub(crate) use self::unpack::archive::zip::{MemberSpans, zip_member_name};
pub(crate) use self::unpack::cuts::{StoredRecord, cut_records};
pub(crate) use self::unpack::file_kind::{FileForm, FileKind};
pub(crate) use self::unpack::meter::Meter;
pub(crate) use self::unpack::peel::{Peeled, Shape, peel};
#[cfg(feature = "parquet")]
pub(crate) use self::unpack::records::cells::{LogicalKind, of_float};
pub(crate) use self::unpack::records::stored_rows::stored_rows;
pub(crate) use self::unpack::records::text_values::{JsonTexts, TableTexts, TextValues, json_string, mark_len};
pub(crate) use self::walk::Walked;
pub(crate) use self::walk::tree::{TreeFile, TreeKind, each_file};

/// Reads a list of paths from a file, or from standard input for `-`. Paths are separated by line ends, or with `null`
/// by NUL bytes, as `find -print0` and `git ls-files -z` write them. Empty entries are skipped.
///
/// # Errors
/// When the list cannot be read, or contains NUL bytes without `null`.
pub fn read_path_list(list: &Path, null: bool) -> Result<Vec<PathBuf>> {
    let mut bytes = Vec::new();
    let read = if list == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes).map(drop)
    } else {
        fs::read(list).map(|list| bytes = list)
    };
    read.map_err(|source| Error::FilesFrom { path: list.to_owned(), source })?;
    if !null && bytes.contains(&b'\0') {
        return Err(Error::NulInList { path: list.to_owned() });
    }
    let separator = if null { b'\0' } else { b'\n' };
    // A byte order mark does not belong to the first name.
    let bytes = bytes.strip_prefix(marks::UTF8_MARK).unwrap_or(&bytes);
    let entries = bytes.split(|&byte| byte == separator);
    let entries = entries.map(|entry| if null { entry } else { entry.strip_suffix(b"\r").unwrap_or(entry) });
    Ok(entries.filter(|entry| !entry.is_empty()).map(|entry| path_of(entry).to_owned()).collect())
}

//! Turns paths into documents.
//!
//! In order; a module imports only from the modules above it:
//!
//! | Module | Comes in, goes out |
//! | --- | --- |
//! | `document` | Documents by number: their names, places, copies, sides and groups. |
//! | `input` | Paths in; decoded texts with their names out, in document order. |

pub(crate) mod document;
pub(crate) mod input;

pub use self::document::{
    DocId, Documents, FieldOrder, GroupBy, GroupSettings, OffsetsOf, Origin, Place, UnitBy, ValueKind,
};
pub use self::input::{
    Against, ByName, Cancel, Compared, EXTRACT_FLAG, Filter, HtmlMode, InputFormat, InputSettings, InvalidBytes,
    MailQuotes, MarkupMode, MemberTimes, NotebookCells, OwnFiles, OwnUse, PathGlob, Quoting, StoredInput, TextEncoding,
    extract_from_stdin, read_path_list, set_extractor,
};

//! `kind_of`: determines the kind of a binary file by its first bytes.
//!
//! The table lists kinds that are common in folders of texts and in repositories. The containers of Office files, a zip
//! or an OLE file, are distinguished by the names of the parts inside.

use memchr::memmem;

use crate::base::problem::BinaryKind;
use crate::documents::input::marks::UTF8_MARK;

/// The advice about office documents that no command reads from standard input.
const OFFICE_ADVICE: &str = "convert it first with soffice --convert-to pdf";

/// A kind with a command that extracts its text.
const fn filtered(one: &'static str, many: &'static str, ending: &'static str, command: &'static str) -> BinaryKind {
    BinaryKind { one, many, ending, command, advice: "", is_picture: false }
}

/// A kind with other advice for the user.
const fn advised(one: &'static str, many: &'static str, advice: &'static str) -> BinaryKind {
    BinaryKind { one, many, ending: "", command: "", advice, is_picture: false }
}

/// A kind without a text.
const fn plain(one: &'static str, many: &'static str) -> BinaryKind {
    advised(one, many, "")
}

/// A picture, whose text a command recognises.
const fn picture(one: &'static str, many: &'static str, ending: &'static str) -> BinaryKind {
    BinaryKind { is_picture: true, ..filtered(one, many, ending, "tesseract - -") }
}

pub(in crate::documents::input) static PDF: BinaryKind =
    filtered("PDF document", "PDF documents", "pdf", "pdftotext - -");
pub(in crate::documents::input) static WORD: BinaryKind =
    filtered("Word document", "Word documents", "docx", "pandoc -f docx -t plain");
static EXCEL: BinaryKind = filtered("Excel workbook", "Excel workbooks", "xlsx", "markitdown -x .xlsx");
pub(in crate::documents::input) static POWERPOINT: BinaryKind =
    filtered("PowerPoint presentation", "PowerPoint presentations", "pptx", "markitdown -x .pptx");
static OLD_WORD: BinaryKind = filtered("Word 97 document", "Word 97 documents", "doc", "antiword -");
static OLD_EXCEL: BinaryKind = filtered("Excel 97 workbook", "Excel 97 workbooks", "xls", "markitdown -x .xls");
static OLD_POWERPOINT: BinaryKind = advised("PowerPoint 97 presentation", "PowerPoint 97 presentations", OFFICE_ADVICE);
static OUTLOOK: BinaryKind = filtered("Outlook message", "Outlook messages", "msg", "markitdown -x .msg");
pub(in crate::documents::input) static ENCRYPTED_OFFICE: BinaryKind =
    advised("Office document", "Office documents", "remove its password first");
static OLE: BinaryKind = advised(
    "OLE compound file",
    "OLE compound files",
    "if it is an Office document, convert it first with soffice --convert-to pdf",
);
pub(in crate::documents::input) static RTF: BinaryKind =
    filtered("RTF document", "RTF documents", "rtf", "pandoc -f rtf -t plain");
static POSTSCRIPT: BinaryKind = filtered("PostScript document", "PostScript documents", "ps", "ps2ascii");
static ENCRYPTED_PARQUET: BinaryKind = advised("encrypted Parquet file", "encrypted Parquet files", "decrypt it first");
pub(in crate::documents::input) static OPEN_TEXT: BinaryKind =
    filtered("OpenDocument text", "OpenDocument texts", "odt", "pandoc -f odt -t plain");
pub(in crate::documents::input) static OPEN_SLIDES: BinaryKind =
    BinaryKind { ending: "odp", ..advised("OpenDocument presentation", "OpenDocument presentations", OFFICE_ADVICE) };
pub(in crate::documents::input) static NOTEBOOK: BinaryKind =
    BinaryKind { ending: "ipynb", ..plain("Jupyter notebook", "Jupyter notebooks") };
static OPEN_OTHER: BinaryKind = advised("OpenDocument file", "OpenDocument files", OFFICE_ADVICE);
pub(in crate::documents::input) static EPUB: BinaryKind =
    filtered("EPUB book", "EPUB books", "epub", "pandoc -f epub -t plain");
static JAR: BinaryKind = plain("Java archive", "Java archives");
static PNG: BinaryKind = picture("PNG image", "PNG images", "png");
static JPEG: BinaryKind = picture("JPEG image", "JPEG images", "jpg");
static GIF: BinaryKind = picture("GIF image", "GIF images", "gif");
static WEBP: BinaryKind = picture("WebP image", "WebP images", "webp");
static TIFF: BinaryKind = picture("TIFF image", "TIFF images", "tif");
static BMP: BinaryKind = picture("BMP image", "BMP images", "bmp");
static ICON: BinaryKind = plain("Windows icon", "Windows icons");
static PHOTOSHOP: BinaryKind = plain("Photoshop image", "Photoshop images");
static HEIF: BinaryKind = plain("HEIF or AVIF image", "HEIF or AVIF images");
static DJVU: BinaryKind = advised("DjVu document", "DjVu documents", "extract its text first with djvutxt");
static MOBI: BinaryKind = advised("Mobipocket book", "Mobipocket books", "convert it first with ebook-convert");
static SQLITE: BinaryKind =
    advised("SQLite database", "SQLite databases", "export its rows first with sqlite3 -csv -header FILE 'SELECT ...'");
static ACCESS: BinaryKind = advised("Access database", "Access databases", "export its tables first with mdb-export");
static GIMP: BinaryKind = plain("GIMP image", "GIMP images");
static CAPTURE: BinaryKind = advised("network capture", "network captures", "print it first with tcpdump -A -r");
static PICKLE: BinaryKind = plain("Python pickle", "Python pickles");
static PROGRAM: BinaryKind = plain("executable", "executables");
static OBJECTS: BinaryKind = plain("library of object files", "libraries of object files");
static CLASS: BinaryKind = plain("Java class", "Java classes");
static WASM: BinaryKind = plain("WebAssembly module", "WebAssembly modules");
static BITCODE: BinaryKind = plain("LLVM bitcode file", "LLVM bitcode files");
static FONT: BinaryKind = plain("font", "fonts");
static AUDIO: BinaryKind = plain("audio file", "audio files");
static VIDEO: BinaryKind = plain("video", "videos");
static GIT_PACK: BinaryKind = plain("git pack", "git packs");
static GIT_INDEX: BinaryKind = plain("git index", "git indexes");
static ARROW: BinaryKind = advised("Arrow file", "Arrow files", "--input-format arrow reads it");
static FEATHER: BinaryKind = advised(
    "Feather file of version 1",
    "Feather files of version 1",
    "write it again with a current version of pyarrow or R",
);
static ORC: BinaryKind = advised("ORC file", "ORC files", "convert it first to Parquet or JSON Lines");
static AVRO: BinaryKind = advised("Avro file", "Avro files", "convert it first to Parquet or JSON Lines");
static HDF5: BinaryKind = plain("HDF5 file", "HDF5 files");
static NUMPY: BinaryKind = plain("NumPy array", "NumPy arrays");
static MODEL: BinaryKind = plain("GGUF model", "GGUF models");
static CATALOGUE: BinaryKind = advised("gettext catalogue", "gettext catalogues", "msgunfmt makes a text of it");
static TIME_ZONE: BinaryKind = plain("time zone file", "time zone files");
static DS_STORE: BinaryKind = plain("macOS folder file", "macOS folder files");
static SEVEN_ZIP: BinaryKind = advised("7z archive", "7z archives", "unpack it first with 7z x");
static RAR: BinaryKind = advised("RAR archive", "RAR archives", "unpack it first with unrar x");
static CABINET: BinaryKind = advised("cabinet archive", "cabinet archives", "unpack it first with cabextract");
static RPM: BinaryKind = advised("RPM package", "RPM packages", "unpack it first with rpm2cpio");
static DEB: BinaryKind = advised("Debian package", "Debian packages", "unpack it first with dpkg-deb -x");
static HELP: BinaryKind =
    advised("compiled HTML help file", "compiled HTML help files", "unpack it first with extract_chmLib");
static LZ4: BinaryKind = filtered("file compressed by lz4", "files compressed by lz4", "lz4", "lz4 -dc");
static LZIP: BinaryKind = filtered("file compressed by lzip", "files compressed by lzip", "lz", "lzip -dc");
static COMPRESS: BinaryKind = filtered("file compressed by compress", "files compressed by compress", "Z", "gzip -dc");
static MAIL_STORE: BinaryKind =
    advised("Outlook mail store", "Outlook mail stores", "export its messages first with readpst");

/// The first bytes of each kind.
static STARTS: &[(&[u8], &BinaryKind)] = &[
    (b"%PDF-", &PDF),
    (b"\x89PNG\r\n\x1A\n", &PNG),
    (b"\xFF\xD8\xFF", &JPEG),
    (b"GIF87a", &GIF),
    (b"GIF89a", &GIF),
    (b"II*\0", &TIFF),
    (b"MM\0*", &TIFF),
    (b"\0\0\x01\0", &ICON),
    (b"8BPS", &PHOTOSHOP),
    (b"AT&TFORM", &DJVU),
    (b"SQLite format 3\0", &SQLITE),
    (b"\0\x01\0\0Standard Jet DB", &ACCESS),
    (b"\0\x01\0\0Standard ACE DB", &ACCESS),
    (b"gimp xcf ", &GIMP),
    (b"\xD4\xC3\xB2\xA1", &CAPTURE),
    (b"\n\r\r\n", &CAPTURE),
    (b"\x80\x04\x95", &PICKLE),
    (b"\x7FELF", &PROGRAM),
    (b"MZ", &PROGRAM),
    (b"\xCF\xFA\xED\xFE", &PROGRAM),
    (b"\xCE\xFA\xED\xFE", &PROGRAM),
    (b"!<arch>\ndebian-binary", &DEB),
    (b"!<arch>\n", &OBJECTS),
    (b"\xCA\xFE\xBA\xBE", &CLASS),
    (b"\0asm", &WASM),
    (b"BC\xC0\xDE", &BITCODE),
    (b"wOFF", &FONT),
    (b"wOF2", &FONT),
    (b"OTTO", &FONT),
    (b"ttcf", &FONT),
    (b"\0\x01\0\0\0", &FONT),
    (b"ID3", &AUDIO),
    (b"\xFF\xFB", &AUDIO),
    (b"\xFF\xF3", &AUDIO),
    (b"\xFF\xF1", &AUDIO),
    (b"fLaC", &AUDIO),
    (b"OggS", &AUDIO),
    (b"MThd", &AUDIO),
    (b"\x1A\x45\xDF\xA3", &VIDEO),
    (b"FLV\x01", &VIDEO),
    (b"\x30\x26\xB2\x75\x8E\x66\xCF\x11", &VIDEO),
    (b"\0\0\x01\xBA", &VIDEO),
    (b"PACK\0\0\0", &GIT_PACK),
    (b"\xFFtOc", &GIT_INDEX),
    (b"DIRC\0\0\0", &GIT_INDEX),
    (b"PARE", &ENCRYPTED_PARQUET),
    (b"ARROW1", &ARROW),
    (b"FEA1", &FEATHER),
    (b"\xFF\xFF\xFF\xFF", &ARROW),
    (b"ORC", &ORC),
    (b"Obj\x01", &AVRO),
    (b"\x89HDF\r\n\x1A\n", &HDF5),
    (b"\x93NUMPY", &NUMPY),
    (b"GGUF", &MODEL),
    (b"\xDE\x12\x04\x95", &CATALOGUE),
    (b"\x95\x04\x12\xDE", &CATALOGUE),
    (b"TZif", &TIME_ZONE),
    (b"\0\0\0\x01Bud1", &DS_STORE),
    (b"7z\xBC\xAF\x27\x1C", &SEVEN_ZIP),
    (b"Rar!\x1A\x07", &RAR),
    (b"MSCF\0\0\0\0", &CABINET),
    (b"\xED\xAB\xEE\xDB", &RPM),
    (b"ITSF", &HELP),
    (b"\x04\x22\x4D\x18", &LZ4),
    (b"LZIP\x01", &LZIP),
    (b"\x1F\x9D", &COMPRESS),
    (b"!BDN", &MAIL_STORE),
    (b"BM", &BMP),
];
/// The first bytes of an OLE file, the container of the older Office formats.
const OLE_START: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
/// The first bytes of a zip file with members.
pub(in crate::documents::input) const ZIP_START: &[u8] = b"PK\x03\x04";
/// The offset of the first member's name in a zip file.
const NAME: usize = 30;

/// A binary file of unknown kind.
pub(crate) static UNKNOWN: BinaryKind = plain("of no known kind", "of no known kind");

/// The kind of a file that is not text; `None` for an unknown kind and for ordinary archives.
pub(crate) fn kind_of(bytes: &[u8]) -> Option<&'static BinaryKind> {
    if bytes.starts_with(ZIP_START) {
        return kind_of_zip(bytes);
    }
    if bytes.starts_with(OLE_START) {
        return Some(kind_of_ole(bytes));
    }
    let by_start = || STARTS.iter().find(|(start, _)| bytes.starts_with(start)).map(|&(_, kind)| kind);
    kind_at_4(bytes).or_else(by_start)
}

/// The kind of a file whose text may be extracted; `None` for any other text or binary file.
pub(in crate::documents::input) fn document_kind_of(bytes: &[u8]) -> Option<&'static BinaryKind> {
    match bytes.strip_prefix(UTF8_MARK).unwrap_or(bytes) {
        [b'P', b'K', 3, 4, ..] => kind_of_zip(bytes),
        [0xD0, 0xCF, ..] if bytes.starts_with(OLE_START) => Some(kind_of_ole(bytes)),
        [b'{', b'\\', ..] => markup_kind_of(bytes),
        [b'%', b'P', b'D', b'F', b'-', ..] => Some(&PDF),
        [b'{', ..] if is_notebook(bytes) => Some(&NOTEBOOK),
        _ => None,
    }
}

/// The fields of a notebook that show that it is one.
#[derive(serde::Deserialize)]
struct NotebookFields {
    #[serde(default)]
    cells: Option<Vec<serde::de::IgnoredAny>>,
    #[serde(default)]
    worksheets: Option<Vec<serde::de::IgnoredAny>>,
}

impl NotebookFields {
    fn has_cells(&self) -> bool {
        self.cells.is_some() || self.worksheets.is_some()
    }
}

/// Whether JSON is a Jupyter notebook: it has a version of their format, or it begins with a cell and ends before the
/// version.
fn is_notebook(bytes: &[u8]) -> bool {
    /// Number of first bytes in which a notebook has a cell.
    const START: usize = 4096;
    let has = |bytes: &[u8], name: &str| memmem::find(bytes, name.as_bytes());
    let is_version = |at: usize| {
        let value = bytes[at..].trim_ascii_start().strip_prefix(b":").unwrap_or_default();
        value.trim_ascii_start().first().is_some_and(u8::is_ascii_digit)
    };
    let start = &bytes[..bytes.len().min(START)];
    let version = has(bytes, "\"nbformat\"").is_some_and(|at| is_version(at + "\"nbformat\"".len()));
    let may_be = version || has(start, "\"cells\"").is_some() && has(start, "\"cell_type\"").is_some();
    // Other JSON may have these words inside. A notebook that is cut short or has NaN is not valid JSON.
    may_be && serde_json::from_slice::<NotebookFields>(bytes).map_or(true, |fields| fields.has_cells())
}

/// The kind of a file by its name as well, where its bytes leave that open.
pub(crate) fn kind_by_name(kind: &'static BinaryKind, name: &str) -> &'static BinaryKind {
    if kind != &OLE {
        return kind;
    }
    let kinds = [&OLD_WORD, &OLD_EXCEL, &OUTLOOK];
    let has_ending = |ending: &str| name.to_ascii_lowercase().ends_with(ending);
    match kinds.into_iter().find(|kind| kind.ending_of(name).is_some()) {
        None if has_ending(".ppt") || has_ending(".pps") => &OLD_POWERPOINT,
        by_name => by_name.unwrap_or(kind),
    }
}

/// The kind of a text with markup that a filter can remove, such as RTF.
pub(crate) fn markup_kind_of(bytes: &[u8]) -> Option<&'static BinaryKind> {
    match bytes {
        [b'{', b'\\', b'r', b't', b'f', ..] => Some(&RTF),
        [b'%', b'!', b'P', b'S', ..] => Some(&POSTSCRIPT),
        _ => None,
    }
}

/// The kind of a file that cannot be text in any encoding, because its first bytes include an unprintable one or are
/// `%PDF-`.
pub(crate) fn certain_kind_of(bytes: &[u8]) -> Option<&'static BinaryKind> {
    /// Number of first bytes that suffice to recognise text.
    const FEW: usize = 4;
    let is_printable = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let start = bytes.get(..FEW)?;
    if start.iter().all(is_printable) && start != b"%PDF" {
        return None;
    }
    if start == ZIP_START || bytes.starts_with(OLE_START) {
        return kind_of(bytes);
    }
    let is_sure = |mark: &[u8]| mark == b"%PDF-" || (mark.len() >= FEW - 1 && !mark.iter().all(is_printable));
    let is_mark = |mark: &[u8]| bytes.starts_with(mark) && is_sure(mark);
    STARTS.iter().find(|(mark, _)| is_mark(mark)).map(|&(_, kind)| kind)
}

/// Kinds whose magic bytes are at byte 4 or later.
fn kind_at_4(bytes: &[u8]) -> Option<&'static BinaryKind> {
    let part = |from: usize, to: usize| bytes.get(from..to).unwrap_or_default();
    match (part(0, 4), part(4, 8), part(8, 12)) {
        (b"RIFF", _, b"WEBP") => Some(&WEBP),
        (b"RIFF", _, b"WAVE") => Some(&AUDIO),
        (b"RIFF", _, b"AVI ") => Some(&VIDEO),
        (b"FORM", _, b"AIFF" | b"AIFC") => Some(&AUDIO),
        (_, b"ftyp", b"heic" | b"heix" | b"mif1" | b"avif" | b"avis") => Some(&HEIF),
        (_, b"ftyp", b"M4A " | b"M4B ") => Some(&AUDIO),
        (_, b"ftyp", _) => Some(&VIDEO),
        _ if part(60, 68) == b"BOOKMOBI" => Some(&MOBI),
        _ => None,
    }
}

/// Whether a zip file is an Office file or a book, by its first member. Such a file is not meant as an archive.
pub(in crate::documents::input) fn is_office(start: &[u8]) -> bool {
    let is_first = |member: &[u8]| start.get(NAME..).is_some_and(|first| first.starts_with(member));
    start.starts_with(ZIP_START) && (is_first(b"[Content_Types].xml") || is_first(b"mimetypeapplication/"))
}

/// The kind of an Office file or a book, by its members: an uncompressed `mimetype`, which usually comes first, or the names
/// of other members.
fn kind_of_zip(bytes: &[u8]) -> Option<&'static BinaryKind> {
    const MIMETYPE: &[u8] = b"mimetypeapplication/";
    let first = bytes.get(NAME..).unwrap_or_default();
    let has = |member: &str| memmem::find(bytes, member.as_bytes()).is_some();
    // A document may have others inside it, which come later.
    let types = memmem::find(bytes, b"[Content_Types].xml").unwrap_or(usize::MAX);
    if let Some(at) = memmem::find(bytes, MIMETYPE).filter(|&at| at < types) {
        let is = |kind: &[u8]| bytes[at + MIMETYPE.len()..].starts_with(kind);
        return match () {
            () if is(b"epub+zip") => Some(&EPUB),
            () if is(b"vnd.oasis.opendocument.text") || is(b"vnd.sun.xml.writer") => Some(&OPEN_TEXT),
            () if is(b"vnd.oasis.opendocument.presentation") || is(b"vnd.sun.xml.impress") => Some(&OPEN_SLIDES),
            () if is(b"vnd.oasis.opendocument") => Some(&OPEN_OTHER),
            () => None,
        };
    }
    if has("META-INF/container.xml") {
        return Some(&EPUB);
    }
    if has("META-INF/manifest.xml") && has("content.xml") {
        return Some(&OPEN_TEXT);
    }
    if first.starts_with(b"META-INF/") {
        return Some(&JAR);
    }
    if types == usize::MAX {
        return None;
    }
    let kinds = [("word/document", &WORD), ("xl/workbook", &EXCEL), ("ppt/presentation", &POWERPOINT)];
    let found = kinds.into_iter().filter_map(|(member, kind)| Some((memmem::find(bytes, member.as_bytes())?, kind)));
    found.min_by_key(|&(at, _)| at).map(|(_, kind)| kind)
}

/// The kind of an older Office file, by the names of its streams, which are UTF-16.
fn kind_of_ole(bytes: &[u8]) -> &'static BinaryKind {
    let has = |name: &str| {
        let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        memmem::find(bytes, &name).is_some()
    };
    let kinds = [
        ("EncryptedPackage", &ENCRYPTED_OFFICE),
        ("__properties_version", &OUTLOOK),
        ("PowerPoint Document", &OLD_POWERPOINT),
        ("WordDocument", &OLD_WORD),
        ("Workbook", &OLD_EXCEL),
        ("Book", &OLD_EXCEL),
    ];
    kinds.into_iter().find(|(name, _)| has(name)).map_or(&OLE, |(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zip(members: &[&str]) -> Vec<u8> {
        let member = |name: &&str| [ZIP_START, &[0; 26], name.as_bytes(), b"\0data"].concat();
        members.iter().flat_map(member).collect()
    }

    #[test]
    fn office_files_and_books_are_told_apart_by_their_members() {
        let kind = |members: &[&str]| kind_of(&zip(members)).map(|kind| kind.one);
        assert_eq!(kind(&["[Content_Types].xml", "word/document.xml"]), Some("Word document"));
        assert_eq!(kind(&["docProps/app.xml", "[Content_Types].xml", "xl/workbook.xml"]), Some("Excel workbook"));
        assert_eq!(kind(&["[Content_Types].xml", "ppt/presentation.xml"]), Some("PowerPoint presentation"));
        assert_eq!(kind(&["mimetypeapplication/epub+zip"]), Some("EPUB book"));
        assert_eq!(kind(&["mimetypeapplication/vnd.oasis.opendocument.text"]), Some("OpenDocument text"));
        assert_eq!(kind(&["mimetypeapplication/vnd.oasis.opendocument.spreadsheet"]), Some("OpenDocument file"));
        assert_eq!(kind(&["a.txt", "word/document.xml"]), None, "an archive like any other");
        let ole = |stream: &str| {
            let name: Vec<u8> = stream.encode_utf16().flat_map(u16::to_le_bytes).collect();
            kind_of(&[OLE_START, &[0; 500], &name].concat()).map(|kind| kind.one)
        };
        assert_eq!(ole("WordDocument"), Some("Word 97 document"));
        assert_eq!(ole("PowerPoint Document"), Some("PowerPoint 97 presentation"));
        assert_eq!(ole("Workbook"), Some("Excel 97 workbook"));
        assert_eq!(ole("other"), Some("OLE compound file"));
    }

    #[test]
    fn text_that_begins_like_a_binary_file_is_no_certain_kind() {
        for text in ["MZ, said he", "BM is short", "ID3 tags", "ORC", "GIF89a is a format", "RIFFraff", "%PS", "PK", ""]
        {
            assert!(certain_kind_of(text.as_bytes()).is_none(), "{text}");
        }
        assert_eq!(certain_kind_of(b"%PDF-1.4\n").map(|kind| kind.one), Some("PDF document"));
        assert_eq!(certain_kind_of(b"\xFF\xD8\xFF\xE0").map(|kind| kind.one), Some("JPEG image"));
        assert!(certain_kind_of("ÿ und so weiter".as_bytes()).is_none());
    }

    #[test]
    fn each_start_is_found_by_itself() {
        for (start, kind) in STARTS {
            let found = kind_of(start).expect("it is in the table");
            assert_eq!(found.one, kind.one, "{start:?}");
            assert_eq!(kind.ending.is_empty(), kind.command.is_empty());
        }
    }
}

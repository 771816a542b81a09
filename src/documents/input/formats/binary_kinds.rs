//! `kind_of`: determines the kind of a binary file by its first bytes.
//!
//! The containers of Office files, a zip or an OLE file, are distinguished by the names of the parts inside.

use memchr::memmem;

use super::kind_table::{
    AUDIO, CERTIFICATE, DBASE, ENCRYPTED_OFFICE, EPUB, EXCEL, FICTION_BOOK, FLAT_OPEN, HANGUL, HEIF, IWORK, JAR, MOBI,
    NOTEBOOK, OLD_EXCEL, OLD_POWERPOINT, OLD_WORD, OLE, OPEN_DRAWING, OPEN_OTHER, OPEN_SLIDES, OPEN_TEXT, OUTLOOK, PDF,
    PKCS7, POSTSCRIPT, POWERPOINT, PROJECT, PUBLISHER, RTF, SOLIDWORKS, STAR_OFFICE, STARTS, VIDEO, VISIO, WEBP, WORD,
    WORD_XML, WORKS, XPS,
};
use crate::base::problem::BinaryKind;
use crate::documents::input::marks::UTF8_MARK;

/// The first bytes of an OLE file, the container of the older Office formats.
pub(in crate::documents::input) const OLE_START: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
/// The first bytes of a zip file with members.
pub(in crate::documents::input) const ZIP_START: &[u8] = b"PK\x03\x04";
/// The offset of the first member's name in a zip file.
const NAME: usize = 30;

/// The kind of a file that is not text; `None` for an unknown kind and for ordinary archives.
pub(crate) fn kind_of(bytes: &[u8]) -> Option<&'static BinaryKind> {
    if bytes.starts_with(ZIP_START) {
        return kind_of_zip(bytes);
    }
    if bytes.starts_with(OLE_START) {
        return Some(kind_of_ole(bytes));
    }
    let by_start = || STARTS.iter().find(|(start, _)| bytes.starts_with(start)).map(|&(_, kind)| kind);
    kind_at_4(bytes).or_else(by_start).or_else(|| has_late_pdf(bytes).then_some(&PDF))
}

/// The kind of a file whose text may be extracted; `None` for any other text or binary file.
pub(in crate::documents::input) fn document_kind_of(bytes: &[u8]) -> Option<&'static BinaryKind> {
    match bytes.strip_prefix(UTF8_MARK).unwrap_or(bytes) {
        [b'P', b'K', 3, 4, ..] => kind_of_zip(bytes),
        [0xD0, 0xCF, ..] if bytes.starts_with(OLE_START) => Some(kind_of_ole(bytes)),
        [b'{', b'\\', ..] => markup_kind_of(bytes),
        [b'%', b'P', b'D', b'F', b'-', ..] => Some(&PDF),
        [b'<', b'?', b'x', b'm', b'l', ..] | [b'<', b'o', b'f', b'f', ..] if is_flat_open(bytes) => Some(&FLAT_OPEN),
        [b'<', b'?', b'x', b'm', b'l', ..] | [b'<', b'w' | b'p' | b'F', ..] => xml_kind_of(bytes),
        [b'{', ..] if is_notebook(bytes) => Some(&NOTEBOOK),
        _ if has_late_pdf(bytes) => Some(&PDF),
        _ => None,
    }
}

/// Whether a PDF has other bytes before it, such as a blank line or the head of a message of HTTP. Readers of PDF accept up
/// to 1,024 of them.
///
/// A text may mention the first bytes of a PDF or quote a whole one, but it begins with words, or goes on after the quote.
fn has_late_pdf(bytes: &[u8]) -> bool {
    const MOST_BEFORE: usize = 1024;
    const MARK: &[u8] = b"%PDF-";
    /// Maximum bytes between the mark and the first object.
    const MOST_HEADER: usize = 1024;
    let is_pdf = |at: usize| {
        let (before, pdf) = bytes.split_at(at);
        let has_version = matches!(pdf.get(MARK.len()..MARK.len() + 3), Some([b'1' | b'2', b'.', b'0'..=b'9']));
        let has_object = memmem::find(&pdf[..pdf.len().min(MOST_HEADER)], b" obj").is_some();
        let is_blank = before.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0);
        let is_line = matches!(before.last(), Some(b'\n' | b'\r'));
        let ends = || pdf.trim_ascii_end().ends_with(b"%%EOF") && memmem::rfind(pdf, b"startxref").is_some();
        has_version && has_object && (is_blank || is_line && ends())
    };
    memmem::find_iter(&bytes[..bytes.len().min(MOST_BEFORE + MARK.len())], MARK).any(is_pdf)
}

/// Whether XML is a text, presentation or drawing of OpenDocument in one file.
fn is_flat_open(bytes: &[u8]) -> bool {
    /// Number of first bytes in which such a file has its type, after the declarations of its names.
    const START: usize = 8192;
    const TYPE: &[u8] = b"application/vnd.oasis.opendocument.";
    let start = &bytes[..bytes.len().min(START)];
    let is_it = |at: usize| {
        let kind = &start[at + TYPE.len()..];
        [&b"text"[..], b"presentation", b"graphics"].iter().any(|it| kind.starts_with(it))
    };
    memmem::find(start, b"<office:document").is_some_and(|at| {
        let is_part = start[at..].starts_with(b"<office:document-");
        // Programs that convert to the format write only its content, which has no type.
        memmem::find(start, TYPE).map_or(is_part, is_it)
    })
}

/// The kind of a document in one XML file, by its root element.
fn xml_kind_of(bytes: &[u8]) -> Option<&'static BinaryKind> {
    /// Number of first bytes in which such a file has its root element.
    const START: usize = 4096;
    let mut rest = &bytes[..bytes.len().min(START)];
    // Declarations, instructions and comments come first.
    while let Some(at) = memchr::memchr(b'<', rest) {
        rest = &rest[at + 1..];
        let end = match rest {
            [b'?', ..] => memmem::find(rest, b"?>"),
            [b'!', b'-', b'-', ..] => memmem::find(rest, b"-->"),
            [b'!', ..] => memchr::memchr(b'>', rest),
            _ => break,
        };
        rest = &rest[end?..];
    }
    let name = rest.split(|byte| matches!(byte, b'>' | b'/') || byte.is_ascii_whitespace()).next()?;
    match name {
        b"FictionBook" => Some(&FICTION_BOOK),
        b"w:wordDocument" => Some(&WORD_XML),
        b"pkg:package" if memmem::find(bytes, b"/word/document.xml").is_some() => Some(&WORD_XML),
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

/// Whether a name says that the content is binary and has no text, such as a picture. A folder of documents may have such files.
pub(in crate::documents::input) fn is_named_binary(name: &[u8]) -> bool {
    #[rustfmt::skip]
    const NAMES: [&str; 65] = [
        "7z", "a", "aif", "apk", "avi", "avif", "bin", "bmp", "ckpt", "class", "db", "dll", "dmg", "dylib", "eot", "exe", "flac", "gguf",
        "gif", "h5", "hdf5", "heic", "icns", "ico", "iso", "jar", "jpeg", "jpg", "jxl", "lib", "m4a", "mkv", "mov", "mp3", "mp4", "mpg",
        "npy", "npz", "o", "obj", "ogg", "onnx", "otf", "pickle", "pkl", "png", "psd", "pt", "pth", "pyc", "rar", "safetensors", "so",
        "sqlite", "tflite", "tga", "tif", "tiff", "ttf", "wasm", "wav", "webm", "webp", "woff", "woff2",
    ];
    let ending = name.rsplit(|&byte| byte == b'.').next().filter(|ending| ending.len() < name.len());
    ending.is_some_and(|ending| NAMES.iter().any(|name| ending.eq_ignore_ascii_case(name.as_bytes())))
}

/// The kind of a file by its name as well, where its bytes leave that open.
pub(crate) fn kind_by_name(kind: &'static BinaryKind, name: &str) -> &'static BinaryKind {
    if kind != &OLE {
        return kind;
    }
    let kinds = [&OLD_WORD, &OLD_EXCEL];
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

/// The kind of a file that cannot be text in any encoding, because its first bytes include an unprintable one, or because it
/// is a PDF.
pub(crate) fn certain_kind_of(bytes: &[u8]) -> Option<&'static BinaryKind> {
    /// Number of first bytes that suffice to recognise text.
    const FEW: usize = 4;
    // Numbers of formats in the structure that cryptographic messages begin with.
    const PKCS: &[u8] = b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07";
    const PKCS_START: usize = 32;
    let is_printable = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let start = bytes.get(..FEW)?;
    if start[0] == b'0' && memmem::find(&bytes[..bytes.len().min(PKCS_START)], PKCS).is_some() {
        return Some(&PKCS7);
    }
    if start.iter().all(is_printable) && start != b"%PDF" && start != b"SIMP" {
        return has_late_pdf(bytes).then_some(&PDF);
    }
    if start == ZIP_START || bytes.starts_with(OLE_START) {
        return kind_of(bytes);
    }
    let is_sure = |mark: &[u8]| {
        mark == b"%PDF-" || mark == b"SIMPLE  = " || (mark.len() >= FEW - 1 && !mark.iter().all(is_printable))
    };
    let is_mark = |mark: &[u8]| bytes.starts_with(mark) && is_sure(mark);
    let by_start = STARTS.iter().find(|(mark, _)| is_mark(mark)).map(|&(_, kind)| kind);
    by_start.or_else(|| has_late_pdf(bytes).then_some(&PDF))
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
        ([0x30, 0x82, ..], [0x30 | 0x02, ..], _) => Some(&CERTIFICATE),
        (
            [0x03 | 0x30 | 0x31 | 0x83 | 0x8B | 0xF5, _, 1..=12, 1..=31],
            _,
            [1 | 33 | 65 | 97 | 129 | 161 | 193 | 225, ..],
        ) => Some(&DBASE),
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
            () if is(b"vnd.oasis.opendocument.graphics") || is(b"vnd.sun.xml.draw") => Some(&OPEN_DRAWING),
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
    let is_iwork = ["Index/Document.iwa", "Index.zip", "index.apxl"].iter().any(|member| has(member));
    if is_iwork || first.starts_with(b"buildVersionHistory") || has("QuickLook/Thumbnail") && has("index.xml") {
        return Some(&IWORK);
    }
    if has("FixedDocSeq") || has("FixedDocumentSequence") {
        return Some(&XPS);
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
        ("VisioDocument", &VISIO),
        ("Quill", &PUBLISHER),
        ("MatOST", &WORKS),
        ("HwpSummaryInformation", &HANGUL),
        ("StarWriterDocument", &STAR_OFFICE),
        ("StarCalcDocument", &STAR_OFFICE),
        ("StarDrawDocument", &STAR_OFFICE),
        ("SwDocContentMgr", &SOLIDWORKS),
        ("VBAProjectData", &PROJECT),
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
    fn office_files_and_books_are_distinguished_by_their_members() {
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
    fn documents_in_xml_are_known_by_their_root_element() {
        let kind = |xml: &str| document_kind_of(xml.as_bytes()).map(|kind| kind.one);
        assert_eq!(kind("<?xml version='1.0'?><!-- <a> --><FictionBook xmlns='x'>"), Some("FictionBook"));
        let word = "\u{FEFF}<?xml version='1.0'?>\n<?mso-application progid=\"Word.Document\"?>\n<w:wordDocument>";
        assert_eq!(kind(word), Some("Word document in XML"));
        assert_eq!(kind("<pkg:package><pkg:part pkg:name='/word/document.xml'/>"), Some("Word document in XML"));
        for other in ["<pkg:package>", "<?xml version='1.0'?><a><FictionBook>", "<?xml", "<w", "<FictionBooks>"] {
            assert_eq!(kind(other), None, "{other}");
        }
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
    fn a_pdf_may_have_other_bytes_before_it() {
        let pdf = "%PDF-1.4\n1 0 obj\n<<>>\nendobj\nstartxref\n9\n%%EOF\n";
        for before in
            ["\n", "\u{0}\u{0}", " \r\n", "HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n", "junk\n"]
        {
            for kind_of in [certain_kind_of, document_kind_of, kind_of] {
                assert_eq!(kind_of(format!("{before}{pdf}").as_bytes()), Some(&PDF), "{before}");
            }
        }
        for text in [
            "\n%PDF-1.4 is the first line of a PDF document.".to_owned(),
            format!("The smallest document:\n\n{pdf}\nNothing follows it."),
            format!("const PDF: &str = \"{pdf}"),
            format!("{}\n{pdf}", "word ".repeat(300)),
        ] {
            assert!(
                certain_kind_of(text.as_bytes()).is_none() && document_kind_of(text.as_bytes()).is_none(),
                "{text}"
            );
        }
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

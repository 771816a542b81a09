//! The table of kinds of binary files: their names, the commands that read them, and their first bytes.
//!
//! It lists kinds that are common in folders of texts and in repositories.

use crate::base::problem::BinaryKind;

/// The advice about office documents that no command reads from standard input.
const OFFICE_ADVICE: &str = "convert it first with soffice --convert-to pdf";

/// A kind with a command that extracts its text.
const fn filtered(one: &'static str, many: &'static str, ending: &'static str, command: &'static str) -> BinaryKind {
    BinaryKind { one, many, ending, command, format: "", advice: "", is_picture: false }
}

/// A kind with other advice for the user.
const fn advised(one: &'static str, many: &'static str, advice: &'static str) -> BinaryKind {
    BinaryKind { one, many, ending: "", command: "", format: "", advice, is_picture: false }
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
pub(super) static EXCEL: BinaryKind = filtered("Excel workbook", "Excel workbooks", "xlsx", "markitdown -x .xlsx");
pub(in crate::documents::input) static POWERPOINT: BinaryKind =
    filtered("PowerPoint presentation", "PowerPoint presentations", "pptx", "markitdown -x .pptx");
pub(super) static OLD_WORD: BinaryKind = filtered("Word 97 document", "Word 97 documents", "doc", "antiword -");
pub(super) static OLD_EXCEL: BinaryKind =
    filtered("Excel 97 workbook", "Excel 97 workbooks", "xls", "markitdown -x .xls");
pub(super) static OLD_POWERPOINT: BinaryKind =
    advised("PowerPoint 97 presentation", "PowerPoint 97 presentations", OFFICE_ADVICE);
pub(super) static OUTLOOK: BinaryKind =
    advised("Outlook message", "Outlook messages", "give it a name that ends with .msg");
pub(in crate::documents::input) static ENCRYPTED_OFFICE: BinaryKind =
    advised("Office document", "Office documents", "remove its password first");
pub(super) static OLE: BinaryKind = advised(
    "OLE compound file",
    "OLE compound files",
    "if it is an Office document, convert it first with soffice --convert-to pdf",
);
pub(in crate::documents::input) static RTF: BinaryKind =
    filtered("RTF document", "RTF documents", "rtf", "pandoc -f rtf -t plain");
pub(super) static POSTSCRIPT: BinaryKind = filtered("PostScript document", "PostScript documents", "ps", "ps2ascii");
pub(super) static ENCRYPTED_PARQUET: BinaryKind =
    advised("encrypted Parquet file", "encrypted Parquet files", "decrypt it first");
pub(in crate::documents::input) static OPEN_TEXT: BinaryKind =
    filtered("OpenDocument text", "OpenDocument texts", "odt", "pandoc -f odt -t plain");
pub(in crate::documents::input) static OPEN_SLIDES: BinaryKind =
    BinaryKind { ending: "odp", ..advised("OpenDocument presentation", "OpenDocument presentations", OFFICE_ADVICE) };
pub(in crate::documents::input) static NOTEBOOK: BinaryKind =
    BinaryKind { ending: "ipynb", ..plain("Jupyter notebook", "Jupyter notebooks") };
pub(super) static OPEN_OTHER: BinaryKind = advised("OpenDocument file", "OpenDocument files", OFFICE_ADVICE);
pub(in crate::documents::input) static EPUB: BinaryKind =
    filtered("EPUB book", "EPUB books", "epub", "pandoc -f epub -t plain");
pub(super) static JAR: BinaryKind = plain("Java archive", "Java archives");
pub(super) static PNG: BinaryKind = picture("PNG image", "PNG images", "png");
pub(super) static JPEG: BinaryKind = picture("JPEG image", "JPEG images", "jpg");
pub(super) static GIF: BinaryKind = picture("GIF image", "GIF images", "gif");
pub(super) static WEBP: BinaryKind = picture("WebP image", "WebP images", "webp");
pub(super) static TIFF: BinaryKind = picture("TIFF image", "TIFF images", "tif");
pub(super) static BMP: BinaryKind = picture("BMP image", "BMP images", "bmp");
pub(super) static ICON: BinaryKind = plain("Windows icon", "Windows icons");
pub(super) static PHOTOSHOP: BinaryKind = plain("Photoshop image", "Photoshop images");
pub(super) static HEIF: BinaryKind = plain("HEIF or AVIF image", "HEIF or AVIF images");
pub(super) static DJVU: BinaryKind = advised("DjVu document", "DjVu documents", "extract its text first with djvutxt");
pub(super) static MOBI: BinaryKind =
    advised("Mobipocket book", "Mobipocket books", "convert it first with ebook-convert");
pub(super) static SQLITE: BinaryKind =
    advised("SQLite database", "SQLite databases", "export its rows first with sqlite3 -csv -header FILE 'SELECT ...'");
pub(super) static ACCESS: BinaryKind =
    advised("Access database", "Access databases", "export its tables first with mdb-export");
pub(super) static GIMP: BinaryKind = plain("GIMP image", "GIMP images");
pub(super) static CAPTURE: BinaryKind =
    advised("network capture", "network captures", "print it first with tcpdump -A -r");
pub(super) static PICKLE: BinaryKind = plain("Python pickle", "Python pickles");
pub(super) static PROGRAM: BinaryKind = plain("executable", "executables");
pub(super) static OBJECTS: BinaryKind = plain("library of object files", "libraries of object files");
pub(super) static CLASS: BinaryKind = plain("Java class", "Java classes");
pub(super) static WASM: BinaryKind = plain("WebAssembly module", "WebAssembly modules");
pub(super) static BITCODE: BinaryKind = plain("LLVM bitcode file", "LLVM bitcode files");
pub(super) static FONT: BinaryKind = plain("font", "fonts");
pub(super) static AUDIO: BinaryKind = plain("audio file", "audio files");
pub(super) static VIDEO: BinaryKind = plain("video", "videos");
pub(super) static GIT_PACK: BinaryKind = plain("git pack", "git packs");
pub(super) static GIT_INDEX: BinaryKind = plain("git index", "git indexes");
pub(super) static ARROW: BinaryKind = BinaryKind { format: "arrow", ..plain("Arrow file", "Arrow files") };
pub(super) static FEATHER: BinaryKind = advised(
    "Feather file of version 1",
    "Feather files of version 1",
    "write it again with a current version of pyarrow or R",
);
pub(super) static ORC: BinaryKind =
    advised("ORC file", "ORC files", "convert it first with orc-contents FILE > FILE.jsonl");
pub(super) static AVRO: BinaryKind = advised("Avro file", "Avro files", "convert it first to Parquet or JSON Lines");
pub(super) static HDF5: BinaryKind = plain("HDF5 file", "HDF5 files");
pub(super) static NUMPY: BinaryKind = plain("NumPy array", "NumPy arrays");
pub(super) static MODEL: BinaryKind = plain("GGUF model", "GGUF models");
pub(super) static CATALOGUE: BinaryKind =
    advised("gettext catalogue", "gettext catalogues", "msgunfmt makes a text of it");
pub(super) static TIME_ZONE: BinaryKind = plain("time zone file", "time zone files");
pub(super) static DS_STORE: BinaryKind = plain("macOS folder file", "macOS folder files");
pub(super) static SEVEN_ZIP: BinaryKind = advised("7z archive", "7z archives", "unpack it first with 7z x");
pub(super) static RAR: BinaryKind = advised("RAR archive", "RAR archives", "unpack it first with unrar x");
pub(super) static CABINET: BinaryKind =
    advised("cabinet archive", "cabinet archives", "unpack it first with cabextract");
pub(super) static RPM: BinaryKind = advised("RPM package", "RPM packages", "unpack it first with rpm2cpio");
pub(super) static DEB: BinaryKind = advised("Debian package", "Debian packages", "unpack it first with dpkg-deb -x");
pub(super) static HELP: BinaryKind =
    advised("compiled HTML help file", "compiled HTML help files", "unpack it first with extract_chmLib");
pub(super) static LZ4: BinaryKind = filtered("file compressed by lz4", "files compressed by lz4", "lz4", "lz4 -dc");
pub(super) static LZIP: BinaryKind = filtered("file compressed by lzip", "files compressed by lzip", "lz", "lzip -dc");
pub(super) static COMPRESS: BinaryKind =
    filtered("file compressed by compress", "files compressed by compress", "Z", "gzip -dc");
pub(super) static MAIL_STORE: BinaryKind =
    advised("Outlook mail store", "Outlook mail stores", "export its messages first with readpst");

pub(super) static AUTOCAD: BinaryKind = plain("AutoCAD drawing", "AutoCAD drawings");
pub(super) static WORDPERFECT: BinaryKind = advised("WordPerfect document", "WordPerfect documents", OFFICE_ADVICE);
pub(super) static ONENOTE: BinaryKind =
    advised("OneNote section", "OneNote sections", "export its pages first as PDF or Word");
pub(super) static TNEF: BinaryKind =
    advised("TNEF attachment of Outlook", "TNEF attachments of Outlook", "unpack it first with tnef");
pub(super) static KEY_STORE: BinaryKind = plain("Java key store", "Java key stores");
pub(super) static CERTIFICATE: BinaryKind = plain("certificate or key", "certificates or keys");
pub(super) static PKCS7: BinaryKind = advised(
    "signed or encrypted file (PKCS #7)",
    "signed or encrypted files (PKCS #7)",
    "unpack it first with openssl cms -verify -noverify -inform DER",
);
pub(super) static PROPERTIES: BinaryKind =
    advised("Apple property list", "Apple property lists", "convert it first with plutil -convert xml1");
pub(super) static MAC_ICON: BinaryKind = plain("macOS icon", "macOS icons");
pub(super) static METAFILE: BinaryKind = plain("Windows metafile", "Windows metafiles");
pub(super) static JPEG_2000: BinaryKind = plain("JPEG 2000 image", "JPEG 2000 images");
pub(super) static JPEG_XL: BinaryKind = plain("JPEG XL image", "JPEG XL images");
pub(super) static FLASH: BinaryKind = plain("Flash file", "Flash files");
pub(super) static NETCDF: BinaryKind = plain("NetCDF file", "NetCDF files");
pub(super) static GRIB: BinaryKind = plain("GRIB file", "GRIB files");
pub(super) static FITS: BinaryKind = plain("FITS file", "FITS files");
pub(super) static MATLAB: BinaryKind = plain("MATLAB data file", "MATLAB data files");
pub(super) static STATISTICS: BinaryKind =
    advised("SAS, SPSS or Stata data file", "SAS, SPSS or Stata data files", "convert it first to CSV");
pub(super) static DBASE: BinaryKind = advised("dBase table", "dBase tables", "convert it first to CSV");
pub(super) static LOTUS: BinaryKind = advised("Lotus spreadsheet", "Lotus spreadsheets", "convert it first to CSV");
pub(super) static CBOR: BinaryKind = advised("CBOR file", "CBOR files", "convert it first to JSON Lines");
pub(super) static DISK: BinaryKind = plain("disk image", "disk images");
pub(super) static CPIO: BinaryKind = advised("cpio archive", "cpio archives", "unpack it first with cpio -i");
pub(super) static SNAPPY: BinaryKind =
    filtered("file compressed by snappy", "files compressed by snappy", "sz", "snzip -dc");
pub(super) static VISIO: BinaryKind = advised("Visio drawing", "Visio drawings", OFFICE_ADVICE);
pub(super) static PUBLISHER: BinaryKind = advised("Publisher document", "Publisher documents", OFFICE_ADVICE);
pub(super) static WORKS: BinaryKind = advised("Works document", "Works documents", OFFICE_ADVICE);
pub(super) static STAR_OFFICE: BinaryKind = advised(
    "StarOffice 5 document",
    "StarOffice 5 documents",
    "convert it first with an older soffice --convert-to pdf",
);
pub(super) static HANGUL: BinaryKind = advised("Hangul document", "Hangul documents", "convert it first with hwp5txt");
pub(super) static PROJECT: BinaryKind = plain("Project plan", "Project plans");
pub(super) static SOLIDWORKS: BinaryKind = plain("SolidWorks file", "SolidWorks files");
pub(super) static IWORK: BinaryKind =
    advised("iWork document", "iWork documents", "export it first as PDF, Word or CSV");
pub(super) static XPS: BinaryKind = advised("XPS document", "XPS documents", "convert it first with xpstopdf");
pub(in crate::documents::input) static OPEN_DRAWING: BinaryKind =
    BinaryKind { ending: "odg", ..advised("OpenDocument drawing", "OpenDocument drawings", OFFICE_ADVICE) };
pub(in crate::documents::input) static FLAT_OPEN: BinaryKind =
    BinaryKind { ending: "fodt", ..plain("flat OpenDocument file", "flat OpenDocument files") };

pub(in crate::documents::input) static WORD_XML: BinaryKind = plain("Word document in XML", "Word documents in XML");
pub(in crate::documents::input) static FICTION_BOOK: BinaryKind =
    BinaryKind { ending: "fb2", ..plain("FictionBook", "FictionBooks") };

/// A binary file of unknown kind.
pub(crate) static UNKNOWN: BinaryKind = plain("of no known kind", "of no known kind");

/// The first bytes of each kind.
pub(super) static STARTS: &[(&[u8], &BinaryKind)] = &[
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
    (b"\xFFWPC", &WORDPERFECT),
    (b"\xE4\x52\x5C\x7B\x8C\xD8\xA7\x4D", &ONENOTE),
    (b"\x78\x9F\x3E\x22", &TNEF),
    (b"\xFE\xED\xFE\xED", &KEY_STORE),
    (b"bplist00", &PROPERTIES),
    (b"icns", &MAC_ICON),
    (b"\xD7\xCD\xC6\x9A", &METAFILE),
    (b"\x01\0\0\0\x6C\0\0\0", &METAFILE),
    (b"\0\0\0\x0CjP  ", &JPEG_2000),
    (b"\0\0\0\x0CJXL ", &JPEG_XL),
    (b"AC10", &AUTOCAD),
    (b"FWS", &FLASH),
    (b"CWS", &FLASH),
    (b"ZWS", &FLASH),
    (b"CDF\x01", &NETCDF),
    (b"CDF\x02", &NETCDF),
    (b"GRIB", &GRIB),
    (b"\x0E\x03\x13\x01", &HDF5),
    (b"SIMPLE  = ", &FITS),
    (b"MATLAB 5.0", &MATLAB),
    (b"$FL2", &STATISTICS),
    (b"<stata_dta>", &STATISTICS),
    (b"HEADER RECORD*******LIB", &STATISTICS),
    (b"\0\0\0\0\0\0\0\0\0\0\0\0\xC2\xEA\x81\x60", &STATISTICS),
    (b"\0\0\x02\0", &LOTUS),
    (b"\0\0\x1A\0", &LOTUS),
    (b"\xD9\xD9\xF7", &CBOR),
    (b"QFI\xFB", &DISK),
    (b"KDMV", &DISK),
    (b"070701", &CPIO),
    (b"070707", &CPIO),
    (b"\xC7\x71", &CPIO),
    (b"\xFF\x06\0\0sNaPpY", &SNAPPY),
    (b"#!AMR", &AUDIO),
    (b".snd", &AUDIO),
    (b"\x0B\x77", &AUDIO),
    (b"BM", &BMP),
];

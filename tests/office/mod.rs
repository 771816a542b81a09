//! Small office documents, books and notebooks, made by the tests themselves.

use std::io::{Cursor, Write};

use zip::CompressionMethod::{Deflated, Stored};
use zip::write::SimpleFileOptions;

/// A document: its extension and its bytes.
pub(crate) type OfficeFile = (&'static str, Vec<u8>);

/// A zip file with these parts. A part called `mimetype` comes first and is not compressed.
pub(crate) fn package(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        let method = if *name == "mimetype" { Stored } else { Deflated };
        archive.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

const TYPES: (&str, &str) = ("[Content_Types].xml", "<Types/>");

/// References of a part: each with its id, type and target.
fn relations(relations: &[(&str, &str, &str)]) -> String {
    let one = |(id, kind, target): &(&str, &str, &str)| {
        format!(r#"<Relationship Id="{id}" Type="http://example.org/relationships/{kind}" Target="{target}"/>"#)
    };
    format!("<Relationships>{}</Relationships>", relations.iter().map(one).collect::<String>())
}

/// The parts of a Word document.
///
/// * `body`: the content of `<w:body>`.
/// * `notes`: the content of `<w:footnotes>`.
pub(crate) fn docx_parts(body: &str, notes: &str) -> Vec<(&'static str, String)> {
    vec![
        (TYPES.0, TYPES.1.to_owned()),
        ("_rels/.rels", relations(&[("rId1", "officeDocument", "word/document.xml")])),
        ("word/_rels/document.xml.rels", relations(&[("rId1", "footnotes", "footnotes.xml")])),
        ("word/document.xml", format!("<?xml version=\"1.0\"?><w:document><w:body>{body}</w:body></w:document>")),
        ("word/footnotes.xml", format!("<w:footnotes>{notes}</w:footnotes>")),
        ("word/header1.xml", "<w:hdr><w:p><w:r><w:t>A header.</w:t></w:r></w:p></w:hdr>".to_owned()),
        (
            "word/comments.xml",
            "<w:comments><w:comment><w:p><w:r><w:t>A comment.</w:t></w:r></w:p></w:comment></w:comments>".to_owned(),
        ),
    ]
}

pub(crate) fn docx(body: &str, notes: &str) -> Vec<u8> {
    of_parts(&docx_parts(body, notes))
}

pub(crate) fn of_parts(parts: &[(&'static str, String)]) -> Vec<u8> {
    package(&parts.iter().map(|(name, content)| (*name, content.as_str())).collect::<Vec<_>>())
}

/// A paragraph of Word.
pub(crate) fn word_paragraph(text: &str) -> String {
    format!("<w:p><w:pPr><w:jc w:val=\"left\"/></w:pPr><w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r></w:p>")
}

/// The parts of an OpenDocument file.
///
/// * `kind`: `text` or `presentation`.
/// * `body`: the content of the element of that name.
pub(crate) fn open_document_parts(kind: &str, body: &str) -> Vec<(&'static str, String)> {
    let content = format!(
        "<office:document-content><office:automatic-styles/><office:body>\n<office:{kind}>{body}</office:{kind}>\n\
         </office:body></office:document-content>"
    );
    vec![
        ("mimetype", format!("application/vnd.oasis.opendocument.{kind}")),
        ("content.xml", content),
        ("styles.xml", "<s><style:master-page><text:p>A header.</text:p></style:master-page></s>".to_owned()),
        ("META-INF/manifest.xml", "<manifest:manifest/>".to_owned()),
    ]
}

pub(crate) fn odt(body: &str) -> Vec<u8> {
    of_parts(&open_document_parts("text", body))
}

pub(crate) fn odp(body: &str) -> Vec<u8> {
    of_parts(&open_document_parts("presentation", body))
}

/// A presentation of PowerPoint: the text and the notes of each slide.
pub(crate) fn pptx(slides: &[(&str, &str)]) -> Vec<u8> {
    let shape = |kind: &str, text: &str| {
        format!(
            "<p:sp><p:nvSpPr><p:nvPr><p:ph type=\"{kind}\"/></p:nvPr></p:nvSpPr>\
             <p:txBody><a:p><a:pPr/><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
        )
    };
    let mut parts = vec![
        (TYPES.0.to_owned(), TYPES.1.to_owned()),
        ("_rels/.rels".to_owned(), relations(&[("rId1", "officeDocument", "/ppt/presentation.xml")])),
    ];
    let (mut ids, mut targets) = (String::new(), Vec::new());
    // The first slide is the last part.
    for (number, (text, notes)) in slides.iter().enumerate().rev() {
        let slide = format!("<p:sld>{}{}</p:sld>", shape("body", text), shape("sldNum", "99"));
        parts.push((format!("ppt/slides/slide{number}.xml"), slide));
        let rels = relations(&[("rId1", "notesSlide", &format!("../notesSlides/n{number}.xml"))]);
        parts.push((format!("ppt/slides/_rels/slide{number}.xml.rels"), rels));
        let notes = format!("<p:notes>{}{}</p:notes>", shape("body", notes), shape("hdr", "A header."));
        parts.push((format!("ppt/notesSlides/n{number}.xml"), notes));
        ids.insert_str(0, &format!("<p:sldId id=\"{}\" r:id=\"rId{number}\"/>", 256 + number));
        targets.push((format!("rId{number}"), format!("slides/slide{number}.xml")));
    }
    let targets: Vec<_> = targets.iter().map(|(id, target)| (id.as_str(), "slide", target.as_str())).collect();
    parts.push(("ppt/_rels/presentation.xml.rels".to_owned(), relations(&targets)));
    let main = format!("<p:presentation><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>");
    parts.push(("ppt/presentation.xml".to_owned(), main));
    package(&parts.iter().map(|(name, content)| (name.as_str(), content.as_str())).collect::<Vec<_>>())
}

/// A book: the content of the body of each chapter.
pub(crate) fn epub(chapters: &[&str]) -> Vec<u8> {
    let (mut items, mut refs) = (String::new(), String::new());
    let mut parts = Vec::new();
    for (number, body) in chapters.iter().enumerate() {
        let (id, name) = (format!("c{number}"), format!("text/chapter {number}.xhtml"));
        items.insert_str(
            0,
            &format!("<item id=\"{id}\" href=\"text/chapter%20{number}.xhtml\" media-type=\"application/xhtml+xml\"/>"),
        );
        refs += &format!("<itemref idref=\"{id}\"/>");
        let page = format!(
            "<?xml version=\"1.0\"?><html><head><title/><script src=\"x.js\"/><title>{id}.xhtml</title></head>\
             <body>{body}</body></html>"
        );
        parts.push((format!("OEBPS/{name}"), page));
    }
    let list = format!("<package><manifest>{items}</manifest><spine>{refs}</spine></package>");
    let container = "<container><rootfiles><rootfile full-path=\"OEBPS/content.opf\"/></rootfiles></container>";
    let mut all = vec![
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", container),
        ("OEBPS/content.opf", list.as_str()),
    ];
    all.extend(parts.iter().map(|(name, page)| (name.as_str(), page.as_str())));
    package(&all)
}

/// A notebook: the type and the source of each cell.
pub(crate) fn ipynb(cells: &[(&str, &str)]) -> Vec<u8> {
    let cell = |(kind, source): &(&str, &str)| {
        let lines: Vec<&str> = source.split_inclusive('\n').collect();
        let outputs = if *kind == "code" { r#","outputs":[{"text":["An output."]}],"execution_count":1"# } else { "" };
        format!(
            r#"{{"cell_type":"{kind}","metadata":{{}},"source":{}{outputs}}}"#,
            serde_json::to_string(&lines).unwrap()
        )
    };
    let cells: Vec<_> = cells.iter().map(cell).collect();
    format!(r#"{{"cells":[{}],"metadata":{{}},"nbformat":4,"nbformat_minor":5}}"#, cells.join(",")).into_bytes()
}

/// Rich text.
pub(crate) fn rtf(body: &str) -> Vec<u8> {
    format!(
        "{{\\rtf1\\ansi\\ansicpg1252\\deff0{{\\fonttbl{{\\f0\\fswiss Arial;}}{{\\f1\\fcharset204 Arial Cyr;}}}}\n\
         {{\\info{{\\title A title}}}}{{\\header A header.\\par}}\n{body}}}\n"
    )
    .into_bytes()
}

/// One document of each format with these paragraphs, which have no markup.
pub(crate) fn each_format(paragraphs: &[&str]) -> Vec<OfficeFile> {
    let all = |one: &dyn Fn(&str) -> String| paragraphs.iter().map(|text| one(text)).collect::<String>();
    let slide_of = |text: &str| {
        format!(
            "<draw:page><draw:frame><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame></draw:page>"
        )
    };
    let slides: Vec<_> = paragraphs.iter().map(|&text| (text, "")).collect();
    let cells: Vec<_> = paragraphs.iter().map(|&text| ("markdown", text)).collect();
    let unicode = |text: &str| -> String {
        let unit = |unit: u16| match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii() => char::from(byte).to_string(),
            _ => format!("\\u{}?", unit.cast_signed()),
        };
        text.encode_utf16().map(unit).collect::<String>() + "\\par\n"
    };
    vec![
        ("docx", docx(&all(&word_paragraph), "")),
        ("odt", odt(&all(&|text| format!("<text:p>{text}</text:p>\n")))),
        ("pptx", pptx(&slides)),
        ("odp", odp(&all(&slide_of))),
        ("epub", epub(&[&all(&|text| format!("<p>{text}</p>\n"))])),
        ("ipynb", ipynb(&cells)),
        ("rtf", rtf(&all(&unicode))),
    ]
}

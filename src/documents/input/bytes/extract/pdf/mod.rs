//! PDF: the text layer, page by page.
//!
//! `pages` reduces the document to what matters for its text, `pdf-extract` decodes fonts, and `layout` puts characters
//! together to lines. A page that the library fails on is skipped and counted.

mod layout;
mod pages;

use pdf_extract::{Document, output_doc_page};

use self::layout::PageLines;
use self::pages::prepared;
use super::fault::{ExtractFault, Extracted};
use super::paragraphs::Paragraphs;
use super::source::DocumentSource;
use crate::base::setting::Setting;
use crate::base::shown::counted;
use crate::documents::input::panic_guard::contain;

/// Extracts the text. The caller contains panics.
pub(super) fn read(source: &DocumentSource, out: &mut Paragraphs) -> Extracted {
    let broken = |error: pdf_extract::Error| ExtractFault::Damaged(format!("its objects cannot be read: {error}"));
    let mut doc = Document::load_mem(source.bytes).map_err(broken)?;
    if doc.is_encrypted() && doc.decrypt("").is_err() {
        return Err(ExtractFault::Encrypted);
    }
    let pages = prepared(&mut doc);
    if pages.num_pages == 0 && doc.trailer.has(b"Encrypt") {
        return Err(ExtractFault::Encrypted);
    }
    if pages.num_pages == 0 {
        return Err(ExtractFault::Damaged("it has no pages".to_owned()));
    }
    let limit = usize::try_from(source.limit).unwrap_or(usize::MAX);
    let (mut num_scanned, mut num_unread) = (0, 0);
    for number in 1..=pages.num_pages {
        out.check()?;
        out.begin_part();
        if pages.refused.contains(&number) {
            num_unread += 1;
            continue;
        }
        let mut page = PageLines::new(limit);
        let made = contain(|| output_doc_page(&doc, &mut page, number));
        let (lines, is_too_large) = page.finish();
        if is_too_large {
            return Err(ExtractFault::TooLarge);
        }
        if !matches!(made, Ok(Ok(()))) {
            num_unread += 1;
        } else if lines.is_empty() && pages.with_image.contains(&number) {
            num_scanned += 1;
        }
        out.lines(&lines.join("\n"));
    }
    out.set_note(note(pages.num_pages, num_scanned, num_unread));
    Ok(())
}

/// The note about pages whose text is missing.
fn note(num_pages: u32, num_scanned: u64, num_unread: u64) -> Option<String> {
    let of_all = |number: u64| format!("{number} of {}", counted(u64::from(num_pages), "page"));
    let scanned = match num_scanned {
        0 => None,
        number => Some(format!("scan without text: {}; ocrmypdf adds a text", of_all(number))),
    };
    let unread = match num_unread {
        0 => None,
        number => {
            let filter = Setting::Filters;
            Some(format!("{} cannot be read; {filter} pdf='pdftotext - -' may read more", of_all(number)))
        }
    };
    let notes: Vec<String> = scanned.into_iter().chain(unread).collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}

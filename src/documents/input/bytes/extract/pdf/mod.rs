//! PDF: the text layer, page by page.
//!
//! `rebuilt` finds the objects of the file, and `pages` reduces them to what matters for the text: `streams` unpacks
//! contents, `content` reads their operations, and `operations` keeps those that paint text. `pdf-extract` decodes fonts,
//! and `layout` puts characters together to lines. A page whose text is missing is counted.

mod content;
mod rebuilt;
mod streams;
mod fonts;
mod operations;
mod layout;
mod pages;

use pdf_extract::output_doc_page;

use self::layout::PageLines;
use self::pages::prepared;
use self::rebuilt::loaded;
use self::streams::mend_streams;
use super::fault::{ExtractFault, Extracted};
use super::paragraphs::Paragraphs;
use super::source::DocumentSource;
use crate::base::setting::Setting;
use crate::base::shown::counted;
use crate::documents::input::panic_guard::contain;

/// Extracts the text. The caller contains panics.
pub(super) fn read(source: &DocumentSource, out: &mut Paragraphs) -> Extracted {
    let broken = |error: pdf_extract::Error| ExtractFault::Damaged(format!("its objects cannot be read: {error}"));
    let (mut doc, file) = loaded(source.bytes).map_err(broken)?;
    if doc.is_encrypted() && doc.decrypt("").is_err() {
        return Err(ExtractFault::Encrypted);
    }
    if doc.encryption_state.is_none() {
        mend_streams(&mut doc, &file);
    }
    let pages = prepared(&mut doc, source.limit);
    if pages.num_pages == 0 && doc.trailer.has(b"Encrypt") {
        return Err(ExtractFault::Encrypted);
    }
    if pages.num_pages == 0 {
        return Err(ExtractFault::Damaged("it has no pages".to_owned()));
    }
    if pages.is_too_large {
        return Err(ExtractFault::TooLarge);
    }
    let limit = usize::try_from(source.limit).unwrap_or(usize::MAX);
    let mut missing = MissingText::default();
    for number in 1..=pages.num_pages {
        out.check()?;
        out.begin_part();
        if pages.refused.contains(&number) {
            missing.num_unread += 1;
            continue;
        }
        let mut page = PageLines::new(limit);
        let is_made = matches!(contain(|| output_doc_page(&doc, &mut page, number)), Ok(Ok(())));
        let has_letters = page.has_letters(pages.with_text.contains(&number));
        let (lines, is_too_large) = page.finish();
        if is_too_large {
            return Err(ExtractFault::TooLarge);
        }
        let is_cut = pages.cut.contains(&number);
        if lines.is_empty() && (is_cut || !is_made) {
            missing.num_unread += 1;
        } else if is_cut || !is_made {
            missing.num_partial += 1;
        } else if !has_letters {
            missing.num_without_letters += 1;
        } else if lines.is_empty() && pages.with_image.contains(&number) {
            missing.num_scanned += 1;
        }
        out.lines(&lines.join("\n"));
    }
    out.set_note(missing.note(pages.num_pages));
    Ok(())
}

/// Numbers of pages whose text is missing.
#[derive(Debug, Default)]
struct MissingText {
    num_scanned: u64,
    num_unread: u64,
    /// Pages with some text, but a part that could not be read.
    num_partial: u64,
    /// Pages with fonts that do not declare the letters of most of their characters.
    num_without_letters: u64,
}

impl MissingText {
    /// The note about these pages.
    fn note(&self, num_pages: u32) -> Option<String> {
        let of_all = |number: u64| format!("{number} of {}", counted(u64::from(num_pages), "page"));
        let mut notes = Vec::new();
        if self.num_scanned > 0 {
            notes.push(format!("scan without text: {}; ocrmypdf adds a text", of_all(self.num_scanned)));
        }
        let num_scan_notes = notes.len();
        if self.num_unread > 0 {
            notes.push(format!("{} cannot be read", of_all(self.num_unread)));
        }
        if self.num_partial > 0 {
            notes.push(format!("{} can be read only in part", of_all(self.num_partial)));
        }
        if self.num_without_letters > 0 {
            notes.push(format!("the fonts of {} do not declare their letters", of_all(self.num_without_letters)));
        }
        if notes.len() > num_scan_notes {
            notes.push(format!("{} pdf='pdftotext - -' may read more", Setting::Filters));
        }
        (!notes.is_empty()).then(|| notes.join("; "))
    }
}

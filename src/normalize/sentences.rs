//! Sentences: cut by UAX #29, each to a line.
//!
//! The rules of UAX #29 end a sentence at every line end, which is wrong for wrapped text; so paragraphs are joined to one
//! line each before.

use unicode_segmentation::UnicodeSegmentation;

/// Ends each sentence of `text`, which has its paragraphs on lines, in U+000A.
pub(super) fn separate(text: &mut Vec<u8>, scratch: &mut Vec<u8>) {
    scratch.clear();
    for sentence in super::as_str(text).split_sentence_bounds() {
        // The white space behind a sentence belongs to neither.
        scratch.extend_from_slice(sentence.trim().as_bytes());
        scratch.push(b'\n');
    }
    std::mem::swap(text, scratch);
}

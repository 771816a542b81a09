//! Reads batches: rows of data sets and small members of archives, which were unpacked into memory before.

use super::{Document, DocumentName, Item, PieceSummary, REPLACED, Reader};
use crate::base::problem::{Problem, Reason};
use crate::documents::document::{Kept, KeptForm};
use crate::documents::input::bytes::decode::{Decoding, NotText, how_to_take_record};
use crate::documents::input::messages::too_large_as_utf8;
use crate::documents::input::piece::{Batch, BatchItem, ReadyText};
use crate::documents::input::unpack::records::sets::fields_to_lines;

impl Reader<'_> {
    pub(super) fn read_batch(&mut self, batch: &Batch, pass: &mut dyn FnMut(Item)) -> PieceSummary {
        let mut rest = batch.bytes.as_slice();
        let mut next = |len: usize| rest.split_off(..len).expect("a batch holds its texts");
        for item in &batch.items {
            self.recycle();
            match *item {
                BatchItem::Document { name, content, markup, filter, named, of } => {
                    let name = next(name);
                    self.bytes.extend_from_slice(next(content));
                    self.pass_document(DocumentName::Member(name), Some(of), markup, filter, named, pass);
                }
                BatchItem::Text { name, text, ready } => {
                    let name = next(name);
                    self.bytes.extend_from_slice(next(text));
                    self.pass_text(name, ready, pass);
                }
                BatchItem::Row { line, id, group, text, num_bytes, is_set } => {
                    let decoding = self.decoding_of(batch.source.expect("rows have a source"));
                    self.record.id = id.map(|len| name_of(decoding, next(len)));
                    self.record.group = group.map(|len| name_of(decoding, next(len)));
                    self.text.extend_from_slice(next(text));
                    self.pass_row(batch, line, num_bytes, is_set, pass);
                }
                BatchItem::Problem(ref problem) => pass(Item::Problem(problem.clone())),
                BatchItem::RowProblem { line, reason, ref detail } => {
                    pass(Item::RecordProblem { line, reason, detail: detail.clone() });
                }
            }
        }
        PieceSummary { num_lines: batch.num_lines, absent: None }
    }

    /// Passes on the document whose text is in `bytes`.
    fn pass_text(&mut self, name: &[u8], ready: ReadyText, pass: &mut dyn FnMut(Item)) {
        let ReadyText { num_bytes, was_replaced, of, line, syntax } = ready;
        if was_replaced {
            pass(Item::Problem(Problem::note(String::from_utf8_lossy(name), Reason::Replaced, REPLACED)));
        }
        let located = self.sources.keep(&self.bytes, Kept { form: KeptForm::Text, of }, || name.to_owned());
        let name = line.map_or(DocumentName::Member(name), |line| DocumentName::Id(name, line));
        pass(Item::Document(Document { name, located, text: &mut self.bytes, num_bytes, group: None, syntax }));
    }

    /// Passes on the row whose text is in `text` and whose id and group are in `record`.
    fn pass_row(&mut self, batch: &Batch, line: u64, num_bytes: u64, is_set: bool, pass: &mut dyn FnMut(Item)) {
        let source = batch.source.expect("rows have a source");
        let limit = self.limit(true);
        let was_replaced = match self.decoding_of(source).field(&mut self.text, limit) {
            Ok(was_replaced) => was_replaced,
            Err(fault) => {
                let detail = match fault {
                    NotText::Utf8 { at } => {
                        format!("the text is not valid UTF-8 at its byte {at}; {}", how_to_take_record(&self.text))
                    }
                    other => other.to_string(),
                };
                return pass(Item::RecordProblem { line, reason: fault.reason(), detail });
            }
        };
        if let Err((reason, detail)) = self.strip_record() {
            return pass(Item::RecordProblem { line, reason, detail });
        }
        if self.inputs.sets && !is_set {
            fields_to_lines(&mut self.text);
        }
        if self.text.len() as u64 > limit {
            return pass(Item::RecordProblem { line, reason: Reason::TooLarge, detail: too_large_as_utf8(limit) });
        }
        let located = self.keep_field(source);
        self.pass_record(located, source, line, num_bytes, was_replaced, pass);
    }
}

/// Decodes an id or a group; bytes that cannot be decoded are replaced.
fn name_of(decoding: Decoding, bytes: &[u8]) -> String {
    let mut name = bytes.to_vec();
    if decoding.field(&mut name, u64::MAX).is_err() {
        name = String::from_utf8_lossy(&name).into_owned().into_bytes();
    }
    String::from_utf8(name).unwrap_or_default()
}

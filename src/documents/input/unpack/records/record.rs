//! `Record`: the id, group and text that the parsers of records fill in.

use super::fields::{Fields, Node};

/// A record's id, group and text. The buffers are reused for the next record.
#[derive(Debug, Default)]
pub(in crate::documents::input) struct Record {
    pub(in crate::documents::input) id: Option<String>,
    pub(in crate::documents::input) group: Option<String>,
    pub(in crate::documents::input) text: String,
    /// The text of each text field, and whether the field is present.
    pub(super) parts: Vec<(String, bool)>,
    /// The number of objects that were begun, in this record and all earlier ones.
    pub(super) num_objects: u64,
    /// For each node of the tree of fields, the number of the object that last had it, from 1.
    pub(super) met: Vec<u64>,
    /// The number of this record's outermost object.
    pub(super) first_object: u64,
}

impl Record {
    /// Swaps the text with `buffer`, whose content is lost. This avoids a second copy of a large text.
    pub(in crate::documents::input) fn swap_text(&mut self, buffer: &mut Vec<u8>) {
        buffer.clear();
        let empty = String::from_utf8(std::mem::take(buffer)).expect("it is empty");
        *buffer = std::mem::replace(&mut self.text, empty).into_bytes();
    }

    /// The number of objects that were begun so far.
    pub(super) fn num_objects(&self) -> u64 {
        self.num_objects
    }

    /// Whether a field occurred, with any value, in an object after the first `num_objects`.
    pub(super) fn has_met_since(&self, num_objects: u64, fields: &Fields, name: &str) -> bool {
        fields.root.spellings(name).any(|node| self.met.get(node.number).is_some_and(|&object| object > num_objects))
    }

    /// Notes that an object has a field. Returns whether the record has it more than once, not counting elements of
    /// lists.
    pub(super) fn note_field(&mut self, node: &Node, object: u64) -> bool {
        let before = std::mem::replace(&mut self.met[node.number], object);
        before == object || node.twin.is_some_and(|twin| self.met[twin] >= self.first_object)
    }

    /// Starts a record for these fields.
    pub(super) fn begin(&mut self, fields: &Fields) {
        (self.id, self.group) = (None, None);
        self.met.resize(fields.num_nodes, 0);
        self.first_object = self.num_objects + 1;
        self.parts.resize_with(fields.texts.len(), Default::default);
        self.parts.iter_mut().for_each(|(text, is_there)| {
            text.clear();
            *is_there = false;
        });
    }

    /// Whether any text field is present.
    pub(super) fn has_text(&self) -> bool {
        self.parts.iter().any(|&(_, is_there)| is_there)
    }

    /// Joins the text fields to the record's text.
    pub(super) fn join(&mut self) {
        if let [(text, _)] = self.parts.as_mut_slice() {
            return std::mem::swap(&mut self.text, text);
        }
        self.text.clear();
        let mut is_first = true;
        for (text, _) in self.parts.iter().filter(|(_, is_there)| *is_there) {
            if !std::mem::take(&mut is_first) {
                self.text.push('\n');
            }
            self.text.push_str(text);
        }
    }
}

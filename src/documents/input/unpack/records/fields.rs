//! `Fields`: determines which fields of a record are its id, its group and its text, as a tree of names.

use std::borrow::Cow;

use crate::base::problem::{Problem, Reason};
use crate::base::setting::Setting;
use crate::base::shown::shown;
use crate::documents::document::GroupBy;
use crate::documents::input::settings::Inputs;

/// The default id field.
const ID: &str = "id";
/// The message about a record whose text is null.
pub(super) const NULL_TEXT: &str = "the text is null; skipped";
/// Maximum number of a record's fields that a message lists.
const SHOWN: usize = 12;

/// The fields of `--id-field`, `--text-field` and `--group-by`. `a.b` means the field `b` of the object `a`, or of each
/// object of the list `a`, and also a field whose name contains the dot.
#[derive(Debug)]
pub(in crate::documents::input) struct Fields {
    pub(super) id: String,
    /// Whether the flag `--id-field` was given.
    pub(super) id_is_given: bool,
    /// The field of `--group-by`, or else the field by whose value records are ordered.
    pub(super) group: Option<String>,
    /// The purpose of the group field in the words of messages, and the setting that it comes from.
    #[cfg_attr(
        not(any(feature = "arrow", feature = "parquet")),
        expect(dead_code, reason = "only columns are refused")
    )]
    pub(super) group_is: String,
    pub(super) group_setting: Setting,
    /// The text fields, without repeats.
    pub(super) texts: Vec<String>,
    pub(super) root: Node,
    /// The number of nodes below the root.
    pub(super) num_nodes: usize,
    /// Whether texts are sets.
    pub(super) sets: bool,
}

/// The columns of the id and of the group, where they are found.
#[cfg(any(feature = "arrow", feature = "parquet"))]
pub(super) struct IdAndGroup<C> {
    pub(super) id: Option<C>,
    pub(super) group: Option<C>,
    /// The note about a column that has the default name of the id and cannot be one.
    pub(super) note: Option<String>,
}

/// A name in the tree.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// The path from the root, joined by dots; empty for the root.
    pub(super) name: String,
    pub(super) number: usize,
    /// The number of the node for the other reading of a name with a dot: as nested fields or as one field.
    pub(super) twin: Option<usize>,
    pub(super) children: Vec<(String, Node)>,
    pub(super) is_id: bool,
    pub(super) is_group: bool,
    /// The number of the text field that ends at this node.
    pub(super) text: Option<usize>,
}

impl Fields {
    pub(in crate::documents::input) fn new(inputs: Inputs) -> Self {
        let mut texts: Vec<String> = Vec::new();
        for name in &inputs.text_fields {
            if !texts.contains(name) {
                texts.push(name.clone());
            }
        }
        let mut root = Node::default();
        let id = inputs.id_field.clone().unwrap_or_else(|| ID.to_owned());
        root.for_each_spelling(&id, |node| node.is_id = true);
        let (group, group_is, group_setting) = match inputs.groups.as_ref().map(|groups| &groups.by) {
            Some(GroupBy::Field(name)) => (Some(name.clone()), "a group".to_owned(), Setting::Groups),
            _ => {
                let setting = Setting::ValueField;
                (inputs.value_field.clone(), format!("what {setting} orders by"), setting)
            }
        };
        if let Some(name) = &group {
            root.for_each_spelling(name, |node| node.is_group = true);
        }
        for (number, name) in texts.iter().enumerate() {
            root.for_each_spelling(name, |node| node.text = Some(number));
        }
        let mut num_nodes = 0;
        root.number_children(&mut num_nodes);
        for name in texts.iter().chain([&id]).chain(&group).filter(|name| name.contains('.')) {
            let numbers: Vec<usize> = root.spellings(name).map(|node| node.number).collect();
            root.for_each_spelling(name, |node| {
                node.twin = numbers.iter().copied().find(|&other| other != node.number)
            });
        }
        Self {
            id,
            id_is_given: inputs.id_field.is_some(),
            group,
            group_is,
            group_setting,
            texts,
            root,
            num_nodes,
            sets: inputs.sets,
        }
    }

    /// The requested fields for the id and the texts: setting and name of each.
    pub(super) fn asked(&self) -> impl Iterator<Item = (Setting, &str)> {
        let id = Some((Setting::IdField, self.id.as_str())).filter(|_| self.id_is_given);
        id.into_iter().chain(self.texts.iter().map(|name| (Setting::TextFields, name.as_str())))
    }

    /// The note about requested fields that are missing; `None` if all exist.
    ///
    /// * `place`: the place of the note.
    /// * `names`: the existing fields.
    pub(super) fn note_missing<'n>(
        &self,
        place: impl Into<String>,
        names: impl Iterator<Item = Cow<'n, str>> + Clone,
    ) -> Option<Problem> {
        let is_missing = |name: &str| !names.clone().any(|other| other == name);
        let missing: Vec<_> = self.asked().filter(|(_, name)| is_missing(name)).collect();
        let setting = setting_of(missing.iter().map(|&(setting, _)| setting))?;
        let missing: Vec<String> = missing.into_iter().map(asked_for).collect();
        let missing: Vec<&str> = missing.iter().map(String::as_str).collect();
        let detail = format!("{}; compared without", no_field(&missing, &listed(names.clone())));
        Some(Problem { setting: Some(setting), ..Problem::note(place, Reason::MissingField, detail) })
    }

    /// Refuses a requested column whose name several columns have.
    ///
    /// * `names`: the names of all columns.
    #[cfg(any(feature = "arrow", feature = "parquet"))]
    pub(super) fn refuse_repeated<'n>(&self, names: impl Iterator<Item = Cow<'n, str>> + Clone) -> Result<(), String> {
        let mut requested = self.texts.iter().chain([&self.id]).chain(&self.group);
        match requested.find(|&name| names.clone().filter(|other| other == name).nth(1).is_some()) {
            Some(name) => Err(format!("the file has more than one column `{name}`; rename all but one")),
            None => Ok(()),
        }
    }

    /// Finds the columns of the id and of the group.
    ///
    /// * `column`: finds a column by its name, its purpose in the words of messages, and its setting.
    #[cfg(any(feature = "arrow", feature = "parquet"))]
    pub(super) fn id_and_group<C>(
        &self,
        column: impl Fn(&str, &str, Setting) -> Result<Option<C>, String>,
    ) -> Result<IdAndGroup<C>, String> {
        // Columns that were not requested are not read.
        let (id, note) = match column(&self.id, "an id", Setting::IdField) {
            Ok(id) => (id, None),
            Err(detail) if self.id_is_given => return Err(detail),
            Err(detail) => (None, Some(format!("{detail}; rows are named by their numbers"))),
        };
        let group = self.group.as_deref().map(|name| column(name, &self.group_is, self.group_setting)).transpose()?;
        Ok(IdAndGroup { id, group: group.flatten(), note })
    }

    /// The message when all text fields are missing. `what` is the subject of the message.
    pub(super) fn missing(&self, what: &str) -> String {
        let lacks = match self.texts.as_slice() {
            [name] => format!("no field `{name}`"),
            names => format!("none of the fields `{}`", names.join("`, `")),
        };
        format!("{what} has {lacks}; give the field of the text with {}", Setting::TextFields)
    }
}

/// A requested field, as messages show it.
pub(super) fn asked_for((setting, name): (Setting, &str)) -> String {
    format!("`{}` ({setting})", shown(name))
}

/// The setting to check if fields are missing: the fields of texts come first, since documents without a text are not
/// compared.
pub(super) fn setting_of(missing: impl Iterator<Item = Setting>) -> Option<Setting> {
    missing.min_by_key(|setting| *setting != Setting::TextFields)
}

/// The message about missing fields.
///
/// * `missing`: the missing fields, as [`asked_for`] returns them.
/// * `there_are`: the existing fields, as [`listed`] returns them.
pub(super) fn no_field(missing: &[&str], there_are: &str) -> String {
    let there_are = if there_are.is_empty() { "none" } else { there_are };
    format!("there is no field {}; there are: {there_are}", missing.join(", "))
}

/// A list of the first names of fields, for messages.
pub(super) fn listed<'n>(names: impl Iterator<Item = Cow<'n, str>>) -> String {
    let mut names = names.map(|name| format!("`{}`", shown(&name)));
    let shown = names.by_ref().take(SHOWN).collect::<Vec<_>>().join(", ");
    if names.next().is_some() { shown + ", …" } else { shown }
}

impl Node {
    fn for_each_spelling(&mut self, name: &str, mark: impl Fn(&mut Self)) {
        mark(self.child(name));
        if name.contains('.') {
            mark(name.split('.').fold(self, |node, part| node.child(part)));
        }
    }

    fn child(&mut self, name: &str) -> &mut Self {
        let index = self.children.iter().position(|(other, _)| other == name).unwrap_or_else(|| {
            let path = if self.name.is_empty() { name.to_owned() } else { format!("{}.{name}", self.name) };
            self.children.push((name.to_owned(), Self { name: path, ..Self::default() }));
            self.children.len() - 1
        });
        &mut self.children[index].1
    }

    fn number_children(&mut self, next: &mut usize) {
        for (_, child) in &mut self.children {
            child.number = *next;
            *next += 1;
            child.number_children(next);
        }
    }

    /// The nodes of a field: one, or two when its name contains a dot.
    pub(super) fn spellings(&self, name: &str) -> impl Iterator<Item = &Self> {
        let parts = name.split('.').try_fold(self, |node, part| node.existing(part));
        self.existing(name).into_iter().chain(parts.filter(|_| name.contains('.')))
    }

    fn existing(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|(other, _)| other == name).map(|(_, child)| child)
    }

    /// Whether the value is a text, or may contain requested fields.
    pub(super) fn is_entered(&self) -> bool {
        self.text.is_some() || !self.children.is_empty()
    }
}

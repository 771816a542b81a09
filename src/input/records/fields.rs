//! `Fields`: which fields of a record are its id, its group and its text, as a tree of names.

use crate::config::InputConfig;
use crate::group_by::GroupBy;

/// The field that names a record unless another is asked for.
const ID: &str = "id";

/// The fields that `--id-field`, `--text-field` and `--group-by` name. `a.b` is the field `b` of the object `a`, or of each object of
/// the list `a`, as well as a field whose name has the dot in it.
#[derive(Debug)]
pub(in crate::input) struct Fields {
    pub(super) id: String,
    /// Whether `id` was asked for by that name.
    pub(super) id_is_given: bool,
    /// The field that `--group-by` names.
    pub(super) group: Option<String>,
    /// Without repeats.
    pub(super) texts: Vec<String>,
    pub(super) root: Node,
    /// Whether the texts are sets.
    pub(super) sets: bool,
}

/// A name in the tree.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) children: Vec<(String, Node)>,
    pub(super) is_id: bool,
    pub(super) is_group: bool,
    /// The number of the text field that ends here.
    pub(super) text: Option<usize>,
}

impl Fields {
    pub(in crate::input) fn new(config: &InputConfig) -> Self {
        let mut texts: Vec<String> = Vec::new();
        for name in &config.text_fields {
            if !texts.contains(name) {
                texts.push(name.clone());
            }
        }
        let mut root = Node::default();
        let id = config.id_field.clone().unwrap_or_else(|| ID.to_owned());
        root.for_each_spelling(&id, |node| node.is_id = true);
        let group = match &config.group_by {
            Some(GroupBy::Field(name)) => Some(name.clone()),
            _ => None,
        };
        if let Some(name) = &group {
            root.for_each_spelling(name, |node| node.is_group = true);
        }
        for (number, name) in texts.iter().enumerate() {
            root.for_each_spelling(name, |node| node.text = Some(number));
        }
        Self { id, id_is_given: config.id_field.is_some(), group, texts, root, sets: config.sets }
    }

    /// What there is to say when some of the fields that were asked for are not there.
    ///
    /// * `has`: whether a field of this name is.
    pub(super) fn note_missing(&self, has: impl Fn(&str) -> bool) -> Option<String> {
        let id = Some(("--id-field", &self.id)).filter(|_| self.id_is_given);
        let asked = id.into_iter().chain(self.texts.iter().map(|name| ("--text-field", name)));
        let missing: Vec<_> =
            asked.filter(|(_, name)| !has(name)).map(|(flag, name)| format!("`{name}` ({flag})")).collect();
        (!missing.is_empty()).then(|| format!("there is no field {}; compared without", missing.join(", ")))
    }

    /// What is wrong when no text is there, in the words of what should have it.
    pub(super) fn missing(&self, what: &str) -> String {
        match self.texts.as_slice() {
            [name] => format!("{what} has no field `{name}`; name the text's field with --text-field"),
            names => {
                format!(
                    "{what} has none of the fields `{}`; name the text's field with --text-field",
                    names.join("`, `")
                )
            }
        }
    }
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
            self.children.push((name.to_owned(), Self::default()));
            self.children.len() - 1
        });
        &mut self.children[index].1
    }

    /// Calls `visit` with the text fields that end here or further down.
    pub(super) fn for_each_text(&self, visit: &mut dyn FnMut(usize)) {
        self.text.into_iter().for_each(&mut *visit);
        self.children.iter().for_each(|(_, child)| child.for_each_text(visit));
    }

    /// Whether the value is a text, or may have wanted fields in it.
    pub(super) fn is_entered(&self) -> bool {
        self.text.is_some() || !self.children.is_empty()
    }
}

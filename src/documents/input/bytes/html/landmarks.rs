//! `OpenLandmarks`: the open elements of a page that say which part of the page they are.
//!
//! They are known by their names, such as `<main>` and `<nav>`, or by their roles (WAI-ARIA 1.2, 5.3.4). No tree is built:
//! for each landmark, the open elements of its name are counted until it ends.

use super::tags::MOST_DEPTH;

/// An open element that says which part of the page it is.
struct Landmark {
    name: LandmarkName,
    /// How many elements of this name are open since it began.
    depth: u32,
    /// The place of the text inside it.
    place: PagePlace,
}

/// Elements that are landmarks by their name or may be by their role. Their end tags cannot be omitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LandmarkName {
    Main,
    Article,
    Nav,
    Aside,
    Header,
    Footer,
    Div,
    Section,
    Ul,
    Ol,
    Table,
    Form,
    Title,
    Button,
    Select,
}

impl LandmarkName {
    pub(super) fn of(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"main" => Self::Main,
            b"article" => Self::Article,
            b"nav" => Self::Nav,
            b"aside" => Self::Aside,
            b"header" => Self::Header,
            b"footer" => Self::Footer,
            b"div" => Self::Div,
            b"section" => Self::Section,
            b"ul" => Self::Ul,
            b"ol" => Self::Ol,
            b"table" => Self::Table,
            b"form" => Self::Form,
            b"title" => Self::Title,
            b"button" => Self::Button,
            b"select" => Self::Select,
            _ => return None,
        })
    }

    pub(super) fn kind(self) -> Option<LandmarkKind> {
        match self {
            Self::Main => Some(LandmarkKind::Main),
            Self::Article => Some(LandmarkKind::Article),
            Self::Aside | Self::Header | Self::Footer => Some(LandmarkKind::Margin),
            Self::Nav | Self::Title | Self::Button | Self::Select => Some(LandmarkKind::Menu),
            Self::Div | Self::Section | Self::Ul | Self::Ol | Self::Table | Self::Form => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LandmarkKind {
    Main,
    Article,
    /// Outside the main text, unless it is inside an element that has the main text.
    Margin,
    /// Never main text.
    Menu,
}

impl LandmarkKind {
    pub(super) fn of_role(role: &[u8]) -> Option<Self> {
        let is = |other: &&[u8]| role.trim_ascii().eq_ignore_ascii_case(other);
        match role {
            _ if is(&b"main".as_slice()) => Some(Self::Main),
            _ if is(&b"article".as_slice()) => Some(Self::Article),
            _ if [b"banner".as_slice(), b"contentinfo", b"complementary"].iter().any(is) => Some(Self::Margin),
            _ if [b"navigation".as_slice(), b"search", b"menu", b"menubar"].iter().any(is) => Some(Self::Menu),
            _ => None,
        }
    }
}

/// The part of a page that a text belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PagePlace {
    pub(super) is_main: bool,
    pub(super) is_article: bool,
    pub(super) is_frame: bool,
}

impl PagePlace {
    fn inside(self, kind: LandmarkKind) -> Self {
        match kind {
            LandmarkKind::Main => Self { is_main: true, is_frame: false, ..self },
            LandmarkKind::Article => Self { is_article: true, ..self },
            LandmarkKind::Margin => Self { is_frame: self.is_frame || !(self.is_main || self.is_article), ..self },
            LandmarkKind::Menu => Self { is_frame: true, ..self },
        }
    }
}

/// The open landmarks, from the outermost to the innermost.
#[derive(Default)]
pub(super) struct OpenLandmarks(Vec<Landmark>);

impl OpenLandmarks {
    /// The place of the text that follows.
    pub(super) fn place(&self) -> PagePlace {
        self.0.last().map_or_else(PagePlace::default, |landmark| landmark.place)
    }

    /// An element starts that is not a landmark.
    pub(super) fn enter(&mut self, name: LandmarkName) {
        if let Some(outer) = self.innermost(name) {
            outer.depth = outer.depth.saturating_add(1);
        }
    }

    /// A landmark starts. If too many are open, it is an element like any other.
    pub(super) fn open(&mut self, name: LandmarkName, kind: LandmarkKind) {
        if self.0.len() == MOST_DEPTH {
            return self.enter(name);
        }
        let place = self.place().inside(kind);
        self.0.push(Landmark { name, depth: 1, place });
    }

    fn innermost(&mut self, name: LandmarkName) -> Option<&mut Landmark> {
        self.0.iter_mut().rev().find(|landmark| landmark.name == name)
    }

    pub(super) fn leave(&mut self, name: LandmarkName) {
        let Some(at) = self.0.iter().rposition(|landmark| landmark.name == name) else { return };
        self.0[at].depth -= 1;
        if self.0[at].depth == 0 {
            self.0.truncate(at);
        }
    }
}

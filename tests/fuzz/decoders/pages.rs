//! Pages that are made together with their text.

use dedup_scan::InputSettings;

use super::{Files, text, unmarked};
use crate::normalized::joined_lines;
use crate::random::Random;

/// Tags that part what is before them from what is behind, with an end of their own.
const APART: [&str; 8] = ["div", "p", "li", "h1", "td", "section", "title", "x-own"];
const INSIDE: [&str; 6] = ["b", "a", "span", "EM", "code", "ruby"];
const VOID: [&str; 4] = ["br", "hr", "img", "br/"];
const LEFT_OUT: [&str; 5] = ["template", "svg", "script", "style", "noframes"];

pub(crate) fn pages(seed: u64) -> Result<(), String> {
    let random = &mut Random(seed);
    let mut files = Files::new();
    for file in 0..10 {
        let mut page = Page::default();
        if random.percent(50) {
            page.source.push_str("<!DOCTYPE html>");
        }
        page.nodes(random, 3);
        let extension = random.pick(&["html", "htm", "xhtml", "HTML"]);
        files.add(&format!("{file}.{extension}"), page.source.as_bytes(), [(String::new(), Some(page.text_of_file()))]);
    }
    files.check(&InputSettings::default())
}

#[derive(Default)]
struct Page {
    source: String,
    text: String,
    /// Whether what is written is inside of an element that is left out.
    is_left_out: bool,
}

impl Page {
    fn text_of_file(&self) -> String {
        if self.source.starts_with('\u{FEFF}') { unmarked(&self.text) } else { self.text.clone() }
    }

    fn nodes(&mut self, random: &mut Random, depth: usize) {
        for _ in 0..1 + random.below(5) {
            self.node(random, depth);
        }
    }

    fn node(&mut self, random: &mut Random, depth: usize) {
        match random.below(if depth > 0 { 9 } else { 4 }) {
            0..=2 => self.characters(random),
            3 => match random.below(3) {
                0 => self.source.push_str("<!-- <p>no</p> > -->"),
                _ => {
                    self.part();
                    self.source.push_str(&format!("<{}>", random.pick(&VOID)));
                }
            },
            4 | 5 => {
                let name = random.pick(&APART);
                self.part();
                self.open(name, random);
                // In a title tags are characters.
                if name == "title" {
                    self.characters(random)
                } else {
                    self.nodes(random, depth - 1)
                }
                self.part();
                self.source.push_str(&format!("</{name}>"));
            }
            6 | 7 => {
                let name = random.pick(&INSIDE);
                self.open(name, random);
                self.nodes(random, depth - 1);
                self.source.push_str(&format!("</{name} >"));
            }
            _ => {
                let name = random.pick(&LEFT_OUT);
                self.part();
                self.open(name, random);
                let was = std::mem::replace(&mut self.is_left_out, true);
                match name {
                    // One of the same name inside does not end it.
                    "template" | "svg" if !was => {
                        self.characters(random);
                        self.source.push_str(&format!("<{name}>no</{name}><g>no</g>"));
                        self.characters(random);
                    }
                    "template" | "svg" => self.characters(random),
                    _ => self.source.push_str("if (a < b && '<p>' > \"</p>\") {}"),
                }
                self.is_left_out = was;
                self.source.push_str(&format!("</{name}>"));
            }
        }
    }

    fn open(&mut self, name: &str, random: &mut Random) {
        let attributes = random.pick(&["", " class=x", " title=\"a > b\"", " a='</p>' b", "\nid=\"é\"\t"]);
        self.source.push_str(&format!("<{name}{attributes}>"));
    }

    fn part(&mut self) {
        if self.is_left_out || self.text.is_empty() {
            return;
        }
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        // The end of a block is a blank line after a letter at which a single line end could be dropped.
        let letters = self.text.trim_end();
        let joins = |c: char| !joined_lines(&format!("{c}\n一")).contains('\n');
        let num_ends = self.text[letters.len()..].matches('\n').count();
        if num_ends == 1 && letters.chars().next_back().is_some_and(joins) {
            self.text.push('\n');
        }
    }

    fn characters(&mut self, random: &mut Random) {
        // Line ends of a page are line feeds, and controls are nothing a page may have.
        let text = text(random, 6).replace('\r', "").replace(['\u{1}', '\u{B}', '\u{10FFFF}'], "");
        for c in text.chars() {
            match c {
                '&' => self.source.push_str(random.pick(&["&amp;", "&#38;", "&#x26;"])),
                '<' => self.source.push_str(random.pick(&["&lt;", "&#60;"])),
                'é' => self.source.push_str(random.pick(&["é", "&eacute;", "&#xE9;"])),
                c => self.source.push(c),
            }
        }
        if !self.is_left_out {
            self.text.push_str(&text);
        }
    }
}

//! `recorded.txt`: what every command line left behind when it was last recorded, a section each.
//!
//! Sections are compared as text. A short output is recorded line by line, a long one as its number of lines and a hash.
//! The build folder keeps the last correct long outputs, so that a difference can be shown line by line.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use similar::TextDiff;
use xxhash_rust::xxh3::xxh3_128;

use crate::cases::Case;
use crate::run::Outcome;

/// An output of at most so many lines and bytes is recorded as it is.
const SHORT_LINES: usize = 60;
const SHORT_BYTES: usize = 6_000;
/// Most lines of a difference that are shown.
const SHOWN_LINES: usize = 80;

const HEAD: &str = "\
# What the program printed for each command line of tests/net when this was last recorded.
# After a change that is meant:  DEDUP_NET=record cargo test --test net
";

/// The sections by the names of their cases.
pub(crate) type Sections = BTreeMap<String, String>;

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/net/recorded.txt")
}

/// The sections as they are recorded.
pub(crate) fn read() -> Sections {
    let text = fs::read_to_string(path()).unwrap_or_default();
    let sections = text.split("\n[").skip(1).filter_map(|section| section.split_once("]\n"));
    sections.map(|(name, section)| (name.to_owned(), section.trim_end().to_owned() + "\n")).collect()
}

/// Records the sections in the order of their cases.
pub(crate) fn write<'n>(names: impl Iterator<Item = &'n str>, sections: &Sections) -> std::io::Result<()> {
    let mut text = HEAD.to_owned();
    for (name, section) in names.filter_map(|name| sections.get_key_value(name)) {
        write!(text, "\n[{name}]\n{section}").expect("a string takes all");
    }
    fs::write(path(), text)
}

/// The section of a case that ended like this.
pub(crate) fn section(case: &Case, outcome: &Outcome) -> String {
    let mut section = format!("$ {}\n", case.shown());
    let mut line = |text: &str| section += &format!("{text}\n");
    if !case.ways.is_empty() {
        line(&format!("the same with: {}", case.ways.join(" | ")));
    }
    line(&format!("exit: {}", outcome.exit));
    let num_pairs = outcome.stdout.lines().filter(|line| line.starts_with("{\"a\":")).count();
    if num_pairs > 0 {
        line(&format!("pairs: {num_pairs}"));
    }
    section += &stream("stdout", &outcome.stdout);
    section += &stream("stderr", &outcome.stderr);
    if let Some(summary) = &outcome.summary {
        section += &stream("summary", &a_key_a_line(summary));
    }
    section
}

fn is_short(text: &str) -> bool {
    text.lines().count() <= SHORT_LINES && text.len() <= SHORT_BYTES
}

fn hash(text: &str) -> String {
    format!("{:032x}", xxh3_128(text.as_bytes()))
}

fn stream(name: &str, text: &str) -> String {
    if text.is_empty() {
        return format!("{name}: nothing\n");
    }
    if !is_short(text) {
        return format!("{name}: {} lines, {}\n", text.lines().count(), hash(text));
    }
    let mut shown = format!("{name}:\n");
    text.lines().for_each(|line| writeln!(shown, "| {}", visible(line)).expect("a string takes all"));
    if !text.ends_with('\n') {
        shown += "\\ no line end\n";
    }
    shown
}

/// A line without what a terminal or an editor would obey.
fn visible(line: &str) -> String {
    let is_obeyed = |c: char| {
        c.is_control() || matches!(c, '\u{200E}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    line.chars().map(|c| if is_obeyed(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}

/// A JSON object, each of its keys on a line, in their order; anything else as it is.
fn a_key_a_line(json: &str) -> String {
    struct Lines;
    impl<'de> Visitor<'de> for Lines {
        type Value = String;
        fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
            formatter.write_str("an object")
        }
        fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<String, M::Error> {
            let mut lines = String::new();
            while let Some((key, value)) = map.next_entry::<String, Box<RawValue>>()? {
                writeln!(lines, "{key}: {value}").expect("a string takes all");
            }
            Ok(lines)
        }
    }
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let lines = deserializer.deserialize_map(Lines);
    lines.and_then(|lines| deserializer.end().map(|()| lines)).unwrap_or_else(|_| json.to_owned())
}

/// Keeps the long outputs of a case that ended as recorded, or is being recorded.
pub(crate) fn keep(case: &Case, outcome: &Outcome) -> std::io::Result<()> {
    for (stream, text) in [("stdout", &outcome.stdout), ("stderr", &outcome.stderr)] {
        if !is_short(text) {
            fs::write(kept(case, stream)?, text)?;
        }
    }
    Ok(())
}

fn kept(case: &Case, stream: &str) -> std::io::Result<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("net");
    fs::create_dir_all(&folder)?;
    Ok(folder.join(format!("{}.{stream}", case.name.replace('/', "-"))))
}

/// How two sections differ, and how long outputs do that are kept.
pub(crate) fn difference(case: &Case, recorded: &str, outcome: &Outcome) -> std::io::Result<String> {
    let mut text = difference_of_texts(recorded, &section(case, outcome));
    for (stream, actual) in [("stdout", &outcome.stdout), ("stderr", &outcome.stderr)] {
        if is_short(actual) || recorded.contains(&hash(actual)) {
            continue;
        }
        let kept = kept(case, stream)?;
        let mut new = kept.as_os_str().to_owned();
        new.push(".new");
        fs::write(&new, actual)?;
        match fs::read_to_string(&kept).ok().filter(|kept| recorded.contains(&hash(kept))) {
            Some(kept) => text += &format!("{stream}, by line:\n{}", difference_of_texts(&kept, actual)),
            None => {
                text += &format!("{stream} as recorded is not kept here: run the net on the code before the change\n")
            }
        }
        text += &format!("all of {stream} is in {}\n", new.display());
    }
    Ok(text)
}

/// The lines in which two texts differ, the first of them, and what is around them.
pub(crate) fn difference_of_texts(old: &str, new: &str) -> String {
    let difference = TextDiff::configure().timeout(std::time::Duration::from_secs(5)).diff_lines(old, new);
    let difference = difference.unified_diff().context_radius(1).to_string();
    let mut lines = difference.split_inclusive('\n');
    let mut shown: String = lines.by_ref().take(SHOWN_LINES).collect();
    let num_more = lines.count();
    if num_more > 0 {
        writeln!(shown, "… and {num_more} lines more").expect("a string takes all");
    }
    shown
}

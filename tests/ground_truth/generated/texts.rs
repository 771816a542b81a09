//! Texts in several styles, and revisions of them.
//!
//! A text is a list of units, which are words, lines or characters, so that a revision is a few edits of the list. How alike
//! a text and its revision are is left to chance and to brute force.

use crate::random::Random;

/// What texts are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// English as far as its short words go, in sentences.
    Prose,
    /// Lines of a language with braces.
    Code,
    /// A script, by its number in [`SCRIPTS`].
    Script(usize),
}

/// A text and its style; its units are joined when it is written.
#[derive(Debug, Clone)]
pub(super) struct Text {
    style: Style,
    units: Vec<String>,
}

const SHORT_WORDS: [&str; 24] = [
    "the", "of", "and", "a", "to", "in", "he", "said", "it", "was", "that", "his", "for", "on", "as", "with", "had",
    "at", "from", "by", "not", "she", "but", "they",
];
const SYLLABLES: [&str; 32] = [
    "ba", "ri", "ton", "mel", "sa", "kel", "vor", "ne", "dis", "lu", "pra", "co", "mi", "ster", "an", "qui", "fen",
    "ho", "gar", "ty", "el", "bro", "wil", "ka", "shi", "mor", "un", "tra", "pe", "zo", "ling", "dra",
];

/// Letters of a script, how many make a word (1 where words are not parted by spaces), and marks that may follow a letter.
pub(super) struct Script {
    letters: &'static [(u32, u32)],
    word: usize,
    marks: &'static [&'static str],
}

pub(super) const SCRIPTS: [Script; 9] = [
    // Han, with its stops.
    Script { letters: &[(0x4E00, 600), (0x4E00, 600), (0x3001, 2)], word: 1, marks: &[] },
    // Han, Hiragana and Katakana.
    Script { letters: &[(0x3042, 80), (0x30A2, 80), (0x65E5, 200)], word: 1, marks: &[] },
    // Hangul.
    Script { letters: &[(0xAC00, 4000)], word: 3, marks: &[] },
    // Cyrillic, Greek.
    Script { letters: &[(0x430, 32)], word: 6, marks: &[] },
    Script { letters: &[(0x3B1, 25)], word: 6, marks: &["\u{301}"] },
    // Arabic, with its vowels.
    Script { letters: &[(0x627, 20)], word: 5, marks: &["\u{64E}", "\u{650}"] },
    // Devanagari, with its vowels.
    Script { letters: &[(0x915, 30)], word: 4, marks: &["\u{93E}", "\u{93F}", "\u{947}"] },
    // Thai, whose words are not parted.
    Script { letters: &[(0xE01, 40)], word: 1, marks: &["\u{E34}", "\u{E48}"] },
    // Letters of Latin with accents, whole and combined, and characters beyond the first plane between them.
    Script { letters: &[(0xE0, 22), (0x61, 26), (0x61, 26)], word: 5, marks: &["\u{308}", "\u{1F600}", "\u{1D4D0}"] },
];

impl Text {
    pub(super) fn new(style: Style, num_units: usize, random: &mut Random) -> Self {
        let mut units: Vec<String> = Vec::with_capacity(num_units);
        let mut starts = true;
        for _ in 0..num_units {
            let mut unit = fresh(style, random);
            if style == Style::Prose {
                if std::mem::take(&mut starts) {
                    let first: String = unit.drain(..1).collect();
                    unit.insert_str(0, &first.to_uppercase());
                }
                starts = random.percent(8);
                unit.push_str(if starts { "." } else { random.pick(&["", "", "", "", "", "", "", ","]) });
            }
            units.push(unit);
        }
        Self { style, units }
    }

    /// The text with so many edits: units replaced, left out, repeated elsewhere or put in, one or a few at a time.
    pub(super) fn revised(&self, num_edits: usize, random: &mut Random) -> Self {
        let mut units = self.units.clone();
        for _ in 0..num_edits {
            let at = random.below(units.len());
            let end = (at + 1 + random.skewed(6)).min(units.len());
            match random.below(4) {
                0 => units[at] = fresh(self.style, random),
                1 if units.len() > 10 => drop(units.drain(at..end)),
                2 => {
                    let moved: Vec<String> = units.drain(at..end).collect();
                    let to = random.below(units.len() + 1);
                    units.splice(to..to, moved);
                }
                _ => units.insert(at, fresh(self.style, random)),
            }
        }
        Self { style: self.style, units }
    }

    /// This text behind the units of another.
    pub(super) fn behind(&self, start: &Self) -> Self {
        Self { style: self.style, units: start.units.iter().chain(&self.units).cloned().collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.units.len()
    }

    /// The text as somebody may have written it: white space differs from one time to the next.
    pub(super) fn write(&self, random: &mut Random) -> String {
        let (mut text, mut is_first) = (String::new(), true);
        for unit in &self.units {
            if !std::mem::take(&mut is_first) {
                text.push_str(match self.style {
                    Style::Code => random.pick(&["\n", "\n", "\n", "\r\n", " \n"]),
                    Style::Script(number) if SCRIPTS[number].word == 1 => "",
                    _ if random.percent(90) => " ",
                    _ => random.pick(&["\n", "  ", "\t", "\r\n", "\u{A0}", "\u{3000}", "\u{2003} "]),
                });
            }
            text.push_str(unit);
        }
        text
    }
}

/// A word, line or character that is likely to be new.
fn fresh(style: Style, random: &mut Random) -> String {
    match style {
        Style::Prose if random.percent(45) => SHORT_WORDS[random.skewed(SHORT_WORDS.len())].to_owned(),
        Style::Prose if random.percent(3) => (1 + random.skewed(3000)).to_string(),
        Style::Prose => word(random.skewed(6000)),
        Style::Code => line(random),
        Style::Script(number) => {
            let Script { letters, word, marks } = &SCRIPTS[number];
            let mut unit = String::new();
            for _ in 0..(*word / 2 + random.below(*word)).max(1) {
                let (first, count) = letters[random.below(letters.len())];
                let letter = first + random.skewed(count as usize) as u32;
                unit.push(char::from_u32(letter).expect("a range without surrogates"));
                if !marks.is_empty() && random.percent(15) {
                    unit.push_str(random.pick(marks));
                }
            }
            unit
        }
    }
}

fn word(number: usize) -> String {
    let (mut word, mut rest) = (String::new(), number + 7);
    while rest > 0 {
        word.push_str(SYLLABLES[rest % SYLLABLES.len()]);
        rest /= SYLLABLES.len();
    }
    word
}

fn line(random: &mut Random) -> String {
    let indent = "    ".repeat(1 + random.skewed(3));
    let [a, b, c] = [(); 3].map(|()| word(random.skewed(400)));
    let number = random.skewed(100);
    match random.below(8) {
        0 => format!("{indent}let {a} = {b}({c}, {number});"),
        1 => format!("{indent}if {a}.{b} < {number} {{"),
        2 => format!("{indent}}}"),
        3 => format!("{indent}return {a} + {b};"),
        4 => format!("{indent}// {a} the {b} of {c}"),
        5 => format!("{indent}for {a} in {b}[{number}..] {{ {c}({a}) }}"),
        6 => format!("{indent}{a}[\"{b}\"] = {c}_{number};"),
        _ => format!("fn {a}_{b}({c}: &[u8], n: usize) -> Option<{a}> {{"),
    }
}

//! Generated corpora: a seed in, documents out, the same every time. So the proofs need only this repository.
//!
//! Each corpus has families of revisions among unrelated texts. Brute force computes their similarities. `records` also
//! has pairs whose similarity is known from how they are made, against which brute force itself is compared.

mod texts;

use self::texts::{SCRIPTS, Style, Text};
use crate::random::Random;

/// The corpora by name.
pub(crate) const CORPORA: [&str; 5] = ["prose", "code", "records", "scripts", "near_copies"];
/// The one whose labelled pairs are all that reach 0.9.
pub(crate) const LABELLED: &str = "near_copies";
/// The one with pairs of known similarity.
pub(crate) const KNOWN: &str = "records";

/// A corpus as it is made: texts in document order, and what is known of them.
#[derive(Default)]
pub(crate) struct Made {
    pub(crate) texts: Vec<String>,
    /// Places of two texts that are copies but for a word.
    pub(crate) labelled: Vec<(usize, usize)>,
    /// Places of two texts, the shingles that both have, and those of either.
    pub(crate) known: Vec<[usize; 4]>,
}

/// The corpus of this name, if it is one of [`CORPORA`].
pub(crate) fn make(name: &str) -> Option<Made> {
    let place = CORPORA.iter().position(|&other| other == name)?;
    let random = &mut Random(place as u64);
    let mut made = Made::default();
    match name {
        "prose" => made.families(&[Style::Prose], 22, 60..300, random),
        "code" => {
            // Half of the files have one licence above them, some of the others another one.
            let licences = [300, 250].map(|len| Text::new(Style::Prose, len, random));
            let mut files = Made::default();
            files.families(&[Style::Code], 24, 8..36, random);
            for (number, file) in files.texts.into_iter().enumerate() {
                let licence = match number % 4 {
                    0 | 1 => licences[0].write(random),
                    2 => licences[1].write(random),
                    _ => String::new(),
                };
                made.texts.push(format!("// {licence}\n{file}"));
            }
        }
        "records" => {
            made.families(&[Style::Prose], 60, 6..40, random);
            made.texts.extend(["", "", "short", "short", "shorts", "8 letters"].map(String::from));
            made.known_pairs();
        }
        "scripts" => {
            let styles: Vec<Style> = (0..SCRIPTS.len()).map(Style::Script).collect();
            made.families(&styles, 27, 60..250, random);
        }
        _ => made.near_copies(random),
    }
    Some(made.shuffled(random))
}

impl Made {
    /// Families of one to ten texts, the styles in turn, with lengths in units. A text revises the first of its family or the
    /// one before it, by much or by little, or repeats it but for white space.
    fn families(
        &mut self,
        styles: &[Style],
        num_families: usize,
        lengths: std::ops::Range<usize>,
        random: &mut Random,
    ) {
        for family in 0..num_families {
            let len = lengths.start + random.below(lengths.len());
            let first = Text::new(styles[family % styles.len()], len, random);
            let mut last = first.clone();
            self.texts.push(first.write(random));
            for _ in 0..random.skewed(10) {
                let from = if random.percent(50) { &first } else { &last };
                let share = [0, 1, 2, 4, 8, 15, 30][random.below(7)];
                last = from.revised((from.len() * share).div_ceil(100), random);
                if random.percent(10) {
                    last = last.behind(&Text::new(styles[family % styles.len()], len / 3, random));
                }
                self.texts.push(last.write(random));
            }
        }
    }

    /// Long texts, some of them twice but for a word.
    fn near_copies(&mut self, random: &mut Random) {
        for number in 0..45 {
            let text = Text::new(Style::Prose, 400 + random.below(300), random);
            self.texts.push(text.write(random));
            if number % 3 == 0 {
                self.labelled.push((self.texts.len() - 1, self.texts.len()));
                self.texts.push(text.revised(1, random).write(random));
            }
        }
    }

    /// Pairs of texts of which each character is there once: a start in common, and an end of its own to each. Of the
    /// shingles exactly those within the start are in both.
    fn known_pairs(&mut self) {
        let mut characters = ('\u{4E00}'..='\u{9FA5}').chain('\u{AC00}'..='\u{D7A3}');
        let shares =
            [(1, 2), (99, 199), (3, 5), (2, 3), (7, 10), (79, 100), (4, 5), (81, 100), (9, 10), (19, 20), (1, 1)];
        for (shared, union) in shares {
            // Sets of some size: small ones are found less often than the curve says.
            let factor = 400_usize.div_ceil(union);
            let (shared, union) = (shared * factor, union * factor);
            let own = union - shared;
            let mut take = |count| characters.by_ref().take(count).collect::<String>();
            // Eight characters more than shingles.
            let (start, ends) = (take(shared + 8), [own / 3, own - own / 3].map(take));
            self.known.push([self.texts.len(), self.texts.len() + 1, shared, union]);
            self.texts.extend(ends.map(|end| start.clone() + &end));
        }
    }

    /// The same with families scattered over the corpus.
    fn shuffled(self, random: &mut Random) -> Self {
        let mut order: Vec<usize> = (0..self.texts.len()).collect();
        random.shuffle(&mut order);
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &old)| places[old] = place);
        let pair = |a: usize, b: usize| (places[a].min(places[b]), places[a].max(places[b]));
        let mut labelled: Vec<(usize, usize)> = self.labelled.iter().map(|&(a, b)| pair(a, b)).collect();
        labelled.sort_unstable();
        let known = self.known.iter().map(|&[a, b, shared, union]| {
            let (a, b) = pair(a, b);
            [a, b, shared, union]
        });
        let known = known.collect();
        let mut texts = self.texts;
        Self { texts: order.iter().map(|&old| std::mem::take(&mut texts[old])).collect(), labelled, known }
    }
}

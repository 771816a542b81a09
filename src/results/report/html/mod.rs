//! `html`: a self-contained page with numbers, charts, a graph of the groups, a table of pairs, and both texts of a
//! pair side by side.
//!
//! `kept` chooses the pairs that the page shows, and `groups` joins all pairs. `index` numbers the documents of the shown
//! pairs, and `texts` packs their texts. `charts` computes the coordinates of bars and points, and `overview` has the
//! values for the template `page.html`. `style.css` and the files of `script/` are embedded unchanged; the page's
//! content security policy allows only them, by their hashes.

mod charts;
mod groups;
mod index;
mod kept;
mod overview;
mod parts;
mod texts;

use std::collections::HashMap;
use std::io::{self, Write};

use xxhash_rust::xxh3::Xxh3;

use self::charts::Shares;
use self::groups::AllGroups;
use self::index::PageIndex;
use self::kept::{KeptPairs, PagePair};
use self::overview::Overview;
use self::texts::PackedTexts;
use super::pair::ReportPair;
use super::{ReportSettings, ReportTotals, ReportWriter};
use crate::records::{ClusterRecord, Name, PairSide};
use crate::results::views::{PairView, ViewKey};

pub(super) const STARTS: &[&str] = &[parts::START];

struct ReportPage {
    settings: ReportSettings,
    kept: KeptPairs,
    /// The similarities of all pairs.
    shares: Shares,
    groups: AllGroups,
    /// A hash of the names and similarities of all pairs, which identifies the result.
    result: Xxh3,
    /// The index of the page; `None` before the last pair.
    index: Option<PageIndex>,
    texts: PackedTexts,
}

pub(super) fn report(settings: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::new(ReportPage {
        kept: KeptPairs::new(settings),
        shares: Shares::default(),
        groups: AllGroups::default(),
        result: Xxh3::new(),
        index: None,
        texts: PackedTexts::new(settings.max_bytes),
        settings: settings.clone(),
    })
}

impl ReportPage {
    /// Adds a pair to the hash of the result.
    fn identify(&mut self, names: [&[u8]; 2], share: f64) {
        for name in names {
            self.result.update(&(name.len() as u64).to_le_bytes());
            self.result.update(name);
        }
        self.result.update(&share.to_le_bytes());
    }

    fn index(&mut self) -> &PageIndex {
        let (kept, groups, has_sides) = (&mut self.kept, &mut self.groups, self.settings.has_sides);
        self.index.get_or_insert_with(|| PageIndex::new(kept.take(), has_sides, groups))
    }
}

impl ReportWriter for ReportPage {
    fn pair(&mut self, pair: &ReportPair, _: &mut dyn Write) -> io::Result<()> {
        let has_sides = self.settings.has_sides;
        let documents = pair.sides().map(|side| (side.name, side.side(has_sides)));
        self.identify(pair.sides().map(|side| side.name), pair.share());
        self.shares.add(pair.share());
        self.groups.add(documents, pair.share(), None);
        self.kept.add(pair);
        Ok(())
    }

    fn group(&mut self, group: &ClusterRecord, _: &mut dyn Write) -> io::Result<()> {
        let has_sides = self.settings.has_sides;
        // A group may have further pairs, which did not join a member and can be less similar.
        let least_of_group = group.jaccard_min.filter(|_| !self.settings.of_passages).unwrap_or(f64::INFINITY);
        let sides = group.sides.as_ref();
        let place = |(at, name): (usize, &Name)| ((name.to_bytes(), sides.map_or(PairSide::A, |sides| sides[at])), at);
        let places: HashMap<(Vec<u8>, PairSide), usize> = group.members.iter().enumerate().map(place).collect();
        let of_join = |joined| PagePair::of_join(joined, group, self.settings.has_choice);
        let joins: Vec<PagePair> = group.joined_by.iter().map(|joined| of_join(joined).in_order(&places)).collect();
        for join in joins {
            let documents = join.keys.each_ref().map(|key| (&*key.name, has_sides.then_some(key.side)));
            self.identify(join.keys.each_ref().map(|key| &*key.name), join.share);
            self.shares.add(join.share);
            self.groups.add(documents, least_of_group.min(join.share), Some(group.group));
            self.kept.add_join(join);
        }
        Ok(())
    }

    fn wanted_views(&mut self) -> Vec<[ViewKey; 2]> {
        self.index().keys()
    }

    fn take_view(&mut self, pair: usize, view: PairView) -> bool {
        let index = self.index.as_ref().expect("views are asked for before they come");
        self.texts.add(pair, index.documents_of(pair), view)
    }

    fn end(&mut self, totals: &ReportTotals, out: &mut dyn Write) -> io::Result<()> {
        self.index();
        self.texts.finish();
        let index = self.index.as_ref().expect("it was just made");
        let overview = Overview { settings: &self.settings, totals, shares: &self.shares, index, texts: &self.texts };
        let [head, foot] = parts::page(&overview.context());
        out.write_all(head.as_bytes())?;
        let json = index.json(&self.texts, self.result.digest128(), &self.settings);
        writeln!(out, "<script type=\"application/json\" id=\"index\">{json}</script>")?;
        for (number, block) in self.texts.blocks().iter().enumerate() {
            writeln!(out, "<script type=\"text/plain\" id=\"texts-{number}\">{block}</script>")?;
        }
        out.write_all(foot.as_bytes())
    }
}

#[cfg(test)]
mod tests;

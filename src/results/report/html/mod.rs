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

use std::io::{self, Write};

use self::charts::Shares;
use self::groups::AllGroups;
use self::index::PageIndex;
use self::kept::{KeptPairs, PagePair};
use self::overview::Overview;
use self::texts::PackedTexts;
use super::pair::ReportPair;
use super::{ReportSettings, ReportTotals, ReportWriter};
use crate::records::ClusterRecord;
use crate::results::views::{PairView, ViewKey};

pub(super) const STARTS: &[&str] = &[parts::START];

struct ReportPage {
    settings: ReportSettings,
    kept: KeptPairs,
    /// The similarities of all pairs.
    shares: Shares,
    groups: AllGroups,
    /// The index of the page; `None` before the last pair.
    index: Option<PageIndex>,
    texts: PackedTexts,
}

pub(super) fn report(settings: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::new(ReportPage {
        kept: KeptPairs::new(settings),
        shares: Shares::default(),
        groups: AllGroups::default(),
        index: None,
        texts: PackedTexts::new(settings.max_bytes),
        settings: settings.clone(),
    })
}

impl ReportPage {
    fn index(&mut self) -> &PageIndex {
        let (kept, groups, has_sides) = (&mut self.kept, &mut self.groups, self.settings.has_sides);
        self.index.get_or_insert_with(|| PageIndex::new(kept.take(), has_sides, groups))
    }
}

impl ReportWriter for ReportPage {
    fn pair(&mut self, pair: &ReportPair, _: &mut dyn Write) -> io::Result<()> {
        let has_sides = self.settings.has_sides;
        let documents = pair.sides().map(|side| (side.name, side.side(has_sides)));
        self.shares.add(pair.share());
        self.groups.add(documents, pair.share(), None);
        self.kept.add(pair);
        Ok(())
    }

    fn group(&mut self, group: &ClusterRecord, _: &mut dyn Write) -> io::Result<()> {
        let has_sides = self.settings.has_sides;
        // A group may have further pairs, which did not join a member and can be less similar.
        let least_of_group = group.jaccard_min.filter(|_| !self.settings.of_passages).unwrap_or(f64::INFINITY);
        for join in group.joined_by.iter().map(|joined| PagePair::of_join(joined, group)) {
            let documents = join.keys.each_ref().map(|key| (&*key.name, has_sides.then_some(key.side)));
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
        writeln!(out, "<script type=\"application/json\" id=\"index\">{}</script>", index.json(&self.texts))?;
        for (number, block) in self.texts.blocks().iter().enumerate() {
            writeln!(out, "<script type=\"text/plain\" id=\"texts-{number}\">{block}</script>")?;
        }
        out.write_all(foot.as_bytes())
    }
}

#[cfg(test)]
mod tests;

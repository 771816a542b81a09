//! Selects the main text of a page, for `--html main`: the page without its menus, sidebars, headers and footers.
//!
//! The page is read twice. The first time, a [`PageOutline`] counts the words of each block, which is the text between two
//! tags that separate; the second time, only the blocks that it selected are text. Pages declare their main text by
//! `<main>`, `role=main` or `<article>`. For other pages, the number of words and of words in links decide for each
//! block and its neighbours: C. Kohlschütter, P. Fankhauser and W. Nejdl, "Boilerplate Detection using Shallow Text
//! Features", WSDM 2010, algorithm 2.

use super::landmarks::{LandmarkKind, LandmarkName, OpenLandmarks, PagePlace};
use super::tags::is_inline;
use crate::base::scripts::joins_lines;

/// The number of characters that count as a word, in scripts without spaces.
const SPACELESS_OF_WORD: u32 = 2;

/// How many other blocks may be between two blocks with much text and still belong to the main text, such as lists and
/// the cells of a table.
const MOST_GAP: usize = 20;

/// A text of fewer words is not main text if it has less than one word in [`SHARE_OF_PAGE`] of the page.
const FEW_WORDS: u64 = 50;
const SHARE_OF_PAGE: u64 = 10;

/// Which blocks of a page are text.
pub(super) enum PagePart {
    /// All blocks.
    Whole,
    /// No block: the page is measured.
    Outlined(PageOutline),
    Kept(KeptBlocks),
}

impl PagePart {
    pub(super) fn outlined() -> Self {
        Self::Outlined(PageOutline::default())
    }

    /// The main text of the page, after it was measured.
    pub(super) fn kept(self) -> Self {
        match self {
            Self::Outlined(outline) => Self::Kept(outline.into_kept()),
            part => part,
        }
    }

    #[inline]
    pub(super) fn is_text(&self) -> bool {
        match self {
            Self::Whole => true,
            Self::Outlined(_) => false,
            Self::Kept(kept) => kept.is_kept(),
        }
    }

    /// A tag of this name starts.
    #[inline]
    pub(super) fn start(&mut self, name: &[u8]) {
        self.separate(name);
        if let Self::Outlined(outline) = self {
            outline.start(name);
        }
    }

    /// An element of this name ends.
    #[inline]
    pub(super) fn end(&mut self, name: &[u8]) {
        self.separate(name);
        if let Self::Outlined(outline) = self {
            outline.end(name);
        }
    }

    /// Both passes count blocks here, so that a block has the same number in both.
    fn separate(&mut self, name: &[u8]) {
        match self {
            Self::Whole => {}
            _ if is_inline(name) => {}
            Self::Outlined(outline) => outline.next_block(),
            Self::Kept(kept) => kept.next_block(),
        }
    }

    pub(super) fn attribute(&mut self, name: &[u8]) {
        if let Self::Outlined(outline) = self {
            outline.attribute(name);
        }
    }

    pub(super) fn value(&mut self, value: &[u8]) {
        if let Self::Outlined(outline) = self {
            outline.value(value);
        }
    }

    /// The attributes that follow belong to another tag.
    pub(super) fn end_tag(&mut self) {
        if let Self::Outlined(outline) = self {
            outline.tag = Tag::Other;
        }
    }

    pub(super) fn measure(&mut self, text: &[u8]) {
        if let Self::Outlined(outline) = self {
            outline.measure(text);
        }
    }
}

/// The numbers of the blocks that are text, in ascending order.
pub(super) struct KeptBlocks {
    numbers: Vec<u32>,
    block: u32,
    /// How many of `numbers` are less than `block`.
    num_passed: usize,
}

impl KeptBlocks {
    fn is_kept(&self) -> bool {
        self.numbers.get(self.num_passed) == Some(&self.block)
    }

    fn next_block(&mut self) {
        self.num_passed += usize::from(self.is_kept());
        self.block = self.block.saturating_add(1);
    }
}

/// The blocks of a page that have words.
#[derive(Default)]
pub(super) struct PageOutline {
    blocks: Vec<PageBlock>,
    block: PageBlock,
    landmarks: OpenLandmarks,
    tag: Tag,
    is_in_link: bool,
    is_in_word: bool,
    /// The characters of scripts without spaces in the block, and of these the ones in links.
    num_spaceless: u32,
    num_spaceless_linked: u32,
}

/// The start tag whose attributes follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Tag {
    #[default]
    Other,
    Link,
    /// An element that may have a role.
    Block {
        name: LandmarkName,
    },
    /// Such an element, after the name of its attribute `role`.
    Role {
        name: LandmarkName,
    },
}

/// The words between two tags that separate.
#[derive(Debug, Clone, Copy, Default)]
struct PageBlock {
    number: u32,
    num_words: u16,
    num_linked: u16,
    place: PagePlace,
}

impl PageBlock {
    fn num_plain(self) -> u64 {
        u64::from(self.num_words - self.num_linked)
    }

    /// The share of the words in links.
    fn link_density(self) -> f64 {
        f64::from(self.num_linked) / f64::from(self.num_words.max(1))
    }

    /// Whether the share of words in links is high enough for a menu.
    fn is_links(self) -> bool {
        self.link_density() > 1.0 / 3.0
    }
}

impl PageOutline {
    fn next_block(&mut self) {
        let words = |spaceless: u32| u16::try_from(spaceless / SPACELESS_OF_WORD).unwrap_or(u16::MAX);
        let mut block = self.block;
        block.num_words = block.num_words.saturating_add(words(self.num_spaceless));
        block.num_linked = block.num_linked.saturating_add(words(self.num_spaceless_linked)).min(block.num_words);
        if block.num_words > 0 || self.num_spaceless > 0 {
            self.blocks.push(block);
        }
        self.block = PageBlock { number: block.number.saturating_add(1), ..PageBlock::default() };
        (self.is_in_word, self.num_spaceless, self.num_spaceless_linked) = (false, 0, 0);
    }

    fn start(&mut self, name: &[u8]) {
        self.tag = Tag::Other;
        if name == b"a" {
            (self.tag, self.is_in_link) = (Tag::Link, false);
            return;
        }
        let Some(name) = LandmarkName::of(name) else { return };
        match name.kind() {
            Some(kind) => self.landmarks.open(name, kind),
            None => self.landmarks.enter(name),
        }
        self.tag = Tag::Block { name };
    }

    fn end(&mut self, name: &[u8]) {
        if name == b"a" {
            self.is_in_link = false;
            return;
        }
        if let Some(name) = LandmarkName::of(name) {
            self.landmarks.leave(name);
        }
    }

    fn attribute(&mut self, name: &[u8]) {
        match self.tag {
            Tag::Link if name == b"href" => self.is_in_link = true,
            Tag::Block { name: element } if name == b"role" => self.tag = Tag::Role { name: element },
            Tag::Role { name } => self.tag = Tag::Block { name },
            _ => {}
        }
    }

    /// The value of an attribute.
    fn value(&mut self, value: &[u8]) {
        let Tag::Role { name } = self.tag else { return };
        self.tag = Tag::Other;
        if let Some(kind) = LandmarkKind::of_role(value) {
            self.landmarks.leave(name);
            self.landmarks.open(name, kind);
        }
    }

    fn measure(&mut self, text: &[u8]) {
        let place = self.landmarks.place();
        for c in text.utf8_chunks().flat_map(|chunk| chunk.valid().chars()) {
            if joins_lines(c) {
                self.num_spaceless = self.num_spaceless.saturating_add(1);
                self.num_spaceless_linked = self.num_spaceless_linked.saturating_add(u32::from(self.is_in_link));
            } else if c.is_whitespace() {
                self.is_in_word = false;
            } else if !self.is_in_word && c.is_alphanumeric() {
                self.is_in_word = true;
                self.block.num_words = self.block.num_words.saturating_add(1);
                self.block.num_linked = self.block.num_linked.saturating_add(u16::from(self.is_in_link));
            }
        }
        self.block.place = place;
    }
}

impl PageOutline {
    /// The blocks of the main text.
    fn into_kept(mut self) -> KeptBlocks {
        self.next_block();
        let blocks = self.blocks;
        let declared =
            || declared(&blocks, |place| place.is_main).or_else(|| declared(&blocks, |place| place.is_article));
        let numbers = declared().unwrap_or_else(|| dense(blocks.iter().copied().filter(|block| !block.place.is_frame)));
        KeptBlocks { numbers, block: 0, num_passed: 0 }
    }
}

/// The blocks that the page itself declares to be its main text, if any of them has a word outside links. Articles that
/// have most of the text of `<main>` represent it.
fn declared(blocks: &[PageBlock], is_main: impl Fn(PagePlace) -> bool) -> Option<Vec<u32>> {
    let is_declared = |block: &&PageBlock| is_main(block.place) && !block.place.is_frame;
    let is_of_article = |block: &&PageBlock| is_declared(block) && block.place.is_article;
    let num_plain =
        |is: &dyn Fn(&&PageBlock) -> bool| blocks.iter().filter(is).map(|block| block.num_plain()).sum::<u64>();
    let (all, of_articles) = (num_plain(&is_declared), num_plain(&is_of_article));
    let numbers = |is: &dyn Fn(&&PageBlock) -> bool| blocks.iter().filter(is).map(|block| block.number).collect();
    (all > 0).then(|| if of_articles * 2 >= all { numbers(&is_of_article) } else { numbers(&is_declared) })
}

/// The blocks with much text and few links, and a few blocks between them.
fn dense(blocks: impl Iterator<Item = PageBlock>) -> Vec<u32> {
    let blocks: Vec<PageBlock> = blocks.collect();
    let mut kept = Vec::new();
    let mut end_of_last = None;
    for at in 0..blocks.len() {
        let neighbour = |at: Option<usize>| at.and_then(|at| blocks.get(at)).copied().unwrap_or_default();
        if !is_content(neighbour(at.checked_sub(1)), blocks[at], neighbour(Some(at + 1))) {
            continue;
        }
        if let Some(last) = end_of_last.filter(|&last| at - last <= MOST_GAP) {
            kept.extend(blocks[last..at].iter().map(|block| block.number));
        }
        kept.push(blocks[at].number);
        end_of_last = Some(at + 1);
    }
    let num_words: u64 = blocks.iter().map(|block| u64::from(block.num_words)).sum();
    let is_kept = |block: &&PageBlock| kept.binary_search(&block.number).is_ok();
    let num_kept: u64 = blocks.iter().filter(is_kept).map(|block| block.num_plain()).sum();
    let num_plain: u64 = blocks.iter().map(|block| block.num_plain()).sum();
    if kept.is_empty() && num_plain * 2 >= num_words {
        // A short text: keep what is not a menu.
        kept.extend(blocks.iter().filter(|block| !block.is_links()).map(|block| block.number));
    } else if num_kept < FEW_WORDS && num_kept * SHARE_OF_PAGE < num_words {
        // A page of links, with a sentence that other such pages have too.
        kept.clear();
    }
    kept
}

/// Whether a block is main text, by its words and links and the words and links of its neighbours.
fn is_content(previous: PageBlock, block: PageBlock, next: PageBlock) -> bool {
    if block.is_links() {
        return false;
    }
    if previous.link_density() > 0.555_556 {
        return block.num_words > 40 || next.num_words > 17;
    }
    block.num_words > 16 || next.num_words > 15 || previous.num_words > 4
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::base::flat::offset_map::NoTrace;
    use crate::base::flat::offset_trace::OffsetTrace;
    use crate::documents::input::bytes::html::{strip, strip_main};

    fn main_text(page: &str) -> String {
        let mut text = Vec::new();
        strip_main(page.as_bytes(), &mut text, &mut NoTrace).unwrap();
        String::from_utf8(text).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    const LONG: &str =
        "The river rose in the night and took the lower bridge with it before anybody in the village was awake.";

    #[test]
    fn a_page_declares_its_main_text() {
        for (page, text) in [
            ("<title>t</title><nav>menu words</nav><main>x <b>y</b><p>z</main><p>after", "x y z"),
            ("<div>before<div role=main>x<div>y</div>z</div>after</div>", "x y z"),
            ("<div role=' MAIN '>x</div>y", "x"),
            ("<p>before<article>x</article>between<article>y</article>", "x y"),
            // The table of contents next to the article is in `main` too; the footer of the article belongs to it.
            ("<main><article>x y<footer>f</footer></article><div><a href=#1>x</a></div></main>", "x y f"),
            ("<main>w x y z<article>a</article></main>", "w x y z a"),
            ("<main>x<nav>n</nav><div role=navigation>n<div>n</div></div><aside>y</aside></main>", "x y"),
            // A role that is not a landmark, and an attribute of another name.
            ("<div role=note data-role=main>x</div><main>y</main>", "y"),
            // An element without words outside links does not carry the text.
            (&format!("<main><a href=x>skip</a></main><p>{LONG}"), LONG),
            ("<svg role=main><text>no</text></svg><main>x</main>", "x"),
        ] {
            assert_eq!(main_text(page), text, "{page}");
        }
    }

    #[test]
    fn other_pages_have_the_text_with_many_words_and_few_links() {
        let menu = "<ul><li><a href=a>Home</a><li><a href=b>News of the day</a><li><a href=c>About us</a></ul>";
        let page = format!("<title>t</title>{menu}<h1>Flood</h1><p>{LONG}<p>Short.<p>{LONG}{menu}<p>Imprint");
        assert_eq!(main_text(&page), format!("Flood {LONG} Short. {LONG}"));
        assert_eq!(main_text(&format!("{menu}{menu}")), "");
        assert_eq!(main_text(&format!("<p>Contents<p>{LONG}{}", menu.repeat(40))), "");
        assert_eq!(main_text(&format!("<p>{LONG}<header>{LONG}</header>")), LONG);
        let chinese = "夜里河水上涨，在村里任何人醒来之前，就把下游的桥冲走了。".repeat(4);
        assert_eq!(main_text(&format!("<a href=x>首页</a><p>关于我们<p><a href=y>新闻</a><p>{chinese}")), chinese);
    }

    #[test]
    fn a_short_page_or_a_text_without_markup_stays() {
        assert_eq!(main_text("See you tomorrow."), "See you tomorrow.");
        assert_eq!(main_text("<p>Two<p><a href=x>links</a>"), "Two");
        assert_eq!(main_text("今"), "今");
        assert_eq!(main_text(""), "");
    }

    #[test]
    fn a_page_full_of_open_landmarks_needs_linear_time() {
        let page = "<nav><div role=main>x".repeat(1 << 16);
        assert!(main_text(&page).starts_with("x x"));
        assert_eq!(main_text(&"<article>".repeat(1 << 18)), "");
    }

    proptest! {
        #[test]
        fn the_main_text_is_a_part_of_the_text_in_its_places(
            page in r#"([a-zé<>/&; ]|<p>|</p>|</?(svg|math|title|nav|main|article|div|aside|template|a)>|<div role=main>|<a href=x>|one two three four five six seven eight|<!--|-->|&amp;|\u{0}){0,40}"#,
        ) {
            let (mut main, mut all, mut trace) = (Vec::new(), Vec::new(), OffsetTrace::default());
            strip_main(page.as_bytes(), &mut main, &mut trace).unwrap();
            strip(page.as_bytes(), &mut all, &mut NoTrace).unwrap();
            let (map, _) = trace.into_parts(main.len());
            prop_assert_eq!((map.made_len(), map.source_len()), (main.len(), page.len()));
            let mut rest = String::from_utf8(all).unwrap().split_whitespace().map(str::to_owned).collect::<Vec<_>>().into_iter();
            for word in String::from_utf8(main).unwrap().split_whitespace() {
                prop_assert!(rest.any(|other| other == word), "{word:?} of {page:?}");
            }
        }
    }
}

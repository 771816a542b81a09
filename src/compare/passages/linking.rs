//! Linking: joins tiles to passages if they are close to each other in both texts, in any order in the second.

use std::collections::BTreeMap;

use super::alignment::Passage;
use super::runs::TokenRun;
use super::settings::PassageSettings;
use crate::base::flat::union_find::UnionFind;

/// The passages that tiles form, in the order of the first text.
///
/// * `files`: for each text that is joined from files the first tokens of the files after the first.
///
/// Two tiles are linked if the gap between them is at most `max_gap` in both texts, and no file ends in the gap. A
/// passage is a set of connected tiles with at least one anchor. O(n log n) for n tiles, regardless of the
/// gap: see [`components`].
pub(super) fn passages(tiles: &[TokenRun], settings: &PassageSettings, files: &[Vec<u32>; 2]) -> Vec<Passage> {
    let components = components(tiles, settings.max_gap(), files);
    // The root of a component is its first tile, so passages begin in order.
    let mut by_first: Vec<Option<(Passage, u32)>> = vec![None; tiles.len()];
    for (number, tile) in (0..).zip(tiles) {
        let (start_a, start_b, len) = (tile.a as usize, tile.b as usize, tile.len as usize);
        let (a, b) = (start_a..start_a + len, start_b..start_b + len);
        match &mut by_first[components.root(number) as usize] {
            Some((passage, longest)) => {
                passage.a.end = a.end;
                passage.b = passage.b.start.min(b.start)..passage.b.end.max(b.end);
                passage.matched += len;
                passage.is_exact = false;
                *longest = tile.len.max(*longest);
            }
            none => *none = Some((Passage { a, b, matched: len, is_exact: true }, tile.len)),
        }
    }
    let is_anchored = |&(_, longest): &(Passage, u32)| longest as usize >= settings.anchor();
    by_first.into_iter().flatten().filter(is_anchored).map(|(passage, _)| passage).collect()
}

/// The components of linked tiles, by the numbers of the tiles.
///
/// Reads the tiles in the order of the first text, and keeps the tiles that end at most `max_gap` before the current
/// one, by their positions in the second text. If the next tile is linked to one of them, it is also linked to its
/// neighbour there on the same side, and the two are linked to each other. So joining it to its two neighbours is
/// enough.
fn components(tiles: &[TokenRun], max_gap: usize, files: &[Vec<u32>; 2]) -> UnionFind {
    let max_gap = u32::try_from(max_gap).unwrap_or(u32::MAX);
    let components = UnionFind::new(tiles.len() as u32);
    let mut near: BTreeMap<u32, u32> = BTreeMap::new();
    let mut first_near = 0;
    let file = |side: usize, token: u32| files[side].partition_point(|&start| start <= token);
    let mut last_file = 0;
    for (number, tile) in (0u32..).zip(tiles) {
        if file(0, tile.a) != last_file {
            near.clear();
            first_near = number as usize;
        }
        last_file = file(0, tile.end_a() - 1);
        while tiles[first_near].end_a() < tile.a && tile.a - tiles[first_near].end_a() > max_gap {
            near.remove(&tiles[first_near].b);
            first_near += 1;
        }
        if let Some((_, &before)) = near.range(..tile.b).next_back()
            && tile.b - tiles[before as usize].end_b() <= max_gap
            && file(1, tiles[before as usize].end_b() - 1) == file(1, tile.b)
        {
            components.join(before, number);
        }
        if let Some((&start, &behind)) = near.range(tile.b..).next()
            && start - tile.end_b() <= max_gap
            && file(1, tile.end_b() - 1) == file(1, start)
        {
            components.join(behind, number);
        }
        near.insert(tile.b, number);
    }
    components
}

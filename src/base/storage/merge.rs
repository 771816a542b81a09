//! `Merge`: merges sorted sequences into one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use crate::base::error::Result;

/// A sorted sequence whose items are read one after another.
pub(crate) trait SortedSource {
    type Item: Ord + Copy;

    /// Returns the next item, or `None` after the last one.
    ///
    /// # Errors
    /// When the item cannot be read.
    fn next(&mut self) -> Result<Option<Self::Item>>;
}

/// The items of several sorted sources, ascending; equal items in the order of their sources.
pub(crate) struct Merge<S: SortedSource> {
    sources: Vec<S>,
    /// The next item of each source that has one.
    heads: BinaryHeap<Reverse<(S::Item, usize)>>,
    /// Whether the first of `heads` was returned already.
    is_returned: bool,
}

impl<S: SortedSource> Merge<S> {
    pub(crate) fn new(mut sources: Vec<S>) -> Result<Self> {
        let mut heads = BinaryHeap::with_capacity(sources.len());
        for (number, source) in sources.iter_mut().enumerate() {
            heads.extend(source.next()?.map(|item| Reverse((item, number))));
        }
        Ok(Self { sources, heads, is_returned: false })
    }

    /// Returns the next item with its source, which is still at this item; `None` after the last one.
    ///
    /// # Errors
    /// When an item cannot be read.
    pub(crate) fn next(&mut self) -> Result<Option<(S::Item, &S)>> {
        if self.is_returned
            && let Some(mut least) = self.heads.peek_mut()
        {
            let number = least.0.1;
            match self.sources[number].next()? {
                Some(following) => *least = Reverse((following, number)),
                None => drop(PeekMut::pop(least)),
            }
        }
        self.is_returned = true;
        Ok(self.heads.peek().map(|&Reverse((item, number))| (item, &self.sources[number])))
    }
}

//! `Ragged`: rows of different lengths in one flat array.

/// Rows of different lengths in one array: the items of all rows, and the end of each row in 4 bytes.
#[derive(Debug, Clone)]
pub(crate) struct Ragged<T> {
    items: Vec<T>,
    ends: Vec<u32>,
}

impl<T> Default for Ragged<T> {
    fn default() -> Self {
        Self { items: Vec::new(), ends: Vec::new() }
    }
}

impl<T> Ragged<T> {
    /// The number of rows.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The items of a row.
    ///
    /// # Panics
    /// When `row` is not below the number of rows.
    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[T] {
        &self.items[self.start(row)..self.ends[row] as usize]
    }

    /// All rows.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[T]> {
        (0..self.len()).map(|row| self.row(row))
    }

    /// The items of all rows.
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    /// The array to which the items of the next row are appended; [`end_row`](Self::end_row) then completes the row.
    pub(crate) fn open_row(&mut self) -> &mut Vec<T> {
        &mut self.items
    }

    /// Adds a row.
    ///
    /// # Panics
    /// Like [`end_row`](Self::end_row).
    pub(crate) fn push_row(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
        self.end_row();
    }

    /// The number of items after the last complete row.
    pub(crate) fn open_len(&self) -> usize {
        self.items.len() - self.start(self.len())
    }

    /// Completes a row from the items after the last one.
    ///
    /// # Panics
    /// When there are 2³² items or more.
    pub(crate) fn end_row(&mut self) {
        self.ends.push(u32::try_from(self.items.len()).expect("fewer than 2^32 items in all rows"));
    }

    /// Removes all rows and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.items.clear();
        self.ends.clear();
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        size_of::<T>() * self.items.capacity() + size_of::<u32>() * self.ends.capacity()
    }

    /// The position of a row's first item among the items of all rows.
    #[inline]
    pub(crate) fn start(&self, row: usize) -> usize {
        row.checked_sub(1).map_or(0, |before| self.ends[before] as usize)
    }
}

impl<T: Copy + Default> Ragged<T> {
    /// Replaces all rows by rows of entries that come in any order; reuses the memory. A row has its entries in the
    /// order in which they come.
    ///
    /// * `rows`: the row of each entry, by which the rows are measured before they are filled.
    /// * `entries`: the same entries, with their rows.
    ///
    /// # Panics
    /// When a row is not below `num_rows`, or the two iterators differ.
    #[inline]
    pub(crate) fn fill(
        &mut self,
        num_rows: usize,
        rows: impl Iterator<Item = usize>,
        entries: impl Iterator<Item = (usize, T)>,
    ) {
        let Self { items, ends } = self;
        ends.clear();
        ends.resize(num_rows, 0);
        rows.for_each(|row| ends[row] += 1);
        // Until a row is filled, its end is where it begins.
        let mut start = 0;
        for end in ends.iter_mut() {
            start += std::mem::replace(end, start);
        }
        items.resize(start as usize, T::default());
        entries.for_each(|(row, item)| {
            items[ends[row] as usize] = item;
            ends[row] += 1;
        });
    }
}

impl Ragged<u32> {
    /// Inverts the rows: for each number below `num_numbers`, lists the rows that contain it, ascending. Reuses the
    /// memory.
    ///
    /// # Panics
    /// When a row contains a number that is not below `num_numbers`.
    pub(crate) fn invert(&mut self, rows: &Ragged<u32>, num_numbers: usize) {
        let numbers = rows.items().iter().map(|&number| number as usize);
        let entries =
            (0..).zip(rows.rows()).flat_map(|(row, numbers)| numbers.iter().map(move |&number| (number as usize, row)));
        self.fill(num_numbers, numbers, entries);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_ragged_array_holds_what_a_vector_of_vectors_does(
            rows in prop::collection::vec(prop::collection::vec(0u32..50, 0..8), 0..20),
            open in prop::collection::vec(0u32..50, 0..5),
        ) {
            let mut ragged = Ragged::default();
            ragged.open_row().push(1);
            ragged.end_row();
            ragged.clear();
            for row in &rows {
                ragged.open_row().extend(row);
                ragged.end_row();
            }
            prop_assert_eq!(ragged.len(), rows.len());
            prop_assert!(ragged.rows().eq(rows.iter().map(Vec::as_slice)));
            prop_assert_eq!(ragged.items(), rows.concat());
            ragged.open_row().extend(&open);
            prop_assert_eq!(ragged.open_len(), open.len());
            prop_assert!(ragged.rows().eq(rows.iter().map(Vec::as_slice)));
        }

        #[test]
        fn inverted_rows_list_the_rows_of_each_number(
            rows in prop::collection::vec(prop::collection::btree_set(0u32..30, 0..8), 0..20),
        ) {
            let mut ragged = Ragged::default();
            for row in &rows {
                ragged.open_row().extend(row);
                ragged.end_row();
            }
            let mut inverted = Ragged::default();
            // The second time reuses the memory of the first.
            for _ in 0..2 {
                inverted.invert(&ragged, 30);
                for number in 0..30 {
                    let holders = (0u32..).zip(&rows).filter(|(_, row)| row.contains(&number)).map(|(row, _)| row);
                    prop_assert_eq!(inverted.row(number as usize), holders.collect::<Vec<_>>());
                }
            }
        }
    }
}

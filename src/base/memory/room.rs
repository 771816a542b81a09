//! Fallible allocation for tables that grow with the corpus: a run without enough memory ends with a message, and does
//! not abort.

use std::cell::Cell;

use crate::base::error::{Error, Result};

thread_local! {
    static IS_ASKING: Cell<bool> = const { Cell::new(false) };
    static IS_TABLE: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread allocates memory and can handle a failure. For an allocator that ends the program when the
/// system refuses memory: it must return such a failure instead.
pub fn is_asking_for_memory() -> bool {
    IS_ASKING.get()
}

/// Whether this thread allocates memory for a table that grows with the corpus. For an allocator that keeps such tables on the
/// disk when they have no room in memory.
pub fn is_allocating_table() -> bool {
    IS_TABLE.get()
}

/// Runs a function that allocates memory for a table that grows with the corpus, and does not handle a failure.
pub(crate) fn table<T>(allocate: impl FnOnce() -> T) -> T {
    let before = IS_TABLE.replace(true);
    let allocated = allocate();
    IS_TABLE.set(before);
    allocated
}

/// Runs a function that allocates memory and handles the failure of each allocation. If one of them is infallible, such
/// as a `push` without reserved room, its failure aborts the program.
pub(crate) fn asking<T>(ask: impl FnOnce() -> T) -> T {
    let before = IS_ASKING.replace(true);
    let answer = ask();
    IS_ASKING.set(before);
    answer
}

/// Like [`asking`], for a table that grows with the corpus.
pub(crate) fn asking_for_table<T>(ask: impl FnOnce() -> T) -> T {
    table(|| asking(ask))
}

/// Makes room for more elements of a table that grows with the corpus, with the spare room of a growing vector.
///
/// * `what`: the kind of elements, in the plural, for the message when there is not enough memory.
pub(crate) fn reserve<T>(vec: &mut Vec<T>, additional: usize, what: &'static str) -> Result<()> {
    asking_for_table(|| vec.try_reserve(additional))
        .map_err(|_| no_room::<T>(vec.len().saturating_add(additional), what))
}

/// Like [`reserve`], without spare room.
pub(crate) fn reserve_exact<T>(vec: &mut Vec<T>, additional: usize, what: &'static str) -> Result<()> {
    table(|| reserve_share(vec, additional, what))
}

/// Like [`reserve_exact`], for elements whose number is limited by a share of `--memory`, so that they have room in memory.
pub(crate) fn reserve_share<T>(vec: &mut Vec<T>, additional: usize, what: &'static str) -> Result<()> {
    asking(|| vec.try_reserve_exact(additional)).map_err(|_| no_room::<T>(vec.len().saturating_add(additional), what))
}

/// Checks that `num_bytes` bytes can be allocated, and frees them again.
pub(crate) fn ask_for(num_bytes: usize, what: &'static str) -> Result<()> {
    reserve_share(&mut Vec::<u8>::new(), num_bytes, what)
}

/// The error for `len` elements that cannot be allocated.
pub(crate) fn no_room<T>(len: usize, what: &'static str) -> Error {
    Error::OutOfMemory { what, bytes: (len as u64).saturating_mul(size_of::<T>() as u64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_says_how_much_it_is() {
        let mut rows = vec![0u64; 3];
        reserve(&mut rows, 5, "rows").unwrap();
        assert!(rows.capacity() >= 8);
        let error = reserve_exact(&mut rows, 1 << 59, "rows").unwrap_err();
        assert!(error.to_string().starts_with("out of memory: no room for 4194304TiB of rows; "), "{error}");
        assert!(ask_for(usize::MAX, "tables").is_err());
    }
}

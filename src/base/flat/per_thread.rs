//! `PerThread`: a separate value for each thread of a pool, so that threads do not wait for each other.

use std::sync::{Mutex, MutexGuard};

/// One value for each thread of a rayon pool. The locks only satisfy the compiler: a thread never uses the value of
/// another one.
#[derive(Debug)]
pub(crate) struct PerThread<T> {
    values: Vec<Mutex<T>>,
}

impl<T> PerThread<T> {
    /// Creates a value for each thread of a pool.
    pub(crate) fn new(num_threads: usize, mut value: impl FnMut() -> T) -> Self {
        Self { values: (0..num_threads).map(|_| Mutex::new(value())).collect() }
    }

    /// The number of threads.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// The value of the calling thread. The holder must not start parallel work: another task on this thread could
    /// request the value again, and wait for ever.
    ///
    /// # Panics
    /// When called outside the pool.
    pub(crate) fn get(&self) -> MutexGuard<'_, T> {
        let thread = rayon::current_thread_index().expect("called in the pool that the values are for");
        self.values[thread].lock().expect("no holder panics")
    }

    /// Visits the values of all threads, one after another.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(&T)) {
        self.values.iter().for_each(|value| visit(&value.lock().expect("no holder panics")));
    }

    /// The values of all threads.
    pub(crate) fn into_values(self) -> impl Iterator<Item = T> {
        self.values.into_iter().map(|value| value.into_inner().expect("no holder panics"))
    }
}

#[cfg(test)]
mod tests {
    use rayon::prelude::*;

    use super::*;

    #[test]
    fn threads_count_apart_and_together_they_count_all() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let counts = PerThread::new(3, || 0usize);
        pool.install(|| (0..1000).into_par_iter().for_each(|_| *counts.get() += 1));
        let mut seen = 0;
        counts.for_each(|count| seen += count);
        assert_eq!((counts.len(), seen), (3, 1000));
        assert_eq!(counts.into_values().sum::<usize>(), 1000);
    }
}

//! `DiskMemory`: allocations in a temporary file, which is mapped into memory.
//!
//! The file is unlinked from the start and mapped as a whole, so that the address of a byte is the start of the mapping plus
//! its offset in the file. Each allocation has a *room*: a range of offsets that is several times as long as needed at first, so
//! that a table can grow in its place. The range costs addresses only; the disk has the blocks that are allocated, all of them
//! before they are used, since a write into a mapping cannot report that the disk is full. Freed blocks are punched out.
//!
//! Short allocations share a room, which is freed with the last of them. They are made for tables that have reached their length, and
//! that are freed in the order in which they were made, or all at once.

#[allow(unsafe_code, reason = "maps a file")]
mod kernel;

use std::alloc::Layout;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

/// The length of the mapping, and so the maximum length of the file: 4 TiB, a quarter of what ext4 can have.
const LEN: usize = 1 << 42;

/// Sizes of allocations are rounded up to a multiple of this, which is a multiple of the size of a page.
const GRANULE: usize = 1 << 16;

/// How many times a room is longer than its first allocation, rounded up to a power of two: three doublings stay in place.
const SPARE: usize = 8;

/// The maximum number of rooms. A run has some dozens of tables.
const MOST_ROOMS: usize = 1024;

/// The maximum alignment of an allocation, the size of the smallest pages.
const MOST_ALIGN: usize = 4096;

/// The bytes of a room for short allocations, and the maximum of such an allocation.
const SHARED: usize = 8 << 20;

/// The alignment of short allocations.
const SHARED_ALIGN: usize = 64;

/// Pages leave the memory in steps of this many bytes, between which it is checked whether enough have left.
const STEP: usize = 16 << 20;

/// Memory in a temporary file.
pub(super) struct DiskMemory {
    /// The address of the mapping; 0 before the first allocation.
    start: AtomicUsize,
    state: Mutex<DiskState>,
}

struct DiskState {
    file: Option<File>,
    /// Whether the system cannot map or allocate a file, so that further allocations are left to the memory.
    is_impossible: bool,
    /// Why the last allocation failed, and the bytes of it and of all others.
    fault: Option<(io::Error, usize)>,
    /// The end of the last room.
    end: usize,
    rooms: [DiskRoom; MOST_ROOMS],
    num_rooms: usize,
    /// The room and the offset in it from which the next pages leave the memory.
    next: (usize, usize),
    /// The number of the room for further short allocations, and the bytes of it that are used; the room is full at first.
    shared: (usize, usize),
}

/// A range of offsets; free if `len` is 0.
#[derive(Debug, Clone, Copy)]
struct DiskRoom {
    start: usize,
    size: usize,
    /// The allocated bytes, a multiple of [`GRANULE`].
    len: usize,
    /// The number of short allocations; 0 in a room for one allocation.
    num_parts: usize,
}

impl DiskMemory {
    pub(super) const fn new() -> Self {
        let state = DiskState {
            file: None,
            is_impossible: false,
            fault: None,
            end: 0,
            rooms: [DiskRoom { start: 0, size: 0, len: 0, num_parts: 0 }; MOST_ROOMS],
            num_rooms: 0,
            next: (0, 0),
            shared: (0, SHARED),
        };
        Self { start: AtomicUsize::new(0), state: Mutex::new(state) }
    }

    /// Whether an allocation is on the disk.
    #[inline]
    pub(super) fn contains(&self, memory: *const u8) -> bool {
        let start = self.start.load(Ordering::Acquire);
        start != 0 && (memory as usize).wrapping_sub(start) < LEN
    }

    /// Allocates bytes that are 0. `None` if the system cannot do it, so that the memory has to have them; a null pointer if the
    /// disk has no room.
    pub(super) fn allocate(&self, layout: Layout) -> Option<*mut u8> {
        let mut state = self.lock();
        let len = layout.size().checked_next_multiple_of(GRANULE)?;
        if state.is_impossible || layout.align() > MOST_ALIGN || len > LEN / 2 {
            return None;
        }
        let allocated = self.mapped(&mut state).and_then(|start| Ok(start + state.allocate(len)?));
        match allocated.map_err(|error| state.failed(error, len)) {
            Ok(address) => Some(address as *mut u8),
            Err(()) if state.is_impossible => None,
            Err(()) => Some(std::ptr::null_mut()),
        }
    }

    /// Allocates bytes with any values, in a room that they share with others. `None` if that is not possible.
    pub(super) fn allocate_part(&self, num_bytes: usize) -> Option<*mut u8> {
        let mut state = self.lock();
        if state.is_impossible || num_bytes > SHARED {
            return None;
        }
        let allocated = self.mapped(&mut state).and_then(|start| Ok(start + state.allocate_part(num_bytes)?));
        allocated.map_err(|error| state.failed(error, num_bytes)).ok().map(|address| address as *mut u8)
    }

    /// Changes the size of an allocation in its place; `false` if its room is too small, or the disk is full.
    pub(super) fn resize(&self, memory: *const u8, size_before: usize, num_bytes: usize) -> bool {
        let mut state = self.lock();
        let room = state.room_at(self.offset(memory));
        if state.rooms[room].num_parts > 0 {
            return num_bytes <= size_before;
        }
        let Some(len) = num_bytes.checked_next_multiple_of(GRANULE).filter(|&len| len <= state.rooms[room].size) else {
            return false;
        };
        let DiskRoom { start, len: before, .. } = state.rooms[room];
        let resized = match len.checked_sub(before) {
            Some(0) => Ok(()),
            Some(_) => kernel::allocate(state.file(), start + before..start + len),
            // If the blocks cannot be freed, they are when the room is.
            None => kernel::punch(state.file(), start + len..start + before).or(Ok(())),
        };
        match resized {
            Ok(()) => state.rooms[room].len = len,
            Err(error) => state.failed(error, len.saturating_sub(before)),
        }
        state.rooms[room].len == len
    }

    /// Frees an allocation.
    pub(super) fn free(&self, memory: *const u8) {
        let mut state = self.lock();
        let room = state.room_at(self.offset(memory));
        let DiskRoom { start, size, num_parts, .. } = state.rooms[room];
        state.rooms[room].num_parts = num_parts.saturating_sub(1);
        if num_parts > 1 {
            return;
        }
        if num_parts == 1 && state.shared.0 == room {
            state.shared.1 = SHARED;
        }
        // A room whose bytes may not be 0 is not used again.
        if kernel::punch(state.file(), start..start + size).is_ok() {
            state.rooms[room].len = 0;
        }
    }

    /// Whether there are allocations.
    pub(super) fn is_used(&self) -> bool {
        let state = self.lock();
        state.rooms[..state.num_rooms].iter().any(|room| room.len > 0)
    }

    /// Why the last allocation that failed did, and the bytes that were to be on the disk; `None` if none failed.
    pub(super) fn fault(&self) -> Option<(io::Error, usize)> {
        self.lock().fault.take()
    }

    /// Removes pages from the memory, in turn, until `is_enough` or all are removed. Their data stays in the file.
    pub(super) fn release(&self, mut is_enough: impl FnMut() -> bool) {
        let mut left = self.lock().rooms.iter().map(|room| room.len.div_ceil(STEP)).sum::<usize>() + 1;
        while left > 0 && !is_enough() {
            let Some(range) = self.lock().next_range() else { return };
            let start = self.start.load(Ordering::Acquire);
            // The range may have been freed since, which does no harm: the file has the data of its pages.
            kernel::release(start + range.start..start + range.end);
            left -= 1;
        }
    }

    /// The address of the mapping, which is made when it is needed first.
    fn mapped(&self, state: &mut DiskState) -> io::Result<usize> {
        if state.file.is_none() {
            let file = tempfile::tempfile()?;
            self.start.store(kernel::map(&file, LEN)?, Ordering::Release);
            state.file = Some(file);
        }
        Ok(self.start.load(Ordering::Acquire))
    }

    fn offset(&self, memory: *const u8) -> usize {
        memory as usize - self.start.load(Ordering::Acquire)
    }

    fn lock(&self) -> MutexGuard<'_, DiskState> {
        self.state.lock().expect("no holder panics")
    }
}

impl DiskState {
    fn file(&self) -> &File {
        self.file.as_ref().expect("there are allocations")
    }

    /// Allocates a multiple of [`GRANULE`], and returns its offset.
    fn allocate(&mut self, len: usize) -> io::Result<usize> {
        let is_free = |room: &DiskRoom| room.len == 0 && room.size >= len;
        let room = match self.rooms[..self.num_rooms].iter().position(is_free) {
            Some(room) => room,
            None => self.new_room(len)?,
        };
        let start = self.rooms[room].start;
        kernel::allocate(self.file(), start..start + len)?;
        self.rooms[room].len = len;
        Ok(start)
    }

    /// Allocates a part of a room, and returns its offset.
    fn allocate_part(&mut self, num_bytes: usize) -> io::Result<usize> {
        let len = num_bytes.next_multiple_of(SHARED_ALIGN);
        if self.shared.1 + len > SHARED {
            let offset = self.allocate(SHARED)?;
            self.shared = (self.room_at(offset), 0);
        }
        let (room, used) = self.shared;
        self.shared.1 += len;
        self.rooms[room].num_parts += 1;
        Ok(self.rooms[room].start + used)
    }

    /// Keeps why an allocation failed.
    ///
    /// * `num_bytes`: the bytes that were to be allocated.
    fn failed(&mut self, error: io::Error, num_bytes: usize) {
        // The system has no such function, or allows no such file, rather than that the disk is full.
        let is_impossible = matches!(
            error.kind(),
            io::ErrorKind::Unsupported | io::ErrorKind::OutOfMemory | io::ErrorKind::FileTooLarge
        );
        self.is_impossible |= is_impossible;
        if !is_impossible {
            let allocated: usize = self.rooms[..self.num_rooms].iter().map(|room| room.len).sum();
            self.fault = Some((error, allocated + num_bytes));
        }
    }

    /// Makes a room for allocations of at least `len` bytes, and returns its number.
    fn new_room(&mut self, len: usize) -> io::Result<usize> {
        let left = LEN - self.end;
        let size = [len.next_power_of_two() * SPARE, len].into_iter().find(|&size| size <= left);
        let Some(size) = size.filter(|_| self.num_rooms < MOST_ROOMS) else {
            return Err(io::ErrorKind::Unsupported.into());
        };
        self.rooms[self.num_rooms] = DiskRoom { start: self.end, size, len: 0, num_parts: 0 };
        self.end += size;
        self.num_rooms += 1;
        Ok(self.num_rooms - 1)
    }

    /// The number of the room with an allocation.
    fn room_at(&self, offset: usize) -> usize {
        // Rooms are made in the order of their offsets.
        self.rooms[..self.num_rooms].partition_point(|room| room.start <= offset) - 1
    }

    /// The next range of offsets whose pages leave the memory; `None` without allocations.
    fn next_range(&mut self) -> Option<Range<usize>> {
        for _ in 0..=self.num_rooms {
            let (number, from) = self.next;
            match self.rooms[..self.num_rooms].get(number) {
                Some(room) if from < room.len => {
                    let to = (from + STEP).min(room.len);
                    self.next = (number, to);
                    return Some(room.start + from..room.start + to);
                }
                Some(_) => self.next = (number + 1, 0),
                None => self.next = (0, 0),
            }
        }
        None
    }
}

#[cfg(all(test, target_os = "linux", target_pointer_width = "64"))]
mod tests {
    use super::*;

    fn layout(num_bytes: usize) -> Layout {
        Layout::from_size_align(num_bytes, 8).unwrap()
    }

    #[test]
    fn an_allocation_grows_in_its_place_and_moves_no_other() {
        let memory = DiskMemory::new();
        let [a, b] = [1 << 20, 3 << 20].map(|len| memory.allocate(layout(len)).unwrap());
        assert!(memory.contains(a) && memory.contains(b) && !memory.contains(std::ptr::from_ref(&memory).cast()));
        let [of_a, of_b] = [a, b].map(|start| memory.offset(start));
        assert_eq!((of_a, of_b), (0, SPARE << 20));
        assert!(memory.resize(a, 1 << 20, SPARE << 20), "as long as the room");
        assert!(!memory.resize(a, SPARE << 20, (SPARE << 20) + 1));
        assert!(memory.resize(a, SPARE << 20, 1 << 20) && memory.resize(b, 3 << 20, 1));
        let state = memory.lock();
        assert_eq!(state.rooms[..2].iter().map(|room| room.len).collect::<Vec<_>>(), [1 << 20, GRANULE]);
    }

    #[test]
    fn bytes_outlive_their_pages_and_are_zero_after_they_were_freed() {
        let memory = DiskMemory::new();
        let len = 3 * STEP;
        let first = memory.allocate(layout(len)).unwrap();
        kernel::tests::fill(first, len, 7);
        memory.release(|| false);
        assert!(kernel::tests::is_filled(first, len, 7));
        memory.free(first);
        assert!(!memory.is_used());
        let second = memory.allocate(layout(len)).unwrap();
        assert!(second == first && memory.is_used(), "the room is used again");
        assert!(kernel::tests::is_filled(second, len, 0));
    }

    #[test]
    fn pages_leave_the_memory_in_turn() {
        let memory = DiskMemory::new();
        for len in [STEP + 1, 1, 2 * STEP] {
            memory.allocate(layout(len)).unwrap();
        }
        let lens: Vec<usize> = (0..6).map(|_| memory.lock().next_range().unwrap().len()).collect();
        assert_eq!(lens, [STEP, GRANULE, GRANULE, STEP, STEP, STEP]);
        let mut asked = 0;
        memory.release(|| {
            asked += 1;
            asked == 3
        });
        assert_eq!(asked, 3);
    }

    #[test]
    fn short_allocations_share_a_room_until_the_last_is_freed() {
        let memory = DiskMemory::new();
        let parts: Vec<*mut u8> = (0..3).map(|_| memory.allocate_part(SHARED / 2 - 1).unwrap()).collect();
        assert_eq!(parts.iter().map(|&part| memory.offset(part)).collect::<Vec<_>>()[..2], [0, SHARED / 2]);
        let rooms = || memory.lock().rooms[..2].iter().map(|room| (room.len, room.num_parts)).collect::<Vec<_>>();
        assert_eq!(rooms(), [(SHARED, 2), (SHARED, 1)]);
        assert!(memory.resize(parts[0], 9, 7) && !memory.resize(parts[0], 7, 9), "a part does not grow in its place");
        parts.iter().for_each(|&part| kernel::tests::fill(part, SHARED / 2 - 1, 3));
        memory.free(parts[0]);
        assert_eq!(rooms(), [(SHARED, 1), (SHARED, 1)]);
        memory.free(parts[1]);
        memory.free(parts[2]);
        assert_eq!(rooms(), [(0, 0), (0, 0)]);
        let next = memory.allocate_part(1).unwrap();
        assert!(kernel::tests::is_filled(next, SHARED / 2, 0), "nothing is left of those that were freed");
    }

    #[test]
    fn what_is_longer_than_the_range_is_left_to_the_memory() {
        let memory = DiskMemory::new();
        assert!(memory.allocate(layout(LEN)).is_none());
        assert!(memory.allocate(Layout::from_size_align(1 << 20, 1 << 16).unwrap()).is_none());
        assert!(memory.allocate(layout(1 << 20)).is_some(), "others are not");
    }
}

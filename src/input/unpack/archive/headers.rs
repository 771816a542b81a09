//! `Headers`: a tar archive in, the same out without headers that would fill the memory.
//!
//! A name or a list of attributes that is longer than a header holds is an entry of its own, which the library reads into
//! memory whole. Here its header is seen first, and one that says too much gets a type that is passed over.

use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

use tar::{EntryType, GnuExtSparseHeader, Header};

use crate::shown::size;

const BLOCK: usize = 512;
/// Most bytes of a name or of the attributes of a member; file systems have names of at most 4 KiB.
const MOST_BYTES: u64 = 64 << 10;
/// Most blocks of the list of what a sparse file has: 21 stretches each.
const MOST_BLOCKS: u64 = 2048;
/// The type of a label, which no reader takes for a member.
const PASSED_OVER: u8 = b'V';

/// What is wrong with a header that was found; it is taken out by the reader of entries.
#[derive(Debug, Clone, Default)]
pub(crate) struct Refused(Rc<RefCell<Option<String>>>);

impl Refused {
    /// What is wrong with the entry that was read last.
    pub(crate) fn take(&self) -> Option<String> {
        self.0.borrow_mut().take()
    }
}

/// Reads an archive.
pub(crate) struct Headers<R> {
    bytes: R,
    block: [u8; BLOCK],
    /// Bytes of the block that are given.
    given: usize,
    /// Bytes that come before the next header.
    rest: u64,
    stage: TarStage,
    /// The attributes of the next member.
    attributes: Option<Vec<u8>>,
    refused: Refused,
}

enum TarStage {
    Header,
    /// What is read goes to the attributes.
    Attributes,
    /// The list of a sparse file goes on for a block more; its data come behind it.
    Sparse {
        data: u64,
        num_blocks: u64,
    },
    /// There are no more headers, or none that the library reads.
    Over,
}

impl<R> Headers<R> {
    pub(crate) fn new(bytes: R) -> (Self, Refused) {
        let refused = Refused::default();
        let (block, stage) = ([0; BLOCK], TarStage::Header);
        let headers = Self { bytes, block, given: BLOCK, rest: 0, stage, attributes: None, refused: refused.clone() };
        (headers, refused)
    }

    /// Takes note of the header in the block, and changes it when it says too much.
    fn see_header(&mut self) {
        let mut header = Header::new_old();
        header.as_mut_bytes().copy_from_slice(&self.block);
        let (kind, len) = (header.entry_type(), header.entry_size());
        let (true, Ok(len)) = (is_intact(&header), len) else {
            self.stage = TarStage::Over;
            return;
        };
        let is_name = kind.is_gnu_longname() || kind.is_gnu_longlink();
        let is_known = header.as_gnu().is_some() || header.as_ustar().is_some();
        if is_known && (is_name || kind.is_pax_local_extensions()) {
            self.rest = padded(len);
            if len > MOST_BYTES {
                let what = if is_name { "name" } else { "list of attributes" };
                let detail = format!("its {what} has {}, more than {}", size(len), size(MOST_BYTES));
                *self.refused.0.borrow_mut() = Some(detail);
                header.set_entry_type(EntryType::new(PASSED_OVER));
                header.set_cksum();
                self.block = *header.as_bytes();
                self.attributes = None;
            } else if !is_name {
                self.attributes = Some(Vec::new());
                self.stage = TarStage::Attributes;
            }
            return;
        }
        let attributes = self.attributes.take().filter(|_| !is_name && !is_extension(kind));
        let len = attributes.and_then(|attributes| size_of(&attributes)).unwrap_or(len);
        match header.as_gnu().filter(|gnu| kind.is_gnu_sparse() && gnu.is_extended()) {
            Some(_) => self.stage = TarStage::Sparse { data: padded(len), num_blocks: 0 },
            None => self.rest = padded(len),
        }
    }

    /// Takes note of a block of the list of a sparse file.
    fn see_list(&mut self, data: u64, num_blocks: u64) -> io::Result<()> {
        if num_blocks == MOST_BLOCKS {
            let most = size(MOST_BLOCKS * BLOCK as u64);
            *self.refused.0.borrow_mut() = Some(format!("a sparse file whose list of stretches has more than {most}"));
            self.stage = TarStage::Over;
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut list = GnuExtSparseHeader::new();
        list.as_mut_bytes().copy_from_slice(&self.block);
        if list.is_extended() {
            self.stage = TarStage::Sparse { data, num_blocks: num_blocks + 1 };
        } else {
            (self.stage, self.rest) = (TarStage::Header, data);
        }
        Ok(())
    }
}

impl<R: Read> Read for Headers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if self.given == BLOCK && self.rest == 0 && !matches!(self.stage, TarStage::Over) {
            if matches!(self.stage, TarStage::Attributes) {
                self.stage = TarStage::Header;
            }
            let have = fill(&mut self.bytes, &mut self.block)?;
            // What is cut short stands at the block's end.
            self.given = BLOCK - have;
            self.block.copy_within(..have, self.given);
            match self.stage {
                _ if have < BLOCK => self.stage = TarStage::Over,
                TarStage::Sparse { data, num_blocks } => self.see_list(data, num_blocks)?,
                _ => self.see_header(),
            }
        }
        if self.given < BLOCK {
            let count = buffer.len().min(BLOCK - self.given);
            buffer[..count].copy_from_slice(&self.block[self.given..][..count]);
            self.given += count;
            return Ok(count);
        }
        if matches!(self.stage, TarStage::Over) {
            return self.bytes.read(buffer);
        }
        let most = buffer.len().min(usize::try_from(self.rest).unwrap_or(usize::MAX));
        let count = self.bytes.read(&mut buffer[..most])?;
        self.rest -= count as u64;
        if let (TarStage::Attributes, Some(attributes)) = (&self.stage, &mut self.attributes) {
            attributes.extend_from_slice(&buffer[..count]);
        }
        Ok(count)
    }
}

fn fill(from: &mut impl Read, block: &mut [u8]) -> io::Result<usize> {
    let mut have = 0;
    while have < block.len() {
        match from.read(&mut block[have..]) {
            Ok(0) => break,
            Ok(count) => have += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(have)
}

/// Whether the check sum is right; a block of zeros has none.
fn is_intact(header: &Header) -> bool {
    let bytes = header.as_bytes();
    let sum = bytes[..148].iter().chain(&bytes[156..]).map(|&byte| u32::from(byte)).sum::<u32>() + 8 * 32;
    header.cksum().is_ok_and(|found| found == sum)
}

fn is_extension(kind: EntryType) -> bool {
    kind.is_pax_local_extensions() || kind.is_pax_global_extensions()
}

fn padded(len: u64) -> u64 {
    len.checked_next_multiple_of(BLOCK as u64).unwrap_or(u64::MAX)
}

/// The length of a member by its attributes, where the library finds one too: both must agree on where the next header is.
fn size_of(attributes: &[u8]) -> Option<u64> {
    let mut fields = tar::PaxExtensions::new(attributes).map_while(Result::ok);
    fields.find(|field| field.key() == Ok("size"))?.value().ok()?.parse().ok()
}

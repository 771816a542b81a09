//! `Headers`: reads a tar archive and neutralises headers that would fill the memory.
//!
//! A name or a list of attributes that does not fit into a header is a separate entry, which the library reads into
//! memory as a whole. `Headers` sees the header of such an entry first. If the entry is too large, its type is changed
//! to one that the library skips.

use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

use tar::{EntryType, GnuExtSparseHeader, Header};

use crate::base::shown::size;

const BLOCK: usize = 512;
/// Maximum bytes of a name or of the attributes of a member; file systems have names of at most 4 KiB.
const MOST_BYTES: u64 = 64 << 10;
/// Maximum blocks of the map of a sparse file; a block lists 21 spans of data.
const MOST_BLOCKS: u64 = 2048;
/// The type of a volume label, which readers do not treat as a member.
const PASSED_OVER: u8 = b'V';

/// A shared slot for the reason why a header was refused, which the reader of entries takes out.
#[derive(Debug, Clone, Default)]
pub(crate) struct Refused(Rc<RefCell<Option<String>>>);

impl Refused {
    /// Takes the reason why the entry that was read last was refused.
    pub(crate) fn take(&self) -> Option<String> {
        self.0.borrow_mut().take()
    }
}

/// A reader of a tar archive with the refused headers changed.
pub(crate) struct Headers<R> {
    bytes: R,
    block: [u8; BLOCK],
    /// Bytes of the block that were returned to the caller.
    given: usize,
    /// Bytes before the next header.
    rest: u64,
    stage: TarStage,
    /// The attributes of the next member.
    attributes: Option<Vec<u8>>,
    refused: Refused,
}

enum TarStage {
    Header,
    /// The bytes are the attributes of the next member.
    Attributes,
    /// The next block continues the map of a sparse file, whose data follow the map.
    Sparse {
        data: u64,
        num_blocks: u64,
    },
    /// No further header follows, or the library cannot read it.
    Over,
}

impl<R> Headers<R> {
    pub(crate) fn new(bytes: R) -> (Self, Refused) {
        let refused = Refused::default();
        let (block, stage) = ([0; BLOCK], TarStage::Header);
        let headers = Self { bytes, block, given: BLOCK, rest: 0, stage, attributes: None, refused: refused.clone() };
        (headers, refused)
    }

    /// Examines the header in the block, and changes it when its name or attributes are too large.
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

    /// Examines a block of the map of a sparse file.
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
            // A truncated block is aligned to the block's end.
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

/// Whether the checksum is right. A block of zeros has no valid checksum.
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

/// The length of a member according to its attributes. The library uses the same value, so both agree on where the next
/// header is.
fn size_of(attributes: &[u8]) -> Option<u64> {
    let mut fields = tar::PaxExtensions::new(attributes).map_while(Result::ok);
    fields.find(|field| field.key() == Ok("size"))?.value().ok()?.parse().ok()
}

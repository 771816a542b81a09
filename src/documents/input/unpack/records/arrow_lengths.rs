//! `readable`: checks the lengths in an Arrow file before the library allocates memory for them.
//!
//! The lengths of messages, of rows and of unpacked buffers are numbers that a file may choose freely.

use std::fs::File;
use std::io;

use arrow_ipc::{Message, MessageHeader, RecordBatch, root_as_footer, root_as_message};

use crate::base::storage::read_at;
use crate::documents::input::unpack::meter::Meter;

/// The first bytes of the file format, which also end it.
pub(super) const FILE_MARK: &[u8] = b"ARROW1";
/// The bytes before the length of a message.
const CONTINUATION: [u8; 4] = [0xFF; 4];
/// Number of bytes of the length of the footer and of the mark at the end.
const END: u64 = 4 + FILE_MARK.len() as u64;
/// The bits of a byte, as a limit for the number of rows that a number of bytes may hold.
const BITS: u64 = 8;

/// The number of record batches before the first one with impossible lengths, and the fault of that one.
///
/// * `limit`: maximum bytes that a batch unpacks to.
///
/// # Errors
/// When the file cannot be read, or is not an Arrow file.
pub(super) fn readable(file: &File, meter: &Meter, limit: u64) -> io::Result<(usize, Option<String>)> {
    let mut start = Vec::new();
    read_at(file, 0, FILE_MARK.len(), &mut start)?;
    let lengths = Lengths { file, len: file.metadata()?.len(), meter, limit };
    if start == FILE_MARK { lengths.of_file() } else { lengths.of_stream() }
}

struct Lengths<'a> {
    file: &'a File,
    len: u64,
    meter: &'a Meter,
    limit: u64,
}

impl Lengths<'_> {
    /// The batches of the file format, which a footer lists.
    fn of_file(&self) -> io::Result<(usize, Option<String>)> {
        let mut end = Vec::new();
        read_at(self.file, self.len.saturating_sub(END), END as usize, &mut end)?;
        let num_bytes = end.first_chunk().map_or(0, |len| u64::from(u32::from_le_bytes(*len)));
        if !end.ends_with(FILE_MARK) || num_bytes > self.len.saturating_sub(END) {
            return Err(io::Error::other(early()));
        }
        let footer = self.bytes(self.len - END - num_bytes, num_bytes)?;
        let footer = root_as_footer(&footer).map_err(|_| io::Error::other("its footer is broken"))?;
        let mut num_batches = 0;
        let blocks = |is_batch| if is_batch { footer.recordBatches() } else { footer.dictionaries() };
        for is_batch in [false, true] {
            for block in blocks(is_batch).into_iter().flatten() {
                let [start, header, body] = [block.offset(), block.metaDataLength().into(), block.bodyLength()]
                    .map(|number| u64::try_from(number).unwrap_or(u64::MAX));
                if let Err(fault) = self.check(start, header, body) {
                    return Ok((num_batches, Some(fault)));
                }
                num_batches += usize::from(is_batch);
            }
        }
        Ok((num_batches, None))
    }

    /// The batches of the stream format, one after another.
    fn of_stream(&self) -> io::Result<(usize, Option<String>)> {
        let (mut at, mut num_batches) = (0, 0);
        while at < self.len {
            let prefix = self.bytes(at, (self.len - at).min(8))?;
            let (header, skipped) = match prefix.as_slice() {
                [first @ .., _, _, _, _] if first == CONTINUATION => (&prefix[4..], 8),
                _ => (&prefix[..prefix.len().min(4)], 4),
            };
            let Some(&header) = header.first_chunk() else { return Ok((num_batches, Some(early()))) };
            let header = u64::from(u32::from_le_bytes(header));
            if header == 0 {
                break;
            }
            let message = match self.message(at + skipped, header) {
                Ok(message) => message,
                Err(fault) => return Ok((num_batches, Some(fault))),
            };
            let Ok(message) = root_as_message(&message) else { return Ok((num_batches, Some(broken()))) };
            let body = u64::try_from(message.bodyLength()).unwrap_or(u64::MAX);
            if let Err(fault) = self.check_message(&message, at + skipped + header, body) {
                return Ok((num_batches, Some(fault)));
            }
            num_batches += usize::from(message.header_type() == MessageHeader::RecordBatch);
            at += skipped + header + body;
        }
        Ok((num_batches, None))
    }

    /// Checks a message of the file format.
    fn check(&self, start: u64, header: u64, body: u64) -> Result<(), String> {
        let bytes = self.message(start, header)?;
        let skipped = if bytes.starts_with(&CONTINUATION) { 8 } else { 4 };
        let message = bytes.get(skipped..).and_then(|bytes| root_as_message(bytes).ok()).ok_or_else(broken)?;
        self.check_message(&message, start + header, body)
    }

    /// Checks the lengths in a message whose body begins at `start`.
    fn check_message(&self, message: &Message, start: u64, body: u64) -> Result<(), String> {
        if start.checked_add(body).is_none_or(|end| end > self.len) {
            return Err(early());
        }
        let dictionary = message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data());
        message.header_as_record_batch().or(dictionary).map_or(Ok(()), |batch| self.check_batch(&batch, start, body))
    }

    fn check_batch(&self, batch: &RecordBatch, start: u64, body: u64) -> Result<(), String> {
        let mut unpacked = body;
        if batch.compression().is_some() {
            for buffer in batch.buffers().into_iter().flatten() {
                let (offset, len) = (u64::try_from(buffer.offset()), u64::try_from(buffer.length()));
                let (Ok(offset), Ok(len)) = (offset, len) else { return Err(broken()) };
                if len == 0 {
                    continue;
                }
                if offset.checked_add(8).is_none_or(|end| end > body) {
                    return Err(broken());
                }
                let bytes = self.bytes(start + offset, 8).map_err(|error| error.to_string())?;
                let size = bytes.first_chunk().map_or(0, |size| i64::from_le_bytes(*size));
                // The length of a buffer that is not packed is -1.
                unpacked = unpacked.saturating_add(u64::try_from(size).unwrap_or(0));
            }
            if unpacked > self.limit {
                return Err("a batch needs too much memory".to_owned());
            }
            self.meter.add(unpacked).map_err(|error| error.to_string())?;
        }
        let num_rows = u64::try_from(batch.length()).unwrap_or(u64::MAX);
        if num_rows > unpacked.saturating_mul(BITS) { Err("it has more rows than bytes".to_owned()) } else { Ok(()) }
    }

    /// The header of a message.
    fn message(&self, start: u64, len: u64) -> Result<Vec<u8>, String> {
        if start.checked_add(len).is_none_or(|end| end > self.len) {
            return Err(early());
        }
        self.bytes(start, len).map_err(|error| error.to_string())
    }

    fn bytes(&self, start: u64, len: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        read_at(self.file, start, usize::try_from(len).unwrap_or(0), &mut bytes)?;
        Ok(bytes)
    }
}

fn early() -> String {
    "unexpected end".to_owned()
}

fn broken() -> String {
    "the header of a batch is broken".to_owned()
}

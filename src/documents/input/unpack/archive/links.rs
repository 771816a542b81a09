//! Hard links in tar: reads the bytes of the file that a link refers to, which are earlier in the archive.
//!
//! A link is a document with the same bytes as its file. In an uncompressed archive file, the bytes are read at their
//! offset. A compressed archive is unpacked a second time, in parallel with the first, from the first link on. An
//! archive that cannot be read twice is copied while it is read.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Write};

use xxhash_rust::xxh3::xxh3_128;

use super::plain;
use crate::base::storage::{FileSpan, temporary_file};
use crate::documents::input::bytes::temporary;
use crate::documents::input::bytes::temporary::CopyFault;
use crate::documents::input::streams::spool::Sources;
use crate::documents::input::unpack::batch_writer::BatchWriter;
use crate::documents::input::unpack::content::{Bytes, Content};

/// An archive, while it is read.
pub(super) struct Archive<'a, 'b> {
    bytes: Bytes<'b>,
    /// A copy of everything that was read.
    copy: Option<File>,
    sources: &'a Sources,
    name: &'a [u8],
}

/// The places of the files in an archive, and access to their bytes.
#[derive(Default)]
pub(super) struct Links {
    places: HashMap<u128, (u64, u64)>,
    file: Option<File>,
    /// The second unpacking of the archive, and how many of its bytes are in `file`; `None` if `file` has everything
    /// that was read.
    rest: Option<(Box<dyn Read>, u64)>,
}

impl<'a, 'b> Archive<'a, 'b> {
    /// Prepares to read an archive, so that its links can be followed.
    pub(super) fn new(out: &BatchWriter<'a>, content: Content<'a>, bytes: Bytes<'b>) -> io::Result<(Self, Links)> {
        let file = match &bytes {
            Bytes::File(file) => Some(file.try_clone()?),
            Bytes::Stream(_) if out.reopen(content).is_some() => None,
            Bytes::Stream(_) => Some(temporary_file()?),
        };
        let copy = file.as_ref().filter(|_| !matches!(bytes, Bytes::File(_))).map(File::try_clone).transpose()?;
        Ok((Self { bytes, copy, sources: out.sources(), name: content.name }, Links { file, ..Links::default() }))
    }
}

impl Read for Archive<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(buffer)?;
        if let Some(copy) = &mut self.copy
            && let Err(error) = copy.write_all(&buffer[..count])
        {
            self.sources.fail_to_keep(self.name, error);
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(count)
    }
}

impl Links {
    /// Notes the place of a file.
    pub(super) fn add(&mut self, name: &[u8], start: u64, len: u64) {
        self.places.insert(xxh3_128(plain(name)), (start, len));
    }

    /// The bytes of the last file with the name `target` before the link. The name `link` refers to them from now on.
    /// `None` when such a file does not exist.
    pub(super) fn follow(
        &mut self,
        out: &BatchWriter,
        archive: Content,
        target: &[u8],
        link: &[u8],
    ) -> Result<Option<FileSpan<'_>>, CopyFault> {
        let Some(&(start, len)) = self.places.get(&xxh3_128(plain(target))) else { return Ok(None) };
        self.add(link, start, len);
        if self.file.is_none() {
            let Some(reopened) = out.reopen(archive) else { return Ok(None) };
            self.file = Some(temporary_file().map_err(CopyFault::Keep)?);
            self.rest = Some((reopened, 0));
        }
        let file = self.file.as_mut().expect("just made");
        if let Some((rest, have)) = &mut self.rest {
            *have += temporary::append(file, rest, (start + len).saturating_sub(*have))?;
        }
        Ok(Some(FileSpan::new(file, start, len)))
    }
}

//! Rewrites the content of one file without its duplicates: a first reading finds the changes, a second one writes
//! them.
//!
//! The first reading visits the documents of the file in order. A file without a change is not rewritten: the caller
//! copies it byte for byte.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

use super::change::{Change, ContentName, Looked, MemberChange, SkippedTally};
use super::cut::TextEditor;
use super::edits::Edits;
use super::fates::{Fate, FateCursor};
#[cfg(feature = "parquet")]
use super::parquet;
use super::settings::CopiedWhole;
use super::{tar, zip};
use crate::base::storage::{FileSpan, temporary_file};
use crate::documents::document::DocId;
use crate::documents::input::{
    Codec, Inputs, JsonTexts, Meter, Peeled, Shape, StoredRecord, TableTexts, cut_records, encoder, path_of, peel,
};

/// Finds the changes of a file's content and writes it.
#[derive(Clone, Copy)]
pub(super) struct Rewriter<'a, 'e> {
    pub(super) inputs: Inputs<'a>,
    /// Whether files, records and members that were not compared are dropped.
    pub(super) drop_skipped: bool,
    /// Makes the texts of documents that are edited.
    pub(super) editor: Option<&'a TextEditor<'e>>,
    /// Counts the unpacked bytes during the first reading.
    pub(super) meter: &'a Meter,
}

impl<'a, 'e> Rewriter<'a, 'e> {
    /// Determines how the content of a file is to be written.
    ///
    /// # Errors
    /// When the content cannot be read to its end, or cannot be written in its stored form.
    pub(super) fn look(&self, content: ContentName, file: &File, fates: &mut FateCursor) -> io::Result<Looked> {
        let Peeled { shape, mut stream, codecs } = self.peel(content, file, self.meter)?;
        let is_whole = match shape {
            Shape::Whole => true,
            Shape::ElementsOrWhole => !fates.is_record_of(content.name),
            _ => false,
        };
        if is_whole {
            return self.look_at_document(content, shape, fates);
        }
        match shape {
            Shape::Whole => unreachable!("handled above"),
            Shape::Container => self.look_at_container(content, fates),
            Shape::Lines | Shape::Rows { .. } => self.look_at_records(content, shape, stream, fates),
            Shape::Elements | Shape::ElementsOrWhole => self.look_at_elements(content, shape, stream, fates),
            #[cfg(feature = "parquet")]
            Shape::Parquet => {
                let file = if codecs.is_empty() { file.try_clone()? } else { spooled(&mut stream)? };
                parquet::look(content, file, fates, self.drop_skipped)
            }
            #[cfg(not(feature = "parquet"))]
            Shape::Parquet => {
                drop(codecs);
                Ok(Looked::whole(!self.drop_skipped, SkippedTally { skipped: 1, ..SkippedTally::default() }))
            }
            Shape::Arrow if fates.edited_in(content.name).is_some() => {
                Err(io::Error::other("the texts of Arrow files are not cut; convert it to Parquet or JSON Lines first"))
            }
            Shape::Arrow => Err(io::Error::other(
                "the rows of Arrow files are not removed; convert it to Parquet or JSON Lines first",
            )),
            Shape::Tar | Shape::Zip => {
                let mut spool = None;
                let changed = fates.changed_members(content.name);
                let mut member = |member: ContentName, bytes: &mut dyn Read, tally: &mut SkippedTally| {
                    if changed.are_described_by(path_of(&member.name[content.name.len() + 1..])) {
                        fates.all_in(member.name);
                        tally.side_files.push(path_of(member.name).to_owned());
                        tally.dropped += 1;
                        return Ok(MemberChange::Drop);
                    }
                    self.look_at_member(member, bytes, fates, &mut spool, tally)
                };
                let mut looked = if shape == Shape::Tar {
                    tar::look(content, self.inputs, stream, self.drop_skipped, &mut member)
                } else {
                    let file = if codecs.is_empty() { file.try_clone()? } else { spooled(&mut stream)? };
                    zip::look(content, self.inputs, file, self.drop_skipped, self.meter, &mut member)
                }?;
                looked.spool = spool;
                Ok(looked)
            }
        }
    }

    /// Writes the content of a file with the changes that [`look`](Self::look) found.
    ///
    /// * `codecs`: the compression of the output, if it differs from the compression of the file.
    ///
    /// # Errors
    /// When the content cannot be read again, or `out` fails.
    pub(super) fn write(
        &self,
        content: ContentName,
        file: &File,
        looked: &Looked,
        codecs: Option<&[Codec]>,
        out: &mut (dyn Write + Send),
    ) -> io::Result<()> {
        let mut peeled = match looked.change {
            Change::Keep if codecs.is_none() => return io::copy(&mut whole(file)?, out).map(drop),
            Change::Drop => return Ok(()),
            // The first reading has counted the unpacked bytes.
            _ => self.peel(content, file, &Meter::new(Some(u64::MAX), 0))?,
        };
        let mut encoder = encoder(codecs.unwrap_or(&peeled.codecs), out)?;
        let unpacked =
            |stream: &mut dyn Read| if peeled.codecs.is_empty() { file.try_clone() } else { spooled(stream) };
        match &looked.change {
            Change::Keep => drop(io::copy(&mut peeled.stream, &mut encoder)?),
            Change::Drop => unreachable!("handled above"),
            Change::Edit(edits) => {
                let spool = looked.spool.as_ref();
                let mut rewrite = self.rewriter_of(content, file, peeled.shape)?;
                edits.apply(&mut peeled.stream, spool, &mut *rewrite, &mut encoder)?;
            }
            Change::Text(document) => {
                let mut stored = Vec::new();
                peeled.stream.read_to_end(&mut stored)?;
                encoder.write_all(&self.editor()?.file(*document, &stored)?)?;
            }
            #[cfg(feature = "parquet")]
            Change::Rows(kept, edited) => {
                let file = unpacked(&mut peeled.stream)?;
                parquet::write(file, kept, edited, &self.inputs.text_fields, self.editor, &mut encoder)?;
            }
            #[cfg(not(feature = "parquet"))]
            Change::Rows(..) => unreachable!("nothing is read of Parquet"),
            Change::Members(members) => {
                zip::write(unpacked(&mut peeled.stream)?, members, looked.spool.as_ref(), &mut encoder)?;
            }
        }
        encoder.finish()
    }

    fn editor(&self) -> io::Result<&'a TextEditor<'e>> {
        self.editor.ok_or_else(|| io::Error::other("no text is edited"))
    }

    /// Makes the records that replace others.
    fn rewriter_of<'r>(&'r self, content: ContentName, file: &File, shape: Shape) -> io::Result<Rewrite<'r>> {
        let Some(editor) = self.editor else {
            return Ok(Box::new(|_, record| Ok(record)));
        };
        Ok(match shape {
            Shape::Rows { delimiter } => {
                let mut peeled = self.peel(content, file, &Meter::new(Some(u64::MAX), 0))?;
                let mut texts = TableTexts::new(self.inputs, delimiter, &mut peeled.stream)?;
                Box::new(move |document, row| editor.row(&mut texts, document, row))
            }
            _ => {
                let texts = JsonTexts::new(self.inputs);
                Box::new(move |document, record| editor.json_record(&texts, document, record))
            }
        })
    }

    pub(super) fn peel<'f>(&self, content: ContentName, file: &'f File, meter: &Meter) -> io::Result<Peeled<'f>> {
        peel(self.inputs, content.format_name, content.is_member, Box::new(whole(file)?), meter)
    }

    /// Determines how a file that is one document is to be written.
    fn look_at_document(&self, content: ContentName, shape: Shape, fates: &mut FateCursor) -> io::Result<Looked> {
        let mut tally = SkippedTally::default();
        if shape == Shape::ElementsOrWhole && fates.edited_in(content.name).is_some() {
            return Err(io::Error::other(
                "it is JSON, but was compared as one text, since its records have no text; name the field of the text, or \
                 read the file as text",
            ));
        }
        Ok(match fates.whole(content.name) {
            Fate::Edited(document) => Looked { change: Change::Text(document), is_emptied: false, spool: None, tally },
            fate => Looked::whole(tally.stays(fate, self.drop_skipped), tally),
        })
    }

    fn look_at_records(
        &self,
        content: ContentName,
        shape: Shape,
        stream: impl Read,
        fates: &mut FateCursor,
    ) -> io::Result<Looked> {
        let (mut edits, mut tally, mut any_stays) = (Edits::default(), SkippedTally::default(), false);
        let (mut removed, mut uncut) = (0, 0);
        let uncertain = cut_records(self.inputs, shape, stream, &mut |StoredRecord { place, bytes }| {
            let fate = fates.record(content.name, place);
            removed += u64::from(fate == Fate::Removed);
            uncut += u64::from(matches!(fate, Fate::Edited(_)));
            if tally.stays(fate, self.drop_skipped) {
                any_stays = true;
                if let Fate::Edited(document) = fate {
                    edits.rewrite(bytes, document);
                }
            } else {
                edits.leave_out(bytes);
            }
            Ok(())
        })?;
        match uncertain {
            // A line to remove may be a part of a record that is kept.
            Some(line) if !edits.is_empty() => {
                let whole = CopiedWhole::new(content.name, removed);
                tally.copied_whole.push(CopiedWhole { line: Some(line), uncut, ..whole });
                tally.skipped += std::mem::take(&mut tally.dropped);
                Ok(Looked::whole(true, tally))
            }
            _ => Ok(edited(edits, any_stays, tally)),
        }
    }

    /// Determines how mail or a web crawl is written: whole, or not at all if all that is in it was compared and is
    /// removed.
    ///
    /// # Errors
    /// When a text in it is edited.
    fn look_at_container(&self, content: ContentName, fates: &mut FateCursor) -> io::Result<Looked> {
        if fates.edited_in(content.name).is_some() {
            return Err(io::Error::other("texts within mail and web crawls are not rewritten"));
        }
        let ((all, removed), mut tally) = (fates.num_in(content.name), SkippedTally::default());
        let is_compared = self.drop_skipped || self.inputs.container_items.of(content.name) == Some(all);
        let fate = fates.all_in(content.name).filter(|&fate| fate != Fate::Removed || is_compared);
        let stays = match fate {
            Some(fate) => tally.stays(fate, self.drop_skipped),
            None => {
                tally.copied_whole.push(CopiedWhole::new(content.name, removed));
                true
            }
        };
        Ok(Looked::whole(stays, tally))
    }

    /// Finds the elements of a JSON array to remove. An element is removed with the comma that follows it; the last
    /// kept element loses its comma.
    fn look_at_elements(
        &self,
        content: ContentName,
        shape: Shape,
        stream: impl Read,
        fates: &mut FateCursor,
    ) -> io::Result<Looked> {
        let (mut edits, mut tally) = (Edits::default(), SkippedTally::default());
        // End of the last kept element; range of the removed elements after it.
        let (mut stayed, mut gone) = (None, None);
        cut_records(self.inputs, shape, stream, &mut |StoredRecord { place, bytes }| {
            let fate = fates.record(content.name, place);
            if tally.stays(fate, self.drop_skipped) {
                if let Some((start, _)) = gone.take() {
                    edits.leave_out(start..bytes.start);
                }
                stayed = Some(bytes.end);
                if let Fate::Edited(document) = fate {
                    edits.rewrite(bytes, document);
                }
            } else {
                let start = gone.map_or(bytes.start, |(start, _)| start);
                gone = Some((start, bytes.end));
            }
            Ok(())
        })?;
        if let Some((start, end)) = gone {
            edits.leave_out(stayed.unwrap_or(start)..end);
        }
        Ok(edited(edits, stayed.is_some(), tally))
    }

    /// Determines how a member of an archive is written, and appends its new content to the spool.
    fn look_at_member(
        &self,
        member: ContentName,
        bytes: &mut dyn Read,
        fates: &mut FateCursor,
        spool: &mut Option<File>,
        tally: &mut SkippedTally,
    ) -> io::Result<MemberChange> {
        let mut start = Vec::new();
        (&mut *bytes).take(Codec::MAGIC as u64).read_to_end(&mut start)?;
        let beginning = peel(self.inputs, member.format_name, true, Box::new(start.as_slice()), self.meter);
        let is_whole = |peeled: Peeled| peeled.shape == Shape::Whole && peeled.codecs.is_empty();
        if beginning.is_ok_and(is_whole) && !fates.has_documents_inside(member.name) {
            // Most members are one text, as their names show.
            let fate = fates.whole(member.name);
            if let (Fate::Edited(_), true) = (fate, member.is_link) {
                return Err(io::Error::other(EDITED_LINK));
            }
            if let Fate::Edited(document) = fate {
                let mut stored = start;
                bytes.read_to_end(&mut stored)?;
                let edited = self.editor()?.file(document, &stored)?;
                return spool_part(spool, &mut |spool| spool.write_all(&edited));
            }
            let stays = tally.stays(fate, self.drop_skipped);
            return Ok(if stays { MemberChange::Keep } else { MemberChange::Drop });
        }
        if member.is_link && fates.edited_in(member.name).is_some() {
            return Err(io::Error::other(EDITED_LINK));
        }
        if member.is_link {
            return match fates.all_in(member.name) {
                Some(fate) if tally.stays(fate, self.drop_skipped) => Ok(MemberChange::Keep),
                Some(_) => Ok(MemberChange::Drop),
                None => Err(io::Error::other("a hard link to a member of which some records go")),
            };
        }
        let copy = spooled(&mut start.as_slice().chain(bytes))?;
        // A member that holds no document and cannot be read is not changed.
        let has_documents = fates.is_of(member.name);
        let looked = match self.look(member, &copy, fates) {
            Err(_) if !has_documents => {
                let stays = tally.stays(Fate::Skipped, self.drop_skipped);
                return Ok(if stays { MemberChange::Keep } else { MemberChange::Drop });
            }
            looked => looked?,
        };
        tally.add(looked.tally.clone());
        match looked.change {
            Change::Keep => Ok(MemberChange::Keep),
            Change::Drop => Ok(MemberChange::Drop),
            _ if looked.is_emptied => Ok(MemberChange::Drop),
            _ => spool_part(spool, &mut |spool| self.write(member, &copy, &looked, None, spool)),
        }
    }
}

/// Makes the record that replaces a stored one.
type Rewrite<'r> = Box<dyn FnMut(DocId, Vec<u8>) -> io::Result<Vec<u8>> + 'r>;

const EDITED_LINK: &str = "a hard link to a member whose text is cut";

/// Appends the new content of a member to the spool.
fn spool_part(
    spool: &mut Option<File>,
    write: &mut dyn FnMut(&mut File) -> io::Result<()>,
) -> io::Result<MemberChange> {
    if spool.is_none() {
        *spool = Some(temporary_file()?);
    }
    let spool = spool.as_mut().expect("just made");
    let start = spool.seek(io::SeekFrom::End(0))?;
    write(spool)?;
    Ok(MemberChange::Replace(start..spool.seek(io::SeekFrom::End(0))?))
}

fn edited(edits: Edits, any_stays: bool, tally: SkippedTally) -> Looked {
    let change = if edits.is_empty() { Change::Keep } else { Change::Edit(edits) };
    Looked { is_emptied: !any_stays && !matches!(change, Change::Keep), change, spool: None, tally }
}

/// The whole file, read independently of the file's shared position.
fn whole(file: &File) -> io::Result<FileSpan<'_>> {
    Ok(FileSpan::new(file, 0, file.metadata()?.len()))
}

/// Copies a stream into a temporary file, rewound to its start.
fn spooled(stream: &mut dyn Read) -> io::Result<File> {
    let mut file = temporary_file()?;
    io::copy(stream, &mut file)?;
    file.rewind()?;
    Ok(file)
}

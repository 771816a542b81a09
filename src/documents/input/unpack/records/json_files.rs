//! JSON files that are not JSON Lines: reads an array of objects as records, and anything else as one text.

use std::io::{self, BufRead, BufReader, Read, Seek};

use super::fields::Fields;
use super::record::Record;
use super::{json, lines};
use crate::base::problem::{Problem, Reason};
use crate::base::setting::Setting;
use crate::documents::input::bytes::decode::{BINARY_PREFIX, Decoding};
use crate::documents::input::bytes::temporary::Copied;
use crate::documents::input::bytes::transcode::Transcoder;
use crate::documents::input::charset::Charset;
use crate::documents::input::earlier_outputs::is_written;
use crate::documents::input::formats::array::{Beginning, Elements, beginning};
use crate::documents::input::formats::format::Format;
use crate::documents::input::marks::{MARK, utf16_of_mark};
use crate::documents::input::paths::{path_of, unusable};
use crate::documents::input::piece::PieceKind;
use crate::documents::input::streams::stream::Peeked;
use crate::documents::input::unpack::batch_writer::{BatchWriter, ReadOn};
use crate::documents::input::unpack::content::{Bytes, Content};

/// Bytes of an array that are read at a time.
const CHUNK: usize = 64 << 10;

/// Reads an array of records, or records one after another.
pub(in crate::documents::input) fn read(out: &mut BatchWriter, content: Content, bytes: &mut Bytes) {
    let mut bytes = Peeked::new(bytes, BINARY_PREFIX);
    if !bytes.start.is_empty() && beginning(&bytes.start).is_none() {
        return out.not_a(content, "JSON, which begins with an array or an object");
    }
    let given = |decoding: Decoding| decoding.given();
    out.with_utf8(content, &mut Bytes::Stream(&mut bytes), given, |out, content, bytes| {
        lines::read(out, content, &mut Elements::new(bytes));
    });
}

/// Reads an array as records if all its elements are records, and anything else as one text. It reads an array twice.
///
/// * `read_as`: reads content in the format that it has.
pub(in crate::documents::input) fn read_or_text(
    out: &mut BatchWriter,
    content: Content,
    bytes: Bytes,
    read_as: ReadOn,
) {
    let (json, text) = (Format::Json, content.format.or_text(out.inputs()));
    let as_format = |format| Content { format, ..content };
    match bytes {
        Bytes::File(mut file) => {
            let (is_of_records, _) = are_records(out, &mut file);
            if !is_of_records && (content.named || !is_written(path_of(content.name))) {
                report_one_text(out, content);
            }
            match file.rewind() {
                Err(error) => out.problem(unusable(path_of(content.name), &error)),
                Ok(()) if is_of_records => read_as(out, as_format(json), Bytes::File(file)),
                // The file is read directly, like other texts.
                Ok(()) if matches!(text, Format::Text { .. }) && content.depth == 0 => {
                    let paths = vec![path_of(content.name).to_owned()];
                    out.flush();
                    out.sources().expect_file_instead(file.metadata().map_or(0, |metadata| metadata.len()));
                    out.emit(PieceKind::Files { paths, named: content.named });
                }
                Ok(()) => read_as(out, as_format(text), Bytes::File(file)),
            }
        }
        Bytes::Stream(stream) => {
            let mut stream = Peeked::new(stream, BINARY_PREFIX);
            if beginning(&stream.start) != Some(Beginning::ArrayOfObjects) {
                return read_as(out, as_format(text), Bytes::Stream(&mut stream));
            }
            let mut copied = match Copied::new(&mut stream) {
                Ok(copied) => copied,
                Err(error) => return out.fail_to_keep(content, error),
            };
            let (is_of_records, fault) = are_records(out, &mut copied);
            let format = if is_of_records { json } else { text };
            if !is_of_records {
                report_one_text(out, content);
            }
            match copied.into_copy() {
                Err(error) => out.fail_to_keep(content, error),
                Ok(copy) => {
                    let rest = Peeked::faulty(fault, &mut stream);
                    read_as(out, as_format(format), Bytes::Stream(&mut copy.chain(rest)));
                }
            }
        }
    }
}

/// Reports an array of objects that is read as one text, in case its objects were meant as records.
fn report_one_text(out: &mut BatchWriter, content: Content) {
    let setting = Setting::Format;
    let detail = format!(
        "an array of objects, not all of them whole and with a text; compared as one text ({setting} json reads what records \
         there are)"
    );
    out.problem(Problem::note(content.place(), Reason::OneText, detail));
}

fn are_records(out: &BatchWriter, bytes: &mut dyn Read) -> (bool, Option<io::Error>) {
    let decoding = Decoding::new(out.inputs());
    let mut bytes = Peeked::new(bytes, MARK);
    let marked = utf16_of_mark(&bytes.start);
    match marked.map(Charset::Web).or(decoding.given()) {
        None => is_of_records(out, &mut bytes),
        Some(charset) => {
            let stream = Transcoder::new(&mut bytes, charset, decoding.replaces());
            let mut stream = if marked.is_none() { stream.or_utf8(decoding) } else { stream };
            is_of_records(out, &mut stream)
        }
    }
}

/// Whether a text is an array of objects that are all records with a text in the requested fields.
///
/// Returns also the read error that ended the examination early, if any; then the elements before it decide. At most
/// one element is in memory.
fn is_of_records(out: &BatchWriter, bytes: &mut dyn Read) -> (bool, Option<io::Error>) {
    let (fields, decoding) = (Fields::new(out.inputs()), Decoding::new(out.inputs()).of_utf8());
    let limit = out.inputs().unpacked_bytes();
    let mut lines = BufReader::with_capacity(CHUNK, Elements::new(bytes));
    let (mut line, mut record, mut is_any) = (Vec::new(), Record::default(), false);
    loop {
        line.clear();
        match (&mut lines).take(limit + 2).read_until(b'\n', &mut line) {
            Ok(0) => return (is_any, None),
            Ok(_) if line.len() as u64 > limit + 1 => return (false, None),
            Ok(_) => {}
            Err(_) if lines.get_ref().is_malformed() => return (false, None),
            Err(error) => return (is_any, Some(error)),
        }
        let is_record =
            decoding.line(&line, limit).is_ok_and(|(line, _)| json::parse(&line, &fields, &mut record).is_ok());
        if !is_record {
            return (false, None);
        }
        is_any = true;
    }
}

//! Web crawls in WARC and WET files: reads each page, resource or converted text as a document with the name of its
//! URI.
//!
//! A record holds the response of a server, with its header, or a text that was made from a response. Records about
//! requests and about the crawl are skipped.

mod frame;
mod http;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::time::{Duration, SystemTime};

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

use self::frame::{FrameFault, RecordHeader, Records};
use self::http::{Body, ContentType, HttpHeader, MOST_HEADER};
use super::batch_writer::BatchWriter;
use super::content::{Bytes, Content};
use super::item_names::ItemNames;
use crate::base::problem::{Problem, Reason};
use crate::base::setting::Setting;
use crate::base::shown::shown;
use crate::documents::document::{Markup, OffsetsOf};
use crate::documents::input::bytes::decode::{Decoding, check_binary, decoded};
use crate::documents::input::bytes::extract::DocumentFormat;
use crate::documents::input::formats::binary_kinds::{certain_kind_of, kind_of};
use crate::documents::input::formats::format::begins_as_page;
use crate::documents::input::marks::{UTF8_MARK, utf16_of_mark};
use crate::documents::input::messages::too_large;
use crate::documents::input::piece::BatchItem;

/// The end of the message about a crawl that cannot be read to its end.
const COMPARED: &str = "the records before that are compared";
/// Maximum number of kinds that a message lists.
const MOST_KINDS: usize = 8;
/// Maximum number of kinds that are counted separately, and bytes of a kind.
const MOST_COUNTED: usize = 1000;
const MOST_KIND: usize = 100;
/// Maximum number of places without a record that are reported one by one.
const MOST_FAULTS: u64 = 3;

/// Reads a web crawl. Its pages have the names `crawl!URI`, or `crawl!:offset` by the offset of the record.
pub(super) fn read(out: &mut BatchWriter, content: Content, bytes: &mut Bytes) {
    let mut crawl = Crawl {
        content,
        records: Records::new(bytes),
        names: ItemNames::default(),
        skipped: Skipped::default(),
        cut: 0,
        num_faults: 0,
        has_page: false,
    };
    let mut num_records = 0_u64;
    while out.is_open() {
        match crawl.records.next() {
            Ok(None) => {
                if num_records + crawl.num_faults == 0 {
                    let detail = "empty, where a web crawl was expected; skipped";
                    out.problem(Problem::error(content.place(), Reason::Damaged, detail));
                } else if crawl.num_faults == 0 && !crawl.has_page && crawl.skipped.is_empty() {
                    let detail = "a web crawl without pages; skipped";
                    out.problem(Problem::note(content.place(), Reason::NoText, detail));
                }
                break;
            }
            Ok(Some(header)) => {
                num_records += 1;
                if let Err(error) = crawl.record(out, &header)
                    && !crawl.goes_on(out, &error)
                {
                    break;
                }
            }
            Err(FrameFault::Read(error)) => {
                if !crawl.goes_on(out, &error) {
                    break;
                }
            }
            Err(FrameFault::NotARecord(offset)) => {
                crawl.num_faults += 1;
                if crawl.num_faults <= MOST_FAULTS {
                    let detail = "no WARC record begins here; reading goes on at the next record";
                    out.problem(Problem::error(format!("{}!:{offset}", content.place()), Reason::Damaged, detail));
                }
            }
        }
    }
    if crawl.num_faults > MOST_FAULTS {
        let detail = format!("damaged at {} more places", crawl.num_faults - MOST_FAULTS);
        out.problem(Problem::error(content.place(), Reason::Damaged, detail));
    }
    crawl.names.report(out, content, ("record has a URI that was", "records have a URI that was"));
    if crawl.cut > 0 {
        let verb = if crawl.cut == 1 { "page is" } else { "pages are" };
        let detail = format!("{} {verb} cut short (WARC-Truncated, or without a last chunk); compared", crawl.cut);
        out.problem(Problem { number: crawl.cut, ..Problem::note(content.place(), Reason::CutShort, detail) });
    }
    crawl.skipped.report(out, content);
}

/// Records that are not documents.
#[derive(Debug, Default)]
struct Skipped {
    /// Payloads that are not text, by their types.
    kinds: BTreeMap<String, u64>,
    /// Payloads of other types.
    others: u64,
    /// Records of pages that had not changed since an earlier record.
    revisits: u64,
    /// Records that continue a record.
    continuations: u64,
}

impl Skipped {
    fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.others + self.revisits + self.continuations == 0
    }

    /// Counts a payload that is not text. The crawl chooses the names of its types, and how many there are.
    fn count(&mut self, kind: String) {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b" !#$&-^_.+/".contains(&byte);
        let is_kind = kind.len() <= MOST_KIND && kind.bytes().all(is_name);
        let is_counted = is_kind && (self.kinds.len() < MOST_COUNTED || self.kinds.contains_key(&kind));
        let count = if is_counted { self.kinds.entry(kind).or_default() } else { &mut self.others };
        *count += 1;
    }

    fn report(self, out: &mut BatchWriter, content: Content) {
        let counts = [
            (self.revisits, "revisit record refers", "revisit records refer", "to a page that was stored before"),
            (self.continuations, "record continues", "records continue", "the record before"),
        ];
        for (number, one, many, what) in counts {
            if number > 0 {
                let verb = if number == 1 { one } else { many };
                let note = Problem::note(content.place(), Reason::NoText, format!("{number} {verb} {what}; skipped"));
                out.problem(Problem { number, ..note });
            }
        }
        let number = self.kinds.values().sum::<u64>() + self.others;
        if number > 0 {
            let mut kinds: Vec<(String, u64)> = self.kinds.into_iter().collect();
            kinds.sort_by_key(|&(_, number)| std::cmp::Reverse(number));
            let others = self.others + kinds.iter().skip(MOST_KINDS).map(|(_, number)| number).sum::<u64>();
            let mut list = String::new();
            for (kind, number) in kinds.iter().take(MOST_KINDS) {
                let comma = if list.is_empty() { "" } else { ", " };
                let _ = write!(list, "{comma}{number} {}", shown(kind));
            }
            if others > 0 {
                let comma = if list.is_empty() { "" } else { ", " };
                let word = if others == 1 { "other" } else { "others" };
                let _ = write!(list, "{comma}{others} {word}");
            }
            let verb = if number == 1 { "payload is" } else { "payloads are" };
            let note =
                Problem::note(content.place(), Reason::Binary, format!("{number} {verb} not text; skipped: {list}"));
            out.problem(Problem { number, ..note });
        }
    }
}

/// A crawl while it is read.
struct Crawl<'c, R> {
    content: Content<'c>,
    records: Records<R>,
    names: ItemNames,
    skipped: Skipped,
    /// The number of pages that are cut short.
    cut: u64,
    /// The number of damaged places.
    num_faults: u64,
    /// Whether any record held a page, even one that could not be read.
    has_page: bool,
}

impl<R: io::Read> Crawl<'_, R> {
    /// Reads the block of a record, if it is a document.
    ///
    /// # Errors
    /// When the crawl ends before the block does, or cannot be read.
    fn record(&mut self, out: &mut BatchWriter, header: &RecordHeader) -> io::Result<()> {
        let Some((has_http, of_block)) = self.block_type(header) else { return Ok(()) };
        let mut block = Vec::new();
        self.records.block(out.inputs().unpacked_bytes() + MOST_HEADER as u64, &mut block)?;
        let http = if has_http { HttpHeader::of(&block) } else { Ok(None) };
        let Some((content_type, body)) = self.payload(out, header, &block, http, of_block) else { return Ok(()) };
        let Body { bytes: body, is_cut } = body;
        let content_type = ContentType { charset: charset_of(&content_type, &body), ..content_type };
        if is_not_text(&body, content_type.charset) {
            let kind = kind_of(&body).map(|kind| kind.one.to_owned());
            let kind = Some(content_type.essence).filter(|it| !it.is_empty()).or(kind).unwrap_or("unknown".to_owned());
            self.skipped.count(kind);
            return Ok(());
        }
        self.cut += u64::from(is_cut);
        let name = self.name(header);
        if let Some(time) = time_of(header) {
            out.inputs().member_times.add(&name, time);
        }
        if out.inputs().with_source {
            out.inputs().record_offsets.add(&name, header.offset);
        }
        self.page(out, &name, body, &content_type);
        Ok(())
    }

    /// The type of a block, and whether the block may begin with the header of a server. `None` for a record that is not a
    /// document.
    fn block_type(&mut self, header: &RecordHeader) -> Option<(bool, ContentType)> {
        let kind = header.field("warc-type").unwrap_or_default().to_ascii_lowercase();
        match kind.as_str() {
            "response" | "resource" | "conversion" => {}
            "revisit" => {
                self.skipped.revisits += 1;
                return None;
            }
            "continuation" => {
                self.skipped.continuations += 1;
                return None;
            }
            _ => return None,
        }
        let of_block = ContentType::of(header.field("content-type").unwrap_or_default());
        // A response of a name server is not a page.
        if of_block.essence == "text/dns" {
            return None;
        }
        if of_block.is_media() {
            self.skipped.count(of_block.essence);
            return None;
        }
        Some((kind != "conversion", of_block))
    }

    /// The payload of a block and its type, without the header of the server, chunks and compression. `None` if the payload
    /// is skipped, which is counted or reported.
    ///
    /// * `http`: the header of the server at the beginning of the block, or why it cannot be read.
    /// * `of_block`: the type of the block, by the header of the record.
    fn payload(
        &mut self,
        out: &mut BatchWriter,
        header: &RecordHeader,
        block: &[u8],
        http: Result<Option<HttpHeader>, &'static str>,
        of_block: ContentType,
    ) -> Option<(ContentType, Body)> {
        let http = match http {
            Ok(http) => http,
            Err(detail) => {
                let place = place_of(&self.name(header));
                out.problem(Problem::error(place, Reason::Damaged, detail));
                return None;
            }
        };
        let content_type = match &http {
            Some(http) => http.content_type.clone(),
            None if of_block.essence.starts_with("application/http") => ContentType::default(),
            None => of_block,
        };
        if content_type.is_media() {
            self.skipped.count(content_type.essence);
            return None;
        }
        let limit = out.inputs().unpacked_bytes();
        let body = &block[http.as_ref().map_or(0, |http| http.len)..];
        let is_too_large = header.len > limit + MOST_HEADER as u64;
        let is_cut = header.field("warc-truncated").is_some();
        let body = match &http {
            Some(http) if !is_too_large => http.body(body, is_cut, limit, &out.meter(), out.inputs().max_window),
            _ => Ok(Body { bytes: body.to_vec(), is_cut }),
        };
        match body {
            Ok(body) if is_too_large || body.bytes.len() as u64 > limit => {
                let place = place_of(&self.name(header));
                out.problem(Problem::error(place, Reason::TooLarge, too_large(limit)));
                None
            }
            Ok(body) => Some((content_type, body)),
            Err(error) => {
                let place = place_of(&self.name(header));
                out.damaged_at(place, &error, "skipped");
                None
            }
        }
    }

    /// Reports an error in reading; returns whether the crawl goes on after it, as a gzip file does at its next member.
    fn goes_on(&mut self, out: &mut BatchWriter, error: &io::Error) -> bool {
        let goes_on = out.is_open() && self.records.resume();
        self.num_faults += u64::from(goes_on);
        if !goes_on {
            out.damaged(self.content, error, COMPARED);
        } else if self.num_faults <= MOST_FAULTS {
            out.damaged(self.content, error, "reading goes on at the next record");
        }
        goes_on
    }

    /// The name of a page.
    fn name(&mut self, header: &RecordHeader) -> Vec<u8> {
        self.has_page = true;
        let uri = header.field("warc-target-uri").map(|uri| uri.trim_start_matches('<').trim_end_matches('>'));
        self.names.next(self.content, uri, header.offset)
    }

    /// Adds a page. The charset of its header comes before all that the page itself declares, except for a byte order
    /// mark (HTML standard, 13.2.3.2).
    fn page(&self, out: &mut BatchWriter, name: &[u8], mut body: Vec<u8>, content_type: &ContentType) {
        let is_page = content_type.is_html() || content_type.essence.is_empty() && begins_as_page(&body);
        let is_html = out.inputs().html.is_page(is_page);
        let decoding = Decoding::new(out.inputs());
        let is_forced = out.inputs().encoding.is_forced;
        let has_mark = body.starts_with(UTF8_MARK) || utf16_of_mark(&body).is_some();
        let is_other = DocumentFormat::of(&body).is_some();
        let limit = out.inputs().unpacked_bytes();
        if let Some(encoding) = content_type.charset.filter(|_| !has_mark && !is_other && !is_forced) {
            match decoded(encoding, &body, limit) {
                Ok((_, true)) if !decoding.replaces() => {
                    let detail = format!(
                        "not valid {}, the charset of its HTTP header; read it with {} replace",
                        encoding.name(),
                        Setting::Invalid
                    );
                    return out.problem(Problem::error(place_of(name), Reason::NotUtf8, detail));
                }
                Ok((text, was_replaced)) => {
                    if was_replaced {
                        let detail = "bytes that are not of its encoding count as U+FFFD";
                        out.problem(Problem::note(place_of(name), Reason::Replaced, detail));
                    }
                    body = text.into_owned();
                }
                Err(fault) => return out.problem(fault.problem(&place_of(name))),
            }
        }
        let item = |len| BatchItem::Document {
            name: name.len(),
            content: len,
            markup: if is_html { Markup::Html } else { Markup::None },
            filter: None,
            named: false,
            of: OffsetsOf::Member,
        };
        match out.document(name, &mut body.as_slice(), limit, true, item) {
            Ok(true) => out.flush_full(),
            Ok(false) => out.problem(Problem::error(place_of(name), Reason::TooLarge, too_large(limit))),
            Err(error) => out.damaged_at(place_of(name), &error, "skipped"),
        }
    }
}

fn place_of(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}

/// The charset of a page by its header. Text in UTF-16 has NUL bytes or is not valid UTF-8, so a page is not UTF-16 if
/// neither is true.
fn charset_of(content_type: &ContentType, body: &[u8]) -> Option<&'static Encoding> {
    let is_utf8 = || check_binary(body).is_ok() && std::str::from_utf8(body).is_ok();
    content_type.charset.filter(|encoding| !is_utf16(encoding) || !is_utf8())
}

fn is_utf16(encoding: &'static Encoding) -> bool {
    encoding == UTF_16LE || encoding == UTF_16BE
}

/// Whether a payload is neither text nor a document whose text can be extracted.
///
/// * `charset`: of its header.
fn is_not_text(body: &[u8], charset: Option<&'static Encoding>) -> bool {
    let may_be_text = || charset.is_some_and(is_utf16) || check_binary(body).is_ok();
    let is_text = utf16_of_mark(body).is_some() || may_be_text() && certain_kind_of(body).is_none();
    !is_text && DocumentFormat::of(body).is_none()
}

/// When a record was written.
fn time_of(header: &RecordHeader) -> Option<SystemTime> {
    let date = chrono::DateTime::parse_from_rfc3339(header.field("warc-date")?).ok()?;
    let since = Duration::new(u64::try_from(date.timestamp()).ok()?, date.timestamp_subsec_nanos().min(999_999_999));
    SystemTime::UNIX_EPOCH.checked_add(since)
}

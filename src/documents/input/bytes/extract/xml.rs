//! `Xml`: the elements and texts of an XML part, in order.
//!
//! Elements are known by their names without prefixes, which a document may choose. Entities that a document defines
//! itself are not expanded.

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesEnd, BytesStart, Event};
use quick_xml::reader::Reader;

use super::fault::{ExtractFault, Extracted};

/// Reads an XML part from beginning to end.
pub(super) struct Xml<'t> {
    text: &'t str,
    reader: Reader<&'t [u8]>,
    /// Number of open elements.
    depth: usize,
}

/// Part of an XML part.
pub(super) enum XmlEvent<'t> {
    Start(Element<'t>),
    End(ElementEnd<'t>),
    Text(Cow<'t, str>),
}

/// The end of an element.
pub(super) struct ElementEnd<'t>(BytesEnd<'t>);

impl ElementEnd<'_> {
    /// The name without its prefix.
    pub(super) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }
}

/// The start of an element.
pub(super) struct Element<'t>(BytesStart<'t>);

impl Element<'_> {
    /// The name without its prefix.
    pub(super) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// Whether the name has this prefix.
    pub(super) fn has_prefix(&self, prefix: &str) -> bool {
        self.0.name().prefix().is_some_and(|it| it.into_inner() == prefix)
    }

    /// The value of the attribute with this local name.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        self.find(|key, _| key == name)
    }

    /// The value of the attribute with this local name that has a prefix, as in `r:id`.
    pub(super) fn prefixed(&self, name: &str) -> Option<String> {
        self.find(|key, is_prefixed| is_prefixed && key == name)
    }

    /// Whether the element has no attribute `val` that turns it off.
    pub(super) fn is_on(&self) -> bool {
        self.attribute("val").is_none_or(|value| !matches!(value.as_str(), "0" | "false" | "off" | "none"))
    }

    fn find(&self, is_it: impl Fn(&str, bool) -> bool) -> Option<String> {
        let mut attributes = self.0.attributes();
        let attributes = attributes.with_checks(false).flatten();
        let mut found = attributes.filter(|it| is_it(it.key.local_name().into_inner(), it.key.prefix().is_some()));
        let value = found.next()?;
        Some(value.normalized_value(XmlVersion::Implicit1_0).map_or_else(|_| value.value.to_string(), Cow::into_owned))
    }
}

impl<'t> Xml<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        config.expand_empty_elements = true;
        config.allow_dangling_amp = true;
        Self { text, reader, depth: 0 }
    }

    /// The next element or text; `None` at the end.
    pub(super) fn next(&mut self) -> Extracted<Option<XmlEvent<'t>>> {
        loop {
            return Ok(Some(match self.reader.read_event()? {
                Event::Start(start) | Event::Empty(start) => {
                    self.depth += 1;
                    XmlEvent::Start(Element(start))
                }
                Event::End(end) => {
                    self.depth = self.depth.saturating_sub(1);
                    XmlEvent::End(ElementEnd(end))
                }
                Event::Text(text) => XmlEvent::Text(text.xml10_content()),
                Event::CData(text) => XmlEvent::Text(text.into_inner()),
                Event::GeneralRef(reference) => match reference.resolve_char_ref() {
                    Ok(Some(c)) => XmlEvent::Text(c.to_string().into()),
                    _ => XmlEvent::Text(resolve_predefined_entity(&reference).unwrap_or_default().into()),
                },
                Event::Eof if self.depth > 0 => return Err(ExtractFault::Damaged("it ends too early".to_owned())),
                Event::Eof => return Ok(None),
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => continue,
            }));
        }
    }

    /// Skips the rest of the element that started last.
    pub(super) fn skip(&mut self) -> Extracted {
        self.content().map(|_| ())
    }

    /// Skips the rest of the element that started last, and returns its content as it is written.
    pub(super) fn content(&mut self) -> Extracted<&'t str> {
        let (outside, start) = (self.depth.saturating_sub(1), self.position());
        loop {
            let end = self.position();
            if self.next()?.is_none() || self.depth == outside {
                return Ok(self.text.get(start..end).unwrap_or_default());
            }
        }
    }

    /// Passes on each element inside the element that started last, which has properties, except for earlier properties that
    /// a tracked change keeps.
    pub(super) fn each_inside(&mut self, mut pass: impl FnMut(&Element)) -> Extracted {
        let outside = self.depth.saturating_sub(1);
        while self.depth > outside
            && let Some(event) = self.next()?
        {
            let XmlEvent::Start(element) = event else { continue };
            if element.name().ends_with("Change") {
                self.skip()?;
            } else {
                pass(&element);
            }
        }
        Ok(())
    }

    fn position(&self) -> usize {
        usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX)
    }
}

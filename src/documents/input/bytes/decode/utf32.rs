//! UTF-32: recognises it by its byte order mark or its zeros, and decodes it.

use crate::base::flat::offset_map::Trace;

/// The byte order of UTF-32.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::documents::input) enum Utf32 {
    LittleEndian,
    BigEndian,
}

/// Bytes per unit, and bytes of the byte order mark.
pub(in crate::documents::input) const UNIT: usize = 4;
/// Minimum number of units by which UTF-32 without a mark is recognised.
const LEAST_UNITS: usize = 2;
/// Maximum number of units that are examined without a mark.
const MOST_UNITS: usize = 2048;

impl Utf32 {
    /// The byte order according to the byte order mark, or else to the characters.
    pub(in crate::documents::input) fn of_start(start: &[u8]) -> Option<Self> {
        Self::of_mark(start).or_else(|| Self::of_units(start))
    }

    /// The byte order according to the byte order mark.
    pub(in crate::documents::input) fn of_mark(start: &[u8]) -> Option<Self> {
        match start {
            [0xFF, 0xFE, 0, 0, ..] => Some(Self::LittleEndian),
            [0, 0, 0xFE, 0xFF, ..] => Some(Self::BigEndian),
            _ => None,
        }
    }

    /// The byte order in which bytes without a mark are characters of text.
    pub(in crate::documents::input) fn of_units(start: &[u8]) -> Option<Self> {
        let units = || start.chunks_exact(UNIT).take(MOST_UNITS);
        let is_text = |order: &Self| {
            units().all(|unit| order.char(unit).is_some_and(|c| !c.is_control() || matches!(c, '\t' | '\n' | '\r')))
        };
        (units().len() >= LEAST_UNITS)
            .then(|| [Self::LittleEndian, Self::BigEndian].into_iter().find(is_text))
            .flatten()
    }

    fn char(self, unit: &[u8]) -> Option<char> {
        let bytes: [u8; UNIT] = unit.try_into().ok()?;
        char::from_u32(match self {
            Self::LittleEndian => u32::from_le_bytes(bytes),
            Self::BigEndian => u32::from_be_bytes(bytes),
        })
    }

    /// Decodes units to UTF-8, with U+FFFD for each that is not a character. Returns also whether there were any of
    /// these.
    pub(in crate::documents::input) fn decode<T: Trace>(self, bytes: &[u8], trace: &mut T) -> (Vec<u8>, bool) {
        let (mut text, mut is_faulty, mut buffer) = (Vec::with_capacity(bytes.len() / UNIT), false, [0; 4]);
        for unit in bytes.chunks(UNIT) {
            let c = self.char(unit);
            is_faulty |= c.is_none();
            let made = c.unwrap_or(char::REPLACEMENT_CHARACTER).encode_utf8(&mut buffer).as_bytes();
            text.extend_from_slice(made);
            trace.replaced(unit.len(), made.len());
        }
        trace.end_step();
        (text, is_faulty)
    }
}

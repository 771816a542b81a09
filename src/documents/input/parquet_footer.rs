//! `repaired`: removes fields from the footer of a Parquet file whose type differs from the type that the format
//! defines.
//!
//! Some writers gave their own columns a field number that a later version of the format uses for something else.
//! Readers generated from the definition of the format skip such a field, so it is removed here. Dremio wrote a list as
//! field 15.
//!
//! The footer is a structure in the compact protocol of Thrift. Each field starts with a byte that holds its type and
//! the difference from the previous field number, or zero and then the number itself.

/// The types of the compact protocol that occur here.
const BYTE: u8 = 3;
const I16: u8 = 4;
const I32: u8 = 5;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;

/// Maximum depth of nested structures.
const MOST_DEPTH: usize = 32;

/// The fields of a structure: number, type, and the definition of a nested structure whose fields are checked too.
type FieldTypes = [(i16, u8, Option<&'static FooterFields>)];

struct FooterFields(&'static FieldTypes);

static FILE: FooterFields = FooterFields(&[
    (1, I32, None),
    (2, LIST, None),
    (3, I64, None),
    (4, LIST, Some(&ROW_GROUP)),
    (5, LIST, None),
    (6, BINARY, None),
    (7, LIST, None),
    (8, STRUCT, None),
    (9, BINARY, None),
]);
static ROW_GROUP: FooterFields = FooterFields(&[
    (1, LIST, Some(&COLUMN)),
    (2, I64, None),
    (3, I64, None),
    (4, LIST, None),
    (5, I64, None),
    (6, I64, None),
    (7, I16, None),
]);
static COLUMN: FooterFields = FooterFields(&[
    (1, BINARY, None),
    (2, I64, None),
    (3, STRUCT, Some(&COLUMN_METADATA)),
    (4, I64, None),
    (5, I32, None),
    (6, I64, None),
    (7, I32, None),
    (8, STRUCT, None),
    (9, BINARY, None),
]);
static COLUMN_METADATA: FooterFields = FooterFields(&[
    (1, I32, None),
    (2, LIST, None),
    (3, LIST, None),
    (4, I32, None),
    (5, I64, None),
    (6, I64, None),
    (7, I64, None),
    (8, LIST, None),
    (9, I64, None),
    (10, I64, None),
    (11, I64, None),
    (12, STRUCT, None),
    (13, LIST, None),
    (14, I64, None),
    (15, I32, None),
    (16, STRUCT, None),
    (17, STRUCT, None),
]);

/// The number of the field that describes the file's encryption.
const ENCRYPTION: i16 = 8;

/// A footer without the fields whose type differs from the type that the format defines.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RepairedFooter {
    pub(super) bytes: Vec<u8>,
    /// Whether columns of the file are encrypted.
    pub(super) is_encrypted: bool,
}

/// Copies a footer; `None` when it is damaged.
pub(super) fn repaired(footer: &[u8]) -> Option<RepairedFooter> {
    let mut copier = Copier { rest: footer, copy: Vec::with_capacity(footer.len()), is_encrypted: false };
    copier.copy_struct(Some(&FILE), 0)?;
    Some(RepairedFooter { bytes: copier.copy, is_encrypted: copier.is_encrypted })
}

struct Copier<'f> {
    rest: &'f [u8],
    copy: Vec<u8>,
    is_encrypted: bool,
}

impl Copier<'_> {
    fn copy_struct(&mut self, shape: Option<&'static FooterFields>, depth: usize) -> Option<()> {
        if depth > MOST_DEPTH {
            return None;
        }
        let (mut last, mut last_copied) = (0i16, 0i16);
        loop {
            let head = self.byte()?;
            if head == 0 {
                self.copy.push(0);
                return Some(());
            }
            let kind = head & 15;
            let number = match i16::from(head >> 4) {
                0 => i16::try_from(zigzag(self.number()?)).ok()?,
                difference => last.checked_add(difference)?,
            };
            last = number;
            let field = shape.and_then(|shape| shape.0.iter().find(|(other, ..)| *other == number));
            let len = self.copy.len();
            match number.checked_sub(last_copied)? {
                difference @ 1..=15 => self.copy.push((difference as u8) << 4 | kind),
                _ => {
                    self.copy.push(kind);
                    self.push_number(u64::from(((number << 1) ^ (number >> 15)).cast_unsigned()));
                }
            }
            self.copy_value(kind, field.and_then(|(.., shape)| *shape), depth)?;
            if field.is_some_and(|(_, expected, _)| *expected != kind) {
                self.copy.truncate(len);
            } else {
                last_copied = number;
                self.is_encrypted |= depth == 0 && number == ENCRYPTION;
            }
        }
    }

    fn copy_value(&mut self, kind: u8, shape: Option<&'static FooterFields>, depth: usize) -> Option<()> {
        match kind {
            // The type of a Boolean field contains its value.
            1 | 2 => Some(()),
            BYTE => self.copy_bytes(1),
            I16 | I32 | I64 => self.copy_number().map(drop),
            DOUBLE => self.copy_bytes(8),
            BINARY => {
                let len = self.copy_number()?;
                self.copy_bytes(usize::try_from(len).ok()?)
            }
            LIST | SET => {
                let head = self.copy_byte()?;
                let len = if head >> 4 == 15 { self.copy_number()? } else { u64::from(head >> 4) };
                (0..len).try_for_each(|_| self.copy_element(head & 15, shape, depth))
            }
            MAP => {
                let len = self.copy_number()?;
                let kinds = if len > 0 { self.copy_byte()? } else { 0 };
                (0..len).try_for_each(|_| {
                    self.copy_element(kinds >> 4, None, depth)?;
                    self.copy_element(kinds & 15, None, depth)
                })
            }
            STRUCT => self.copy_struct(shape, depth + 1),
            _ => None,
        }
    }

    /// Copies an element of a container like [`copy_value`](Self::copy_value), except that a Boolean element has its
    /// own byte.
    fn copy_element(&mut self, kind: u8, shape: Option<&'static FooterFields>, depth: usize) -> Option<()> {
        let kind = if matches!(kind, 1 | 2) { BYTE } else { kind };
        // Nested lists count towards the same maximum depth as nested structures.
        if depth > MOST_DEPTH { None } else { self.copy_value(kind, shape, depth + 1) }
    }

    fn byte(&mut self) -> Option<u8> {
        self.rest.split_off_first().copied()
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }

    fn copy_byte(&mut self) -> Option<u8> {
        let byte = self.byte()?;
        self.copy.push(byte);
        Some(byte)
    }

    fn copy_bytes(&mut self, len: usize) -> Option<()> {
        self.copy.extend_from_slice(self.rest.split_off(..len)?);
        Some(())
    }

    fn copy_number(&mut self) -> Option<u64> {
        let before = self.rest;
        let number = self.number()?;
        self.copy.extend_from_slice(&before[..before.len() - self.rest.len()]);
        Some(number)
    }

    fn push_number(&mut self, mut number: u64) {
        while number > 127 {
            self.copy.push(number as u8 | 128);
            number >>= 7;
        }
        self.copy.push(number as u8);
    }
}

fn zigzag(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A footer with one row group of one column, whose metadata have these fields.
    fn footer(metadata: &[u8]) -> Vec<u8> {
        let column = [&[0x3C][..], metadata, &[0, 0]].concat();
        let group = [&[0x19, 0x1C][..], &column, &[0]].concat();
        [&[0x15, 2, 0x39, 0x1C][..], &group, &[0x28, 2, b'm', b'r', 0]].concat()
    }

    #[test]
    fn fields_of_another_type_are_removed() {
        // Number 1 is 5, number 15 a list of two structures, number 16 an empty structure.
        let found = repaired(&footer(&[0x15, 10, 0xE9, 0x2C, 0x15, 2, 0, 0x15, 4, 0, 0x1C, 0])).unwrap();
        assert_eq!(found, RepairedFooter { bytes: footer(&[0x15, 10, 0xFC, 0]), is_encrypted: false });
        // A field number that is written out instead of a difference.
        let whole = footer(&[0x15, 10, 0x05, 30, 2, 0x1C, 0]);
        let expected = footer(&[0x15, 10, 0xE5, 2, 0x1C, 0]);
        assert_eq!(repaired(&whole).unwrap().bytes, expected);
        let whole = footer(&[0x15, 10, 0xE5, 2, 0x1C, 0]);
        assert_eq!(repaired(&whole).unwrap().bytes, whole, "nothing else changes");
        for len in 0..whole.len() {
            assert_eq!(repaired(&whole[..len]), None, "{len}");
        }
        let deep = [0x1C; 1000];
        assert_eq!(repaired(&deep), None);
        let deep = [&[0x19][..], &[0x19; 1000]].concat();
        assert_eq!(repaired(&deep), None);
    }

    #[test]
    fn encrypted_columns_are_seen() {
        assert!(repaired(&[0x15, 2, 0x7C, 0, 0]).unwrap().is_encrypted);
    }
}

//! `FieldValue`: the value of a record's field, as far as it takes part in an order. 24 bytes.

use std::cmp::Ordering;

/// A value by which records are put in order: none, then numbers, then texts by their first 23 bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FieldValue([u8; Self::LEN]);

impl FieldValue {
    const LEN: usize = 24;
    /// The first byte of each kind of value.
    const NUMBER: u8 = 1;
    const TEXT: u8 = 2;

    /// The value of a field with this content. What reads as a number is one.
    pub(crate) fn new(content: &[u8]) -> Self {
        let number = std::str::from_utf8(content).ok().map(str::trim);
        let mut bytes = [0; Self::LEN];
        match number.and_then(|text| Some((text, text.parse().ok().filter(|number: &f64| number.is_finite())?))) {
            Some((text, number)) => {
                bytes[0] = Self::NUMBER;
                // Zero has two signs.
                let bits = (number + 0.0).to_bits();
                let ordered = if bits >> 63 == 1 { !bits } else { bits | 1 << 63 };
                bytes[1..9].copy_from_slice(&ordered.to_be_bytes());
                // Whole numbers of more than 53 bits differ by what the nearest f64 leaves.
                let rest = text.parse::<i128>().map_or(0, |whole| whole.saturating_sub(number as i128));
                let rest = rest.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
                bytes[9..17].copy_from_slice(&(rest.cast_unsigned() ^ 1 << 63).to_be_bytes());
            }
            None => {
                bytes[0] = Self::TEXT;
                let len = content.len().min(Self::LEN - 1);
                bytes[1..=len].copy_from_slice(&content[..len]);
            }
        }
        Self(bytes)
    }

    /// Whether there is a value.
    pub(crate) fn is_some(&self) -> bool {
        self.cmp(&Self::default()) == Ordering::Greater
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_by_value_and_below_texts() {
        let ordered = [
            "-1e300",
            "-10",
            "-9.5",
            "-0",
            "0.25",
            "3",
            " 9 ",
            "10",
            "9007199254740992",
            "9007199254740993",
            "1e300",
            "",
            "2024-01-05T10:00:00.5Z",
            "2024-01-05T10:00:00.6Z",
            "inf",
            "nan",
            "é",
        ];
        let values: Vec<FieldValue> = ordered.iter().map(|text| FieldValue::new(text.as_bytes())).collect();
        assert!(values.is_sorted() && values.windows(2).all(|pair| pair[0] != pair[1]), "{values:?}");
        assert!(values.iter().all(FieldValue::is_some) && !FieldValue::default().is_some());
        assert_eq!(FieldValue::new(b"-0"), FieldValue::new(b"0.0"));
    }
}

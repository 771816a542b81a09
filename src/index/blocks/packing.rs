//! Compact numbers: columns with a fixed bit width, and variable-length integers.

/// The maximum width of a column in bits: a number and the bits before it in its first byte must fit in 64 bits.
pub(crate) const MOST_WIDTH: u32 = 56;

/// The number of bits of the greatest number of a column.
pub(crate) fn width_of(most: u64) -> u32 {
    64 - most.leading_zeros()
}

/// The number of bytes of a column.
pub(crate) fn packed_len(count: usize, width: u32) -> usize {
    (count * width as usize).div_ceil(8)
}

/// Appends a column of numbers of at most `width` bits each.
pub(crate) fn push_packed(values: impl Iterator<Item = u64>, width: u32, bytes: &mut Vec<u8>) {
    debug_assert!(width <= MOST_WIDTH);
    let (mut window, mut filled) = (0u64, 0);
    for value in values {
        window |= value << filled;
        filled += width;
        while filled >= 8 {
            bytes.push(window as u8);
            window >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 {
        bytes.push(window as u8);
    }
}

/// Passes on the numbers of a column; returns `None` when there are too few bytes.
pub(crate) fn unpack(bytes: &[u8], count: usize, width: u32, mut visit: impl FnMut(u64)) -> Option<()> {
    if width > MOST_WIDTH || bytes.len() < packed_len(count, width) {
        return None;
    }
    let mask = (1u64 << width) - 1;
    for number in 0..count {
        let bit = number * width as usize;
        let rest = &bytes[bit / 8..];
        let window = match rest.first_chunk::<8>() {
            Some(window) => u64::from_le_bytes(*window),
            None => rest.iter().rev().fold(0, |window, &byte| window << 8 | u64::from(byte)),
        };
        visit(window >> (bit % 8) & mask);
    }
    Some(())
}

/// Appends a number in groups of seven bits, the lowest first.
pub(crate) fn push_varint(mut value: u64, bytes: &mut Vec<u8>) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Removes a number from the front of some bytes; `None` when they do not begin with a valid number.
pub(crate) fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.split_off_first()?;
        let part = u64::from(byte & 0x7F);
        if part << shift >> shift != part {
            return None;
        }
        value |= part << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// Removes a number that fits in 32 bits from the front of some bytes.
pub(crate) fn take_u32(bytes: &mut &[u8]) -> Option<u32> {
    take_varint(bytes).and_then(|value| u32::try_from(value).ok())
}

/// Removes a length from the front of some bytes.
pub(crate) fn take_len(bytes: &mut &[u8]) -> Option<usize> {
    take_varint(bytes).and_then(|value| usize::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn columns_come_back(values in prop::collection::vec(any::<u64>(), 0..300), width in 0..=MOST_WIDTH) {
            let values: Vec<u64> = values.iter().map(|value| value & ((1u64 << width) - 1)).collect();
            let mut bytes = Vec::new();
            push_packed(values.iter().copied(), width, &mut bytes);
            prop_assert_eq!(bytes.len(), packed_len(values.len(), width));
            let mut unpacked = Vec::new();
            prop_assert!(unpack(&bytes, values.len(), width, |value| unpacked.push(value)).is_some());
            prop_assert_eq!(&unpacked, &values);
            prop_assert!(width_of(values.iter().copied().max().unwrap_or(0)) <= width);
            if !bytes.is_empty() {
                prop_assert!(unpack(&bytes[1..], values.len(), width, |_| ()).is_none());
            }
        }

        #[test]
        fn varints_come_back_and_cut_ones_do_not(values in prop::collection::vec(any::<u64>(), 1..20)) {
            let mut bytes = Vec::new();
            values.iter().for_each(|&value| push_varint(value, &mut bytes));
            let mut rest = bytes.as_slice();
            for &value in &values {
                prop_assert_eq!(take_varint(&mut rest), Some(value));
            }
            prop_assert_eq!(take_varint(&mut rest), None);
        }

        #[test]
        fn any_bytes_are_a_number_or_none(bytes in prop::collection::vec(any::<u8>(), 0..12)) {
            let _ = take_varint(&mut bytes.as_slice());
        }
    }
}

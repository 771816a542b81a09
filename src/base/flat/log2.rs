//! Binary logarithms in integers: the same bits on every machine, whatever its mathematical library.

/// The number of fractional bits of a logarithm.
pub(crate) const FRACTION_BITS: u32 = 52;

/// log₂ of `number` in units of 2⁻⁵², rounded down; the error is below 1.001 units.
///
/// The mantissa, from 1 to 2 in units of 2⁻⁶³, is squared for each bit. The next bit of the logarithm is 1 when the
/// square, rounded down, is 2 or more; the square is then halved, rounded down. `number` 0 counts as 1.
pub(crate) fn log2(number: u64) -> u64 {
    let number = number.max(1);
    let exponent = u64::from(63 - number.leading_zeros());
    let mut mantissa = u128::from(number << number.leading_zeros());
    let mut fraction = 0;
    for _ in 0..FRACTION_BITS {
        mantissa = (mantissa * mantissa) >> 63;
        let bit = mantissa >> 64;
        mantissa >>= bit;
        fraction = fraction << 1 | bit as u64;
    }
    exponent << FRACTION_BITS | fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_floating_point_numbers_and_pinned() {
        for number in (1..2000).chain([1 << 20, (1 << 32) - 1, 1 << 40, u64::MAX >> 12, 999_999_999_989]) {
            let exact = (number as f64).log2();
            let ours = log2(number) as f64 / (1u64 << FRACTION_BITS) as f64;
            assert!((ours - exact).abs() < 1e-14 * exact.max(1.0), "{number}: {ours} {exact}");
        }
        assert_eq!([log2(0), log2(1), log2(2), log2(1 << 63)], [0, 0, 1 << 52, 63 << 52]);
        assert_eq!([log2(3), log2(10), log2(1_000_003)], [7138036527644008, 14960634130286306, 89763824273651148]);
    }
}

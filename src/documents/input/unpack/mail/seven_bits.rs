//! Charsets of East Asia in bytes of seven bits, which `encoding_rs` does not decode: HZ (RFC 1843), ISO-2022-KR (RFC 1557)
//! and the part of ISO-2022-CN (RFC 1922) for simplified characters. With the eighth bit set,
//! their bytes are EUC-KR or GBK.

use encoding_rs::{EUC_KR, Encoding, GBK};

/// A charset of bytes with seven bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SevenBits {
    Hz,
    Korean,
    Chinese,
}

const SHIFT_OUT: u8 = 0x0E;
const SHIFT_IN: u8 = 0x0F;

impl SevenBits {
    /// The charset with this label in small letters.
    pub(super) fn of_label(label: &str) -> Option<Self> {
        match label {
            "hz" | "hz-gb-2312" => Some(Self::Hz),
            "iso-2022-kr" | "csiso2022kr" => Some(Self::Korean),
            "iso-2022-cn" | "csiso2022cn" => Some(Self::Chinese),
            _ => None,
        }
    }

    /// The text in bytes of an encoding with eight bits; `None` if it has other characters.
    pub(super) fn with_eight_bits(self, bytes: &[u8]) -> Option<(Vec<u8>, &'static Encoding)> {
        let (mut made, mut rest, mut is_shifted) = (Vec::with_capacity(bytes.len()), bytes, false);
        let designation: &[u8] = if self == Self::Korean { b"\x1B$)C" } else { b"\x1B$)A" };
        while let Some((&byte, behind)) = rest.split_first() {
            let mut len = 1;
            match (self, byte, behind.first()) {
                (Self::Hz, b'~', Some(b'{' | b'}')) => {
                    is_shifted = behind[0] == b'{';
                    len = 2;
                }
                (Self::Hz, b'~', Some(b'~')) if !is_shifted => {
                    made.push(b'~');
                    len = 2;
                }
                (Self::Hz, b'~', Some(b'\n')) => len = 2,
                (Self::Korean | Self::Chinese, 0x1B, _) if rest.starts_with(designation) => len = designation.len(),
                (Self::Korean | Self::Chinese, 0x1B, _) => return None,
                (Self::Korean | Self::Chinese, SHIFT_OUT | SHIFT_IN, _) => is_shifted = byte == SHIFT_OUT,
                (_, b'\n', _) => {
                    is_shifted = false;
                    made.push(byte);
                }
                (_, 0x21..=0x7E, _) if is_shifted => made.push(byte | 0x80),
                _ => made.push(byte),
            }
            rest = &rest[len..];
        }
        Some((made, if self == Self::Korean { EUC_KR } else { GBK }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_seven_bits_are_decoded() {
        let text = |charset: SevenBits, bytes: &[u8]| {
            let (bytes, encoding) = charset.with_eight_bits(bytes)?;
            Some(encoding.decode_without_bom_handling(&bytes).0.into_owned())
        };
        assert_eq!(text(SevenBits::Hz, b"a ~~ ~{VPND~} b~\nc").as_deref(), Some("a ~ 中文 bc"));
        assert_eq!(text(SevenBits::Korean, b"\x1B$)Ca \x0EGQ19\x0F b\n").as_deref(), Some("a 한국 b\n"));
        assert_eq!(text(SevenBits::Chinese, b"\x1B$)A\x0EVPND\x0F.").as_deref(), Some("中文."));
        assert_eq!(text(SevenBits::Chinese, b"\x1B$)G\x0E0000\x0F"), None);
    }
}

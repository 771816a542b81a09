//! Mutations: bytes and a seed in, damaged bytes out; the same every time.

use crate::random::Random;

/// Pieces that parsers stumble over.
const PIECES: [&[u8]; 30] = [
    b"\0",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\"",
    b"\"\"",
    b"\\",
    b"{",
    b"}",
    b"[[[[",
    b",",
    b"\t",
    b"\xEF\xBB\xBF",
    b"\xFF\xFE",
    b"\xFF",
    b"\xC3",
    b"\xED\xA0\x80",
    b"\xF4\x90\x80\x80",
    b"\\ud800",
    b"\\u0000",
    b"<svg>",
    b"<!--",
    b"<script>",
    b"&#x110000;",
    b"</",
    b"../",
    b"/",
    b"\xE2\x80\xA8",
    b"\xCC\x81",
    b"1e999",
];
/// Lengths and counts that overflow, or are off by one.
const NUMBERS: [u64; 12] =
    [0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, i64::MAX as u64, u64::MAX];

/// Mutates `bytes` some times; `others` are what pieces of other files are taken from.
pub(crate) fn mutate(bytes: &mut Vec<u8>, others: &[u8], random: &mut Random) {
    for _ in 0..1 + random.skewed(8) {
        mutate_once(bytes, others, random);
    }
}

/// Leaves out the end, somewhere.
fn cut(bytes: &mut Vec<u8>, random: &mut Random) {
    bytes.truncate(random.below(bytes.len() + 1));
}

fn mutate_once(bytes: &mut Vec<u8>, others: &[u8], random: &mut Random) {
    if bytes.is_empty() {
        return bytes.extend_from_slice(PIECES[random.below(PIECES.len())]);
    }
    let at = random.below(bytes.len());
    let len = 1 + random.skewed((bytes.len() - at).min(4096));
    match random.below(12) {
        0..=2 => bytes[at] ^= 1 << random.below(8),
        3 => bytes[at] = NUMBERS[random.below(6)] as u8,
        4 => {
            // A length field of two, four or eight bytes, in either order.
            let number = NUMBERS[random.below(NUMBERS.len())].to_le_bytes();
            let mut field = number[..[2, 4, 8][random.below(3)]].to_vec();
            if random.percent(50) {
                field.reverse();
            }
            let end = (at + field.len()).min(bytes.len());
            bytes.splice(at..end, field);
        }
        5 => cut(bytes, random),
        6 => drop(bytes.drain(at..at + len)),
        7 => {
            // A block twice, or many times.
            let times = if len < 64 { 1 + random.skewed(200) } else { 1 };
            let block = bytes[at..at + len].repeat(times);
            bytes.splice(at..at, block);
        }
        8 => {
            let block: Vec<u8> = bytes.drain(at..at + len).collect();
            let to = random.below(bytes.len() + 1);
            bytes.splice(to..to, block);
        }
        9 if !others.is_empty() => {
            let from = random.below(others.len());
            let end = (from + len).min(others.len());
            let to = if random.percent(50) { at } else { at + len };
            bytes.splice(at..to, others[from..end].iter().copied());
        }
        10 => bytes[at..at + len].iter_mut().for_each(|byte| *byte = random.next() as u8),
        _ => {
            let piece = PIECES[random.below(PIECES.len())];
            bytes.splice(at..at, piece.iter().copied());
        }
    }
}

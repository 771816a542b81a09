//! The encodings of rich text and of messages of Outlook, by the numbers of Windows.

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, IBM866, ISO_2022_JP, ISO_8859_2, ISO_8859_5, ISO_8859_7, KOI8_R,
    KOI8_U, MACINTOSH, SHIFT_JIS, UTF_8, WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253,
    WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, WINDOWS_1258,
};

use crate::documents::input::charset::{Charset, CodePage};

/// The encoding of a code page; Windows-1252 for an unknown one.
pub(in crate::documents::input) fn of_code_page(number: i32) -> Charset {
    if let Some(page) = number.try_into().ok().and_then(CodePage::of_number) {
        return Charset::Dos(page);
    }
    Charset::Web(match number {
        866 => IBM866,
        874 => WINDOWS_874,
        932 => SHIFT_JIS,
        936 => GBK,
        949 => EUC_KR,
        950 => BIG5,
        1250 => WINDOWS_1250,
        1251 => WINDOWS_1251,
        1253 => WINDOWS_1253,
        1254 => WINDOWS_1254,
        1255 => WINDOWS_1255,
        1256 => WINDOWS_1256,
        1257 => WINDOWS_1257,
        1258 => WINDOWS_1258,
        10000 => MACINTOSH,
        20866 => KOI8_R,
        21866 => KOI8_U,
        28592 => ISO_8859_2,
        28595 => ISO_8859_5,
        28597 => ISO_8859_7,
        50220..=50222 => ISO_2022_JP,
        51932 => EUC_JP,
        54936 => GB18030,
        20127 | 65001 => UTF_8,
        _ => WINDOWS_1252,
    })
}

/// The encoding of a font's character set; `None` when the font uses the encoding of the document.
pub(super) fn of_charset(number: i32) -> Option<Charset> {
    /// The character set of the code page of DOS.
    const OEM: i32 = 255;
    if number == OEM {
        return Some(of_code_page(437));
    }
    let encoding: &'static Encoding = match number {
        77 => MACINTOSH,
        128 => SHIFT_JIS,
        129 => EUC_KR,
        134 => GBK,
        136 => BIG5,
        161 => WINDOWS_1253,
        162 => WINDOWS_1254,
        163 => WINDOWS_1258,
        177 => WINDOWS_1255,
        178 => WINDOWS_1256,
        186 => WINDOWS_1257,
        204 => WINDOWS_1251,
        222 => WINDOWS_874,
        238 => WINDOWS_1250,
        _ => return None,
    };
    Some(encoding.into())
}

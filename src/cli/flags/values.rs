//! Parsers of flag values, which return a checked value or an error that says what to give instead.
//!
//! There is one parser for each kind of value. The caller's message adds the names of the flag and the value.

use std::ffi::OsStr;
use std::ops::RangeInclusive;

use bytesize::ByteSize;
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use dedup_scan::documents::{Filter, PathGlob, TextEncoding};

/// Parses a whole number in a range.
pub(crate) fn whole<T: TryFrom<u64>>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| match *range.end() {
            // Numbers near such a limit are not used.
            0xFFFF_FFFF.. => format!("give a whole number of {} or more", range.start()),
            end => format!("give a whole number from {} to {end}", range.start()),
        })
    }
}

/// The values of a flag that is one of several: their names, with old names after a `|`, and a line of help for each.
pub(crate) type Choices<T> = &'static [(&'static str, T, &'static str)];

/// Parses the name of one of several values.
pub(crate) fn choice<T: Clone + Send + Sync + 'static>(choices: Choices<T>) -> impl TypedValueParser<Value = T> {
    let possible = |&(names, _, help): &(&'static str, T, &'static str)| {
        let mut names = names.split('|');
        PossibleValue::new(names.next().unwrap_or_default()).aliases(names).help(help)
    };
    let choose = move |given: String| {
        let chosen = choices.iter().find(|(names, ..)| names.split('|').any(|name| name == given));
        chosen.expect("a possible value").1.clone()
    };
    PossibleValuesParser::new(choices.iter().map(possible).collect::<Vec<_>>()).map(choose)
}

/// Parses a similarity from 0 to 1.
pub(crate) fn similarity(text: &str) -> Result<f64, String> {
    share(text, "a similarity", 0.8)
}

/// Parses the share of a document that passages cover, from 0 to 1.
pub(crate) fn coverage(text: &str) -> Result<f64, String> {
    share(text, "a coverage", 0.1)
}

/// Parses the weight of a token, from 0 to 65535.
pub(crate) fn weight(text: &str) -> Result<f64, String> {
    let weight = text.parse().ok().filter(|weight: &f64| (0.0..=65535.0).contains(weight));
    weight.ok_or_else(|| "give a number from 0 to 65535, such as 0.5".to_owned())
}

/// Parses a number from 0 to 1, or a percentage.
fn share(text: &str, what: &str, example: f64) -> Result<f64, String> {
    let share = number_or_percentage(text).filter(|number| (0.0..=1.0).contains(number));
    share.ok_or_else(|| format!("give {what} from 0 to 1 or a percentage, such as {example} or {}%", example * 100.0))
}

/// Parses a decimal number or a percentage: 0.8 for `0.8`, `.8` and `80%`.
fn number_or_percentage(text: &str) -> Option<f64> {
    let Some(percent) = text.strip_suffix('%').map(str::trim_end) else { return text.parse().ok() };
    // The exponent moves the decimal point, so that 12.3% and 0.123 are the same number; a division would round a
    // second time.
    let is_decimal = percent.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_decimal.then(|| format!("{percent}e-2").parse().ok()).flatten()
}

/// Parses the probability that a pair is found, above 0 and below 1.
pub(crate) fn recall(text: &str) -> Result<f64, String> {
    let chance = number_or_percentage(text);
    chance.filter(|chance| *chance > 0.0 && *chance < 1.0).ok_or_else(|| match chance {
        Some(1.0) => {
            "signatures cannot find every pair with certainty; give a chance below 1, such as 0.9999".to_owned()
        }
        _ => "give a chance above 0 and below 1, such as 0.99 or 99%".to_owned(),
    })
}

/// Parses a number of bytes in a range.
///
/// * `named`: the range in words, for the error.
pub(crate) fn size(range: RangeInclusive<u64>, named: &'static str) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| {
        let size = text.parse::<ByteSize>().ok().filter(|_| is_size(text)).map(|size| size.as_u64());
        size.filter(|size| range.contains(size)).ok_or_else(|| format!("give a size {named}, such as 512MiB or 4GB"))
    }
}

/// Whether a text is a decimal number and a unit, or a whole number of bytes.
fn is_size(text: &str) -> bool {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).trim_end();
    let is_whole = number.bytes().all(|byte| byte.is_ascii_digit());
    is_whole || number.len() < text.len() && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

pub(crate) fn encoding(label: &str) -> Result<TextEncoding, String> {
    label.parse().map_err(|_| {
        "give auto, or the label of an encoding, such as latin1, windows-1252, shift_jis, gbk, utf-16le or cp850"
            .to_owned()
    })
}

pub(crate) fn filter(filter: &str) -> Result<Filter, String> {
    filter.parse().map_err(|_| "give an extension and a command, as in pdf='pdftotext - -'".to_owned())
}

pub(crate) fn glob(glob: &str) -> Result<PathGlob, String> {
    use globset::ErrorKind;
    glob.parse().map_err(|error: globset::Error| {
        let what = match error.kind() {
            ErrorKind::UnclosedClass => "a [ is never closed",
            ErrorKind::InvalidRange(..) => "a range in [ ] runs backwards",
            ErrorKind::UnclosedAlternates => "a { is never closed",
            ErrorKind::UnopenedAlternates => "a } closes nothing",
            ErrorKind::DanglingEscape => "it ends in a backslash",
            _ => "it cannot be used",
        };
        format!("{what}; correct the glob")
    })
}

/// Accepts any word, and lists the known words for completions; the command itself reports wrong words.
#[derive(Clone)]
pub(crate) struct WordOf(pub(crate) Vec<String>);

impl TypedValueParser for WordOf {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(PossibleValue::new)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_has_a_value_for_each_name() {
        const COLOURS: Choices<u8> = &[("red|crimson", 1, "Like blood"), ("blue", 2, "Like the sky")];
        let command = Command::new("x").arg(Arg::new("colour").value_parser(choice(COLOURS)));
        let chosen = ["red", "crimson", "blue", "red|crimson", "green"].map(|name| {
            let matches = command.clone().try_get_matches_from(["x", name]).ok()?;
            matches.get_one::<u8>("colour").copied()
        });
        assert_eq!(chosen, [Some(1), Some(1), Some(2), None, None]);
    }

    #[test]
    fn numbers_are_whole_and_in_range() {
        let threads = whole::<usize>(1..=1024);
        assert_eq!((threads("1"), threads("1024")), (Ok(1), Ok(1024)));
        for wrong in ["0", "1025", "-1", "1.5", "", "x", "99999999999999999999"] {
            assert_eq!(threads(wrong), Err("give a whole number from 1 to 1024".into()));
        }
        let any = whole::<u64>(1..=u64::MAX);
        assert_eq!(any("0"), Err("give a whole number of 1 or more".into()));
    }

    #[test]
    fn a_similarity_is_a_number_or_a_percentage() {
        for (text, number) in [
            ("0.8", 0.8),
            (".8", 0.8),
            ("80%", 0.8),
            ("1e-1", 0.1),
            ("1", 1.0),
            ("100%", 1.0),
            ("0%", 0.0),
            ("12.3 %", 0.123),
            (".7%", 0.007),
            ("57.3%", 0.573),
        ] {
            assert_eq!(similarity(text), Ok(number), "{text}");
        }
        for wrong in ["80", "-1", "1e400", "NaN", "inf", "0,8", "", "%", "101%", "-1%", "8e1%", ".%", "1.2.3%"] {
            let error = "give a similarity from 0 to 1 or a percentage, such as 0.8 or 80%";
            assert_eq!(similarity(wrong), Err(error.into()), "{wrong}");
        }
        assert_eq!(coverage("x"), Err("give a coverage from 0 to 1 or a percentage, such as 0.1 or 10%".into()));
        assert_eq!((recall("99.9%"), recall(".5")), (Ok(0.999), Ok(0.5)));
        assert!(
            recall("100%").unwrap_err().starts_with("signatures cannot find every pair"),
            "all are found otherwise"
        );
    }

    #[test]
    fn sizes_are_numbers_with_units() {
        let any = size(1..=1 << 60, "from 1 byte to 1EiB");
        for (text, bytes) in [
            ("1", 1),
            ("1000", 1000),
            ("10MiB", 10 << 20),
            ("10 MiB", 10 << 20),
            ("1.5KiB", 1536),
            ("4GB", 4_000_000_000),
            ("4gb", 4_000_000_000),
            ("3kB", 3000),
        ] {
            assert_eq!(any(text), Ok(bytes), "{text}");
        }
        for wrong in
            ["0", "1e3", "0.5", "-1", "", "MiB", "1.2.3MiB", "10 foo", "99999999999999999999", "9999EiB", "inf"]
        {
            let error = "give a size from 1 byte to 1EiB, such as 512MiB or 4GB";
            assert_eq!(any(wrong), Err(error.into()), "{wrong}");
        }
    }
}

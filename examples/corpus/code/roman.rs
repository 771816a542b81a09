//! Convert numbers to Roman numerals and back.

const STEPS: [(u32, &str); 13] = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"),
    (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
    (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
];

/// Zero has no numeral, and from 4000 upward we would need bars.
pub fn to_roman(mut n: u32) -> Option<String> {
    if n == 0 || n > 3999 {
        return None;
    }
    let mut out = String::new();
    for &(value, glyph) in &STEPS {
        while n >= value {
            out.push_str(glyph);
            n -= value;
        }
    }
    Some(out)
}

/// Accepts only the spelling which `to_roman` itself would produce.
pub fn from_roman(text: &str) -> Option<u32> {
    let mut rest = text;
    let mut n = 0;
    for &(value, glyph) in &STEPS {
        while let Some(tail) = rest.strip_prefix(glyph) {
            n += value;
            rest = tail;
        }
    }
    (rest.is_empty() && to_roman(n).as_deref() == Some(text)).then_some(n)
}

fn main() {
    for arg in std::env::args().skip(1) {
        let answer = match arg.parse::<u32>() {
            Ok(n) => to_roman(n),
            Err(_) => from_roman(&arg).map(|n| n.to_string()),
        };
        println!("{}", answer.unwrap_or_else(|| format!("{arg}: cannot convert")));
    }
}

//! Malformed records: rewrites the JSON parser's errors in words for whoever wrote the file.

/// What a record is, as the parser is told.
pub(super) const OBJECT: &str = "a record";

/// The parser's words, or how they begin, and ours.
const WORDS: [(&str, &str); 18] = [
    ("EOF while parsing a list", "it ends within an array"),
    ("EOF while parsing an object", "it ends within an object"),
    ("EOF while parsing a string", "it ends within a string"),
    ("EOF while parsing a value", "it ends where a value should be"),
    ("expected `:`", "there is no colon behind the name of a field"),
    ("expected `,` or `]`", "there is neither a comma nor a ] behind an element"),
    ("expected `,` or `}`", "there is neither a comma nor a } behind a value"),
    ("expected ident", "a word is none of true, false and null"),
    ("expected value", "there is no value where one should be"),
    ("key must be a string", "the name of a field is not in quotation marks"),
    ("trailing comma", "there is a comma behind the last field or element"),
    ("trailing characters", "something stands behind the object"),
    ("invalid escape", "a backslash is before a character that it does not go with"),
    ("invalid number", "a number is not written as in JSON"),
    ("number out of range", "a number is too large"),
    ("invalid unicode code point", "bytes that are not UTF-8"),
    ("control character", "a control character in a string, such as a tab, is not escaped"),
    ("recursion limit exceeded", "too many arrays and objects are within each other"),
];

/// The parser counts lines within the record, which is one; the column alone tells where.
pub(super) fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = words(&text);
    if let Some(found) = text.strip_prefix("invalid type: ").filter(|rest| rest.ends_with(OBJECT)) {
        return format!("malformed record: {}, where a JSON object is read; skipped", kind(found));
    }
    let text = match text {
        "unexpected end of hex escape" | "lone leading surrogate in hex escape" => {
            "half a surrogate pair, which is no character"
        }
        // What is not the parser's is ours.
        text => WORDS.iter().find(|(theirs, _)| text.starts_with(theirs)).map_or(text, |&(_, ours)| ours),
    };
    format!("malformed record, column {}: {text}; skipped", error.column())
}

/// What the parser has found in the place of an object.
fn kind(found: &str) -> &'static str {
    match found.split([' ', ',']).next() {
        Some("string") => "a string",
        Some("sequence") => "an array",
        Some("boolean") => "true or false",
        Some("null") => "null",
        _ => "a number",
    }
}

/// What the parser says, without the place that it puts at the end.
pub(super) fn words(error: &str) -> &str {
    error.rsplit_once(" at line ").map_or(error, |(words, _)| words)
}

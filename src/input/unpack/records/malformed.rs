//! Malformed records: what the parser of JSON says of them, in words for whoever wrote the file.

/// Characters of the parser's words that are shown; they may quote a value of any length.
const SHOWN: usize = 200;

/// The parser counts lines within the record, which is one; the column alone tells where.
pub(super) fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = match words(&text) {
        "invalid type: sequence, expected a JSON object" => {
            return "malformed record: a JSON array, where one object a line is read; skipped".to_owned();
        }
        "unexpected end of hex escape" | "lone leading surrogate in hex escape" => {
            "half a surrogate pair, which is no character"
        }
        text => text,
    };
    // In the words of JSON, not of the parser.
    let text = &[
        ("EOF while parsing a value", "it ends where a value should be"),
        ("EOF while parsing", "it ends within"),
        ("invalid type: map", "invalid type: object"),
        ("invalid type: sequence", "invalid type: array"),
    ]
    .into_iter()
    .find_map(|(theirs, ours)| Some(format!("{ours}{}", text.strip_prefix(theirs)?)))
    .unwrap_or_else(|| text.to_owned());
    let text = match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    };
    format!("malformed record, column {}: {text}; skipped", error.column())
}

/// What the parser says, without the place that it puts at the end.
pub(super) fn words(error: &str) -> &str {
    error.rsplit_once(" at line ").map_or(error, |(words, _)| words)
}

//! Suggests words that may have been meant, and formats lists of words.

/// Number of letters per typing error; a word with more errors is a different word.
const LETTERS_OF_AN_ERROR: usize = 4;
/// Minimum number of letters of a prefix that is recognised as a name.
const SHORTEST_PREFIX: usize = 4;

/// The name that was meant by a word with typing errors, or by a prefix of one name; `None` if in doubt, since a wrong
/// name misleads.
pub(crate) fn similar<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let names: Vec<&str> = names.collect();
    let mut completions = names.iter().filter(|name| word.len() >= SHORTEST_PREFIX && name.starts_with(word));
    if let (Some(name), None) = (completions.next(), completions.next()) {
        return Some(name);
    }
    // Swapped letters count as one error, as in scna. If several names have the same number of errors, the first is
    // suggested.
    let most = (word.chars().count() / LETTERS_OF_AN_ERROR).max(1);
    let near = names.into_iter().map(|name| (strsim::osa_distance(word, name), name));
    near.filter(|&(errors, name)| errors <= most && errors < name.len())
        .min_by_key(|&(errors, _)| errors)
        .map(|(_, name)| name)
}

/// The words in a list with commas, and `or` before the last.
pub(crate) fn one_of(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        words => words.concat(),
    }
}

/// Advice to give one of these names instead of a wrong word, with the name that may have been meant.
pub(crate) fn instead_of(word: &str, names: &[impl AsRef<str>]) -> String {
    match similar(word, names.iter().map(AsRef::as_ref)) {
        Some(similar) => format!("give {}; {similar} is similar", one_of(names)),
        None => format!("give {}", one_of(names)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_is_found() {
        let names = ["text", "markdown", "sarif", "csv", "tsv"];
        assert_eq!(similar("markdwon", names.into_iter()), Some("markdown"));
        assert_eq!(similar("serif", names.into_iter()), Some("sarif"));
        assert_eq!(similar("scna", ["schema", "scan"].into_iter()), Some("scan"));
        assert_eq!(similar("xlsx", names.into_iter()), None);
        assert_eq!(similar("mark", names.into_iter()), Some("markdown"), "it is cut short");
        let flags = ["lowercase", "no-lowercase", "delimiter", "summary", "index", "include", "input-format"];
        for other in ["ignore-case", "delete", "similarity", "find", "in", "x", ""] {
            assert_eq!(similar(other, flags.into_iter()), None, "{other}");
        }
        assert_eq!(instead_of("tsvv", &["csv", "tsv"]), "give csv or tsv; tsv is similar");
        assert_eq!(instead_of("pdf", &["csv", "tsv", "xml"]), "give csv, tsv or xml");
    }
}

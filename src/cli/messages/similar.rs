//! Words that may have been meant, and lists of words.

/// How alike words are, from 0 to 1, from which on one may have been meant for the other.
const ALIKE: f64 = 0.7;

/// The name that is most like a word, unless none is.
pub(crate) fn similar<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let alike = names.filter(|name| strsim::jaro(word, name) > ALIKE);
    // Letters that changed places count as one error, as in scna; of two names that are as near the first.
    let near = alike.map(|name| (strsim::normalized_damerau_levenshtein(word, name), name));
    let nearest = near.fold(None, |best: Option<(f64, &str)>, found| match best {
        Some(best) if best.0 >= found.0 => Some(best),
        _ => Some(found),
    });
    nearest.map(|(_, name)| name)
}

/// Words with commas, and `or` before the last.
pub(crate) fn one_of(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        words => words.concat(),
    }
}

/// What to give in place of a wrong word: one of these, and the one that may have been meant.
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
        assert_eq!(instead_of("tsvv", &["csv", "tsv"]), "give csv or tsv; tsv is similar");
        assert_eq!(instead_of("pdf", &["csv", "tsv", "xml"]), "give csv, tsv or xml");
    }
}

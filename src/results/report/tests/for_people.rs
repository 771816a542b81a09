//! Tests of formats for people: the pull request comment and the terminal screen.

use super::{pair, settings, with_passages, written};
use crate::records::PairRecord;
use crate::results::report::{ReportSettings, words};

#[test]
fn a_comment_fits_its_limit_and_says_what_it_left_out() {
    let names: Vec<String> = (0..5000).map(|number| format!("{}{number}`|@all", "d/".repeat(number % 300))).collect();
    let pairs: Vec<PairRecord> = names
        .windows(2)
        .enumerate()
        .map(|(at, names)| pair(names[0].as_bytes(), names[1].as_bytes(), 50 + at as u64 % 50))
        .collect();
    let text = written("markdown", &settings(), &pairs);
    assert!(text.len() <= 65_536 && text.len() > 60_000, "{}", text.len());
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| ") && line.contains(" % ")).collect();
    assert!(rows[0].starts_with("| 98") && rows.len() > 20, "{}", rows[0]);
    let left: usize = 4999 - rows.len();
    let left = words::counted(left as u64, "more pair");
    assert!(
        text.ends_with(&format!("\n{left} did not fit into this comment, none of which is more similar.\n")),
        "{}",
        &text[text.len() - 200..]
    );
    // Every row has three cells: bars in names are escaped.
    let cells = |row: &str| row.replace("\\|", "").matches('|').count();
    assert!(rows.iter().all(|row| cells(row) == 4));
    // Short rows fill the comment as well.
    let short: Vec<PairRecord> = std::iter::repeat_with(|| pair(b"a", b"b", 1)).take(4000).collect();
    let text = written("markdown", &settings(), &short);
    assert!(text.len() <= 65_536 && text.len() > 64_500, "{}", text.len());
    let one = written("markdown", &settings(), &[with_passages(b"a", b"b")]);
    assert!(one.contains("\n| Similarity | Document | Other document |\n"), "{one}");
    let matched = PairRecord { matched: Some(35), ..with_passages(b"a", b"b") };
    let by_passages = written("markdown", &settings(), &[matched]);
    assert!(by_passages.contains("\n| Coverage | Document | Other document |\n"), "{by_passages}");
    assert!(by_passages.contains("\n| 50 % | `a`"), "{by_passages}");
    assert!(one.ends_with("| 42.8 % | `a`, lines 5-9, 3 | `b`, lines 1-4, 8-9 |\n"), "{one}");
}

#[test]
fn a_screen_shows_the_most_similar_and_counts_the_others() {
    let names: Vec<[String; 2]> = (0..30)
        .map(|number| {
            ["", "copy-of-"].map(|copy| format!("{number}/a/long/folder/of/some/depth/and/more/{copy}file.txt"))
        })
        .collect();
    let pairs: Vec<PairRecord> =
        (50..).zip(&names).map(|(shared, [a, b])| pair(a.as_bytes(), b.as_bytes(), shared)).collect();
    let text = written("text", &ReportSettings { rows: 10, ..settings() }, &pairs);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        (lines.len(), lines[0]),
        (8, "Near-duplicates: 30 pairs of 60 documents in 30 groups; 58 documents compared")
    );
    assert_eq!(lines[1], " 65.2 %  29/a/long/folder/of/some/depth/and/more/file.txt  …/copy-of-file.txt");
    assert_eq!(lines[7], "24 more pairs; see all with `| less`, or format html=report.html");
    let whole = written("text", &ReportSettings { rows: usize::MAX, ..settings() }, &pairs);
    assert_eq!(whole.lines().count(), 31);
    use unicode_width::UnicodeWidthStr;
    assert!(lines.iter().all(|line| line.width() <= 80), "{text}");
    let coloured = written("text", &ReportSettings { rows: 10, is_coloured: true, ..settings() }, &pairs);
    let plain = regex::Regex::new("\x1b\\[[0-9;]*m").unwrap().replace_all(&coloured, "").into_owned();
    assert_eq!(plain, text);
}

#[test]
fn documents_that_belong_together_are_a_group() {
    let pairs = [pair(b"d/a", b"d/b", 60), pair(b"d/c", b"d/e", 90), pair(b"d/b", b"d/f", 70)];
    let text = written("text", &settings(), &pairs);
    let (_, view) = text.split_once('\n').unwrap();
    assert_eq!(
        view,
        "in d/\n 81.8 %  c  e\n 53.8 %  3 documents, 42.8 to 53.8 % similar\n           a\n   42.8 %  b\n   53.8 %  f  with b\n"
    );
    let settings = ReportSettings { is_ranked: true, has_numbers: false, ..settings() };
    let listed = written("text", &settings, &pairs);
    assert_eq!(listed, "in d/\n 42.8 %  a  b\n 81.8 %  c  e\n 53.8 %  b  f\n");
}

#[test]
fn a_screen_links_the_files_that_are_there() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a b.txt"), "").unwrap();
    let settings =
        ReportSettings { links: Some("host".to_owned()), folder: Some(folder.path().to_owned()), ..settings() };
    let text = written("text", &settings, &[pair(b"a b.txt!member", b"gone", 60)]);
    let address = format!("file://host{}/a%20b.txt", folder.path().display());
    let link = format!("\x1b]8;;{address}\x1b\\a b.txt!member\x1b]8;;\x1b\\");
    assert!(text.contains(&format!("  {link}  gone\n")), "{text:?}");
}

//! A file of answers that is a table.

use crate::review::{REVIEW, report, saved};
use crate::support::Workspace;

/// A table as a page saves it, and as a spreadsheet writes it again.
#[test]
fn a_table_of_answers_is_read_and_added_to() {
    let corpus = saved("review_table").stdin("y\nq\n");
    let rows = [("f05", "yes", "the same"), ("f13", "no", ""), ("f17", "", "look again")];
    let page = rows.map(|(b, answer, note)| format!("in/f00,in/{b},0.9,{answer},{note}\n")).concat();
    let sheet =
        rows.map(|(b, answer, note)| format!("in/f00;in/{b};0,9;{};{note}\r\n", answer.to_uppercase())).concat();
    let corpus = corpus
        .file("page.csv", format!("a,b,jaccard,answer,note\n{page}"))
        .file("sheet.csv", format!("\u{FEFF}a;b;jaccard;answer;note\r\n{sheet}"))
        .file(
            "excel.csv",
            format!("\u{FEFF}sep=;\r\na;b;jaccard;answer;note\r\n{sheet}")
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<u8>>(),
        )
        .file("book.csv", "PK\u{3}\u{4}")
        .file("wrong.csv", "a,b,jaccard,answer,note\nin/f00,in/f05,0.9,perhaps,\n");
    for file in ["page.csv", "sheet.csv", "excel.csv"] {
        let look = |stdout: &str| {
            assert_eq!((report(stdout).yes, report(stdout).no, report(stdout).answered), (1, 1, 2), "{stdout}");
        };
        let args = [&REVIEW[..], &["--report", "--answers", file]].concat();
        corpus.dedup(&args).stdout_with(look).stderr("").exit_code(0);
        let shown = |stdout: &str| {
            assert!(stdout.contains("answer yes: the same") && stdout.contains("look again"), "{stdout}");
        };
        corpus.dedup(&["report", "r", "--answers", file]).stdout_with(shown).stderr("").exit_code(0);
        // A new answer is a new row.
        let before = text_of(&corpus, file);
        let args = [&REVIEW[..], &["--answers", file]].concat();
        corpus.dedup(&args).stdout_with(|stdout| assert_eq!(report(stdout).yes, 2)).stderr_with(|_| ()).exit_code(0);
        let added = text_of(&corpus, file).strip_prefix(&before).unwrap().replace(';', ",");
        assert!(added.starts_with("in/f00,in/f09,0.") && added.ends_with(",yes,\n"), "{added}");
    }
    let fault = "dedup: wrong.csv: line 2 is not an answer (\"perhaps\" is not yes, no or skip); correct it, or name another file\n";
    corpus.dedup(&["report", "r", "--answers", "wrong.csv"]).stdout("").stderr(fault).exit_code(2);
    let fault = "dedup: book.csv: it is a workbook, not text; save it as CSV\n";
    corpus.dedup(&["report", "r", "--answers", "book.csv"]).stdout("").stderr(fault).exit_code(2);
}

/// The text of a file in UTF-8, or in UTF-16 with a byte order mark.
fn text_of(corpus: &Workspace, file: &str) -> String {
    let bytes = std::fs::read(corpus.path(file)).unwrap();
    match bytes.strip_prefix(b"\xFF\xFE") {
        Some(units) => char::decode_utf16(units.as_chunks().0.iter().map(|unit| u16::from_le_bytes(*unit)))
            .map(Result::unwrap)
            .collect(),
        None => String::from_utf8(bytes).unwrap(),
    }
}

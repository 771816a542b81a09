//! A file of answers that is a table.

use crate::review::{REVIEW, report, saved};

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
        .file("wrong.csv", "a,b,jaccard,answer,note\nin/f00,in/f05,0.9,perhaps,\n");
    for file in ["page.csv", "sheet.csv"] {
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
        let before = corpus.read(file);
        let args = [&REVIEW[..], &["--answers", file]].concat();
        corpus.dedup(&args).stdout_with(|stdout| assert_eq!(report(stdout).yes, 2)).stderr_with(|_| ()).exit_code(0);
        let added = corpus.read(file).strip_prefix(&before).unwrap().replace(';', ",");
        assert!(added.starts_with("in/f00,in/f09,0.") && added.ends_with(",yes,\n"), "{added}");
    }
    let fault = "dedup: wrong.csv: line 2 is not an answer (\"perhaps\" is not yes, no or skip); correct it, or name another file\n";
    corpus.dedup(&["report", "r", "--answers", "wrong.csv"]).stdout("").stderr(fault).exit_code(2);
}

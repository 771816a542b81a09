//! Office documents in the products of a search: copies, plans, indexes and reports.

use crate::office::*;
use crate::packing::zip;
use crate::support::*;

const TEXT: &str = "The ferry to Osterby leaves at nine, and the clock of the old town hall strikes ten before it is out of sight. \
    Nobody knows why; the keeper, who is said to set it by his own watch, does not say.";

/// Three documents of one text, and another one.
fn corpus(name: &'static str) -> Workspace {
    let paragraphs = [word_paragraph("First."), word_paragraph(TEXT)].concat();
    Workspace::new(name)
        .file("in/a.docx", docx(&paragraphs, ""))
        .file("in/b.odt", odt(&format!("<text:p>First.</text:p><text:p>{TEXT}</text:p>")))
        .file("in/c.txt", format!("First.\n\n{TEXT}"))
        .file("in/d.rtf", rtf(LOREM))
}

#[test]
fn copies_and_plans_keep_documents_whole() {
    let corpus = corpus("unique_documents");
    corpus.dedup(&["unique", "-q", "in", "-o", "out"]).stdout("").stderr("").exit_code(0);
    let same = |a: &str, b: &str| std::fs::read(corpus.path(a)).unwrap() == std::fs::read(corpus.path(b)).unwrap();
    assert!(same("in/a.docx", "out/a.docx") && same("in/d.rtf", "out/d.rtf"));
    assert_eq!(std::fs::read_dir(corpus.path("out")).unwrap().count(), 2);
    corpus.dedup(&["unique", "-q", "in", "-o", "linked", "--link"]).stdout("").stderr("").exit_code(0);
    assert!(same("in/a.docx", "linked/a.docx"));
    corpus
        .dedup(&["plan", "-q", "in"])
        .stdout_with(|script| {
            let lines = |verb: &str| script.lines().filter(|line| line.starts_with(verb)).count();
            assert_eq!((lines("keep 'in/a.docx'"), lines("remove 'in/b.odt'"), lines("remove 'in/c.txt'")), (1, 1, 1));
        })
        .stderr("")
        .exit_code(0);
    let message = "dedup: x.jsonl: its name says JSON, and the input in/a.docx is an office document; use the extension of the input\n";
    corpus.dedup(&["unique", "-q", "in/a.docx", "-o", "x.jsonl"]).stdout("").stderr(message).exit_code(2);
}

#[test]
fn an_index_keeps_the_text_of_a_document_or_reads_it_again() {
    let corpus = corpus("indexed_documents");
    let member = std::fs::read(corpus.path("in/a.docx")).unwrap();
    let corpus = corpus.file("z.zip", zip(&[("a.docx", &member)], ::zip::CompressionMethod::Stored));
    for texts in ["keep", "refer"] {
        let index = format!("{texts}.dedup");
        corpus
            .dedup(&["index", "build", "-q", &index, "in", "z.zip", "--texts", texts])
            .stdout("")
            .stderr("")
            .exit_code(0);
        corpus
            .dedup(&["query", "-q", &index, "in/c.txt", "--passages"])
            .stdout_with(|lines| {
                for name in ["in/a.docx", "in/b.odt", "z.zip!a.docx"] {
                    let line = lines.lines().find(|line| line.contains(&format!(r#""b":"{name}""#)));
                    let part = r#""b":{"lines":[1,2],"#;
                    assert!(line.is_some_and(|line| line.contains(part) && line.contains(r#""of":"text""#)), "{lines}");
                }
            })
            .stderr("")
            .exit_code(0);
    }
}

#[test]
fn reports_for_people_have_the_lines_of_the_text() {
    let text = "Near-duplicates: 1 pair of 2 documents in 1 group; 2 documents compared\nin in/\n  100 %  a.docx  c.txt\n         \
                lines 1-2 and lines 1-3: 42 tokens\n";
    corpus("reported_documents")
        .dedup(&[
            "scan",
            "-q",
            "in",
            "--match",
            "passages",
            "--format",
            "text",
            "--exclude",
            "*.odt",
            "--exclude",
            "*.rtf",
        ])
        .stdout(text)
        .stderr("")
        .exit_code(0);
}

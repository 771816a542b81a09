//! Odd and broken inputs: encodings, pages, names, records, tables and links that are not as they should be.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use super::Corpora;

const FOX: &str = "The quick brown fox jumps over the lazy dog.";
const CAT: &str = "The quick brown fox jumps over the lazy cat.";

pub(super) fn add(corpora: &Corpora) {
    add_encodings(corpora);
    add_pages(corpora);
    add_records(corpora);
    add_tables(corpora);
    add_paths(corpora);
}

fn add_encodings(corpora: &Corpora) {
    let text = "Crème brûlée, façon grand-mère, pour tout le monde.";
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let latin1: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).expect("a character of Latin 1")).collect();
    corpora.write("encodings/latin1.txt", &latin1);
    corpora.write("encodings/marked.txt", format!("\u{FEFF}{text}"));
    corpora.write("encodings/plain.txt", text);
    corpora.write("encodings/utf16.txt", [b"\xFF\xFE".as_slice(), &utf16(text)].concat());
    corpora.write("encodings/utf16-without-mark.txt", utf16(text));
    corpora.write("encodings/shift-jis.txt", b"\x93\xfa\x96\x7b\x8c\xea\x82\xcc\x83\x65\x83\x4c\x83\x58\x83\x67");
    corpora.write(
        "encodings/records.jsonl",
        [b"{\"id\":\"good\",\"text\":\"x\"}\n{\"id\":\"bad\",\"text\":\"".as_slice(), &latin1, b"\"}\n"].concat(),
    );
}

fn add_pages(corpora: &Corpora) {
    let page = |title: &str, menu: &str| {
        format!(
            "<!doctype html><html><head><title>{title}</title><style>p {{ color: red }}</style></head><body>\n\
             <nav>{menu}</nav><p>{FOX} {CAT}</p><p>5 &lt; 6 &amp; <b>bo</b>ld&nbsp;text</p>\
             <script>let hidden = 1;</script><pre>\n  kept   lines\n</pre></body></html>\n"
        )
    };
    corpora.write("pages/one.html", page("One", "Home"));
    corpora.write("pages/two.htm", page("One", "Home").replace("<p>", "\n<p class='x'>"));
    corpora.write("pages/three.xhtml", page("Three", "Away and home again"));
    corpora.write("pages/unclosed.html", format!("<p>{FOX}<script>never closed {CAT}"));
    corpora.write("pages/markup.txt", page("One", "Home"));
    corpora.write("pages/records.jsonl", format!("{{\"id\":\"page\",\"text\":\"<p>{FOX} <b>{CAT}</b></p>\"}}\n"));
}

fn add_records(corpora: &Corpora) {
    let lines = [
        format!(r#"{{"id":"one","text":"{FOX}"}}"#),
        format!(r#"{{"id":"one","text":"{CAT}"}}"#),
        format!(r#"{{"id":2,"text":"{FOX}"}}"#),
        format!(r#"{{"id":2,"text":"{FOX}","text":"{CAT}"}}"#),
        format!(r#"{{"id":null,"text":"{FOX}","tags":[1,2]}}"#),
        format!(r#"{{"id":["x"],"text":"{FOX}"}}"#),
        r#"{"id":"null","text":null}"#.into(),
        r#"{"id":"number","text":7}"#.into(),
        r#"{"id":"none"}"#.into(),
        r#"{"id":"cut","text":"no end"#.into(),
        "not JSON at all".into(),
        "[1, 2, 3]".into(),
        String::new(),
        r#"{"id":"surrogate","text":"half \uD800 of one"}"#.into(),
        format!(r#"{{"id":"","text":"{FOX}"}}"#),
        format!(r#"{{"id":"  ","text":"\u202e{FOX}\u0007"}}"#),
    ];
    corpora.write("broken/records.jsonl", lines.join("\n"));
    corpora.write("broken/array.json", format!(r#"[{{"text":"{FOX}"}},{{"text":"{CAT}"}}]"#));
    corpora.write("broken/no-text.jsonl", format!("{{\"body\":\"{FOX}\",\"lang\":\"en\"}}\n").repeat(30));
}

fn add_tables(corpora: &Corpora) {
    corpora.write("broken/header.csv", "id,body,lang\n1,2,3\n");
    corpora.write("broken/empty.csv", "");
    corpora.write(
        "broken/rows.csv",
        format!("id,text\n1,{FOX}\n2,{FOX},more\n3\n4,\"{CAT}\" after\n5,\"{CAT}\n6,{CAT}\n"),
    );
    corpora.write("broken/twice.csv", format!("id,text,text\n1,{FOX},{CAT}\n"));
    corpora.write("broken/nul.csv", "id,text\n1,\0\n");
    corpora.write("broken/delimiter.csv", format!("id;text\n1;{FOX}\n"));
}

fn add_paths(corpora: &Corpora) {
    corpora.write("broken/binary.txt", b"\0\x01\x02");
    corpora.write("broken/not-utf8.txt", b"caf\xE9");
    corpora.write("broken/empty.txt", "");
    corpora.write("broken/blank.txt", " \n\t ");
    corpora.write(Path(b"names/\xFF.txt"), FOX);
    for name in ["a.txt", "a b.txt", "quote\"d.txt", "line\nbreak.txt", "\u{202E}txt.right", "é.txt", "-dash.txt"] {
        corpora.write(format!("names/{name}"), FOX);
    }
    corpora.write("links/folder/a.txt", FOX);
    corpora.write("links/b.txt", CAT);
    for (target, link) in
        [(".", "links/folder/loop"), ("../b.txt", "links/folder/c.txt"), ("nowhere", "links/dangling.txt")]
    {
        symlink(target, corpora.inputs().join(link)).expect("a link");
    }
    corpora
        .write("lists/lines.txt", "examples/corpus/news/ferry-agency.txt\r\n\nnames/a.txt\nnowhere.txt\nnames/é.txt\n");
    corpora.write("lists/nul.txt", "names/line\nbreak.txt\0names/a.txt\0");
    corpora.write("lists/stopwords.txt", "fox\nTHE\ndog\n");
    corpora.write("filters/a.caps", FOX.to_uppercase());
    corpora.write("filters/b.txt", FOX);
    corpora.write("filters/c.fails", FOX);
    corpora.write("filters/d.quiet", FOX);
    corpora.write("changes/a.txt", FOX.repeat(3));
    corpora.write("changes/b.txt", FOX.repeat(3) + CAT);
    corpora.write("changes/c.txt", FOX.repeat(3) + CAT + CAT);
    corpora.write("changes/z.late", "the last of all");
}

/// A path of bytes.
#[derive(Clone, Copy)]
struct Path(&'static [u8]);

impl AsRef<std::path::Path> for Path {
    fn as_ref(&self) -> &std::path::Path {
        OsStr::from_bytes(self.0).as_ref()
    }
}

//! Symbolic links: skipped with a note, or followed; loops end.

use crate::support::*;

fn linked(name: &'static str) -> Workspace {
    Workspace::new(name).file("real/a", FOX).file("x/b", FOX).link("file_link", "real/a").link("folder_link", "real")
}

#[test]
fn links_in_a_folder_are_passed_over_with_a_note() {
    let notes = "dedup: file_link: a symbolic link; skipped (--follow-links follows it)\n\
                 dedup: folder_link: a symbolic link; skipped (--follow-links follows it)\n";
    linked("links").dedup(&["scan", "."]).pairs(&["real/a x/b"]).notes(notes).exit_code(0);
    linked("links").dedup(&["scan", "-q", "."]).pairs(&["real/a x/b"]).stderr("").exit_code(0);
}

#[test]
fn links_given_by_name_are_followed() {
    linked("named").dedup(&["scan", "file_link", "x"]).pairs(&["file_link x/b"]).notes("").exit_code(0);
    linked("named").dedup(&["scan", "folder_link", "x"]).pairs(&["folder_link/a x/b"]).notes("").exit_code(0);
}

#[test]
fn followed_links_lead_to_one_document_each() {
    // `file_link` comes first, and what the others lead to is the same file.
    linked("follow").dedup(&["scan", ".", "--follow-links"]).pairs(&["file_link x/b"]).notes("").exit_code(0);
    let outside = Workspace::new("outside").file("out/a", FOX).file("in/b", FOX).link("in/link", "../out");
    outside.dedup(&["scan", "in", "--follow-links"]).pairs(&["in/b in/link/a"]).notes("").exit_code(0);
}

#[test]
fn a_loop_is_told_and_not_entered_again() {
    let corpus = Workspace::new("loop").file("d/a", FOX).file("d/b", FOX).link("d/up", "..");
    corpus
        .dedup(&["scan", "-q", ".", "--follow-links"])
        .pairs(&["d/a d/b"])
        .stderr("dedup: d/up: a symbolic link loop back to .; not followed\n")
        .exit_code(3);
    corpus
        .dedup(&["scan", "d", "--follow-links"])
        .pairs(&["d/a d/b"])
        .notes("dedup: d/up/d/up: a symbolic link loop back to d/up; not followed\n")
        .exit_code(3);
}

#[test]
fn a_broken_link_is_a_note_until_it_is_followed() {
    let corpus = Workspace::new("broken").file("a", FOX).file("b", FOX).link("gone", "nowhere");
    let note = "dedup: gone: a symbolic link; skipped (--follow-links follows it)\n";
    corpus.dedup(&["scan", "."]).pairs(&["a b"]).notes(note).exit_code(0);
    let missing = "dedup: gone: no such file or folder; check the path\n";
    corpus.dedup(&["scan", "-q", ".", "--follow-links"]).pairs(&["a b"]).stderr(missing).exit_code(3);
    corpus.dedup(&["scan", "-q", "gone", "a", "b"]).pairs(&["a b"]).stderr(missing).exit_code(3);
}

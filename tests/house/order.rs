//! The import rule: a room imports only what stands above it.

use crate::source::{files, paths};

/// The rooms of the library, and the program, as the table in `src/lib.rs` has them.
fn rooms() -> Vec<String> {
    let files = files();
    let table = files[&vec![]].text.lines().filter_map(|line| line.strip_prefix("//! | `")?.split_once('`'));
    table.map(|(room, _)| room.to_owned()).collect()
}

/// What is imported against an order of modules below `prefix`.
fn against(order: &[String], prefix: &[&str]) -> Vec<String> {
    let place = |room: &str| order.iter().position(|other| other == room);
    let start = format!("crate::{}", prefix.iter().map(|part| format!("{part}::")).collect::<String>());
    let mut faults = Vec::new();
    for (module, file) in files() {
        let Some(room) = module.strip_prefix(prefix.iter().map(|part| part.to_string()).collect::<Vec<_>>().as_slice())
        else {
            continue;
        };
        let Some(room) = room.first() else { continue };
        let Some(own) = place(room) else {
            faults.push(format!("{room} is in no table"));
            continue;
        };
        for path in paths(&file.code) {
            let Some(other) = path.strip_prefix(&start).and_then(|path| path.split("::").next()) else { continue };
            if place(other).is_none_or(|other| other > own) {
                faults.push(format!("{}: {path}", file.path.display()));
            }
        }
    }
    faults
}

#[test]
fn a_room_imports_only_what_stands_above_it() {
    let rooms = rooms();
    assert!(rooms.len() > 15, "{rooms:?}");
    assert_eq!(against(&rooms, &[]), [""; 0]);
}

#[test]
fn so_does_a_room_of_the_program() {
    let files = files();
    let program = &files[&vec!["cli".to_owned()]].code;
    let order: Vec<String> =
        program.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';').map(str::to_owned)).collect();
    assert!(order.len() > 4, "{order:?}");
    assert_eq!(against(&order, &["cli"]), [""; 0]);
}

#[test]
fn the_program_sees_nothing_but_the_public_face_of_the_library() {
    let inside = |path: &str| path.starts_with("crate::") && !path.starts_with("crate::cli");
    for (module, file) in files() {
        if module.first().is_some_and(|room| room == "cli") {
            let paths: Vec<String> = paths(&file.code).into_iter().filter(|path| inside(path)).collect();
            assert_eq!(paths, [""; 0], "{}", file.path.display());
        }
    }
}

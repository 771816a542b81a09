//! Templates: texts whose shingles are taken out of every document before it is compared.

use std::sync::mpsc;
use std::thread;

use crate::config::{Config, InputConfig};
use crate::error::{Error, Problem, Result};
use crate::input::{Item, Piece, Reader, Sources, walk};
use crate::pipeline::Observer;
use crate::pipeline::read::AbsentBySource;
use crate::removal::Removal;
use crate::shingle::{ShingleHashes, ShingleSetBuilder};

/// Reads the templates of a run; `None` when there are none.
///
/// # Errors
/// When any cannot be read: what is left of the documents would not be what was asked for.
pub(super) fn read_templates(config: &Config, observer: &dyn Observer) -> Result<Option<Removal>> {
    if config.templates.is_empty() {
        return Ok(None);
    }
    // As documents are, but without globs.
    let input = InputConfig {
        paths: config.templates.clone(),
        listed: Vec::new(),
        against: None,
        group_by: None,
        include: Vec::new(),
        exclude: Vec::new(),
        ..config.input.clone()
    };
    let config = Config { input, ..config.clone() };
    let sources = Sources::default();
    let mut reader = Reader::new(&config, &sources);
    let mut shingler = config.shingler();
    let mut builder = ShingleSetBuilder::default();
    let (send, receive) = mpsc::sync_channel::<Piece>(1);
    let (mut problems, mut lines) = (Vec::new(), Vec::new());
    let mut absent = AbsentBySource::default();
    thread::scope(|scope| {
        let (config, sources) = (&config, &sources);
        let walk = move || walk(&config.input, config.threads.get(), sources, &|piece| send.send(piece).is_ok());
        thread::Builder::new().spawn_scoped(scope, walk).map_err(Error::Thread)?;
        for Piece { number, kind, .. } in receive {
            let source = kind.source();
            let ended = reader.read_piece(kind, &mut |item| match item {
                Item::Document(document) => {
                    shingler.shingles_utf8(document.text).for_each_block(&mut |block| builder.extend(block));
                }
                Item::Problem(problem) => problems.push((number, None, problem)),
                Item::RecordProblem { line, reason, detail } => {
                    problems.push((number, source.zip(Some(line)), Problem::error("", reason, detail)));
                }
                Item::RecordNote { line, reason, detail } => {
                    problems.push((number, source.zip(Some(line)), Problem::note("", reason, detail)));
                }
            });
            lines.push((number, source, ended.num_lines));
            source.zip(ended.absent).into_iter().for_each(|(source, fields)| absent.add(source, fields));
        }
        Ok(())
    })?;
    sources.check()?;
    let notes =
        lines.iter().filter_map(|&(number, source, _)| Some((number, None, absent.take_note(source?, &sources)?)));
    problems.splice(0..0, notes.collect::<Vec<_>>());
    // What is unpacked comes in any order.
    problems.sort_by_key(|&(number, ..)| number);
    for (number, record, mut problem) in problems {
        if let Some((source, line)) = record {
            let before = lines.iter().filter(|&&(other, of, _)| other < number && of == Some(source));
            let line = before.map(|&(.., num_lines)| num_lines).sum::<u64>() + line + 1;
            problem.place = format!("{}:{line}", String::from_utf8_lossy(&sources.name(source)));
        }
        if problem.is_error {
            return Err(Error::Template(problem.ending_the_run()));
        }
        observer.problem(&problem);
    }
    Ok(Some(Removal::new(builder.take())))
}

//! Templates: texts whose shingles are taken out of every document before it is compared.

use crate::config::{Config, InputConfig};
use crate::error::{Error, Problem, Result};
use crate::input::{Item, PieceKind, Reader, Sources, walk};
use crate::pipeline::Observer;
use crate::removal::Removal;
use crate::shingle::{ShingleHashes, ShingleSetBuilder, Shingler};

/// Reads the templates of a run; `None` when there are none.
///
/// # Errors
/// When any cannot be read: what is left of the documents would not be what was asked for.
pub(super) fn read_templates(config: &Config, observer: &dyn Observer) -> Result<Option<Removal>> {
    if config.templates.is_empty() {
        return Ok(None);
    }
    // Every file is taken; globs are for documents.
    let input = InputConfig {
        paths: config.templates.clone(),
        listed: Vec::new(),
        against: Vec::new(),
        include: Vec::new(),
        exclude: Vec::new(),
        ..config.input.clone()
    };
    let sources = Sources::default();
    let mut reader = Reader::new(&input, &sources);
    let mut shingler = Shingler::new(config.shingle_kind, config.shingle_size.get());
    let mut builder = ShingleSetBuilder::default();
    let mut fault = None;
    // The source of the records at hand, and its lines in the pieces before.
    let (mut records_of, mut lines_before) = (None, 0);
    walk(&input, &sources, &mut |piece| {
        let source = match piece.kind {
            PieceKind::Records { source, .. } => Some(source),
            _ => None,
        };
        if records_of != source {
            (records_of, lines_before) = (source, 0);
        }
        lines_before += reader.read_piece(piece.kind, &mut |item| match item {
            Item::Document(document) => {
                shingler.shingles_utf8(document.text).for_each_block(&mut |block| builder.extend(block));
            }
            Item::Problem(problem) if problem.is_error => {
                fault.get_or_insert_with(|| problem.to_string());
            }
            Item::Problem(problem) => observer.problem(&problem),
            Item::RecordProblem { line, reason, detail } => {
                let file = source.map(|source| sources.name(source)).unwrap_or_default();
                let place = format!("{}:{}", String::from_utf8_lossy(&file), lines_before + line + 1);
                fault.get_or_insert_with(|| Problem::error(place, reason, detail).to_string());
            }
        });
        fault.is_none()
    })?;
    match fault {
        Some(fault) => Err(Error::Template { fault }),
        None => Ok(Some(Removal::new(builder.take()))),
    }
}

//! `follow_index`: reads lines with one JSON document each, and writes the result of each line before it reads the next.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::Value;
use serde_json::value::RawValue;

use super::follow_records::{FollowSummary, FollowedLine, FollowedResult};
use super::open_index::{OpenIndex, QueryFault};
use super::query_settings::{AddWhat, QuerySettings};
use crate::base::error::{Error, Result};
use crate::base::setting::Setting;
use crate::records::Name;
use crate::search::run::Settings;

/// How long to wait for a line before checking the time.
const TICK: Duration = Duration::from_millis(50);

/// Searches for lines, one after another, until the input ends. Each search includes the documents that were added before,
/// by this process and by others.
///
/// * `settings`: the fields of id and text in a line; all other settings come from the index.
/// * `sync`: whether an added document must be on the disk before its result is written.
/// * `next`: waits for the next line, at most for the given time.
/// * `print`: receives the result of each line.
///
/// # Errors
/// When the index cannot be read or written, or `print` fails. Documents that were added before are kept.
pub fn follow_index(
    query: &QuerySettings,
    settings: &Settings,
    sync: bool,
    next: &mut dyn FnMut(Duration) -> FollowedLine,
    print: &mut dyn FnMut(&FollowedResult) -> Result<()>,
) -> Result<FollowSummary> {
    let mut open = OpenIndex::open_with(query, settings)?;
    let mut summary = FollowSummary::default();
    let followed = follow(&mut open, sync, &mut summary, next, print);
    // The open batch is also written when the run ends early. If that fails, documents that were reported as added are
    // lost.
    open.commit()?;
    followed.map(|()| summary)
}

fn follow(
    open: &mut OpenIndex,
    sync: bool,
    summary: &mut FollowSummary,
    next: &mut dyn FnMut(Duration) -> FollowedLine,
    print: &mut dyn FnMut(&FollowedResult) -> Result<()>,
) -> Result<()> {
    let (tools, state) = open.parts();
    let (searcher, mut details) = (tools.searcher(), tools.details());
    loop {
        if tools.settings.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        state.commit_in_time()?;
        let line = match next(TICK) {
            FollowedLine::End => return Ok(()),
            FollowedLine::Waiting => continue,
            FollowedLine::Line(line) => line,
        };
        summary.lines += 1;
        if line.trim_ascii().is_empty() {
            state.commit()?;
            print(&FollowedResult::Found {
                id: None,
                matches: Vec::new(),
                added: false,
                durable: sync.then_some(true),
                stale: Vec::new(),
            })?;
            continue;
        }
        let parsed = parse(&tools.settings, &line).and_then(|(id, text)| match id {
            None if state.query.add != AddWhat::None => {
                Err("it has no id; only documents with an id can be added".to_owned())
            }
            id => Ok((id, text)),
        });
        let searched = match parsed {
            Ok((id, text)) => match state.search(tools, &searcher, &mut details, id.as_deref(), text, sync) {
                Ok(result) => Ok((id, result)),
                Err(QueryFault::OfQuery(error)) => Err(error.to_string()),
                Err(QueryFault::OfIndex(error)) => return Err(error),
            },
            Err(error) => Err(error),
        };
        match searched {
            Ok((id, found)) => {
                summary.added += u64::from(found.added);
                summary.stale += u64::from(!found.stale.is_empty());
                let id = id.as_deref().map(|id| Name::new(id.as_bytes()));
                let durable = (sync && found.is_there).then_some(true);
                let stale = found.stale;
                print(&FollowedResult::Found { id, matches: found.matches, added: found.added, durable, stale })?;
            }
            Err(error) => {
                summary.errors += 1;
                print(&FollowedResult::Failed { line: summary.lines, error })?;
            }
        }
    }
}

/// Parses the id and the text of a line.
fn parse(settings: &Settings, line: &[u8]) -> Result<(Option<String>, Vec<u8>), String> {
    let fault = |what: String| format!("{what}; write one JSON object a line");
    let record: Value = serde_json::from_slice(line).map_err(|error| fault(format!("not JSON ({error})")))?;
    if !record.is_object() {
        return Err(fault("not a JSON object".to_owned()));
    }
    let input = &settings.input;
    let id_field = input.id_field.as_deref().unwrap_or("id");
    let id = match field(&record, id_field) {
        Some(Value::String(id)) => Some(id.clone()),
        // A number that `f64` cannot represent exactly is used as it is written.
        Some(Value::Number(number)) if number.is_f64() => as_written(line, id_field),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let of_sets = settings.corpus().inputs().sets;
    let mut texts: Vec<String> = Vec::new();
    for name in &input.text_fields {
        match field(&record, name) {
            Some(Value::String(text)) if of_sets => texts.extend(text.split_whitespace().map(str::to_owned)),
            Some(Value::String(text)) => texts.push(text.clone()),
            Some(Value::Array(values)) => {
                texts
                    .extend(values.iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)));
            }
            _ => {}
        }
    }
    if texts.is_empty() {
        return Err(format!("no text in the field `{}`; see {}", input.text_fields.join("`, `"), Setting::TextFields));
    }
    let mut text = texts.join("\n");
    if of_sets {
        text.push('\n');
    }
    Ok((id, text.into_bytes()))
}

/// The value of a field; `a.b` is the field `b` inside `a`.
fn field<'v>(record: &'v Value, name: &str) -> Option<&'v Value> {
    record.get(name).or_else(|| {
        let (first, rest) = name.split_once('.')?;
        field(record.get(first)?, rest)
    })
}

/// The value of a field exactly as it is written in the line.
fn as_written(line: &[u8], name: &str) -> Option<String> {
    let record: HashMap<String, &RawValue> = serde_json::from_slice(line).ok()?;
    match record.get(name) {
        Some(value) => Some(value.get().to_owned()),
        None => {
            let (first, rest) = name.split_once('.')?;
            as_written(record.get(first)?.get().as_bytes(), rest)
        }
    }
}

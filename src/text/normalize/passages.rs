//! Removes text that the user wants ignored: passages between two markers, and lines that match a pattern.

use std::ops::Range;

use memchr::memmem::Finder;
use regex::bytes::Regex;

use super::left_out::{quotations, references};
use super::settings::{Normalization, as_str};
use super::white_space::split_line;
use crate::base::flat::offset_map::Trace;

/// Removes passages and lines from texts.
#[derive(Debug, Clone)]
pub(super) struct PassageFilter {
    markers: Vec<[Finder<'static>; 2]>,
    /// The next position of each start marker; `None` if no complete passage of the pair follows.
    next: Vec<Option<usize>>,
    skip_lines: Vec<Regex>,
    ignore_quotes: bool,
    ignore_bibliography: bool,
}

impl PassageFilter {
    pub(super) fn new(settings: &Normalization) -> Self {
        let finder = |marker: &str| Finder::new(marker).into_owned();
        Self {
            markers: settings.ignore_between.iter().map(|pair| [finder(&pair.start), finder(&pair.end)]).collect(),
            next: Vec::new(),
            skip_lines: settings.skip_lines.iter().map(|pattern| pattern.0.clone()).collect(),
            ignore_quotes: settings.ignore_quotes,
            ignore_bibliography: settings.ignore_bibliography,
        }
    }

    /// Removes the passages first, then references, quotations and lines.
    pub(super) fn filter<T: Trace>(&mut self, text: &mut Vec<u8>, scratch: &mut Vec<u8>, trace: &mut T) {
        if !self.markers.is_empty() {
            self.remove_passages(text, scratch, trace);
        }
        if self.ignore_bibliography
            && let Some(start) = references(as_str(text))
        {
            remove_ranges(text, std::slice::from_ref(&(start..text.len())), scratch, trace);
        }
        if self.ignore_quotes {
            let quotations = quotations(as_str(text));
            remove_ranges(text, &quotations, scratch, trace);
        }
        if !self.skip_lines.is_empty() {
            self.remove_lines(text, trace);
        }
    }

    /// Replaces each passage, including its markers, by a space, so that the words around it stay separate.
    ///
    /// Passages do not nest: the first start marker begins one. Of several markers at the same position, the pair that
    /// was given first applies. A start marker without a following end marker is ordinary text.
    fn remove_passages<T: Trace>(&mut self, text: &mut Vec<u8>, scratch: &mut Vec<u8>, trace: &mut T) {
        scratch.clear();
        let mut done = 0;
        self.next.clear();
        self.next.extend(self.markers.iter().map(|[start, _]| start.find(text)));
        while let Some((pair, start)) = first(&self.next) {
            let [start_marker, end_marker] = &self.markers[pair];
            let inside = start + start_marker.needle().len();
            let Some(len) = end_marker.find(&text[inside..]) else {
                // No later start of this pair has an end either.
                self.next[pair] = None;
                continue;
            };
            scratch.extend_from_slice(&text[done..start]);
            trace.copied(start - done);
            scratch.push(b' ');
            done = inside + len + end_marker.needle().len();
            trace.replaced(done - start, 1);
            for ([start_marker, _], next) in self.markers.iter().zip(&mut self.next) {
                if next.is_some_and(|next| next < done) {
                    *next = start_marker.find(&text[done..]).map(|at| done + at);
                }
            }
        }
        if done > 0 {
            scratch.extend_from_slice(&text[done..]);
            trace.copied(text.len() - done);
            trace.end_step();
            std::mem::swap(text, scratch);
        }
    }

    /// Removes each line that matches, with its line end.
    fn remove_lines<T: Trace>(&self, text: &mut Vec<u8>, trace: &mut T) {
        let (mut read, mut write) = (0, 0);
        while read < text.len() {
            let (line, end) = split_line(&text[read..]);
            if self.skip_lines.iter().any(|pattern| pattern.is_match(&text[read..read + line])) {
                trace.left_out(line + end);
            } else {
                text.copy_within(read..read + line + end, write);
                write += line + end;
                trace.copied(line + end);
            }
            read += line + end;
        }
        text.truncate(write);
        trace.end_step();
    }
}

/// Replaces each range by a space, so that the words around it stay separate.
fn remove_ranges<T: Trace>(text: &mut Vec<u8>, ranges: &[Range<usize>], scratch: &mut Vec<u8>, trace: &mut T) {
    if ranges.is_empty() {
        return;
    }
    scratch.clear();
    let mut done = 0;
    for range in ranges {
        scratch.extend_from_slice(&text[done..range.start]);
        trace.copied(range.start - done);
        scratch.push(b' ');
        trace.replaced(range.len(), 1);
        done = range.end;
    }
    scratch.extend_from_slice(&text[done..]);
    trace.copied(text.len() - done);
    trace.end_step();
    std::mem::swap(text, scratch);
}

/// The pair whose start marker comes first, and the position of that marker.
fn first(next: &[Option<usize>]) -> Option<(usize, usize)> {
    let places = next.iter().enumerate().filter_map(|(pair, place)| place.map(|place| (pair, place)));
    places.min_by_key(|&(pair, place)| (place, pair))
}

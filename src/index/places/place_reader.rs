//! `PlaceReader`: reads the texts that an index refers to from their places, and reports texts that are missing or
//! changed.
//!
//! A reader sees files as they were at the first access, so each query or batch of queries uses a new one.

use std::collections::HashMap;
use std::sync::Mutex;

use super::packed_file::PackedFile;
use super::text_place::{TextPlace, TextSpot};
use crate::base::error::Result;
use crate::base::flat::offset_map::NoTrace;
use crate::documents::document::DocumentLocation;
use crate::documents::input::ReadSettings;
use crate::documents::input::{Cancel, InputFormat, InputSettings, Inputs, LineForm, Reader, Sources, path_of};

/// The inputs that an index refers to.
pub(crate) struct ReferredInputs {
    pub(crate) read_settings: Vec<ReadSettings>,
    settings: Vec<InputSettings>,
    sources: Sources,
    /// The source numbers of files that are read line by line, by the form of their lines, and by path.
    lines: Mutex<HashMap<(LineForm, Vec<u8>), u32>>,
}

impl ReferredInputs {
    pub(crate) fn new(read_settings: Vec<ReadSettings>) -> Self {
        let settings = read_settings.iter().map(|settings| settings.inputs(Vec::new())).collect();
        Self { read_settings, settings, sources: Sources::new(Cancel::default()), lines: Mutex::default() }
    }

    /// The source number of a file that is read line by line.
    ///
    /// * `number`: the number of the settings by which it is read.
    fn source(&self, file: &[u8], are_sets: bool, number: usize) -> u32 {
        let form = match self.settings[number].format {
            _ if are_sets => LineForm::Set,
            InputFormat::Lines => LineForm::Text,
            _ => LineForm::Json,
        };
        let mut lines = self.lines.lock().expect("no holder panics");
        let add = || self.sources.add_lines(file, form);
        *lines.entry((form, file.to_vec())).or_insert_with(add)
    }
}

/// Reads texts at their places; each thread has one.
pub(crate) struct PlaceReader<'r> {
    inputs: &'r ReferredInputs,
    /// The readers, by the position of their reading settings.
    readers: Vec<Option<Reader<'r>>>,
    packed: Option<PackedFile>,
}

const CHANGED: &str = "changed";

impl<'r> PlaceReader<'r> {
    pub(crate) fn new(inputs: &'r ReferredInputs) -> Self {
        Self { inputs, readers: inputs.read_settings.iter().map(|_| None).collect(), packed: None }
    }

    /// Reads the text at a place, or returns its fault. Texts inside archives should be read in the order of the
    /// archive.
    ///
    /// # Errors
    /// When a thread cannot be started.
    pub(crate) fn read(&mut self, place: &TextPlace) -> Result<Result<Vec<u8>, String>> {
        let (file, number) = (place.file.as_slice(), place.settings_number as usize);
        let Some(settings) = self.inputs.read_settings.get(number) else { return Ok(Err(CHANGED.to_owned())) };
        let metadata = match std::fs::metadata(path_of(file)) {
            Ok(metadata) => metadata,
            Err(error) => return Ok(Err(fault_of(&error))),
        };
        // Another kind of file may have replaced the original, such as a pipe that never ends.
        let is_there = metadata.is_file()
            && match place.spot {
                TextSpot::Line { offset, len, .. } => {
                    offset.checked_add(len.into()).is_some_and(|end| end <= metadata.len())
                }
                _ => true,
            };
        if !is_there {
            return Ok(Err(CHANGED.to_owned()));
        }
        let located = match &place.spot {
            TextSpot::File => DocumentLocation::file(),
            TextSpot::Line { offset, len, is_set } => {
                DocumentLocation { offset: *offset, len: *len, source: self.inputs.source(file, *is_set, number) }
            }
            TextSpot::Inside { member, line } => {
                if let Err(error) = std::fs::File::open(path_of(file)) {
                    return Ok(Err(fault_of(&error)));
                }
                let packed = match self
                    .packed
                    .take_if(|packed| packed.file == file && packed.settings_number == place.settings_number)
                {
                    Some(packed) => packed,
                    None => PackedFile::open(file, place.settings_number, settings)?,
                };
                let text = self.packed.insert(packed).find(member, *line)?;
                return Ok(text.ok_or_else(|| CHANGED.to_owned()));
            }
        };
        let inputs = Inputs { settings: &self.inputs.settings[number], sets: settings.sets };
        let reader = self.readers[number].get_or_insert_with(|| Reader::new(inputs, &self.inputs.sources));
        Ok(reader.read_again(file, located, &mut NoTrace).map(std::mem::take))
    }
}

/// Describes why a file cannot be read, in the words of [`Reader::read_again`].
fn fault_of(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "vanished".to_owned(),
        _ => format!("could not be read again ({error})"),
    }
}

//! `SavedResult`: reads the pairs of a saved folder, a file of pairs or standard input, line by line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::filter::PairFilter;
use super::header::{DOCUMENTS, HEADER, PAIRS, ResultHeader};
use super::inputs::{check, check_saved};
use crate::base::error::{Error, Result};
use crate::base::observe::{Observer, Stage};
use crate::base::setting::Setting;
use crate::compare::verify::Threshold;
use crate::documents::input::{InputSettings, decoded, path_of};
use crate::records::{PairCounts, PairRecord};

/// Bytes read at a time.
pub(crate) const BUFFER: usize = 1 << 18;

/// The pairs of an earlier run.
pub struct SavedResult {
    path: PathBuf,
    header: Option<ResultHeader>,
    pairs: Box<dyn BufRead + Send>,
    /// The bytes of the pairs; 0 when the number is unknown.
    num_bytes: u64,
    /// The minimum similarity of the pairs that were passed on.
    least: Option<f64>,
}

/// The first bytes of a database of SQLite, such as an index.
const DATABASE: &[u8] = b"SQLite format 3\0";

impl SavedResult {
    /// Opens a result: a saved folder, a file of pairs, or `-` for standard input.
    ///
    /// # Errors
    /// When the result cannot be read; for a folder, also when one of its files or an input was changed.
    pub fn open(path: &Path) -> Result<Self> {
        let result = Self::open_without_inputs(path)?;
        result.header.as_ref().map_or(Ok(()), check)?;
        Ok(result)
    }

    /// Opens a result whose inputs may have changed, for callers that check the inputs themselves when they read them.
    ///
    /// # Errors
    /// When the result cannot be read; for a folder, also when one of its files was changed.
    pub fn open_without_inputs(path: &Path) -> Result<Self> {
        let is_folder = path.is_dir();
        let header = is_folder.then(|| ResultHeader::read(path)).transpose()?;
        if let Some(header) = &header {
            check_saved(header, path)?;
        }
        let (pairs, num_bytes) = open_pairs(path, is_folder)?;
        Ok(Self { path: path.to_owned(), header, pairs, num_bytes, least: None })
    }

    /// The files that a result is read from, for the same path as in [`open`](Self::open).
    pub fn files_of(path: &Path) -> Vec<PathBuf> {
        if path.is_dir() {
            [HEADER, PAIRS, DOCUMENTS].map(|name| path.join(name)).into()
        } else {
            vec![path.to_owned()]
        }
    }

    /// The input files of a saved folder; empty when its header cannot be read.
    pub fn inputs_of(path: &Path) -> Vec<PathBuf> {
        let Ok(header) = ResultHeader::read(path) else { return Vec::new() };
        let folder = header.folder_path();
        header.inputs.iter().map(|input| folder.join(path_of(&input.file.to_bytes()))).collect()
    }

    /// The header of a saved folder; `None` for a file of pairs and for standard input.
    pub fn header(&self) -> Option<&ResultHeader> {
        self.header.as_ref()
    }

    /// The path of the result, as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that the result contains all pairs that a filter selects. A result without a header is not checked.
    ///
    /// # Errors
    /// When the result was saved with a higher limit, or has no passages and the filter is about passages.
    pub fn check(&self, filter: &PairFilter) -> Result<()> {
        filter.check(self.header.as_ref(), &self.path)
    }

    /// The minimum similarity of the pairs that were passed on, when it is above `threshold` and the result does not
    /// contain its own threshold. Pairs between the two values may be missing.
    pub fn may_lack(&self, threshold: Threshold) -> Option<f64> {
        self.least.filter(|&least| self.header.is_none() && least > threshold.value())
    }

    /// Passes on the pairs that a filter selects with their lines, without the line ends.
    ///
    /// # Errors
    /// The errors of [`check`](Self::check) and [`for_each_pair`](Self::for_each_pair).
    pub fn for_each_of(
        &mut self,
        filter: &PairFilter,
        observer: &dyn Observer,
        use_pair: &mut dyn FnMut(&[u8], &PairRecord) -> Result<()>,
    ) -> Result<()> {
        self.check(filter)?;
        let path = self.path.clone();
        self.for_each_pair(observer, &mut |line, pair| match filter.keeps(pair, &path)? {
            true => use_pair(line, pair),
            false => Ok(()),
        })
    }

    /// Passes on every pair with its line, without the line end.
    ///
    /// # Errors
    /// When a line is not a pair, when lines are missing, or when `use_pair` fails.
    pub fn for_each_pair(
        &mut self,
        observer: &dyn Observer,
        use_pair: &mut dyn FnMut(&[u8], &PairRecord) -> Result<()>,
    ) -> Result<()> {
        let (mut line, mut num_pairs, mut num_read) = (Vec::new(), 0, 0);
        if self.num_bytes > 0 {
            observer.begin(Stage::Load);
            observer.total(self.num_bytes);
        }
        let fault = |path: &Path, fault: String| Error::SavedResult { path: path.to_owned(), fault };
        loop {
            line.clear();
            let read = self.pairs.read_until(b'\n', &mut line);
            if read.map_err(|error| fault(&self.path, format!("cannot read it: {error}")))? == 0 {
                break;
            }
            num_pairs += 1;
            num_read += line.len() as u64;
            if num_read >= BUFFER as u64 && self.num_bytes > 0 {
                observer.advance(num_read, 0, num_read);
                num_read = 0;
            }
            let text = line.strip_suffix(b"\n").unwrap_or(&line);
            let not_a_pair = |error: serde_json::Error| match num_pairs == 1 && text.starts_with(DATABASE) {
                true => Error::PairsOfDatabase(self.path.clone()),
                false => Error::NotAPair { path: self.path.clone(), line: num_pairs, fault: error.to_string() },
            };
            let pair: PairRecord = serde_json::from_slice(text).map_err(not_a_pair)?;
            let least = pair.shingles_a.min(pair.shingles_b);
            let is_share =
                [pair.jaccard, pair.containment_a, pair.containment_b].iter().all(|s| (0.0..=1.0).contains(s));
            if pair.a == pair.b && self.header.is_none() && !pair.is_of_one()
                || pair.shared > least
                || least == 0
                || !is_share
            {
                let what = if pair.a == pair.b { "two documents of one name" } else { "numbers that no pair has" };
                return Err(fault(
                    &self.path,
                    format!("line {num_pairs} has {what}; scan again and {} the result", Setting::Save),
                ));
            }
            let similarity = PairCounts::from(&pair).jaccard();
            self.least = Some(self.least.map_or(similarity, |least| least.min(similarity)));
            use_pair(text, &pair)?;
        }
        if self.num_bytes > 0 {
            observer.advance(num_read, 0, num_read);
        }
        match &self.header {
            Some(header) if header.pairs != num_pairs => {
                Err(fault(&self.path, format!("it has {num_pairs} of its {} pairs; scan again", header.pairs)))
            }
            _ => Ok(()),
        }
    }
}

/// Opens the pairs of a saved folder, or of a file or standard input, which may be compressed. Returns their number of
/// bytes too, or 0 if it is not known.
pub(crate) fn open_pairs(path: &Path, is_folder: bool) -> Result<(Box<dyn BufRead + Send>, u64)> {
    let failed = |error| cannot_read(path, &error);
    let file = if is_folder { path.join(PAIRS) } else { path.to_owned() };
    let (pairs, num_bytes): (Box<dyn Read + Send>, u64) = if path == Path::new("-") {
        (Box::new(io::stdin()), 0)
    } else {
        let file = File::open(file).map_err(failed)?;
        let num_bytes = file.metadata().map_or(0, |metadata| metadata.len());
        (Box::new(file), num_bytes)
    };
    let (pairs, codec) = decoded(pairs, InputSettings::DEFAULT_MAX_WINDOW).map_err(failed)?;
    Ok((Box::new(BufReader::with_capacity(BUFFER, pairs)), if codec.is_some() { 0 } else { num_bytes }))
}

/// The error of a file of a result that cannot be read.
pub(crate) fn cannot_read(path: &Path, error: &io::Error) -> Error {
    let fault = format!("cannot read it: {error}; name a folder that {} wrote, or a file of pairs", Setting::Save);
    Error::SavedResult { path: path.to_owned(), fault }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// The stage that was begun, its total and its progress.
    #[derive(Default)]
    struct Watched(Mutex<(Option<Stage>, u64, u64)>);

    impl Observer for Watched {
        fn begin(&self, stage: Stage) {
            self.0.lock().unwrap().0 = Some(stage);
        }

        fn total(&self, units: u64) {
            self.0.lock().unwrap().1 = units;
        }

        fn advance(&self, units: u64, _: u64, bytes: u64) {
            assert_eq!(units, bytes);
            self.0.lock().unwrap().2 += units;
        }
    }

    #[test]
    fn the_bytes_of_a_file_of_pairs_are_watched() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let line = r#"{"a":"a","b":"b","jaccard":0.5,"containment_a":0.75,"containment_b":0.25,"shared":3,"shingles_a":4,"shingles_b":5,"estimate":0.4}"#;
        let text = format!("{line}\n").repeat(3000);
        std::fs::write(file.path(), &text).unwrap();
        let (watched, mut num_pairs) = (Watched::default(), 0);
        let mut result = SavedResult::open(file.path()).unwrap();
        result
            .for_each_pair(&watched, &mut |_, _| {
                num_pairs += 1;
                Ok(())
            })
            .unwrap();
        let len = text.len() as u64;
        assert_eq!((num_pairs, watched.0.into_inner().unwrap()), (3000, (Some(Stage::Load), len, len)));
    }
}

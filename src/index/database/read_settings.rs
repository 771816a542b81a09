//! The settings with which the inputs of an index that refers to texts were read, so that it can read them again.

use crate::base::error::{Error, IndexError, Result};
use crate::base::setting::Setting;
use crate::documents::input::ReadSettings;
use crate::search::run::Settings;

/// The settings by which the inputs of a run are read again.
///
/// # Errors
/// When the inputs include standard input, or a filter makes texts: an index cannot read these again.
pub(crate) fn referable(settings: &Settings) -> Result<ReadSettings> {
    let input = &settings.input;
    if input.paths.iter().chain(&input.listed).any(|path| path.as_os_str() == "-") {
        return Err(Error::Index(IndexError::CannotRefer {
            place: "-".to_owned(),
            why: "standard input cannot be read again",
        }));
    }
    if !input.filters.is_empty() {
        let (setting, why) = (Setting::Filters, "an index that refers to texts runs no programs");
        return Err(Error::Index(IndexError::NotOfAnIndex { setting, why }));
    }
    Ok(ReadSettings::of(input, settings.corpus().inputs().sets))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::input::InputSettings;

    #[test]
    fn what_cannot_be_read_again_is_refused() {
        let refused = |input: InputSettings| referable(&Settings::of(input)).unwrap_err().to_string();
        let stdin = refused(InputSettings::of(vec!["a.txt".into(), "-".into()]));
        assert!(stdin.contains("standard input cannot be read again"), "{stdin}");
        let filters = vec!["up=tr a-z A-Z".parse().unwrap()];
        let filter = refused(InputSettings { filters, ..InputSettings::of(vec!["a.up".into()]) });
        assert!(filter.contains("runs no programs"), "{filter}");
    }
}

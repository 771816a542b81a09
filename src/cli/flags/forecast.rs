//! `ForecastFlags`: `--forecast`, whether a run is estimated instead of executed, and from which share of its
//! documents.

use clap::Args;

/// Whether to estimate a run instead of doing it.
#[derive(Debug, Args)]
pub(crate) struct ForecastFlags {
    /// Estimate a run without doing it: documents, bytes, candidates, pairs, time and memory, each with its error, and
    /// the flags that would help. Reads all inputs and compares P% of the documents [default: 10%, or all if they are
    /// few]. --summary writes the estimate as JSON
    #[arg(long, value_name = "P%", num_args = 0..=1, require_equals = true, value_parser = share,
        conflicts_with_all = ["output", "format", "from", "exit_code"], help_heading = "Output")]
    forecast: Option<Option<f64>>,
}

/// The share of the documents that a forecast compares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ForecastShare {
    /// The share on the command line.
    Given(f64),
    /// A share that the program chooses.
    Chosen,
}

impl ForecastFlags {
    /// The share of the documents to compare; `None` without `--forecast`.
    pub(crate) fn share(&self) -> Option<ForecastShare> {
        self.forecast.map(|share| share.map_or(ForecastShare::Chosen, ForecastShare::Given))
    }
}

/// Parses a percentage above 0 % and up to 100 % as a share.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').map(str::trim_end).and_then(|number| number.parse::<f64>().ok());
    let percent = number.filter(|percent| *percent > 0.0 && *percent <= 100.0);
    percent
        .map(|percent| percent / 100.0)
        .ok_or_else(|| "give a share of the documents, such as 10% or 0.5%".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_percentages() {
        assert_eq!((share("10%"), share("0.5 %"), share("100%")), (Ok(0.1), Ok(0.005), Ok(1.0)));
        for wrong in ["", "10", "0%", "101%", "-1%", "NaN%", "x%"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }
}

//! Bands and rows as every command chooses them, and the warning when they find too few pairs.

use dedup::{Banding, Result, Threshold};

use super::report;

/// The banding of a run, and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// From the flags, or the default.
    Given(Banding),
    /// For the recall at the threshold.
    ForThreshold(Banding),
}

impl Choice {
    /// A threshold without bands and rows chooses both, within `num_hashes`; else what is not given is the default.
    ///
    /// # Errors
    /// When bands × rows is out of range.
    ///
    /// # Panics
    /// When `num_hashes` is out of range.
    pub(crate) fn new(
        bands: Option<usize>,
        rows: Option<usize>,
        threshold: Option<Threshold>,
        num_hashes: usize,
    ) -> Result<Self> {
        let default = Banding::default();
        Ok(match (bands, rows, threshold) {
            (None, None, Some(threshold)) => Self::ForThreshold(Banding::for_threshold(threshold.value(), num_hashes)),
            (bands, rows, _) => {
                Self::Given(Banding::new(bands.unwrap_or(default.bands()), rows.unwrap_or(default.rows()))?)
            }
        })
    }

    pub(crate) fn banding(self) -> Banding {
        let (Self::Given(banding) | Self::ForThreshold(banding)) = self;
        banding
    }
}

/// A banding that finds too few of the pairs at the threshold is worth a line, and the flags that do better.
pub(crate) fn recall_warning(banding: Banding, threshold: Threshold) -> Option<String> {
    let value = threshold.value();
    let recall = banding.recall(value);
    if recall >= Banding::GOOD_RECALL {
        return None;
    }
    let found = format!(
        "dedup: warning: {} bands x {} rows find {} of the pairs at similarity {value}",
        banding.bands(),
        banding.rows(),
        report::percent(recall)
    );
    let better = [banding.num_hashes(), Banding::DEFAULT_HASHES]
        .into_iter()
        .map(|num_hashes| Banding::for_threshold(value, num_hashes))
        .find(|better| better.recall(value) > recall);
    Some(match better {
        Some(better) => format!(
            "{found}; --bands {} --rows {} find {}",
            better.bands(),
            better.rows(),
            report::percent(better.recall(value))
        ),
        None => format!("{found}; no banding finds more, choose a higher --threshold"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_alone_chooses_and_any_other_flag_does_not() {
        let threshold = Some(Threshold::new(0.5).unwrap());
        let given = |bands, rows| Choice::Given(Banding::new(bands, rows).unwrap());
        assert_eq!(Choice::new(None, None, None, 100).unwrap(), given(20, 5));
        assert_eq!(Choice::new(Some(9), None, threshold, 100).unwrap(), given(9, 5));
        assert_eq!(Choice::new(None, Some(2), threshold, 100).unwrap(), given(20, 2));
        let chosen = Choice::new(None, None, threshold, 100).unwrap();
        assert_eq!(chosen, Choice::ForThreshold(Banding::for_threshold(0.5, 100)));
    }

    #[test]
    fn the_warning_names_a_banding_that_finds_more() {
        let threshold = Threshold::new(0.5).unwrap();
        let warning = recall_warning(Banding::default(), threshold).unwrap();
        assert!(warning.ends_with("--bands 33 --rows 3 find 98.78 %"), "{warning}");
        assert_eq!(recall_warning(Banding::default(), Threshold::default()), None);
        let warning = recall_warning(Banding::default(), Threshold::new(0.0).unwrap()).unwrap();
        assert!(warning.ends_with("choose a higher --threshold"), "{warning}");
    }
}

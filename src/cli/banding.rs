//! Bands and rows as every command chooses them, and the warning when they find too few pairs.

use dedup::{Banding, Result, Threshold};

use super::report;

/// The banding of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Choice {
    banding: Banding,
    is_chosen: bool,
}

impl Choice {
    /// The threshold chooses bands and rows, within `num_hashes`, unless one of them is given; then the other is the
    /// default.
    ///
    /// # Errors
    /// When bands × rows is out of range.
    ///
    /// # Panics
    /// When `num_hashes` is out of range.
    pub(crate) fn new(
        bands: Option<usize>,
        rows: Option<usize>,
        threshold: Threshold,
        num_hashes: usize,
    ) -> Result<Self> {
        let chosen = chosen(threshold, num_hashes);
        let default = Banding::default();
        let banding = match (bands, rows) {
            (None, None) => chosen,
            (bands, rows) => Banding::new(bands.unwrap_or(default.bands()), rows.unwrap_or(default.rows()))?,
        };
        Ok(Self { banding, is_chosen: banding == chosen })
    }

    pub(crate) fn banding(self) -> Banding {
        self.banding
    }

    /// Whether it is the one that the threshold chooses, given or not.
    pub(crate) fn is_chosen(self) -> bool {
        self.is_chosen
    }
}

/// What a threshold chooses; the default chooses the default, so that a scan is the same with it and without.
fn chosen(threshold: Threshold, num_hashes: usize) -> Banding {
    if threshold == Threshold::default() && num_hashes == Banding::DEFAULT_HASHES {
        Banding::default()
    } else {
        Banding::for_threshold(threshold.value(), num_hashes)
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
        "dedup: warning: {} find {} of the pairs at similarity {value}",
        report::banding(banding.bands(), banding.rows()),
        report::percent(recall)
    );
    let better = [banding.num_hashes(), Banding::DEFAULT_HASHES]
        .into_iter()
        .map(|num_hashes| chosen(threshold, num_hashes))
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
        let (half, default) = (Threshold::new(0.5).unwrap(), Threshold::default());
        let of = |bands, rows, threshold| {
            let choice = Choice::new(bands, rows, threshold, 100).unwrap();
            (choice.banding().bands(), choice.banding().rows(), choice.is_chosen())
        };
        assert_eq!(of(None, None, default), (20, 5, true));
        assert_eq!(of(Some(20), Some(5), default), (20, 5, true));
        assert_eq!(of(None, None, half), (33, 3, true));
        assert_eq!(of(Some(9), None, half), (9, 5, false));
        assert_eq!(of(None, Some(2), half), (20, 2, false));
        assert_eq!(Choice::new(None, None, default, 256).unwrap().banding(), Banding::for_threshold(0.8, 256));
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

//! Chooses bands and rows from flags, and warns if they find too few pairs.
//!
//! `dedup scan` and `dedup curve` share this choice.

use dedup_scan::{Banding, Result, Threshold};

use crate::cli::messages::{self, percent};

/// The banding of a run, and the threshold and recall that it was chosen for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Choice {
    banding: Banding,
    threshold: Threshold,
    /// The requested recall, or the default.
    recall: f64,
    is_given: bool,
}

impl Choice {
    /// Chooses bands and rows for the threshold and the recall. If only one of `bands` and `rows` is given, the other
    /// is its default.
    ///
    /// # Errors
    /// When bands × rows is out of range.
    pub(crate) fn new(
        bands: Option<usize>,
        rows: Option<usize>,
        threshold: Threshold,
        recall: Option<f64>,
    ) -> Result<Self> {
        let recall = recall.unwrap_or(Banding::DEFAULT_RECALL);
        let default = Banding::default();
        let banding = match (bands, rows) {
            (None, None) => Banding::for_recall(threshold.value(), recall),
            (bands, rows) => Banding::new(bands.unwrap_or(default.bands()), rows.unwrap_or(default.rows()))?,
        };
        Ok(Self { banding, threshold, recall, is_given: bands.is_some() || rows.is_some() })
    }

    pub(crate) fn banding(self) -> Banding {
        self.banding
    }

    /// The recall that determines this banding; `None` if the given bands or rows differ from the choice for that
    /// recall.
    pub(crate) fn chosen_for(self) -> Option<f64> {
        let is_chosen = !self.is_given || self.banding == Banding::for_recall(self.threshold.value(), self.recall);
        is_chosen.then_some(self.recall)
    }

    /// The warning that the banding finds too few pairs at the threshold, with flags that find more; `None` if it
    /// finds enough.
    pub(crate) fn warning(self) -> Option<String> {
        let Self { banding, threshold, recall: requested, is_given } = self;
        let recall_of = |banding: Banding| banding.recall_of_run(threshold.value(), threshold.value());
        let recall = recall_of(banding);
        if recall >= if is_given { Banding::GOOD_RECALL } else { requested } {
            return None;
        }
        let found = format!(
            "dedup: warning: {} find {} of the pairs at similarity {}",
            messages::banding(banding.bands(), banding.rows()),
            percent(recall),
            threshold.value()
        );
        let better = Banding::for_recall(threshold.value(), Banding::DEFAULT_RECALL);
        let better_recall = recall_of(better);
        Some(if better_recall > recall {
            format!("{found}; --bands {} --rows {} find {}", better.bands(), better.rows(), percent(better_recall))
        } else {
            format!("{found}; no banding finds more, choose a higher --threshold")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threshold_and_recall_choose_and_given_bands_or_rows_do_not() {
        let (half, default) = (Threshold::new(0.5).unwrap(), Threshold::default());
        let of = |bands, rows, threshold, recall| {
            let choice = Choice::new(bands, rows, threshold, recall).unwrap();
            (choice.banding().bands(), choice.banding().rows(), choice.chosen_for())
        };
        assert_eq!(of(None, None, default, None), (20, 5, Some(0.999)));
        assert_eq!(of(Some(20), Some(5), default, None), (20, 5, Some(0.999)));
        assert_eq!(of(None, None, half, None), (52, 3, Some(0.999)));
        assert_eq!(of(None, None, half, Some(0.95)), (48, 4, Some(0.95)));
        assert_eq!(of(Some(9), None, half, None), (9, 5, None));
        assert_eq!(of(None, Some(2), half, None), (20, 2, None));
    }

    #[test]
    fn the_warning_names_a_banding_that_finds_more() {
        let warning = |bands, threshold, recall| {
            Choice::new(bands, None, Threshold::new(threshold).unwrap(), recall).unwrap().warning()
        };
        let given = warning(Some(20), 0.5, None).unwrap();
        assert!(
            given.ends_with("find 47.00 % of the pairs at similarity 0.5; --bands 52 --rows 3 find 99.90 %"),
            "{given}"
        );
        assert_eq!(warning(None, 0.8, None), None);
        assert_eq!(warning(None, 0.8, Some(0.5)), None, "the requested recall");
        let none = warning(None, 0.0, None).unwrap();
        assert!(none.ends_with("choose a higher --threshold"), "{none}");
    }
}

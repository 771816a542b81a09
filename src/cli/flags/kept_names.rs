//! The flag that also compares programs with their identifiers kept.

use std::num::NonZeroUsize;

use clap::Args;
use dedup_scan::ShingleKind;

use super::preset::Preset;
use super::values::whole;

/// Whether to compute `jaccard_kept`.
#[derive(Debug, Args)]
pub(crate) struct KeptNamesFlags {
    /// Add jaccard_kept to each pair of programs: their similarity with names kept, by shingles of this size; 0 adds
    /// none. It distinguishes copies from coincidence. Reads the documents of pairs once more [default: none; 8 with
    /// --preset code]
    #[arg(long, value_name = "TOKENS", value_parser = whole::<usize>(0..=u32::MAX as u64), allow_negative_numbers = true,
        help_heading = "Output")]
    jaccard_kept: Option<usize>,
}

impl KeptNamesFlags {
    /// Number of tokens in a shingle with identifiers kept; `None` without this comparison.
    ///
    /// * `preset`: supplies the number for programs if the flag is not given.
    pub(crate) fn size(&self, preset: Option<Preset>, kind: ShingleKind) -> Option<NonZeroUsize> {
        let of_preset = preset.and_then(Preset::jaccard_kept).filter(|_| kind == ShingleKind::Code);
        self.jaccard_kept.or(of_preset).and_then(NonZeroUsize::new)
    }

    /// The number on the command line.
    pub(crate) fn given(&self) -> Option<usize> {
        self.jaccard_kept
    }
}

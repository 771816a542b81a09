//! `StageSettings`: the settings of all stages in the first pass.

use super::kept_texts::KeptTexts;
use super::sample::Sample;
use crate::base::memory::{MemoryPlan, Resources};
use crate::documents::input::{InputSettings, Inputs};
use crate::sign::banding::{Banding, SignatureFilter};
use crate::sign::signature::{SignatureSettings, Signer};
use crate::text::code::{StatedSyntax, Syntax};
use crate::text::normalize::{Normalization, Normalizer};
use crate::text::removal::RemovalSettings;
use crate::text::shingle::{ShingleSettings, Shingler};
use crate::text::weights::{Weigher, Weighing};

/// The settings of all stages that a run needs to make signatures of documents.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StageSettings<'a> {
    pub(crate) input: &'a InputSettings,
    pub(crate) normalization: &'a Normalization,
    pub(crate) shingles: &'a ShingleSettings,
    pub(crate) signature: SignatureSettings,
    pub(crate) banding: Banding,
    pub(crate) removal: &'a RemovalSettings,
    pub(crate) resources: Resources,
    /// Whether documents get signatures, which make the candidates.
    pub(crate) signs: bool,
    /// The filter of candidates, for which bits of the signatures are kept.
    pub(crate) filter: Option<SignatureFilter>,
    /// The cache of texts that are needed again. Without it they are read again.
    pub(crate) kept: Option<&'a KeptTexts>,
    /// The selection of documents for a forecast; any other run uses all documents.
    pub(crate) sample: Option<&'a Sample>,
    /// The weights of shingles, where they have weights.
    pub(crate) weights: Option<&'a Weighing>,
}

impl<'a> StageSettings<'a> {
    /// The inputs. Documents are read as sets exactly when the shingles are set elements.
    pub(crate) fn inputs(self) -> Inputs<'a> {
        Inputs { settings: self.input, sets: self.shingles.of_sets() }
    }

    /// Whether the value of the field that orders records is kept.
    pub(crate) fn keeps_values(self) -> bool {
        self.input.value_field.is_some() && self.input.groups.is_none()
    }

    /// Whether the values of the field that groups records are kept, because they name the groups.
    pub(crate) fn keeps_group_names(self) -> bool {
        self.input.groups.as_ref().is_some_and(|groups| groups.with_names)
    }

    /// The language of a document with this name, where documents are programs.
    ///
    /// * `stated`: the language that the document states.
    pub(crate) fn syntax_of(self, name: &[u8], stated: StatedSyntax) -> Option<Syntax> {
        if self.shingles.of_programs() { stated.or_of_name(name) } else { None }
    }

    pub(crate) fn normalizer(self) -> Normalizer {
        self.shingles.normalizer(self.normalization).with_files(self.input.unit.is_some())
    }

    pub(crate) fn shingler(self) -> Shingler {
        self.shingles.shingler(self.normalization).with_files(self.input.unit.is_some())
    }

    /// The weigher of shingles, where they have weights and the weights are known.
    pub(crate) fn weigher(self) -> Option<Weigher<'a>> {
        self.weights.and_then(|weights| weights.weigher(self.shingles))
    }

    pub(crate) fn signer(self) -> Signer {
        self.signature.signer(self.banding)
    }

    pub(crate) fn memory(self) -> MemoryPlan {
        MemoryPlan::new(self.resources)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Calls `use_settings` with the default settings after a change, and returns its result.
    pub(crate) fn with_settings<T>(
        change: impl FnOnce(&mut StageSettings),
        use_settings: impl FnOnce(StageSettings) -> T,
    ) -> T {
        let mut settings = StageSettings {
            input: &InputSettings::default(),
            normalization: &Normalization::default(),
            shingles: &ShingleSettings::default(),
            signature: SignatureSettings::default(),
            banding: Banding::default(),
            removal: &RemovalSettings::default(),
            resources: Resources::default(),
            signs: true,
            filter: None,
            kept: None,
            sample: None,
            weights: None,
        };
        change(&mut settings);
        use_settings(settings)
    }
}

//! `PieceKeys`: the band keys of the texts of one piece, with the bits and the values of their signatures if these are kept.

use super::band_keys::{BandKeys, KeyRun};
use super::stage_settings::StageSettings;
use crate::base::error::Result;
use crate::base::memory::reserve;
use crate::sign::banding::{append_bits, band_keys};

/// The band keys of the texts that were signed, text by text.
pub(super) struct PieceKeys {
    num_bands: usize,
    keys: Vec<u64>,
    /// The bits of the signatures, if they are kept.
    bits: Option<Vec<u8>>,
    /// The signatures themselves, if they are kept.
    signatures: Option<Vec<u32>>,
}

impl PieceKeys {
    pub(super) fn new(settings: StageSettings<'_>) -> Self {
        Self {
            num_bands: settings.banding.bands(),
            keys: Vec::new(),
            bits: settings.filter.map(|_| Vec::new()),
            signatures: None,
        }
    }

    /// Also keeps the signatures from now on.
    pub(super) fn with_signatures(self) -> Self {
        Self { signatures: Some(Vec::new()), ..self }
    }

    /// Adds the band keys of a text.
    ///
    /// # Errors
    /// When memory is too small for them.
    pub(super) fn add(&mut self, signature: &[u32]) -> Result<()> {
        let start = self.keys.len();
        reserve(&mut self.keys, self.num_bands, "band keys")?;
        self.keys.resize(start + self.num_bands, 0);
        band_keys(signature, &mut self.keys[start..]);
        if let Some(bits) = &mut self.bits {
            append_bits(signature, bits);
        }
        if let Some(signatures) = &mut self.signatures {
            reserve(signatures, signature.len(), "signatures")?;
            signatures.extend_from_slice(signature);
        }
        Ok(())
    }

    /// The band keys.
    pub(super) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The signatures; empty if they are not kept.
    pub(super) fn signatures(&self) -> &[u32] {
        self.signatures.as_deref().unwrap_or_default()
    }

    /// Moves the band keys and the bits to `band_keys`. Returns the place of the first keys, and the number of texts.
    ///
    /// # Errors
    /// When memory is too small for them, or they cannot be written to the disk.
    pub(super) fn move_to(&mut self, band_keys: &BandKeys) -> Result<KeyRun> {
        let run = band_keys.append(&self.keys, self.bits.as_deref().unwrap_or_default())?;
        self.keys.clear();
        self.bits.iter_mut().for_each(Vec::clear);
        Ok(run)
    }

    /// Takes the band keys, and the signatures if they are kept.
    pub(super) fn take(&mut self) -> (Vec<u64>, Vec<u32>) {
        let signatures = self.signatures.as_mut().map(std::mem::take).unwrap_or_default();
        (std::mem::take(&mut self.keys), signatures)
    }

    /// Forgets all texts.
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.bits.iter_mut().for_each(Vec::clear);
        self.signatures.iter_mut().for_each(Vec::clear);
    }
}

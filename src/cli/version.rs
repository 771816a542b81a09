//! The text of `--version`: built-in features, versions of file formats, and the kernels that this machine runs.

use dedup_scan::results::{BASELINE_FORM, ResultHeader};
use dedup_scan::sign::kernels;

/// The text of `--version` after the name of the program; `-V` prints its first word.
pub(super) fn long() -> String {
    let features = match (cfg!(feature = "arrow"), cfg!(feature = "parquet")) {
        (true, true) => "arrow, parquet",
        (true, false) => "arrow (parquet is left out)",
        (false, true) => "parquet (arrow is left out)",
        (false, false) => "none (arrow and parquet are left out)",
    };
    let linking = if cfg!(target_feature = "crt-static") { "static" } else { "dynamic" };
    let loops: Vec<String> = kernels().iter().map(|(what, name)| format!("{what} {name}")).collect();
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    format!(
        "{}\nfeatures   {features}\nforms      saved results {}, baselines {BASELINE_FORM}\nbuilt for  {arch} {os}, {linking}\nkernels    \
         {}",
        env!("CARGO_PKG_VERSION"),
        ResultHeader::FORM,
        loops.join(", ")
    )
}

//! The text of `--version`: built-in features, versions of file formats, and the kernels that this machine runs.

use dedup_scan::results::{BASELINE_FORM, ResultHeader};
use dedup_scan::sign::kernels;

/// The text of `--version` after the name of the program; `-V` prints its first word.
pub(super) fn long() -> String {
    let features =
        [("arrow", cfg!(feature = "arrow")), ("parquet", cfg!(feature = "parquet")), ("pdf", cfg!(feature = "pdf"))];
    let named = |is_built: bool| {
        let names: Vec<&str> = features.iter().filter(|(_, is)| *is == is_built).map(|&(name, _)| name).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let features = match features.iter().all(|(_, is)| *is) {
        true => named(true),
        false => format!("{} (without {})", named(true), named(false)),
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

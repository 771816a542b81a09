//! The curve and the help texts.

use super::{Case, shell};

pub(super) fn cases() -> Vec<Case> {
    vec![
        shell("curve/default", "dedup curve"),
        shell("curve/json", "dedup curve --json"),
        shell("curve/banding", "dedup curve --bands 14 --rows 7 --threshold 0.7"),
        shell("curve/banding-as-json", "dedup curve --bands 1 --rows 1 --threshold 0.9 --json"),
        shell("curve/recall", "dedup curve --threshold 0.9 --recall 0.99999"),
        shell(
            "curve/wrong",
            "dedup curve --threshold 2; echo $? >&2; dedup curve --bands 0; echo $? >&2; dedup curve --recall 0",
        ),
        shell("help/program", "dedup --help"),
        shell("help/scan", "dedup scan --help"),
        shell("help/scan-short", "dedup scan -h"),
        shell("help/compare", "dedup compare --help"),
        shell("help/curve", "dedup help curve"),
        shell("help/sign", "dedup sign --help"),
        shell("help/verify", "dedup verify --help"),
        shell("help/params", "dedup params --help"),
        shell("help/version", "dedup --version"),
    ]
}

//! The flags that exclude `--from` and `--forecast`, for every command with those flags.

use clap::Arg;

use crate::cli::registry::FlagEntry;

/// Makes a flag of the run exclude `--from`, unless the flag works with saved results. `--from` replaces the paths.
pub(super) fn not_with_from(arg: Arg) -> Arg {
    if FlagEntry::of(arg.get_id().as_str()).combines_with_from {
        return arg;
    }
    let is_required = matches!(arg.get_id().as_str(), "paths" | "against");
    let arg = if is_required { arg.required_unless_present("from") } else { arg };
    arg.conflicts_with("from")
}

/// Excludes `--from` like [`not_with_from`], for a command whose paths are optional.
pub(super) fn not_with_from_or_here(arg: Arg) -> Arg {
    if arg.get_id() == "paths" { arg.conflicts_with("from") } else { not_with_from(arg) }
}

/// Makes the flags of the gate exclude `--forecast`, since a forecast lists no pairs.
pub(super) fn not_with_forecast(arg: Arg) -> Arg {
    let is_of_gate = matches!(arg.get_id().as_str(), "baseline" | "prune" | "changed_since" | "fail_over");
    if is_of_gate { arg.conflicts_with("forecast") } else { arg }
}

//! The line for a problem with an input, with the commands of the program that help.

use dedup_scan::base::{BinaryKind, Problem, Reason, Setting};

/// The line for a problem, without `dedup: ` at the start.
pub(crate) fn problem_line(problem: &Problem) -> String {
    match problem.reason {
        Reason::Stale => format!("{problem}; {}", stale_remedy()),
        Reason::NothingJoined => format!("{problem}, or remove the flag"),
        Reason::Binary if problem.binary == Some(&BinaryKind::INDEX) => {
            format!("{problem} (dedup query INDEX PATH searches it, dedup index list INDEX lists its documents)")
        }
        _ => problem.to_string(),
    }
}

/// The advice for a document whose text has changed or is missing at the place that an index refers to.
pub(super) fn stale_remedy() -> String {
    let known = Setting::Known;
    format!("add it again (dedup index add, with {known} replace for another text), or remove it (dedup index remove)")
}

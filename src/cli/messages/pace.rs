//! `Pace`: estimates the time that a stage still needs, or refuses to.
//!
//! An estimate is shown only if the average of the whole stage and the last seconds agree on it. A stage whose first
//! documents are much larger or smaller than the others has no estimate.

use std::collections::VecDeque;
use std::time::Duration;

/// Length of the time that must confirm the average of the stage.
const LAST: Duration = Duration::from_secs(3);
/// Maximum ratio between the two estimates.
const AGREEMENT: f64 = 1.25;

/// The progress of the last seconds.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// The elapsed time and the units that were done when the bar was first drawn. A stage may begin with units that
    /// need no time.
    start: Option<(Duration, u64)>,
    /// The elapsed time and the units that were done then, oldest first. The first one is at least [`LAST`] old.
    seen: VecDeque<(Duration, u64)>,
}

impl Pace {
    /// The time that the stage still needs; `None` if it is uncertain.
    ///
    /// * `elapsed`: the time since the stage began; it never decreases.
    /// * `units`, `total`: the units that are done, and all units; 0 if their number is not known.
    pub(super) fn left(&mut self, elapsed: Duration, units: u64, total: u64) -> Option<Duration> {
        let (start, units_before) = *self.start.get_or_insert((elapsed, units));
        self.seen.push_back((elapsed, units));
        while self.seen.get(1).is_some_and(|&(time, _)| elapsed.saturating_sub(time) >= LAST) {
            self.seen.pop_front();
        }
        let &(since, before) = self.seen.front()?;
        let recently = elapsed.saturating_sub(since);
        if recently < LAST || total == 0 || units >= total {
            return None;
        }
        let needs = |time: Duration, done: u64| time.as_secs_f64() * (total - units) as f64 / done as f64;
        let recent = needs(recently, units.saturating_sub(before));
        let average = needs(elapsed.saturating_sub(start), units.saturating_sub(units_before));
        let agree = recent.max(average) <= AGREEMENT * recent.min(average);
        (agree && average.is_finite()).then(|| Duration::from_secs_f64(recent)).filter(|left| left.as_secs() > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The estimates of a stage that has done these units after each half second.
    fn estimates(units: impl Iterator<Item = u64>, total: u64) -> Vec<Option<u64>> {
        let mut pace = Pace::default();
        let at = |number: usize| Duration::from_millis(500 * number as u64);
        units
            .enumerate()
            .map(|(number, units)| pace.left(at(number), units, total).map(|left| left.as_secs()))
            .collect()
    }

    #[test]
    fn an_estimate_is_shown_when_the_last_seconds_confirm_it() {
        let steady = estimates((0..20).map(|number| 10 * number), 400);
        assert!(steady[..6].iter().all(Option::is_none), "{steady:?}");
        assert_eq!((steady[10], steady[19]), (Some(15), Some(10)));
        // The number of units is not known, or the stage is at its end.
        assert!(estimates((0..20).map(|number| 10 * number), 0).iter().all(Option::is_none));
        assert_eq!(estimates((0..20).map(|number| 10 * number), 190)[19], None);
    }

    #[test]
    fn units_that_need_no_time_do_not_count() {
        let steady = estimates((0..20).map(|number| 1000 + 10 * number), 1400);
        assert_eq!((steady[10], steady[19]), (Some(15), Some(10)));
    }

    #[test]
    fn a_stage_that_stops_or_changes_its_pace_has_no_estimate() {
        let stopped = estimates((0..30).map(|number: u64| 1000 * number.min(8)), 40_000);
        assert!(stopped[12..].iter().all(Option::is_none), "{stopped:?}");
        let faster = estimates((0..20).map(|number| if number < 10 { number } else { 100 * (number - 9) }), 10_000);
        assert!(faster[11..].iter().all(Option::is_none), "{faster:?}");
    }
}

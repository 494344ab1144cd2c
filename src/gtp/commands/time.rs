//! Commands about the clocks. Both players get the same time.

use super::{Arguments, Reply, Session};
use crate::clock::{BadTime, Clock, TimeControl};
use crate::gtp::refusal::Refusal;

/// `time_settings MAIN PERIOD STONES`, in seconds.
pub(super) fn time_settings(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let mut number = || arguments.word("a number of MAIN PERIOD STONES");
    let control = TimeControl::read_gtp(number()?, number()?, number()?);
    set(session, control)
}

/// `kgs-time_settings none|absolute|byoyomi|canadian NUMBER...`
pub(super) fn kgs_time_settings(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    kata_time_settings(session, arguments)
}

/// `kata-time_settings KIND NUMBER...`: KGS's kinds and Fischer's.
pub(super) fn kata_time_settings(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let kind = arguments.word("a kind of time control")?;
    let numbers: Vec<&str> = arguments.rest().split_whitespace().collect();
    set(session, TimeControl::read(kind, &numbers))
}

/// `kata-list_time_settings`
pub(super) fn list_time_settings(_: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    Ok(TimeControl::KINDS.map(|(kind, _)| kind).join(" "))
}

/// `time_left COLOUR TIME UNITS`
pub(super) fn time_left(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let color = arguments.color()?;
    let (time, units) = (arguments.word("a time")?, arguments.next().unwrap_or("0"));
    session.clocks[color.index()].read_left(time, units).map_err(Refusal::syntax)?;
    Ok(String::new())
}

fn set(session: &mut Session<'_>, control: Result<TimeControl, BadTime>) -> Reply {
    let clock = Clock::new(control.map_err(Refusal::syntax)?);
    session.clocks = [clock.clone(), clock];
    Ok(String::new())
}

//! Commands about the protocol itself.

use super::{Arguments, Reply, Session, TABLE, find};

/// `protocol_version`
pub(super) fn protocol_version(_: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    Ok("2".to_owned())
}

/// `known_command NAME`
pub(super) fn known_command(_: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    Ok(arguments.next().and_then(find).is_some().to_string())
}

/// `list_commands`
pub(super) fn list_commands(_: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    Ok(TABLE.iter().map(|&(name, _)| name).collect::<Vec<_>>().join("\n"))
}

/// `quit`: the answer is written before the session ends.
pub(super) fn quit(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    session.quits = true;
    Ok(String::new())
}

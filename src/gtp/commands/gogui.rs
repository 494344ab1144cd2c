//! GoGui's own commands.

use super::{Arguments, Reply, Session};
use crate::gtp::format::decimal;

/// `gogui-analyze_commands`: entries of GoGui's analyze menu, a type, a label and a command on each line.
pub(super) fn analyze_commands(_: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    Ok("\
string/Final Score/final_score
plist/Dead Stones/final_status_list dead
plist/Living Stones/final_status_list alive
plist/Stones in Seki/final_status_list seki
dboard/Expected Owners/tengen-ownership
string/Explain Last Move/gomill-explain_last_move
string/Rules/kata-get-rules
hstring/Board/showboard
hstring/Parameters/kata-get-params
none/Forget the Search/clear_cache"
        .to_owned())
}

/// `gogui-interrupt`: that this command is known tells GoGui that `# interrupt` ends a search.
pub(super) fn interrupt(_: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    Ok(String::new())
}

/// `tengen-ownership`: who owns each point if nobody plays on, from 1, Black's, to -1, in the board's rows.
pub(super) fn ownership(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    let width = session.size().width();
    let rows = session.engine.judge().ownership.chunks(width);
    let row = |row: &[f32]| row.iter().map(|&owner| decimal(owner)).collect::<Vec<_>>().join(" ");
    Ok(format!("\n{}", rows.map(row).collect::<Vec<_>>().join("\n")))
}

//! Commands about the board and the moves.

use super::{Arguments, Reply, Session};
use crate::board::{Board, Color, Point, Size};
use crate::gtp::refusal::Refusal;
use crate::rules::Position;

/// `boardsize SIDE`, `boardsize WIDTH HEIGHT`, `rectangular_boardsize WIDTH HEIGHT`: clears the board.
pub(super) fn boardsize(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let width: i64 = arguments.parse("a width")?;
    let height: i64 = if arguments.is_empty() { width } else { arguments.parse("a height")? };
    let side = |side| usize::try_from(side).map_err(|_| Refusal::UnacceptableSize);
    let size = Size::new(side(width)?, side(height)?).map_err(|_| Refusal::UnacceptableSize)?;
    let rules = *session.engine.position().rules();
    session.begin_game(Position::new(size, rules));
    Ok(String::new())
}

/// `clear_board`
pub(super) fn clear_board(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    let rules = *session.engine.position().rules();
    session.begin_game(Position::new(session.size(), rules));
    Ok(String::new())
}

/// `komi POINTS`: any finite number.
pub(super) fn komi(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let komi = arguments.number("a number of points")? as f32;
    if !komi.is_finite() {
        return Err(Refusal::syntax("no game has that komi"));
    }
    session.set_komi(komi);
    Ok(String::new())
}

/// `get_komi`
pub(super) fn get_komi(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    Ok(session.engine.position().rules().komi.to_string())
}

/// `play COLOUR VERTEX`: either colour may move.
pub(super) fn play(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let color = arguments.color()?;
    let vertex = arguments.word("a vertex")?;
    let mv = session.size().parse_vertex(vertex).map_err(|_| Refusal::IllegalMove)?;
    session.engine.play(color, mv).map_err(|_| Refusal::IllegalMove)?;
    Ok(String::new())
}

/// `undo`: takes back a move, passes too. Handicap and set-up stones are no moves.
pub(super) fn undo(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    take_back(session, 1)
}

/// `gg-undo [MOVES]`: takes back so many, or none if there are fewer.
pub(super) fn gg_undo(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let moves = if arguments.is_empty() { 1 } else { arguments.parse("a number of moves")? };
    take_back(session, moves)
}

fn take_back(session: &mut Session<'_>, moves: usize) -> Reply {
    if session.engine.position().moves().len() < moves || !(0..moves).all(|_| session.engine.undo()) {
        return Err(Refusal::CannotUndo);
    }
    Ok(String::new())
}

/// `set_position [COLOUR VERTEX]...`: a game that starts with these stones, Black to move, as in KataGo. On an error nothing changes.
pub(super) fn set_position(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let size = session.size();
    let mut stones: Vec<(Point, Option<Color>)> = Vec::new();
    while !arguments.is_empty() {
        let color = arguments.color()?;
        let point = arguments.vertex(size)?.point().ok_or_else(|| Refusal::syntax("a stone cannot stand on a pass"))?;
        if stones.iter().any(|&(taken, _)| taken == point) {
            return Err(Refusal::other(format!("two stones on {}", size.vertex(point))));
        }
        stones.push((point, Some(color)));
    }
    let mut board = Board::new(size);
    board.set_up(&stones).map_err(Refusal::other)?;
    let rules = *session.engine.position().rules();
    session.begin_game(Position::from_board(board, Color::Black, rules));
    Ok(String::new())
}

/// `showboard`: for people.
pub(super) fn showboard(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    let position = session.engine.position();
    let (board, rules) = (position.board(), position.rules());
    let last = match position.moves().last() {
        Some(&(color, mv)) => format!(", last move {color} {}", position.size().vertex(mv)),
        None => String::new(),
    };
    Ok(format!(
        "\n{board}\n{} to move{last}\nBlack has captured {}, White {}\nRules: {}, komi {}",
        position.to_move(),
        board.captures(Color::Black),
        board.captures(Color::White),
        rules.name().map_or_else(|| rules.to_json(), str::to_owned),
        rules.komi,
    ))
}

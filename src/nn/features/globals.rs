//! The global inputs: passes, komi and rules.

use crate::board::{Color, Move, Size};
use crate::nn::backend::GLOBALS;
use crate::rules::{KoRule, Phase, Position, Scoring, Tax};

use super::{FeatureOptions, Pass};

/// The global inputs of `position`, of whose last moves the network is shown `history`, oldest first.
pub(super) fn globals(position: &Position, options: &FeatureOptions, history: &[(Color, Move)], pass: Pass) -> [f32; GLOBALS] {
    let mut global = [0.0; GLOBALS];
    let (rules, size) = (position.rules(), position.size());
    for (age, &(_, mv)) in history.iter().rev().enumerate() {
        global[age] = flag(mv.is_pass());
    }
    let komi = clipped(self_komi(position, options), size);
    global[5] = komi / 20.0;
    [global[6], global[7]] = match rules.ko {
        KoRule::Simple => [0.0, 0.0],
        KoRule::Positional => [1.0, 0.5],
        KoRule::Situational => [1.0, -0.5],
    };
    global[8] = flag(rules.suicide);
    global[9] = flag(rules.scoring == Scoring::Territory);
    global[10] = flag(rules.tax != Tax::None);
    global[11] = flag(rules.tax == Tax::All);
    global[12] = flag(position.phase() != Phase::Main);
    global[13] = flag(position.phase() == Phase::Cleanup2);
    global[14] = flag(pass == Pass::Ends);
    if options.playout_doubling_advantage != 0.0 {
        global[15] = 1.0;
        global[16] = -position.to_move().sign() * options.playout_doubling_advantage / 2.0;
    }
    global[17] = flag(position.button());
    if rules.scoring == Scoring::Area || position.phase() == Phase::Cleanup2 {
        global[18] = parity_wave(komi, size);
    }
    global
}

fn flag(set: bool) -> f32 {
    f32::from(u8::from(set))
}

/// What the player to move gets beyond the board. Where the result can be a draw, half a point more or less if a draw is better or worse
/// than half a win.
pub(super) fn self_komi(position: &Position, options: &FeatureOptions) -> f32 {
    let rules = position.rules();
    let can_draw = (rules.komi.fract() == 0.0) != rules.button;
    let draw = if can_draw { options.draw_equivalent_wins_for_white - 0.5 } else { 0.0 };
    -position.to_move().sign() * (position.white_bonus() + draw)
}

/// Komi held within what any network was trained with: the board's area and 20 points.
fn clipped(komi: f32, size: Size) -> f32 {
    let most = size.area() as f32 + 20.0;
    komi.clamp(-most, most)
}

/// How close komi is to one that can make a draw. Where all points count, the difference on the board has the parity of its area, so that
/// every second point of komi changes nothing; the wave straightens that stair. It rises through 0 at the komi that can make a draw.
fn parity_wave(komi: f32, size: Size) -> f32 {
    let parity = (size.area() % 2) as f32;
    let floor = ((komi - parity) / 2.0).floor() * 2.0 + parity;
    match komi - floor {
        above if above < 0.5 => above,
        above if above < 1.5 => 1.0 - above,
        above => above - 2.0,
    }
}

//! How a game begins: board, rules, handicap, opening and komi.

use super::params::GameParams;
use super::player::Player;
use super::values::RulesChoice;
use crate::board::{Color, Move, Size};
use crate::rules::{Position, Rules};
use crate::util::Rng;

/// Points for White that even a game of unknown strength out, about.
const USUAL_KOMI: f32 = 7.0;
/// How often komi is set to what the network thinks fair under the last one.
const ROUNDS: usize = 3;
/// Points that a network without knowledge may call fair on the smallest boards; on others half of the area.
const LEAST_MOST_KOMI: f32 = 25.0;
/// Half of the most points that komi may be away from 0 in training data.
const MOST_KOMI: f32 = 400.0;

/// The start of a game.
pub(super) struct Start {
    /// The handicap stones, or an empty board.
    pub(super) start: Position,
    /// After the opening.
    pub(super) position: Position,
}

/// An empty board and its rules, drawn as `params` say; komi is not yet what it will be.
pub(super) fn draw_board(params: &GameParams, rng: &mut Rng) -> Position {
    let size = params.sizes.draw(rng);
    let rules = match params.rules {
        RulesChoice::Given(rules) => rules,
        RulesChoice::Random => Rules::random(params.territory_share, rng),
    };
    // Two passes end the game by the formal count: nobody is there to agree with.
    Position::new(size, Rules { friendly_pass: false, komi: USUAL_KOMI, ..rules })
}

/// Begins a game on the empty board `empty`.
pub(super) fn begin(params: &GameParams, empty: &Position, player: &mut Player<'_>) -> Start {
    let stones = if player.rng.chance(params.handicap_share) { draw_stones(empty.size(), &mut player.rng) } else { 0 };
    let mut start = if stones == 0 { empty.clone() } else { with_handicap(empty, stones, params.opening_temperature, player) };
    let makes_up = stones == 0 || player.rng.chance(params.handicap_fair_share);
    let even = if makes_up { &start } else { empty };
    let mut komi = params.komi.unwrap_or_else(|| fair_komi(even, stones, player));
    start.set_komi(komi);

    let mut position = start.clone();
    let mean = params.opening_moves * start.size().area() as f32;
    // Mostly short, sometimes long.
    let moves = (-libm::log(player.rng.above_zero()) * f64::from(mean)) as usize;
    for _ in 0..moves {
        let mv = draw_move(&position, params.opening_temperature, player);
        if mv.is_pass() {
            break;
        }
        position.play_unchecked(mv);
        if position.is_over() {
            break;
        }
    }
    if params.komi.is_none() {
        if makes_up && player.rng.chance(params.komi_after_opening) {
            komi = fair_komi(&position, stones, player);
        }
        komi = noisy(komi, params, start.size(), &mut player.rng);
    }
    start.set_komi(komi);
    position.set_komi(komi);
    Start { start, position }
}

/// How many handicap stones there are on a board: from 2 to a third of its side.
fn draw_stones(size: Size, rng: &mut Rng) -> usize {
    let most = (size.width() / 3).max(2);
    2 + rng.below(most - 1)
}

/// So many black stones where the policy likes to have them, White to move.
fn with_handicap(empty: &Position, stones: usize, temperature: f32, player: &mut Player<'_>) -> Position {
    let mut board = empty.board().clone();
    for _ in 0..stones {
        let mv = draw_move(&Position::from_board(board.clone(), Color::Black, *empty.rules()), temperature, player);
        let Some(point) = mv.point() else { break };
        board.set_up(&[(point, Some(Color::Black))]).expect("where a stone may be played, it has a liberty");
    }
    Position::from_board(board, Color::White, *empty.rules())
}

/// A move off the policy, without a search; a pass only if there is nothing else.
fn draw_move(position: &Position, temperature: f32, player: &mut Player<'_>) -> Move {
    let priors = player.judge(position).priors;
    let power = |policy: f32| libm::powf(policy.max(0.0), 1.0 / temperature);
    let points = || priors.iter().filter(|prior| !prior.action.is_pass());
    let mut left = player.rng.unit() * points().map(|prior| power(prior.policy)).sum::<f32>();
    let mut last = Move::PASS;
    for prior in points() {
        last = prior.action;
        left -= power(prior.policy);
        if left < 0.0 {
            break;
        }
    }
    last
}

/// The komi under which nobody leads in `position`, as the player sees it.
fn fair_komi(position: &Position, stones: usize, player: &mut Player<'_>) -> f32 {
    let size = position.size();
    let most = (size.area() as f32 / 2.0).max(LEAST_MOST_KOMI) + (stones * size.width()) as f32;
    let mut position = position.clone();
    for _ in 0..ROUNDS {
        let komi = position.rules().komi + player.lead(&position);
        position.set_komi(komi.clamp(-most, most));
        if !player.has_network() {
            // Playouts do not play by komi.
            break;
        }
    }
    position.rules().komi
}

/// `komi` with noise, as a whole or a half number.
fn noisy(komi: f32, params: &GameParams, size: Size, rng: &mut Rng) -> f32 {
    let stdev =
        if rng.chance(params.komi_big_share) { params.komi_big_stdev * size.width() as f32 / 19.0 } else { params.komi_stdev };
    let komi = (komi + stdev * rng.normal() as f32).clamp(-MOST_KOMI, MOST_KOMI);
    (2.0 * komi).round() / 2.0
}

#[cfg(test)]
mod tests {
    use super::{begin, draw_board, fair_komi};
    use crate::board::Color;
    use crate::params::Table;
    use crate::rules::Scoring;
    use crate::selfplay::params::Settings;
    use crate::selfplay::player::{Judge, Player};
    use crate::util::Rng;

    fn settings(pairs: &[(&str, &str)]) -> Settings {
        let mut settings = Settings::default();
        for (name, value) in pairs {
            settings.set(name, value).unwrap();
        }
        settings
    }

    #[test]
    fn rules_and_boards_are_drawn() {
        let settings = settings(&[("sizes", "5:1,7:1"), ("territoryShare", "0.25")]);
        let mut rng = Rng::new(4);
        let boards: Vec<_> = (0..400).map(|_| draw_board(&settings.game, &mut rng)).collect();
        let territory = boards.iter().filter(|board| board.rules().scoring == Scoring::Territory).count();
        assert!((70..130).contains(&territory), "{territory}");
        assert!(boards.iter().all(|board| !board.rules().friendly_pass));
        assert!(boards.iter().all(|board| !board.rules().button || board.rules().scoring == Scoring::Area));
        assert!(boards.iter().any(|board| board.rules().button) && boards.iter().any(|board| board.size().width() == 5));
    }

    #[test]
    fn komi_follows_the_lead_and_handicap_stones_stand() {
        let settings = settings(&[("sizes", "9"), ("rules", "tromp-taylor"), ("handicapProb", "1"), ("komiBigStdevProb", "0")]);
        let mut rng = Rng::new(5);
        let empty = draw_board(&settings.game, &mut rng);
        let mut player = Player::new(&settings, &Judge::Playouts, &empty, rng);
        let even = fair_komi(&empty, 0, &mut player);
        assert!((-3.0..12.0).contains(&even), "{even}");
        let mut komis = Vec::new();
        for _ in 0..20 {
            let started = begin(&settings.game, &empty, &mut player);
            let (start, position) = (&started.start, &started.position);
            assert_eq!((start.to_move(), start.handicap_stones() >= 2), (Color::White, true));
            assert!(start.handicap_stones() <= 3 && start.board().stones(Color::White) == 0 && start.moves().is_empty());
            assert_eq!(start.rules(), position.rules());
            assert_eq!((2.0 * start.rules().komi).fract(), 0.0);
            komis.push(start.rules().komi);
        }
        komis.sort_by(f32::total_cmp);
        // Some make up for the stones and some do not.
        assert!(komis[0] < 12.0 && komis[19] > 15.0, "{komis:?}");
    }

    #[test]
    fn openings_vary_and_komi_can_be_fixed() {
        let settings = settings(&[("sizes", "7"), ("komi", "-3.5"), ("handicapProb", "0"), ("openingMoves", "0.1")]);
        let mut lengths = Vec::new();
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let empty = draw_board(&settings.game, &mut rng);
            let mut player = Player::new(&settings, &Judge::Playouts, &empty, rng);
            let started = begin(&settings.game, &empty, &mut player);
            assert_eq!((started.position.rules().komi, started.start.rules().komi), (-3.5, -3.5));
            lengths.push(started.position.moves().len());
        }
        // The mean of a draw with the mean of 4.9, rounded down.
        let mean = lengths.iter().sum::<usize>() as f32 / 40.0;
        assert!((3.0..6.5).contains(&mean) && lengths.contains(&0) && lengths.iter().any(|&length| length > 8), "{lengths:?}");
    }
}

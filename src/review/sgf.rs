//! A review as SGF: the record with all that it held, and figures, comments, better moves and marks added.

use std::fmt::Write as _;

use super::clients;
use super::look::Choice;
use super::verdict::{Class, Verdict};
use super::words::{percent, points};
use super::{Phase, Review};
use crate::board::{Color, Move};
use crate::sgf::{self, NodeId, Tree, Value, letters};

/// Moves of a variation.
const LONGEST: usize = 10;
/// Better moves that are shown for a mistake, at most.
const MOST_BETTER: usize = 3;
/// A better move has at least this share of the best one's visits.
const VISITED: f32 = 0.1;
/// Points by which it is better than the move that was played.
const BETTER: f32 = 0.75;
/// What variations of ours are called.
const NAME: &str = "Tengen";
/// Names of better moves on the board.
const LABELS: [&str; MOST_BETTER] = ["A", "B", "C"];
/// Annotations of a move; a node that has one keeps it.
const ANNOTATIONS: [&str; 4] = ["BM", "DO", "IT", "TE"];

impl Review {
    /// The record with the review in it.
    pub fn to_sgf(&self) -> String {
        let mut tree = self.game.tree.clone();
        clients::declare(&mut tree);
        for (moves, (look, board)) in self.looks.iter().zip(&self.boards).enumerate() {
            clients::annotate(&mut tree, self.game.node_of_position(moves), look, board);
        }
        for verdict in &self.verdicts {
            let node = self.game.node(verdict.number - 1);
            let told = self.tells_of(verdict.color) || verdict.class == Class::Fine;
            let comment = if told { self.comment(verdict) } else { super::words::standing(&self.looks[verdict.number]) + "." };
            add_comment(&mut tree, node, &comment);
            if self.tells_of(verdict.color) && verdict.class > Class::Fine {
                self.mark(&mut tree, node, verdict);
            }
        }
        add_comment(&mut tree, Tree::ROOT, &self.overview());
        sgf::write([&tree])
    }

    /// Annotates a mistake and shows what was better.
    fn mark(&self, tree: &mut Tree, node: NodeId, verdict: &Verdict) {
        if ANNOTATIONS.iter().all(|name| tree.property(node, name).is_none()) {
            let (name, value) = match verdict.class {
                Class::Blunder => ("BM", "2"),
                Class::Mistake => ("BM", "1"),
                _ => ("DO", ""),
            };
            tree.set(node, name, vec![Value::simple_text(value)]);
        }
        // A move in the root has nothing before it for variations to begin at.
        let Some(parent) = tree.parent(node) else { return };
        let board = &self.boards[verdict.number];
        let size = self.game.record.size;
        let mut labels: Vec<Value> = tree.property(node, "LB").map(|property| property.values().to_vec()).unwrap_or_default();
        for (label, choice) in LABELS.iter().zip(self.better(verdict)) {
            let taken = |value: &Value| value.to_pair().is_some_and(|(point, _)| point.to_text() == letters(size, choice.mv));
            if choice.mv.point().is_some_and(|point| board.is_empty(point)) && !labels.iter().any(taken) {
                labels.push(Value::pair(&letters(size, choice.mv), label));
            }
            self.add_variation(tree, parent, verdict, label, choice);
        }
        tree.set(node, "LB", labels);
    }

    /// Moves that were better than the one played, the best first.
    pub(super) fn better(&self, verdict: &Verdict) -> Vec<&Choice> {
        let (before, after) = (&self.looks[verdict.number - 1], &self.looks[verdict.number]);
        let visits = before.best().map_or(0, |best| best.visits) as f32;
        let gain = |choice: &Choice| verdict.color.sign() * (choice.lead - after.lead);
        let good = |(place, choice): &(usize, &Choice)| {
            choice.mv != verdict.mv
                && !choice.mirrors
                && gain(choice) > 0.0
                && (*place == 0 || choice.visits as f32 >= VISITED * visits && gain(choice) >= BETTER)
        };
        before.choices.iter().enumerate().filter(good).map(|(_, choice)| choice).take(MOST_BETTER).collect()
    }

    /// Adds the line of a better move, unless the record or an earlier review has the same there.
    fn add_variation(&self, tree: &mut Tree, parent: NodeId, verdict: &Verdict, label: &str, choice: &Choice) {
        let size = self.game.record.size;
        let plays = |tree: &Tree, node: NodeId, color: Color, mv: Move| {
            let value = tree.value(node, clients::move_property(color));
            value.is_some_and(|value| value.source().trim() == letters(size, mv))
        };
        if tree.children(parent).any(|child| plays(tree, child, verdict.color, choice.mv)) {
            return;
        }
        let line = if choice.line.is_empty() { std::slice::from_ref(&choice.mv) } else { &choice.line[..] };
        let (mut node, mut color) = (parent, verdict.color);
        for (place, &mv) in line.iter().take(LONGEST).enumerate() {
            node = tree.add_child(node);
            tree.set(node, clients::move_property(color), vec![Value::simple_text(&letters(size, mv))]);
            if place == 0 {
                clients::standing(tree, node, choice.winrate, choice.lead);
                tree.set(node, "N", vec![Value::simple_text(&format!("{NAME} {label}"))]);
                let gain = color.sign() * (choice.lead - self.looks[verdict.number].lead);
                let (own, played) = (choice.winrate_of(color), size.vertex(verdict.mv));
                let told = format!(
                    "{} instead of {played}: {color} wins {}, {} better. {} visits.",
                    size.vertex(mv),
                    percent(own),
                    points(gain.max(0.0)),
                    choice.visits
                );
                tree.set(node, "C", vec![Value::text(&told)]);
            }
            color = !color;
        }
    }

    /// What stands at the root: who judged, how both did, and where the game was lost.
    fn overview(&self) -> String {
        let mut text = format!("Reviewed by {}. {}\n", self.judge, self.game.terms.in_words(&self.game.record));
        for color in Color::ALL.into_iter().filter(|&color| self.tells_of(color)) {
            let all = self.tally(color, None);
            let (Some(accuracy), Some(loss)) = (all.accuracy, all.mean_loss) else { continue };
            let phases = Phase::ALL.map(|phase| (phase, self.tally(color, Some(phase)).accuracy));
            let phases: Vec<String> =
                phases.iter().filter_map(|(phase, accuracy)| Some(format!("{} {:.0}", phase.word(), (*accuracy)?))).collect();
            let _ = writeln!(
                text,
                "{} ({color}): accuracy {accuracy:.0} ({}), {loss:.1} points lost a move; blunders {}, mistakes {}, inaccuracies {}.",
                self.game.name(color),
                phases.join(", "),
                all.blunders,
                all.mistakes,
                all.inaccuracies,
            );
        }
        for verdict in self.largest_mistakes() {
            let lost = verdict.lost.unwrap_or(0.0);
            let mv = self.game.record.size.vertex(verdict.mv);
            let _ = writeln!(text, "Move {}, {} {mv}: {} lost.", verdict.number, verdict.color, points(lost));
        }
        text.trim_end().to_owned()
    }
}

/// Adds to what is said at a node, below what stands there. What an earlier review said there goes.
fn add_comment(tree: &mut Tree, node: NodeId, text: &str) {
    let said =
        tree.property(node, "C").map(|property| property.values().iter().map(Value::to_text).collect::<Vec<_>>().join("\n"));
    let said = said.unwrap_or_default();
    let own = without_ours(&said).trim_end();
    let gap = if own.is_empty() { "" } else { "\n\n" };
    tree.set(node, "C", vec![Value::text(&format!("{own}{gap}{OURS}{text}"))]);
}

/// What a comment of ours begins with.
const OURS: &str = "[Tengen] ";

/// A comment without what an earlier review added.
pub(super) fn without_ours(comment: &str) -> &str {
    comment.find(OURS).map_or(comment, |at| &comment[..at])
}

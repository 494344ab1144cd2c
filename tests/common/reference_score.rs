//! Scores of the slow reference game, by the rules document: the dead stones in pass-alive territory are taken off, then regions are counted.

use super::reference::{Reference, Stone};

impl Reference {
    /// Black's score less White's, komi left out.
    pub(crate) fn score(&self) -> f32 {
        let cells = self.without_dead();
        let mut score = [0.0; 2];
        let all: Vec<_> = [1, 2].into_iter().flat_map(|color| self.independent(&cells, color)).collect();
        let anywhere = |point: usize| all.iter().any(|region| region.contains(&point)) || self.rules.tax == 0;
        for color in [1, 2] {
            let side = color as usize - 1;
            let own = self.independent(&cells, color);
            let inside = |point: usize| own.iter().any(|region| region.contains(&point));
            let mut points = 0;
            for point in 0..cells.len() {
                let old = self.phase < 2 || self.second_start[point] == color;
                points += i32::from(if cells[point] == 0 {
                    let surrounded = if self.rules.tax == 0 { self.surrounded(&cells, point) == color } else { inside(point) };
                    // KataGo goes on counting an old stone for its colour if it is dead in territory that is in seki itself.
                    let dead_in_seki = self.rules.territory && self.now.cells[point] == color && old && !anywhere(point);
                    surrounded || dead_in_seki
                } else {
                    cells[point] == color && (!self.rules.territory || inside(point) || old)
                });
            }
            if self.rules.territory {
                points -= self.early_moves[side];
            }
            if self.rules.tax == 2 {
                points -= 2 * own.len() as i32;
            }
            score[side] = points as f32 + if self.button_taken == color { 0.5 } else { 0.0 };
        }
        score[0] - score[1]
    }

    /// The colour that alone borders the empty region at `point`; 0 if none or both do.
    pub(crate) fn surrounded(&self, cells: &[Stone], point: usize) -> Stone {
        let (_, border) = self.region(point, |near| cells[near] == 0);
        let has = |color| border.iter().any(|&near| cells[near] == color);
        match (has(1), has(2)) {
            (true, false) => 1,
            (false, true) => 2,
            _ => 0,
        }
    }

    /// Connected sets of own stones and the points they alone surround, with no dame next to them and no own chain in atari.
    fn independent(&self, cells: &[Stone], color: Stone) -> Vec<Vec<usize>> {
        let mut seen = vec![false; cells.len()];
        let mut found = Vec::new();
        for first in 0..cells.len() {
            if seen[first] || cells[first] != color {
                continue;
            }
            // All points reachable without crossing the opponent: if a dame is among them, it touches this region.
            let (region, _) = self.region(first, |near| cells[near] != 3 - color);
            for &point in &region {
                seen[point] = true;
            }
            let dame = region.iter().any(|&point| cells[point] == 0 && self.surrounded(cells, point) == 0);
            let atari = region.iter().any(|&point| cells[point] == color && self.chain(&self.now.cells, point).1.len() == 1);
            if !dame && !atari {
                found.push(region);
            }
        }
        found
    }

    fn without_dead(&self) -> Vec<Stone> {
        let mut cells = self.now.cells.clone();
        for color in [1, 2] {
            for (region, settled) in self.pass_alive(color).1 {
                if settled {
                    for &point in &region {
                        cells[point] = 0;
                    }
                }
            }
        }
        cells
    }

    /// Benson's algorithm as it is defined: heads of the living chains of `color`, and the regions bordered by them alone with whether
    /// they are small enough to be territory.
    #[allow(clippy::type_complexity, reason = "one caller, which takes it apart at once")]
    pub(crate) fn pass_alive(&self, color: Stone) -> (Vec<Vec<usize>>, Vec<(Vec<usize>, bool)>) {
        let cells = &self.now.cells;
        let mut chains: Vec<Vec<usize>> = Vec::new();
        let mut regions: Vec<Vec<usize>> = Vec::new();
        for point in 0..cells.len() {
            if cells[point] == color {
                if !chains.iter().any(|chain| chain.contains(&point)) {
                    chains.push(self.chain(cells, point).0);
                }
            } else if !regions.iter().any(|region| region.contains(&point)) {
                regions.push(self.region(point, |near| cells[near] != color).0);
            }
        }
        let touches = |point: usize, chain: &[usize]| self.near(point).any(|near| chain.contains(&near));
        let vital = |region: &[usize], chain: &[usize]| {
            region.iter().filter(|&&point| self.rules.suicide || cells[point] == 0).all(|&point| touches(point, chain))
        };
        loop {
            let (before, of_regions) = (chains.len(), regions.len());
            chains.retain(|chain| regions.iter().filter(|region| vital(region, chain)).count() >= 2);
            regions.retain(|region| {
                let border = region.iter().flat_map(|&point| self.near(point)).filter(|&near| cells[near] == color);
                border.into_iter().all(|near| chains.iter().any(|chain| chain.contains(&near)))
            });
            if chains.len() == before && regions.len() == of_regions {
                break;
            }
        }
        if chains.is_empty() {
            return (chains, Vec::new());
        }
        let inner = |region: &[usize]| region.iter().filter(|&&point| !self.near(point).any(|near| cells[near] == color)).count();
        let regions =
            regions.into_iter().map(|region| (inner(&region) <= 1, region)).map(|(small, region)| (region, small)).collect();
        (chains, regions)
    }
}

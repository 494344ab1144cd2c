//! A slow and simple Go for checking the real one, straight from KataGo's public rules document: flood fill on a plain grid, repetition by
//! comparing whole boards. It shares no code with the product; even points are plain numbers, row by row from the top left.

/// 0 empty, 1 black, 2 white.
pub(crate) type Stone = u8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ko {
    Simple,
    Positional,
    Situational,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct RefRules {
    pub(crate) ko: Ko,
    pub(crate) suicide: bool,
    pub(crate) territory: bool,
    pub(crate) button: bool,
    /// 0 none, 1 seki, 2 all.
    pub(crate) tax: u8,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) cells: Vec<Stone>,
    /// Ko stones that may not be retaken.
    pub(crate) blocked: Vec<bool>,
    pub(crate) to_move: Stone,
    pub(crate) button: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Scored,
    NoResult,
}

#[derive(Clone)]
pub(crate) struct Reference {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) rules: RefRules,
    pub(crate) now: State,
    /// 0 main, 1 and 2 cleanup.
    pub(crate) phase: usize,
    /// Every state of this phase, the present one last.
    pub(crate) past: Vec<State>,
    /// Where in `past` the state after the last pass stands.
    since_pass: usize,
    /// States of this phase that someone passed in.
    passed: Vec<State>,
    passes: usize,
    /// Ko moves of this phase: board before, player, point.
    ko_moves: Vec<(Vec<Stone>, Stone, usize)>,
    /// Who took the button.
    pub(crate) button_taken: Stone,
    /// Stones that black and white have taken.
    pub(crate) captures: [usize; 2],
    /// Moves on the board in the main phase and the first cleanup phase, and in the second, by colour.
    pub(crate) early_moves: [i32; 2],
    pub(crate) late_moves: [i32; 2],
    /// The board when the second cleanup phase began.
    pub(crate) second_start: Vec<Stone>,
    pub(crate) end: Option<End>,
}

impl Reference {
    pub(crate) fn new(width: usize, height: usize, rules: RefRules) -> Self {
        let area = width * height;
        let now = State { cells: vec![0; area], blocked: vec![false; area], to_move: 1, button: rules.button };
        Self {
            width,
            height,
            rules,
            past: vec![now.clone()],
            now,
            phase: 0,
            since_pass: 0,
            passed: Vec::new(),
            passes: 0,
            ko_moves: Vec::new(),
            button_taken: 0,
            captures: [0; 2],
            early_moves: [0; 2],
            late_moves: [0; 2],
            second_start: Vec::new(),
            end: None,
        }
    }

    pub(crate) fn near(&self, point: usize) -> impl Iterator<Item = usize> + use<> {
        let (x, y, width, height) = (point % self.width, point / self.width, self.width, self.height);
        let left = (x > 0).then(|| point - 1);
        let right = (x + 1 < width).then(|| point + 1);
        let up = (y > 0).then(|| point - width);
        let down = (y + 1 < height).then(|| point + width);
        [left, right, up, down].into_iter().flatten()
    }

    /// Points connected with `point` that `inside` accepts, and the other points next to them.
    pub(crate) fn region(&self, point: usize, inside: impl Fn(usize) -> bool) -> (Vec<usize>, Vec<usize>) {
        let mut seen = vec![false; self.width * self.height];
        seen[point] = true;
        let (mut region, mut border) = (vec![point], Vec::new());
        let mut done = 0;
        while done < region.len() {
            for near in self.near(region[done]) {
                if !seen[near] {
                    seen[near] = true;
                    if inside(near) { region.push(near) } else { border.push(near) }
                }
            }
            done += 1;
        }
        (region, border)
    }

    /// Stones and liberties of the chain at `point`.
    pub(crate) fn chain(&self, cells: &[Stone], point: usize) -> (Vec<usize>, Vec<usize>) {
        let (stones, mut border) = self.region(point, |near| cells[near] == cells[point]);
        border.retain(|&near| cells[near] == 0);
        (stones, border)
    }

    /// The board after `color` plays on the empty point, and the stones taken from the opponent and from itself; nothing if that
    /// is no pseudolegal move.
    pub(crate) fn after(&self, cells: &[Stone], color: Stone, point: usize) -> Option<(Vec<Stone>, Vec<usize>, Vec<usize>)> {
        if cells[point] != 0 {
            return None;
        }
        let mut after = cells.to_vec();
        after[point] = color;
        let (mut taken, mut lost) = (Vec::new(), Vec::new());
        for near in self.near(point) {
            if after[near] == 3 - color {
                let (stones, liberties) = self.chain(&after, near);
                if liberties.is_empty() {
                    for &stone in &stones {
                        after[stone] = 0;
                    }
                    taken.extend(stones);
                }
            }
        }
        let (stones, liberties) = self.chain(&after, point);
        if liberties.is_empty() {
            for &stone in &stones {
                after[stone] = 0;
            }
            lost = stones;
        }
        let allowed = after != cells && (lost.is_empty() || self.rules.suicide);
        allowed.then_some((after, taken, lost))
    }

    /// True if the opponent could take the move `before` -> `after` straight back.
    fn is_ko_move(&self, before: &[Stone], after: &[Stone], color: Stone) -> bool {
        let undone = (0..after.len()).filter(|&point| before[point] == 3 - color && after[point] == 0);
        undone.into_iter().any(|point| self.after(after, 3 - color, point).is_some_and(|(back, ..)| back == before))
    }

    /// If a move on `point` lifts the bar of a ko stone and does nothing else, that stone.
    pub(crate) fn unblocks(&self, point: usize) -> Option<usize> {
        let State { cells, blocked, to_move, .. } = &self.now;
        if self.phase == 0 {
            return None;
        }
        if cells[point] == 3 - to_move {
            let (stones, liberties) = self.chain(cells, point);
            return (blocked[point] && stones.len() == 1 && liberties.len() == 1).then_some(point);
        }
        let (after, taken, _) = self.after(cells, *to_move, point)?;
        (self.is_ko_move(cells, &after, *to_move) && blocked[taken[0]]).then(|| taken[0])
    }

    pub(crate) fn is_legal(&self, point: usize) -> bool {
        let State { cells, to_move, button, .. } = &self.now;
        if self.unblocks(point).is_some() {
            return true;
        }
        let Some((after, ..)) = self.after(cells, *to_move, point) else { return false };
        if self.phase > 0 {
            return !(self.is_ko_move(cells, &after, *to_move)
                && self.ko_moves.iter().any(|(board, color, at)| board == cells && color == to_move && *at == point));
        }
        let next = 3 - *to_move;
        let same = |state: &State| state.button == *button && state.cells == after;
        match self.rules.ko {
            // The state at the start of the opponent's last turn.
            Ko::Simple => !(self.past.len() >= 2 && self.past[self.past.len() - 2].cells == after),
            Ko::Positional => !self.past.iter().any(same),
            Ko::Situational => !self.past.iter().any(|state| state.to_move == next && same(state)),
        }
    }

    pub(crate) fn play(&mut self, point: Option<usize>) {
        let color = self.now.to_move;
        let counts = self.phase > 0 || self.rules.ko == Ko::Simple;
        let mut phase_ends = false;
        let Some(point) = point else {
            if self.now.button {
                self.now.button = false;
                self.button_taken = color;
            } else {
                phase_ends = self.passes == 1 || (counts && self.passed.contains(&self.now));
                self.passed.push(self.now.clone());
                self.passes += 1;
            }
            self.now.to_move = 3 - color;
            self.since_pass = self.past.len();
            self.past.push(self.now.clone());
            if phase_ends {
                self.end_phase();
            }
            return;
        };
        self.passes = 0;
        if let Some(stone) = self.unblocks(point) {
            self.now.blocked[stone] = false;
        } else {
            let (after, taken, lost) = self.after(&self.now.cells, color, point).expect("a legal move");
            self.captures[color as usize - 1] += taken.len();
            self.captures[2 - color as usize] += lost.len();
            if self.phase > 0 {
                if self.is_ko_move(&self.now.cells, &after, color) {
                    self.ko_moves.push((self.now.cells.clone(), color, point));
                    self.now.blocked[point] = true;
                }
                (0..after.len()).filter(|&point| after[point] == 0).for_each(|point| self.now.blocked[point] = false);
            }
            self.now.cells = after;
            let moves = if self.phase < 2 { &mut self.early_moves } else { &mut self.late_moves };
            moves[color as usize - 1] += 1;
        }
        self.now.to_move = 3 - color;
        self.past.push(self.now.clone());
        let times = self.past[self.since_pass..].iter().filter(|state| **state == self.now).count();
        if counts && times >= 3 {
            self.end = Some(End::NoResult);
        }
    }

    fn end_phase(&mut self) {
        if !self.rules.territory || self.phase == 2 {
            self.end = Some(End::Scored);
            return;
        }
        self.phase += 1;
        self.now.blocked.fill(false);
        if self.phase == 2 {
            self.second_start.clone_from(&self.now.cells);
        }
        self.past = vec![self.now.clone()];
        self.since_pass = 0;
        self.passed.clear();
        self.ko_moves.clear();
        self.passes = 0;
    }
}

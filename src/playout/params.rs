//! How playouts choose their moves.

/// How likely each kind of move is tried, in the order of trying. All are percentages, 0 to 100.
/// Those without another source are the defaults of Pachi (public sources, `playout/moggy.c`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayoutParams {
    /// At random, or by the rules below.
    pub policy: PlayoutPolicy,
}

/// What chooses a playout's moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayoutPolicy {
    /// Any move but into an own eye, each equally likely.
    Uniform,
    /// Captures, saves, ataris and shapes around the last move first.
    Light,
}

impl Default for PlayoutParams {
    fn default() -> Self {
        Self { policy: PlayoutPolicy::Light }
    }
}

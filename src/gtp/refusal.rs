//! Why a command was refused.

/// The text after `?`. Clients match the first words of most of these, so they stay as the protocol has them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    /// No such command.
    #[error("unknown command")]
    UnknownCommand,
    /// An argument is missing or makes no sense; the text says which, and what is valid.
    #[error("syntax error: {0}")]
    Syntax(String),
    /// The move is against the rules, or names no point of the board.
    #[error("illegal move")]
    IllegalMove,
    /// There is no move to take back.
    #[error("cannot undo")]
    CannotUndo,
    /// A board of this size is not supported.
    #[error("unacceptable size")]
    UnacceptableSize,
    /// Anything else.
    #[error("{0}")]
    Other(String),
}

impl Refusal {
    /// An argument that is missing or makes no sense.
    pub(crate) fn syntax(message: impl std::fmt::Display) -> Self {
        Self::Syntax(message.to_string())
    }

    /// Any other reason.
    pub(crate) fn other(message: impl std::fmt::Display) -> Self {
        Self::Other(message.to_string())
    }
}

/// What a command answers: the text after `=`, or a refusal.
pub(crate) type Reply = Result<String, Refusal>;

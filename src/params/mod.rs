//! Every setting of the engine, out of one table (`table.rs`): what it is called, its unit, range, default and reason.
//!
//! Settings come, in this order, from the defaults that suit the machine ([`Settings::for_machine`]), a config file
//! ([`Table::read_toml`]), the command line's flags ([`Table::set`]), and GTP's `kata-set-param` during a game
//! ([`Settings::set_live`]).
//!
//! Other work has tables of its own, made in the same way.

mod katago;
mod machine;
mod print;
mod profile;
pub(crate) mod schema;
mod table;
pub(crate) mod value;

pub use katago::Fate;
pub use print::{markdown, summary, text, toml};
pub use profile::{InverseRank, Profile};
pub use schema::{Group, Param, Table};
pub use table::{
    AnalysisParams, BookParams, GameParams, NetworkParams, PlayParams, PlayoutParams, SearchParams, Settings, TimeParams,
};
pub use value::{BackendKind, Bytes, Device, Kind, MIB, NetworkFile, Perspective, PlayoutPolicy, Range};

/// Why a setting could not be changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadParam {
    /// There is no parameter of this name.
    #[error("unknown parameter '{name}'{}; `{list}` lists them all", hint(*.similar))]
    Unknown {
        /// The name asked for.
        name: String,
        /// The command that lists what there is.
        list: &'static str,
        /// One that may be meant.
        similar: Option<&'static str>,
    },
    /// The value does not fit the parameter.
    #[error("{name} cannot be '{value}': it takes {takes}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// The value asked for.
        value: String,
        /// What it may be.
        takes: String,
    },
    /// The parameter is fixed once the engine runs.
    #[error("{name} can only be set at the start: by a flag or in the config file")]
    Fixed {
        /// The parameter.
        name: &'static str,
    },
    /// The config file is not TOML.
    #[error("this is no TOML: {0}")]
    NoToml(String),
}

impl Settings {
    /// The defaults, with as many threads as the machine has cores and memory that leaves room for others.
    pub fn for_machine() -> Self {
        let mut settings = Self::default();
        settings.search.threads = machine::cores();
        settings.search.memory = machine::tree_memory();
        if cfg!(feature = "embedded-net") {
            settings.network.file = NetworkFile::Embedded;
        }
        settings
    }

    /// The same for a network on a GPU: so many threads that it has enough to do, each waiting for an answer most of the time.
    pub fn for_gpu() -> Self {
        let mut settings = Self::for_machine();
        settings.search.threads = machine::GPU_THREADS;
        settings
    }

    /// Sets the parameter `name` while the engine runs.
    ///
    /// # Errors
    /// As for [`Table::set`], and if the parameter is fixed at the start.
    pub fn set_live(&mut self, name: &str, value: &str) -> Result<(), BadParam> {
        let param = Self::param(name)?;
        if param.live { self.set(name, value) } else { Err(BadParam::Fixed { name: param.name }) }
    }
}

impl<S: Table> Param<S> {
    /// One or two sentences: what it does, and why it has its default.
    pub fn reason(&self) -> &'static str {
        self.reason.trim()
    }

    /// Checks a value without setting it; for flags.
    ///
    /// # Errors
    /// As for [`Table::set`].
    pub fn check(&self, value: &str) -> Result<(), BadParam> {
        S::default().set(self.name, value)
    }

    /// What it may be, in words: `a whole number from 1 to 1024 (threads)`.
    pub fn takes(&self) -> String {
        let what = match self.kind {
            Kind::Int => "a whole number".to_owned(),
            Kind::Float => "a number".to_owned(),
            Kind::Bool => "true or false".to_owned(),
            Kind::Bytes => "an amount of memory".to_owned(),
            Kind::Choice(words) => words.join(" or "),
            Kind::Words(words) => words.to_owned(),
            Kind::Text => "a text".to_owned(),
        };
        let range = self.range_text().map_or_else(String::new, |range| format!(" {range}"));
        let told = self.unit.is_empty() || self.kind == Kind::Bytes;
        let unit = if told { String::new() } else { format!(" ({})", self.unit) };
        let none = if self.optional { ", or none" } else { "" };
        format!("{what}{range}{unit}{none}")
    }

    /// Its range, in words: `from 1 to 1024`.
    fn range_text(&self) -> Option<String> {
        let Range { low, high } = self.range?;
        Some(match self.kind {
            Kind::Bytes => format!("from {} to {}", Bytes(low as u64), Bytes(high as u64)),
            _ if high >= 1e12 => format!("from {low} up"),
            _ => format!("from {low} to {high}"),
        })
    }
}

impl Group {
    /// What the group is about.
    pub fn about(&self) -> &'static str {
        self.about.trim()
    }
}

/// ` (did you mean X?)`, if there is an X.
fn hint(similar: Option<&str>) -> String {
    similar.map_or_else(String::new, |name| format!(" (did you mean {name}?)"))
}

#[cfg(test)]
mod tests;

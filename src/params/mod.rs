//! Every setting of the engine, out of one table (`table.rs`): what it is called, its unit, range, default and reason.
//!
//! Settings come, in this order, from the defaults that suit the machine ([`Settings::for_machine`]), a config file
//! ([`Settings::read_toml`]), the command line's flags ([`Settings::set`]), and GTP's `kata-set-param` during a game
//! ([`Settings::set_live`]).

mod machine;
mod print;
mod schema;
mod table;
mod value;

pub use print::{markdown, summary, text, toml};
pub use schema::{Group, Param};
pub use table::{GROUPS, GameParams, NetworkParams, PlayParams, PlayoutParams, SearchParams, Settings, TABLE, TimeParams};
pub use value::{Bytes, Kind, MIB, PlayoutPolicy, Range};

/// Why a setting could not be changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadParam {
    /// There is no parameter of this name.
    #[error("unknown parameter '{name}'{}; `tengen params` lists them all", hint(.name))]
    Unknown {
        /// The name asked for.
        name: String,
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
        settings
    }

    /// The value of the parameter `name`, as [`Settings::set`] takes it.
    ///
    /// # Errors
    /// If there is no such parameter.
    pub fn get(&self, name: &str) -> Result<String, BadParam> {
        Ok((Param::find(name)?.get)(self))
    }

    /// Sets the parameter `name`, before the engine starts. On an error nothing changes.
    ///
    /// # Errors
    /// If there is no such parameter, or it cannot have this value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), BadParam> {
        let param = Param::find(name)?;
        if (param.set)(self, value.trim(), param.range) {
            Ok(())
        } else {
            Err(BadParam::Value { name: param.name, value: value.to_owned(), takes: param.takes() })
        }
    }

    /// Sets the parameter `name` while the engine runs.
    ///
    /// # Errors
    /// As for [`Settings::set`], and if the parameter is fixed at the start.
    pub fn set_live(&mut self, name: &str, value: &str) -> Result<(), BadParam> {
        let param = Param::find(name)?;
        if param.live { self.set(name, value) } else { Err(BadParam::Fixed { name: param.name }) }
    }

    /// Sets every parameter that a config file names: lines of `name = value`, in TOML. On an error nothing changes.
    ///
    /// # Errors
    /// If the text is no TOML, or as for [`Settings::set`].
    pub fn read_toml(&mut self, text: &str) -> Result<(), BadParam> {
        let file: ::toml::Table = text.parse().map_err(|error: ::toml::de::Error| BadParam::NoToml(error.to_string()))?;
        let mut settings = self.clone();
        for (name, value) in &file {
            match value {
                ::toml::Value::String(text) => settings.set(name, text)?,
                other => settings.set(name, &other.to_string())?,
            }
        }
        *self = settings;
        Ok(())
    }
}

impl Param {
    /// The parameter called `name`.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(name: &str) -> Result<&'static Self, BadParam> {
        TABLE.iter().find(|param| param.name == name).ok_or_else(|| BadParam::Unknown { name: name.to_owned() })
    }

    /// One or two sentences: what it does, and why it has its default.
    pub fn reason(&self) -> &'static str {
        self.reason.trim()
    }

    /// Checks a value without setting it; for flags.
    ///
    /// # Errors
    /// As for [`Settings::set`].
    pub fn check(&self, value: &str) -> Result<(), BadParam> {
        Settings::default().set(self.name, value)
    }

    /// What it may be, in words: `a whole number from 1 to 1024 (threads)`.
    pub fn takes(&self) -> String {
        let what = match self.kind {
            Kind::Int => "a whole number".to_owned(),
            Kind::Float => "a number".to_owned(),
            Kind::Bool => "true or false".to_owned(),
            Kind::Bytes => "an amount of memory".to_owned(),
            Kind::Choice(words) => words.join(" or "),
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

/// `; did you mean X?` for a misspelt name: one that differs in case, or of which one is the beginning of the other.
fn hint(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let similar = |param: &&Param| {
        let known = param.name.to_ascii_lowercase();
        !name.is_empty() && (known.contains(&name) || name.contains(&known))
    };
    TABLE.iter().find(similar).map_or_else(String::new, |param| format!(" (did you mean {}?)", param.name))
}

#[cfg(test)]
mod tests;

//! Turns a table such as that of `table.rs` into the settings' structs, their defaults and the list of parameters.

use super::BadParam;
use super::value::{Kind, Range};

/// One parameter: all that is known of it, and how to read and change it in the settings `S`.
#[derive(Debug)]
pub struct Param<S = super::Settings> {
    /// Its public name: in GTP, in the config file, in messages.
    pub name: &'static str,
    /// The group it stands in, such as `search`.
    pub group: &'static str,
    /// What its values look like.
    pub kind: Kind,
    /// Whether `none` is a value too.
    pub optional: bool,
    /// Its unit; empty if it has none.
    pub unit: &'static str,
    /// The numbers allowed.
    pub range: Option<Range>,
    /// Whether it may change after the start, by `kata-set-param`.
    pub live: bool,
    pub(crate) reason: &'static str,
    pub(crate) get: fn(&S) -> String,
    pub(crate) set: fn(&mut S, &str, Option<Range>) -> bool,
}

/// A group of parameters.
#[derive(Debug)]
pub struct Group {
    /// Its name, such as `search`.
    pub name: &'static str,
    pub(crate) about: &'static str,
}

/// Settings that a table describes.
pub trait Table: Clone + Default + 'static {
    /// Every parameter, in the table's order.
    const PARAMS: &'static [Param<Self>];
    /// The groups, in the table's order.
    const GROUPS: &'static [Group];
    /// The command that lists them.
    const LISTED_BY: &'static str;
    /// The command that takes them from a file.
    const READ_BY: &'static str;

    /// The parameter called `name`.
    ///
    /// # Errors
    /// If there is none.
    fn param(name: &str) -> Result<&'static Param<Self>, BadParam> {
        let unknown = || BadParam::Unknown { name: name.to_owned(), list: Self::LISTED_BY, similar: similar::<Self>(name) };
        Self::PARAMS.iter().find(|param| param.name == name).ok_or_else(unknown)
    }

    /// The value of the parameter `name`, as [`Table::set`] takes it.
    ///
    /// # Errors
    /// If there is no such parameter.
    fn get(&self, name: &str) -> Result<String, BadParam> {
        Ok((Self::param(name)?.get)(self))
    }

    /// Sets the parameter `name`, before the work starts. On an error nothing changes.
    ///
    /// # Errors
    /// If there is no such parameter, or it cannot have this value.
    fn set(&mut self, name: &str, value: &str) -> Result<(), BadParam> {
        let param = Self::param(name)?;
        if (param.set)(self, value.trim(), param.range) {
            Ok(())
        } else {
            Err(BadParam::Value { name: param.name, value: value.to_owned(), takes: param.takes() })
        }
    }

    /// Sets every parameter that a config file names: lines of `name = value`, in TOML. On an error nothing changes.
    ///
    /// # Errors
    /// If the text is no TOML, or as for [`Table::set`].
    fn read_toml(&mut self, text: &str) -> Result<(), BadParam> {
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

/// The parameter that a misspelt name may mean: one that differs in case, or of which one is the beginning of the other.
fn similar<S: Table>(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let similar = |param: &&Param<S>| {
        let known = param.name.to_ascii_lowercase();
        !name.is_empty() && (known.contains(&name) || name.contains(&known))
    };
    S::PARAMS.iter().find(similar).map(|param| param.name)
}

/// `any` is no range; `(low, high)` is one, both ends included.
macro_rules! range {
    (any) => {
        None
    };
    (($low:expr, $high:expr)) => {
        Some($crate::params::value::Range { low: $low as f64, high: $high as f64 })
    };
}

/// `live` or `start`, as in the table.
macro_rules! live {
    (live) => {
        true
    };
    (start) => {
        false
    };
}

/// Reads the table; see `table.rs` for what an entry means.
macro_rules! settings {
    (
    $(#[doc = $settings:literal])+
    Settings, listed by $listed:literal, read by $read:literal;
    $(
        $(#[doc = $about:literal])+
        $group:ident: $Group:ident {$(
            $(#[doc = $reason:literal])+
            $name:literal => $field:ident: $type:ty = $default:expr, $range:tt, $unit:literal, $when:ident;
        )+}
    )+) => {
        $(#[doc = $settings])+
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Settings {$(
            $(#[doc = $about])+
            pub $group: $Group,
        )+}

        $(
            $(#[doc = $about])+
            #[derive(Clone, Debug, PartialEq)]
            pub struct $Group {$(
                $(#[doc = $reason])+
                ///
                #[doc = concat!("Parameter `", $name, "`; unit: ", $unit, "; range: `", stringify!($range), "`.")]
                pub $field: $type,
            )+}

            impl Default for $Group {
                fn default() -> Self {
                    Self {$( $field: $default, )+}
                }
            }
        )+

        impl $crate::params::Table for Settings {
            const GROUPS: &'static [$crate::params::Group] = &[$(
                $crate::params::Group { name: stringify!($group), about: concat!($($about),+) },
            )+];
            const PARAMS: &'static [$crate::params::Param<Self>] = &[$($(
                $crate::params::Param {
                    name: $name,
                    group: stringify!($group),
                    kind: <$type as $crate::params::value::Value>::KIND,
                    optional: <$type as $crate::params::value::Value>::OPTIONAL,
                    unit: $unit,
                    range: $crate::params::schema::range!($range),
                    live: $crate::params::schema::live!($when),
                    reason: concat!($($reason),+),
                    get: |settings| $crate::params::value::Value::show(&settings.$group.$field),
                    set: |settings, text, range| match $crate::params::value::read(text, range) {
                        Some(value) => {
                            settings.$group.$field = value;
                            true
                        }
                        None => false,
                    },
                },
            )+)+];
            const LISTED_BY: &'static str = $listed;
            const READ_BY: &'static str = $read;
        }
    };
}

pub(crate) use {live, range, settings};

//! Turns the table of `table.rs` into the settings' structs, their defaults and the list of parameters.

use super::value::{Kind, Range};

/// One parameter: all that is known of it, and how to read and change it in [`Settings`](super::Settings).
#[derive(Debug)]
pub struct Param {
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
    pub(super) reason: &'static str,
    pub(super) get: fn(&super::Settings) -> String,
    pub(super) set: fn(&mut super::Settings, &str, Option<Range>) -> bool,
}

/// A group of parameters.
#[derive(Debug)]
pub struct Group {
    /// Its name, such as `search`.
    pub name: &'static str,
    pub(super) about: &'static str,
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
    ($(
        $(#[doc = $about:literal])+
        $group:ident: $Group:ident {$(
            $(#[doc = $reason:literal])+
            $name:literal => $field:ident: $type:ty = $default:expr, $range:tt, $unit:literal, $when:ident;
        )+}
    )+) => {
        /// All settings of an engine.
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

        /// The groups, in the table's order.
        pub static GROUPS: &[$crate::params::schema::Group] = &[$(
            $crate::params::schema::Group { name: stringify!($group), about: concat!($($about),+) },
        )+];

        /// Every parameter, in the table's order.
        pub static TABLE: &[$crate::params::schema::Param] = &[$($(
            $crate::params::schema::Param {
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
    };
}

pub(super) use {live, range, settings};

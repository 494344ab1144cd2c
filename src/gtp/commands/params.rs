//! The engine's parameters by KataGo's commands.

use serde_json::{Map, Value};

use super::{Arguments, Reply, Session};
use crate::gtp::refusal::Refusal;
use crate::params::{Kind, Profile, Settings, Table};

/// Parameters of KataGo's that clients ask for and this engine has not, with the value that stands for having none of it.
const FOREIGN: [(&str, &str); 1] = [("antiMirror", "false")];

/// `kata-get-param NAME`
pub(super) fn get_param(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let name = arguments.word("a parameter")?;
    match FOREIGN.iter().find(|(foreign, _)| *foreign == name) {
        Some((_, none)) => Ok((*none).to_owned()),
        None => session.engine.settings().get(name).map_err(Refusal::other),
    }
}

/// `kata-set-param NAME VALUE`: holds from the next search on.
pub(super) fn set_param(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let name = arguments.word("a parameter")?;
    let mut settings = session.engine.settings().clone();
    set(&mut settings, name, arguments.rest())?;
    take(session, settings)
}

/// `kata-get-params`: all of them as a JSON object.
pub(super) fn get_params(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    let settings = session.engine.settings();
    let mut object = Map::new();
    for param in Settings::PARAMS {
        let text = settings.get(param.name).map_err(Refusal::other)?;
        let value = match param.kind {
            _ if text == "none" => Value::Null,
            Kind::Int | Kind::Float | Kind::Bool => text.parse().unwrap_or(Value::String(text)),
            _ => Value::String(text),
        };
        object.insert(param.name.to_owned(), value);
    }
    Ok(Value::Object(object).to_string())
}

/// `kata-set-params OBJECT`: several at once, or on an error none.
pub(super) fn set_params(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let object: Map<String, Value> = serde_json::from_str(arguments.rest())
        .map_err(|error| Refusal::syntax(format!("a JSON object of names and values is needed: {error}")))?;
    let mut settings = session.engine.settings().clone();
    for (name, value) in &object {
        match value {
            Value::String(text) => set(&mut settings, name, text)?,
            Value::Null => set(&mut settings, name, "none")?,
            other => set(&mut settings, name, &other.to_string())?,
        }
    }
    take(session, settings)
}

/// Makes these the settings, unless they name somebody to imitate and no network knows how people play.
fn take(session: &mut Session<'_>, settings: Settings) -> Reply {
    let profile = settings.network.human_profile;
    if profile != Profile::None && profile != session.engine.settings().network.human_profile {
        let judge = session.engine.network().is_ok_and(|network| network.is_some_and(|network| network.imitates_people()));
        if !judge && session.engine.human_model().map_err(Refusal::other)?.is_none() {
            return Err(Refusal::other("there is no network of human play: start the engine with --human-model FILE"));
        }
    }
    *session.engine.settings_mut() = settings;
    Ok(String::new())
}

/// `kata-list-params`
pub(super) fn list_params(_: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    Ok(Settings::PARAMS.iter().map(|param| param.name).collect::<Vec<_>>().join(" "))
}

/// `lz-setoption name NAME value VALUE`: Leela Zero's options mean nothing here, and are no reason to complain.
pub(super) fn lz_setoption(_: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    Ok(String::new())
}

fn set(settings: &mut Settings, name: &str, value: &str) -> Result<(), Refusal> {
    match FOREIGN.iter().find(|(foreign, _)| *foreign == name) {
        Some((_, none)) => {
            if value != *none {
                log::warn!("{name} has no effect on this engine");
            }
            Ok(())
        }
        None => settings.set_live(name, value).map_err(Refusal::other),
    }
}

#[cfg(test)]
mod tests {
    use super::{FOREIGN, Settings};
    use crate::params::Table;

    #[test]
    fn what_the_engine_has_is_not_foreign() {
        for (name, _) in FOREIGN {
            assert!(Settings::PARAMS.iter().all(|param| param.name != name), "{name} could not be set");
        }
    }
}

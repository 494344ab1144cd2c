//! Commands about the engine: what it is, what it has used, what it forgets.

use super::{Arguments, Reply, Session};

/// The engine's name.
pub(crate) const NAME: &str = "Tengen";
/// Its version: three numbers, for clients read it as such.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// `name`
pub(super) fn name(_: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    Ok(NAME.to_owned())
}

/// `version`
pub(super) fn version(_: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    Ok(VERSION.to_owned())
}

/// `gomill-describe_engine`: for the comment of a game record.
pub(super) fn describe_engine(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    let judge = match session.engine.network() {
        Ok(Some(network)) => format!("network {}", network.name()),
        _ => "playouts".to_owned(),
    };
    let search = &session.engine.settings().search;
    let seed = search.seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
    Ok(format!("{NAME} {VERSION}\n{judge}, {} threads, {} for all{seed}", search.threads, search.memory))
}

/// `cputime`, `gomill-cpu_time`: seconds spent on moves so far, as KataGo counts them: on the wall, once for all threads.
pub(super) fn cputime(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    Ok(format!("{:.3}", session.thought.as_secs_f64()))
}

/// `clear_cache`
pub(super) fn clear_cache(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    session.engine.clear_cache();
    Ok(String::new())
}

//! The commands, by theme. To add one, write its function and add it to the table.
#![expect(clippy::unnecessary_wraps, reason = "all commands have one signature")]

mod analysis;
mod engine;
mod game;
mod gogui;
mod handicap;
mod judge;
mod moves;
mod network;
mod params;
mod protocol;
mod records;
mod rules;
mod servers;
mod time;

pub(crate) use engine::{NAME, VERSION};

use super::parse::Arguments;
use super::refusal::Reply;
use super::session::Session;

/// What a command does.
type Handler = fn(&mut Session<'_>, &mut Arguments<'_>) -> Reply;

/// What the command called `name` does; names are case-sensitive.
pub(crate) fn find(name: &str) -> Option<Handler> {
    TABLE.iter().find(|(known, _)| *known == name).map(|&(_, handler)| handler)
}

/// Every command. `list_commands` has this order: some clients want protocol_version first.
static TABLE: &[(&str, Handler)] = &[
    // GTP: required.
    ("protocol_version", protocol::protocol_version),
    ("name", engine::name),
    ("version", engine::version),
    ("known_command", protocol::known_command),
    ("list_commands", protocol::list_commands),
    ("quit", protocol::quit),
    ("boardsize", game::boardsize),
    ("clear_board", game::clear_board),
    ("komi", game::komi),
    ("play", game::play),
    ("genmove", moves::genmove),
    // GTP: tournaments.
    ("fixed_handicap", handicap::fixed),
    ("place_free_handicap", handicap::place_free),
    ("set_free_handicap", handicap::set_free),
    // GTP: regression tests.
    ("loadsgf", records::loadsgf),
    ("reg_genmove", moves::reg_genmove),
    // GTP: others.
    ("undo", game::undo),
    ("time_settings", time::time_settings),
    ("time_left", time::time_left),
    ("final_score", judge::final_score),
    ("final_status_list", judge::final_status_list),
    ("showboard", game::showboard),
    // Customs of many engines.
    ("get_komi", game::get_komi),
    ("rectangular_boardsize", game::boardsize),
    ("set_position", game::set_position),
    ("gg-undo", game::gg_undo),
    ("printsgf", records::printsgf),
    ("clear_cache", engine::clear_cache),
    ("cputime", engine::cputime),
    ("stop", analysis::stop),
    // Leela Zero's and KataGo's analysis, and the form of it that Sabaki asks for.
    ("lz-analyze", analysis::lz_analyze),
    ("kata-analyze", analysis::kata_analyze),
    ("analyze", analysis::kata_analyze),
    ("lz-genmove_analyze", moves::lz_genmove_analyze),
    ("kata-genmove_analyze", moves::kata_genmove_analyze),
    ("genmove_analyze", moves::kata_genmove_analyze),
    ("kata-search", moves::search),
    ("kata-search_cancellable", moves::search_cancellable),
    ("kata-search_analyze", moves::search_analyze),
    ("kata-search_analyze_cancellable", moves::search_analyze_cancellable),
    ("kata-raw-nn", network::raw_nn),
    ("kata-raw-human-nn", network::raw_human_nn),
    ("kata-benchmark", analysis::benchmark),
    ("lz-setoption", params::lz_setoption),
    // KataGo's rules, times and parameters.
    ("kata-get-rules", rules::get_rules),
    ("kata-set-rules", rules::set_rules),
    ("kata-set-rule", rules::set_rule),
    ("kata-time_settings", time::kata_time_settings),
    ("kata-list_time_settings", time::list_time_settings),
    ("kata-get-param", params::get_param),
    ("kata-set-param", params::set_param),
    ("kata-get-params", params::get_params),
    ("kata-set-params", params::set_params),
    ("kata-list-params", params::list_params),
    ("kata-get-models", network::get_models),
    // Servers.
    ("kgs-rules", rules::kgs_rules),
    ("kgs-time_settings", time::kgs_time_settings),
    ("kgs-genmove_cleanup", moves::genmove_cleanup),
    ("kgs-chat", servers::chat),
    ("kgs-game_over", servers::game_over),
    ("cgos-genmove_analyze", moves::cgos_genmove_analyze),
    ("cgos-opponent_name", servers::take_note),
    ("cgos-opponent_rating", servers::take_note),
    ("cgos-gameover", servers::game_over),
    // Gomill's ringmaster.
    ("gomill-describe_engine", engine::describe_engine),
    ("gomill-explain_last_move", servers::explain_last_move),
    ("gomill-cpu_time", engine::cputime),
    // GoGui.
    ("gogui-analyze_commands", gogui::analyze_commands),
    ("gogui-interrupt", gogui::interrupt),
    ("tengen-ownership", gogui::ownership),
];

//! Commands about the rules. Komi is a matter of its own and stays.

use super::{Arguments, Reply, Session};
use crate::gtp::refusal::Refusal;
use crate::rules::{BadRules, Rules};

/// `kata-get-rules`
pub(super) fn get_rules(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    Ok(session.engine.position().rules().to_json())
}

/// `kata-set-rules RULES`: a name or a JSON object.
pub(super) fn set_rules(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    change(session, Rules::parse(arguments.rest()))
}

/// `kgs-rules chinese|aga|japanese|new_zealand`
pub(super) fn kgs_rules(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    change(session, Rules::parse_kgs(arguments.rest()))
}

/// `kata-set-rule KEY VALUE`: one setting.
pub(super) fn set_rule(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let key = arguments.word("a setting such as ko")?;
    let value = arguments.word("a value")?;
    let rules = session.engine.position().rules().with_setting(key, value);
    change(session, rules)
}

fn change(session: &mut Session<'_>, rules: Result<Rules, BadRules>) -> Reply {
    let komi = session.engine.position().rules().komi;
    session.change_rules(rules.map_err(Refusal::other)?.with_komi(komi));
    Ok(String::new())
}

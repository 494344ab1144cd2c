//! Settings under KataGo's names, where those differ from ours or mean nothing here.

use super::{BadParam, Settings, Table};

/// Settings of KataGo's that are called otherwise here.
const OTHERWISE: [(&str, &str); 4] = [
    ("wideRootNoise", "analysisWideRootNoise"),
    ("numSearchThreadsPerAnalysisThread", "numSearchThreads"),
    ("rootPolicyTemperatureEarly", "rootPolicyTemperature"),
    ("analysisIgnorePreRootHistory", "ignorePreRootHistory"),
];

/// Settings of KataGo's that this engine has not, with the value that stands for having none of it: clients send that too.
const WITHOUT: [(&str, &str); 4] = [
    ("antiMirror", "false"),
    ("rootNumSymmetriesToSample", "1"),
    ("winLossUtilityFactor", "1"),
    ("drawEquivalentWinsForWhite", "0.5"),
];

/// What became of a setting of KataGo's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It holds.
    Taken,
    /// It means nothing here.
    Unknown,
}

impl Settings {
    /// Sets what KataGo calls `name`. Only what may change while the engine runs, if `live`.
    ///
    /// # Errors
    /// If this engine knows it, but not the value, or it is fixed by now.
    pub fn set_katago(&mut self, name: &str, value: &str, live: bool) -> Result<Fate, BadParam> {
        let ours = OTHERWISE.iter().find(|(theirs, _)| *theirs == name).map_or(name, |&(_, ours)| ours);
        let is_none = |none: &str| value == none || value.parse::<f64>().is_ok_and(|value| none.parse() == Ok(value));
        if Self::katago_without(name).is_some_and(is_none) {
            return Ok(Fate::Taken);
        }
        match Self::param(ours) {
            Err(_) => return Ok(Fate::Unknown),
            Ok(param) if live && !param.live && self.get(ours)? == value => return Ok(Fate::Taken),
            Ok(_) => {}
        }
        let result = if live { self.set_live(ours, value) } else { self.set(ours, value) };
        result.map(|()| Fate::Taken)
    }

    /// If `name` is a setting of KataGo's that this engine has not: the value that stands for having none of it.
    pub fn katago_without(name: &str) -> Option<&'static str> {
        WITHOUT.iter().find(|(theirs, _)| *theirs == name).map(|&(_, none)| none)
    }
}

#[cfg(test)]
mod tests {
    use super::{Fate, OTHERWISE, Settings, Table, WITHOUT};

    #[test]
    fn names_are_theirs_and_ours() {
        let mut settings = Settings::default();
        assert_eq!(settings.set_katago("wideRootNoise", "0.5", true), Ok(Fate::Taken));
        assert_eq!(settings.search.wide_root_noise, 0.5);
        assert_eq!(settings.set_katago("maxVisits", "77", true), Ok(Fate::Taken));
        assert_eq!(settings.search.max_visits, Some(77));
        assert_eq!(settings.set_katago("winLossUtilityFactor", "1.0", true), Ok(Fate::Taken));
        assert_eq!(settings.set_katago("winLossUtilityFactor", "1.5", true), Ok(Fate::Unknown));
        assert_eq!(settings.set_katago("playoutDoublingAdvantage", "1.5", true), Ok(Fate::Taken));
        assert_eq!(settings.network.doubling_advantage, 1.5);
        assert_eq!(settings.set_katago("trtDeviceToUse", "0", false), Ok(Fate::Unknown));
        assert!(settings.set_katago("maxVisits", "0", true).is_err());
        assert!(settings.set_katago("memory", "1GiB", true).is_ok(), "as it is");
        assert!(settings.set_katago("memory", "2GiB", true).is_err());
        assert!(settings.set_katago("memory", "2GiB", false).is_ok());
    }

    #[test]
    fn the_lists_are_no_lies() {
        for (theirs, ours) in OTHERWISE {
            assert!(Settings::param(theirs).is_err() && Settings::param(ours).is_ok(), "{theirs}");
        }
        assert!(WITHOUT.iter().all(|(name, _)| Settings::param(name).is_err()));
    }
}

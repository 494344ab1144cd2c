//! The engine's settings on the command line, for every command that runs the engine.

use crate::nn::{LoadedNetwork, NotLoaded, is_on_gpu};
use crate::params::{BackendKind, BadParam, Device, NetworkFile, NetworkParams, Settings, Table};
use anyhow::Context;
use std::path::{Path, PathBuf};

/// Settings of the engine. Each names a parameter of the table; what is not given comes from the config file, or suits the machine.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Engine")]
pub struct EngineArgs {
    /// Judge by a network in KataGo's format (.bin.gz and the like); by the one that the program carries: embedded; or by
    /// playouts: none [default: embedded, if it carries one]
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,

    #[command(flatten)]
    backend: BackendArgs,

    /// Threads that search together [default: one a core, with a network on a GPU 64]
    #[arg(long, short = 't', value_name = "N", value_parser = of("numSearchThreads"))]
    threads: Option<Setting>,

    /// Stop each search after this many visits
    #[arg(long, short = 'v', value_name = "N", value_parser = of("maxVisits"))]
    visits: Option<Setting>,

    /// Stop each search after this many playouts
    #[arg(long, value_name = "N", value_parser = of("maxPlayouts"))]
    playouts: Option<Setting>,

    /// Think this long for a move, and never longer, whatever the clock allows
    #[arg(long, value_name = "SECONDS", value_parser = of("maxTime"))]
    time: Option<Setting>,

    /// Most memory to take, such as 256MiB [default: 1GiB, on Linux a quarter of the machine's up to 2GiB]
    #[arg(long, value_name = "SIZE", value_parser = of("memory"))]
    memory: Option<Setting>,

    /// Seed of all chance: with one thread and a fixed number of visits, the same moves come again
    #[arg(long, value_name = "N", value_parser = of("searchRandSeed"))]
    seed: Option<Setting>,

    /// Take these settings from a file; `tengen params --toml` writes one to start from
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Set any parameter of `tengen params`; may be given again and again
    #[arg(long, value_name = "NAME=VALUE", value_parser = named)]
    set: Vec<Setting>,
}

/// What computes a network. What is not given is the parameter's default.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct BackendArgs {
    /// What computes the network: cpu, torch (libtorch), or auto, which is libtorch if it has a GPU
    #[arg(long, value_name = "BACKEND", value_parser = of("backend"))]
    backend: Option<Setting>,

    /// Where libtorch computes: cpu, cuda, cuda:1 and so on, or auto
    #[arg(long, value_name = "DEVICE", value_parser = of("device"))]
    device: Option<Setting>,
}

impl BackendArgs {
    /// The settings that are given.
    fn given(&self) -> impl Iterator<Item = &Setting> {
        [&self.backend, &self.device].into_iter().flatten()
    }

    /// The network of this name, for commands without an engine: a file's, or `embedded`. `cache` bytes are for what it has said.
    ///
    /// # Errors
    /// If it cannot be had.
    pub fn network(&self, name: &Path, cache: u64) -> Result<LoadedNetwork, NotLoaded> {
        let (backend, device) = self.choice();
        LoadedNetwork::named(&NetworkFile::named(name), backend, device, cache)
    }

    /// Games, or positions, to work on at a time if no one says: one a core, or enough for a GPU's batches.
    pub fn at_once(&self) -> usize {
        let (backend, device) = self.choice();
        let settings = if is_on_gpu(backend, device) { Settings::for_gpu() } else { Settings::for_machine() };
        settings.search.threads as usize
    }

    /// What they choose.
    fn choice(&self) -> (BackendKind, Device) {
        let mut settings = Settings::default();
        for setting in self.given() {
            settings.set(setting.name, &setting.value).expect("flags were checked");
        }
        (settings.network.backend, settings.network.device)
    }
}

/// A parameter and its value, both checked.
#[derive(Clone, Debug)]
pub struct Setting {
    name: &'static str,
    value: String,
}

impl EngineArgs {
    /// The settings that these flags and their config file make. `more` are a command's own flags; they and these win over the file,
    /// and `--set` over all.
    ///
    /// # Errors
    /// If the config file cannot be read, or holds a bad line.
    pub fn settings<'a>(&'a self, more: impl IntoIterator<Item = &'a Setting>) -> anyhow::Result<Settings> {
        self.settings_over(more, |_| Ok(()))
    }

    /// The same over what `ground` makes of the machine's defaults.
    ///
    /// # Errors
    /// As [`EngineArgs::settings`], and those of `ground`.
    pub fn settings_over<'a>(
        &'a self,
        more: impl IntoIterator<Item = &'a Setting>,
        ground: impl Fn(&mut Settings) -> anyhow::Result<()>,
    ) -> anyhow::Result<Settings> {
        let more: Vec<&Setting> = more.into_iter().collect();
        let on = |mut settings: Settings| {
            ground(&mut settings)?;
            self.over(settings, &more)
        };
        let settings = on(Settings::for_machine())?;
        let NetworkParams { file, backend, device, .. } = &settings.network;
        if *file != NetworkFile::None && is_on_gpu(*backend, *device) { on(Settings::for_gpu()) } else { Ok(settings) }
    }

    /// What is given changes `settings`.
    fn over(&self, mut settings: Settings, more: &[&Setting]) -> anyhow::Result<Settings> {
        if let Some(path) = &self.config {
            let text =
                std::fs::read_to_string(path).with_context(|| format!("cannot read the config file {}", path.display()))?;
            settings.read_toml(&text).with_context(|| format!("in the config file {}", path.display()))?;
        }
        if let Some(net) = &self.net {
            settings.network.file = NetworkFile::named(net);
        }
        let flags = [&self.threads, &self.visits, &self.playouts, &self.time, &self.memory, &self.seed];
        let flags = flags.into_iter().flatten().chain(self.backend.given());
        for setting in flags.chain(more.iter().copied()).chain(&self.set) {
            settings.set(setting.name, &setting.value)?;
        }
        Ok(settings)
    }
}

/// A flag's parser for the parameter `name`.
pub(super) fn of(name: &'static str) -> impl Fn(&str) -> Result<Setting, BadParam> + Clone + Send + Sync + 'static {
    move |value| setting(name, value)
}

/// Reads `NAME=VALUE`.
fn named(text: &str) -> Result<Setting, String> {
    let (name, value) = text.split_once('=').ok_or("this takes NAME=VALUE, such as raveEquivalence=3000")?;
    setting(name.trim(), value.trim()).map_err(|error| error.to_string())
}

/// A checked setting.
fn setting(name: &str, value: &str) -> Result<Setting, BadParam> {
    let param = Settings::param(name)?;
    param.check(value)?;
    Ok(Setting { name: param.name, value: value.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::{BackendKind, Device, EngineArgs};
    use clap::Parser;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        engine: EngineArgs,
    }

    fn read(args: &[&str]) -> Result<EngineArgs, String> {
        let args = ["program"].iter().chain(args);
        Program::try_parse_from(args).map(|program| program.engine).map_err(|error| error.to_string())
    }

    #[test]
    fn flags_win_over_the_file_and_set_over_flags() {
        let folder = std::env::temp_dir().join(format!("tengen ä config {}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("my settings.toml");
        std::fs::write(&path, "maxVisits = 1\nnumSearchThreads = 5\nraveEquivalence = 1000\n").unwrap();
        let config = path.to_str().unwrap();
        let args = read(&[
            "--config",
            config,
            "--threads",
            "2",
            "--visits",
            "9",
            "--set",
            "maxVisits=3",
            "--set",
            "ponderingEnabled=true",
        ]);
        let settings = args.unwrap().settings([]).unwrap();
        assert_eq!(settings.search.max_visits, Some(3));
        assert_eq!(settings.search.threads, 2);
        assert_eq!(settings.search.rave_equivalence, 1000.0);
        assert!(settings.search.ponder);
        std::fs::write(&path, "maxVisits = 0\n").unwrap();
        let error = format!("{:#}", read(&["--config", config]).unwrap().settings([]).unwrap_err());
        assert!(error.contains("my settings.toml") && error.contains("maxVisits cannot be '0'"), "{error}");
        std::fs::remove_dir_all(&folder).unwrap();
        let error = format!("{:#}", read(&["--config", config]).unwrap().settings([]).unwrap_err());
        assert!(error.contains("cannot read"), "{error}");
    }

    #[test]
    fn a_backend_that_is_not_there_is_told_when_the_network_is_read() {
        let args = read(&["--backend", "torch", "--device", "cuda:3"]).unwrap();
        assert_eq!(args.backend.choice(), (BackendKind::Torch, Device::Cuda(3)));
        assert_eq!(args.settings([]).unwrap().network.device, Device::Cuda(3));
        assert!(read(&["--device", "gpu"]).unwrap_err().contains("it takes auto, cpu, cuda, or cuda:1 and so on"));
    }

    #[test]
    fn bad_flags_say_what_would_do() {
        let error = read(&["--threads", "0"]).unwrap_err();
        assert!(error.contains("from 1 to 1024"), "{error}");
        let error = read(&["--memory", "much"]).unwrap_err();
        assert!(error.contains("from 16MiB"), "{error}");
        assert!(read(&["--set", "nonsense"]).unwrap_err().contains("NAME=VALUE"));
        assert!(read(&["--set", "visits=3"]).unwrap_err().contains("did you mean maxVisits?"));
    }
}

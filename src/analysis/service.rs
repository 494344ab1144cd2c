//! The service: lines in, jobs to the pool, answers out.

use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use serde_json::{Map, Value};

use super::answer::{answer, no_results};
use super::fields::{Fields, Flaw};
use super::output::Output;
use super::people::People;
use super::query::Query;
use crate::board::{BadSize, Size};
use crate::nn::{LoadedNetwork, NotLoaded};
use crate::params::{NetworkFile, Profile, Settings};
use crate::pool::{Event, Job, Pool, Tell, Ticket, load_human_model, load_network};
use crate::util::{StopFlag, read_line};

/// The longest line taken, in bytes. A game of 400 moves takes 6,000.
const LINE_LIMIT: usize = 1 << 24;
/// Lines read ahead; beyond that the sender waits.
const READ_AHEAD: usize = 256;
/// How often to look whether Ctrl-C was pressed.
const GLANCE: Duration = Duration::from_millis(50);
/// How much of a line an error quotes.
const QUOTE: usize = 200;
/// The version of the program.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What becomes of open queries when the input ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// They are answered first.
    Finish,
    /// They are dropped.
    Quit,
}

/// Why the service cannot start, or go on.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// There is no network where one is asked for.
    #[error(transparent)]
    Network(#[from] NotLoaded),
    /// The settings name no board.
    #[error(transparent)]
    Size(#[from] BadSize),
    /// Answers cannot be written, though the client is there: the disk is full, say.
    #[error("answers cannot be written: {0}; the analysis ends")]
    Output(std::io::Error),
}

/// Answers the lines of `input` on `output` until the input ends, nobody reads the output, or `stop` is set. `messages` gets lines for
/// people. Queries that come before the network is read wait for it.
///
/// The input is read by a thread of its own, which outlives the call if nothing more comes: a read cannot be called off.
///
/// # Errors
/// If the network cannot be had, and nothing was answered then; or if answers cannot be written for another reason than that the client has gone.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    mut messages: impl Write,
    settings: Settings,
    closing: Closing,
    stop: &StopFlag,
) -> Result<(), ServiceError> {
    let size = Size::square(settings.game.board_size as usize)?;
    let (network, human_model) = (load_network(&settings, size)?, load_human_model(&settings, size)?);
    let judge = match (&network, &settings.network.file) {
        (Some(_), NetworkFile::At(file)) => format!("network {}", file.display()),
        (Some(network), _) => format!("network {}", network.name()),
        (None, _) => "playouts".to_owned(),
    };
    let threads = settings.search.threads;
    // Nobody may be there to read it, which is no reason not to work.
    let _ = writeln!(messages, "Tengen {VERSION}: analysis by {judge}, {threads} threads, {} for all", settings.search.memory);
    let _ = writeln!(messages, "Started, ready to begin handling requests").and_then(|()| messages.flush());
    let mut service = Service::new(settings, network.clone(), human_model, output);
    match service.serve(&lines(input), stop) {
        End::Input if closing == Closing::Finish && service.await_answers(stop) => service.pool.finish(),
        _ => service.pool.abandon(),
    }
    let broken = service.output.take_error();
    if let Some(network) = network {
        let (evaluations, known) = (network.evaluations(), network.cache_hits());
        let _ = writeln!(messages, "the network evaluated {evaluations} positions and knew {known} from before");
    }
    broken.map_or(Ok(()), |error| Err(ServiceError::Output(error)))
}

/// A line of input, or the beginning of one that is too long.
struct Input {
    text: Vec<u8>,
    is_whole: bool,
}

/// Reads lines on a thread of its own.
fn lines(mut input: impl BufRead + Send + 'static) -> Receiver<Input> {
    let (sender, lines) = sync_channel(READ_AHEAD);
    thread::spawn(move || {
        let mut text = Vec::new();
        while let Some(is_whole) = read_line(&mut input, LINE_LIMIT, &mut text) {
            if sender.send(Input { text: std::mem::take(&mut text), is_whole }).is_err() {
                break;
            }
        }
    });
    lines
}

/// Why no more lines are taken.
enum End {
    Input,
    Stopped,
}

/// Queries that are not answered in full.
#[derive(Default)]
struct Open {
    queries: Mutex<HashMap<u64, OpenQuery>>,
    changed: Condvar,
}

struct OpenQuery {
    id: String,
    turns: Vec<usize>,
    /// Nothing while it is being handed in.
    ticket: Option<Ticket>,
    /// Positions without a final answer.
    left: usize,
}

struct Service {
    settings: Settings,
    network: Option<Arc<LoadedNetwork>>,
    /// Asked beside it.
    human_model: Option<Arc<LoadedNetwork>>,
    pool: Pool,
    output: Arc<Output>,
    open: Arc<Open>,
    /// Queries so far.
    count: u64,
}

impl Service {
    fn new(
        settings: Settings,
        network: Option<Arc<LoadedNetwork>>,
        human_model: Option<Arc<LoadedNetwork>>,
        output: impl Write + Send + 'static,
    ) -> Self {
        let pool = Pool::new(&settings, network.clone());
        let output = Arc::new(Output::new(output));
        Self { settings, network, human_model, pool, output, open: Arc::default(), count: 0 }
    }

    fn serve(&mut self, lines: &Receiver<Input>, stop: &StopFlag) -> End {
        loop {
            if stop.is_set() || self.output.is_broken() {
                return End::Stopped;
            }
            match lines.recv_timeout(GLANCE) {
                Ok(line) => self.take(&line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return End::Input,
            }
        }
    }

    /// Waits until all open queries are answered. False if that is called off.
    fn await_answers(&self, stop: &StopFlag) -> bool {
        let mut queries = self.open.queries.lock();
        while !queries.is_empty() {
            if stop.is_set() || self.output.is_broken() {
                return false;
            }
            self.open.changed.wait_for(&mut queries, GLANCE);
        }
        true
    }

    fn take(&mut self, line: &Input) {
        let text = line.text.trim_ascii();
        if text.is_empty() {
            return;
        }
        let object = match read(text, line.is_whole) {
            Ok(object) => object,
            Err(flaw) => return self.output.complain(None, &flaw, false),
        };
        let Some(Value::String(id)) = object.get("id").cloned() else {
            let flaw = Flaw::of("id", "Request must have a string \"id\" field");
            return self.output.complain(None, &flaw, false);
        };
        let result = if object.contains_key("action") { self.act(object) } else { self.analyze(&id, &object) };
        if let Err(flaw) = result {
            self.output.complain(Some(&id), &flaw, false);
        }
    }

    /// Hands in the positions of a query.
    fn analyze(&mut self, id: &str, object: &Map<String, Value>) -> Result<(), Flaw> {
        let mut query = Query::read(Fields(object), &self.settings, self.network.is_some())?;
        let imitates = |network: &Arc<LoadedNetwork>| network.imitates_people();
        if query.settings.network.human_profile != Profile::None && !self.networks().any(imitates) {
            query.warnings.push(no_human_model());
        }
        for warning in &query.warnings {
            self.output.complain(Some(id), warning, true);
        }
        let number = self.count;
        self.count += 1;
        if query.jobs.is_empty() {
            return Ok(());
        }
        let open = OpenQuery { id: id.to_owned(), turns: query.turns.clone(), ticket: None, left: query.jobs.len() };
        self.open.queries.lock().insert(number, open);
        let tell = self.teller(number, id, &query);
        let ticket = self.pool.submit(query.jobs, tell);
        if let Some(open) = self.open.queries.lock().get_mut(&number) {
            open.ticket = Some(ticket);
        }
        Ok(())
    }

    /// Writes what is told of the positions of a query.
    fn teller(&self, number: u64, id: &str, query: &Query) -> Tell {
        let (id, output, open) = (id.to_owned(), Arc::clone(&self.output), Arc::clone(&self.open));
        let (jobs, show) = (query.jobs.clone(), query.show);
        let people = People::of(self.human_model.as_ref(), &query.settings);
        Arc::new(move |index, event| {
            let job: &Job = &jobs[index];
            let (report, during) = match &event {
                Event::Glance(report) => (Some(report), true),
                Event::Done(report) => (report.as_ref(), false),
            };
            let text = match report {
                Some(report) => {
                    let people = people.as_ref().map(|people| people.ask(job));
                    answer(&id, job, during, report, people.as_ref(), &show)
                }
                None => no_results(&id, job.turn),
            };
            output.answer(&text);
            if !during {
                open.settle(number);
            }
        })
    }

    /// The networks that there are.
    fn networks(&self) -> impl Iterator<Item = &Arc<LoadedNetwork>> {
        self.network.iter().chain(&self.human_model)
    }

    /// Does what an action asks for, and writes it back, with what it asks about.
    fn act(&self, mut object: Map<String, Value>) -> Result<(), Flaw> {
        let fields = Fields(&object);
        match fields.text("action")?.unwrap_or_default() {
            "query_version" => {
                object.insert("version".to_owned(), VERSION.into());
                object.insert("git_hash".to_owned(), "<omitted>".into());
            }
            "query_models" => {
                object.insert("models".to_owned(), self.networks().map(|network| network.to_json()).collect());
            }
            "clear_cache" => {
                self.networks().for_each(|network| network.clear_cache());
            }
            "terminate" => {
                let what = "Requests for a terminate action must have a string \"terminateId\" field";
                let id = fields.get("terminateId").and_then(Value::as_str).ok_or_else(|| Flaw::of("terminateId", what))?;
                self.terminate(|query| query == id, fields.integers("turnNumbers")?.as_deref());
            }
            "terminate_all" => self.terminate(|_| true, fields.integers("turnNumbers")?.as_deref()),
            _ => {
                let what = "must be 'query_version' or 'query_models' or 'clear_cache' or 'terminate' or 'terminate_all'";
                return Err(Flaw::of("action", what));
            }
        }
        self.output.echo(&Value::Object(object));
        Ok(())
    }

    /// Ends the queries whose id fits, those turns alone if some are named.
    fn terminate(&self, fits: impl Fn(&str) -> bool, turns: Option<&[i64]>) {
        let queries = self.open.queries.lock();
        let open = queries.values().filter(|query| fits(&query.id));
        let found: Vec<_> = open.filter_map(|query| Some((query.ticket?, query.turns.clone()))).collect();
        drop(queries);
        for (ticket, its_turns) in found {
            let is_meant = |index: usize| turns.is_none_or(|turns| turns.contains(&(its_turns[index] as i64)));
            self.pool.terminate(ticket, is_meant);
        }
    }
}

impl Open {
    /// Notes that one more position of a query has its final answer.
    fn settle(&self, number: u64) {
        let mut queries = self.queries.lock();
        if let Some(query) = queries.get_mut(&number) {
            query.left -= 1;
            if query.left == 0 {
                queries.remove(&number);
                self.changed.notify_all();
            }
        }
    }
}

/// The warning that nobody knows how people play.
fn no_human_model() -> Flaw {
    let what = "humanSLProfile has no effect: there is no network of human play; give one with --human-model FILE";
    Flaw::of("overrideSettings", what)
}

/// A line as an object.
fn read(text: &[u8], is_whole: bool) -> Result<Map<String, Value>, Flaw> {
    let flaw = |what: String| Flaw { field: None, what };
    if !is_whole {
        return Err(flaw(format!("a line has at most {LINE_LIMIT} bytes")));
    }
    let quote = || String::from_utf8_lossy(&text[..text.len().min(QUOTE)]).into_owned();
    match serde_json::from_slice(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(flaw(format!("Request line was valid json but was not an object, ignoring: {}", quote()))),
        Err(error) => Err(flaw(format!("{error} - could not parse input line as json request: {}", quote()))),
    }
}

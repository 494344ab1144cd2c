//! What people would play: a network of human play, asked about a position beside the search.

use std::sync::Arc;

use crate::board::Move;
use crate::eval::{Evaluation, Evaluator, Request};
use crate::nn::{LoadedNetwork, NetEvaluator};
use crate::params::{Profile, Settings};
use crate::pool::Job;
use crate::util::Rng;

/// A network of human play, and whom it is to imitate.
#[derive(Clone)]
pub(super) struct People {
    network: Arc<LoadedNetwork>,
    settings: Arc<Settings>,
}

impl People {
    /// Those whom `settings` name, as `network` knows them; nothing if either is missing.
    pub(super) fn of(network: Option<&Arc<LoadedNetwork>>, settings: &Arc<Settings>) -> Option<Self> {
        let network = network.filter(|_| settings.network.human_profile != Profile::None)?;
        Some(Self { network: Arc::clone(network), settings: Arc::clone(settings) })
    }

    /// What they would play in the job's position, and how they would end, seen from Black.
    pub(super) fn ask(&self, job: &Job) -> Evaluation<Move> {
        let root = job.root();
        let rng = Rng::new(self.settings.search.seed.unwrap_or(0));
        let mut evaluator = NetEvaluator::new(Arc::clone(&self.network), &self.settings.network, rng);
        let mut evaluation = Evaluation::default();
        let request = Request { state: &root, priors: true, root: true };
        evaluator.evaluate(&[request], std::slice::from_mut(&mut evaluation));
        evaluation
    }
}

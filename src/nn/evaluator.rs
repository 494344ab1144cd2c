//! Go judged by a network.

use std::sync::Arc;
use std::time::Instant;

use super::cache::{self, Answer};
use super::features::{FeatureOptions, Features};
use super::loaded::LoadedNetwork;
use super::outputs::{Outputs, PolicyOptions};
use super::{Backend, Inputs, RawOutputs, Symmetry, people};
use crate::board::{Color, Move, Size};
use crate::eval::{Evaluation, Evaluator, Evidence, Request};
use crate::params::{NetworkParams, Profile};
use crate::rules::{Position, Rules};
use crate::util::Rng;

/// A question to a network.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// What is asked about.
    pub position: &'a Position,
    /// How it is shown.
    pub features: FeatureOptions,
    /// How it is turned; without the transposition if the tensor is no square.
    pub symmetry: Symmetry,
    /// The tensor's size, at least the turned board's.
    pub tensor: Size,
    /// How the policy is read.
    pub policy: PolicyOptions,
}

/// Asks a network about positions. Each thread has its own.
pub struct NetEvaluator {
    network: Arc<LoadedNetwork>,
    params: NetworkParams,
    /// Given back in the end.
    backend: Option<Box<dyn Backend>>,
    features: Features,
    inputs: Vec<Inputs>,
    raw: Vec<RawOutputs>,
    rng: Rng,
    /// As [`FeatureOptions::playout_doubling_advantage`].
    advantage: f32,
}

impl NetEvaluator {
    /// An evaluator that asks `network` as `params` say. Its symmetries follow from `rng`.
    pub fn new(network: Arc<LoadedNetwork>, params: &NetworkParams, rng: Rng) -> Self {
        let (backend, params) = (Some(network.backend()), params.clone());
        Self { network, params, backend, features: Features::new(), inputs: Vec::new(), raw: Vec::new(), rng, advantage: 0.0 }
    }

    /// The same for a search at whose root `color` is to move, which has the advantage that the parameters say.
    pub fn for_root(mut self, color: Color) -> Self {
        // From White's side, without a negative zero, as it is part of the cache's key.
        self.advantage = 0.0 - color.sign() * self.params.doubling_advantage;
        self
    }

    /// Lets `network` evaluate boards of `size`, so that it is ready for the next ones and it is known how long they take.
    pub fn warm_up(network: &Arc<LoadedNetwork>, size: Size) {
        let mut evaluator = Self::new(Arc::clone(network), &NetworkParams::default(), Rng::new(0));
        let position = Position::new(size, Rules::default());
        let question = evaluator.question(&position, true);
        network.prepare(size);
        // The first one also lays out the thread's memory.
        evaluator.ask(&[question]);
        network.forget_time();
        evaluator.ask(&[question]);
    }

    /// What the network says, each from the side of the player to move.
    pub fn ask(&mut self, questions: &[Question<'_>]) -> Vec<Outputs> {
        while self.inputs.len() < questions.len() {
            self.inputs.push(Inputs::new(Size::STANDARD));
            self.raw.push(RawOutputs::default());
        }
        for (question, inputs) in questions.iter().zip(&mut self.inputs) {
            let Question { position, ref features, tensor, symmetry, .. } = *question;
            self.features.encode(position, features, tensor, symmetry, inputs);
            if self.network.imitates_people() {
                inputs.meta = people::figures(self.params.human_profile, position.to_move(), position.size().area());
            }
        }
        let inputs: Vec<&Inputs> = self.inputs.iter().take(questions.len()).collect();
        let begun = Instant::now();
        let backend = self.backend.as_mut().expect("it is there until the end");
        backend.evaluate(&inputs, &mut self.raw[..questions.len()]);
        self.network.note_evaluations(questions.len());
        self.network.note_time(questions.iter().map(|question| question.position.size().area()).sum(), begun.elapsed());
        let decode = |(question, raw): (&Question<'_>, &RawOutputs)| {
            let Question { position, tensor, symmetry, ref policy, .. } = *question;
            self.network.decoder.decode(raw, position, tensor, symmetry.within(tensor), policy)
        };
        questions.iter().zip(&self.raw).map(decode).collect()
    }

    /// What a search asks about a position, but for the symmetry.
    fn question<'a>(&self, position: &'a Position, root: bool) -> Question<'a> {
        let params = &self.params;
        Question {
            position,
            features: FeatureOptions {
                passing_hacks: params.passing_hacks,
                conservative_pass: root && params.conservative_pass,
                playout_doubling_advantage: self.advantage,
                prefer_pass_alive: self.network.prefers_pass_alive(),
                ..FeatureOptions::default()
            },
            symmetry: Symmetry::IDENTITY,
            tensor: position.size(),
            policy: PolicyOptions {
                optimism: if root { params.root_optimism } else { params.optimism },
                cap_pass: params.passing_hacks,
                ..PolicyOptions::default()
            },
        }
    }

    fn symmetry(&mut self) -> Symmetry {
        if self.params.random_symmetry { Symmetry::ALL[self.rng.below(Symmetry::ALL.len())] } else { Symmetry::IDENTITY }
    }
}

impl Drop for NetEvaluator {
    fn drop(&mut self) {
        // A panic may have left it in any state.
        if let Some(backend) = self.backend.take().filter(|_| !std::thread::panicking()) {
            self.network.give_back(backend);
        }
    }
}

impl Evaluator<Position> for NetEvaluator {
    fn evidence(&self) -> Evidence {
        Evidence::Network
    }

    fn evaluate(&mut self, requests: &[Request<'_, Position>], out: &mut [Evaluation<Move>]) {
        let network = Arc::clone(&self.network);
        // What was not said before: which request, under which key, and the question.
        let (mut places, mut questions) = (Vec::new(), Vec::new());
        for (place, (request, evaluation)) in requests.iter().zip(out.iter_mut()).enumerate() {
            let mut question = self.question(request.state, request.root);
            let profile = if network.imitates_people() { self.params.human_profile } else { Profile::None };
            let key = cache::key(request.state, &question.features, &question.policy, profile);
            if let Some(answer) = network.cache.get(key) {
                answer.tell(request.state, request.priors, evaluation);
            } else {
                question.symmetry = self.symmetry();
                places.push((place, key));
                questions.push(question);
            }
        }
        if questions.is_empty() {
            return;
        }
        for ((place, key), outputs) in places.into_iter().zip(self.ask(&questions)) {
            let Request { state, priors, .. } = requests[place];
            let answer = Arc::new(Answer::new(&outputs, state.to_move()));
            answer.tell(state, priors, &mut out[place]);
            network.cache.insert(key, answer);
        }
    }
}

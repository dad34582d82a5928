//! A batch does what sessions and solvers do.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use games::Outcome;
use search::Limits;

use super::{GameBatch, LabelRequest, StepBuffers};
use crate::{GameSpec, open};

fn batch(game: &str, count: usize) -> GameBatch {
    GameBatch::new(&game.parse().unwrap(), count, 7)
}

/// Memory for a step.
#[derive(Default)]
struct Memory {
    actions: Vec<i16>,
    results: Vec<i8>,
    finished: Vec<bool>,
    movers: Vec<i8>,
    masks: Vec<i8>,
}

impl Memory {
    fn new(games: usize, moves: usize) -> Memory {
        Memory {
            actions: vec![0; games],
            results: vec![0; games],
            finished: vec![false; games],
            movers: vec![0; games],
            masks: vec![7; games * moves],
        }
    }

    fn buffers(&mut self) -> StepBuffers<'_> {
        let Memory { actions, results, finished, movers, masks } = self;
        StepBuffers { actions, results, finished, movers, masks }
    }
}

/// A batch plays what a session plays, ply by ply.
#[test]
fn a_batch_agrees_with_sessions() {
    for line in GameSpec::all().iter().flat_map(|spec| spec.row().setups) {
        let spec: GameSpec = line.parse().unwrap();
        let mut games = batch(line, 3);
        let mut sessions = vec![open(&spec); 3];
        let shape = games.shape();
        let mut steps = Memory::new(3, shape.moves);
        while sessions.iter().any(|session| session.outcome().is_none()) {
            games.step(None, false, &mut steps.buffers()).unwrap();
            let mut planes = vec![0.0; 3 * shape.inputs()];
            games.encode(&mut planes);
            for (i, session) in sessions.iter_mut().enumerate() {
                let over = session.outcome().is_some();
                assert_eq!(steps.actions[i] < 0, over, "{line}");
                if !over {
                    session.play_action(steps.actions[i].into()).unwrap();
                    let result = session.outcome().map_or(0, Outcome::for_first);
                    assert_eq!(i32::from(steps.results[i]), result, "{line}");
                }
                assert_eq!(steps.finished[i], session.outcome().is_some(), "{line}");
                assert_eq!(steps.movers[i], session.to_move() as i8, "{line}");
                let mut mask = vec![0; shape.moves];
                session.mask(&mut mask);
                assert_eq!(steps.masks[i * shape.moves..][..shape.moves], mask, "{line}");
                let mut own = vec![0.0; shape.inputs()];
                session.encode(&mut own);
                assert_eq!(planes[i * shape.inputs()..][..shape.inputs()], own, "{line}");
                assert_eq!(games.session(i).unwrap().position(), session.position());
            }
        }
    }
}

#[test]
fn a_wrong_action_plays_nothing() {
    let mut games = batch("connect-four", 2);
    let mut steps = Memory::new(2, 7);
    let error = games.step(Some(&[0, 9]), true, &mut steps.buffers()).unwrap_err().to_string();
    assert_eq!(error, "game 1: there is no action 9; actions go from 0 to 6");
    assert!(games.step(Some(&[0]), true, &mut steps.buffers()).is_err());
    assert_eq!(games.session(0).unwrap().position(), open(games.spec()).position());
    games.step(Some(&[3, 4]), true, &mut steps.buffers()).unwrap();
    assert_eq!((steps.actions.as_slice(), steps.movers[0]), (&[3, 4][..], 1));
}

#[test]
fn labels_are_the_solver_s() {
    let stop = AtomicBool::new(false);
    for (game, plies) in [("connect-four 4x4", 4..=9), ("dots-and-boxes 2x2", 3..=8)] {
        let mut games = batch(game, 0);
        games.scatter(40, plies, true, &stop).unwrap();
        let keys: HashSet<u64> = games.keys(true).into_iter().collect();
        assert_eq!(keys.len(), 40);
        let request =
            LabelRequest { limits: Limits::default(), megabytes: 2, threads: 2, moves: false };
        let values = games.solve(&request, &stop).unwrap();
        let moves = games.solve(&LabelRequest { moves: true, ..request }, &stop).unwrap();
        assert_eq!(values.low, values.high);
        assert_eq!((&values.low, &values.results), (&moves.low, &moves.results));
        let width = games.shape().moves;
        for i in 0..40 {
            let best = moves.moves[i * width..][..width].iter().max();
            assert_eq!(best, Some(&values.low[i]));
        }
    }
    let error = batch("connect-four 4x4", 0).scatter(1000, 1..=1, true, &stop).unwrap_err();
    assert!(error.to_string().starts_with("2 of 1000 positions"), "{error}");
}

#[test]
fn sessions_come_and_go() {
    let mut session = open(&"surakarta".parse().unwrap());
    session.play("c5-c4 d2-d3").unwrap();
    let mut games = batch("surakarta", 1);
    games.push(&session).unwrap();
    assert_eq!(games.select(&[1]).session(0).unwrap().position(), session.position());
    assert!(games.push(&open(&"connect-four".parse().unwrap())).is_err());
    games.reset();
    assert_eq!(games.session(1).unwrap().position(), session.start());
}

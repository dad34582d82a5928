//! The laws of the runner: a deadline holds whatever the engine does, a search by
//! counts stays in the caller's thread, and an engine comes back.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use games::{Player, Record};
use search::{Engine, Limits, Line, Runner, Score, SearchControl, SearchInfo, Work};

use crate::toys::Heap;

const MS: Duration = Duration::from_millis(1);

fn record() -> Record<Heap> {
    Record::new(Heap { left: 50, mover: Player::First })
}

/// Publishes the move 3, and answers 2 when `go` is set, whatever the control
/// says.
#[derive(Clone, Default)]
struct Stubborn {
    go: Arc<AtomicBool>,
    threads: Arc<Mutex<Vec<ThreadId>>>,
    outside: bool,
}

impl Engine<Heap> for Stubborn {
    fn search(&mut self, _: &Record<Heap>, control: &SearchControl<u16>) -> SearchInfo<u16> {
        self.threads.lock().unwrap().push(thread::current().id());
        control.publish(&SearchInfo { best: Some(3), ..SearchInfo::default() });
        while !self.go.load(SeqCst) {
            thread::sleep(MS);
        }
        SearchInfo { best: Some(2), ..SearchInfo::default() }
    }

    fn static_guess(&self) -> fn(&Heap) -> Option<u16> {
        |_| Some(4)
    }

    fn new_game(&mut self, _: u64) {}

    fn is_anytime(&self) -> bool {
        !self.outside
    }
}

/// Time that no search here takes unless it waits for the engine.
const LONG: Duration = Duration::from_secs(10);

#[test]
fn a_deadline_holds_whatever_the_engine_does() {
    let engine = Stubborn::default();
    let mut runner = Runner::new(engine.clone());
    let begun = Instant::now();
    let info = runner.search(&record(), &Limits::time(100 * MS));
    assert_eq!(info.best, Some(3), "the newest published result");
    assert!(info.elapsed >= 100 * MS);
    // The engine has not come back: the next search waits within its deadline.
    let info = runner.search(&record(), &Limits::time(20 * MS));
    assert_eq!(info.best, Some(4), "its guess by the position alone");
    assert!(begun.elapsed() < LONG);
    engine.go.store(true, SeqCst);
    assert_eq!(runner.search(&record(), &Limits::time(LONG)).best, Some(2));
    assert!(begun.elapsed() < LONG, "an answer ends the wait");
    assert!(!engine.threads.lock().unwrap().contains(&thread::current().id()));
}

/// Expects the line 3, 2, 1, and does not come back from its search before `go`.
struct Foreseeing(Arc<AtomicBool>);

impl Engine<Heap> for Foreseeing {
    fn search(&mut self, _: &Record<Heap>, control: &SearchControl<u16>) -> SearchInfo<u16> {
        let score = Score::Expected(0.0);
        let lines = vec![Line { mv: 3, score, visits: 1, pv: vec![3, 2, 1] }];
        let info = SearchInfo { best: Some(3), lines, ..SearchInfo::default() };
        control.publish(&info);
        while !self.0.load(SeqCst) {
            thread::sleep(MS);
        }
        info
    }

    fn guess(&self, _: &Record<Heap>, _: &Limits) -> SearchInfo<u16> {
        SearchInfo { best: Some(2), ..SearchInfo::default() }
    }

    fn new_game(&mut self, _: u64) {}
}

#[test]
fn an_engine_that_is_still_away_plays_on_as_it_expected() {
    for (played, answer) in [
        (&[3, 2][..], 1), // the line goes on
        (&[3, 1], 1),     // another line: the first legal move
        (&[], 3),         // the same position
    ] {
        let go = Arc::new(AtomicBool::new(false));
        let mut runner = Runner::new(Foreseeing(Arc::clone(&go)));
        let mut record = record();
        assert_eq!(runner.search(&record, &Limits::time(50 * MS)).best, Some(3));
        played.iter().for_each(|&mv| record.play(mv).unwrap());
        let info = runner.search(&record, &Limits::time(Duration::ZERO));
        assert_eq!(info.best, Some(answer), "after {played:?}");
        go.store(true, SeqCst);
    }
}

#[test]
fn only_time_needs_a_thread() {
    let engine = Stubborn::default();
    engine.go.store(true, SeqCst);
    let outside = Stubborn { outside: true, ..engine.clone() };
    for (limits, engine) in [
        (Limits::sims(7), engine.clone()),
        (Limits::default(), engine.clone()),
        // An outside program is waited for, even past its time.
        (Limits::time(Duration::ZERO), outside),
    ] {
        let mut runner = Runner::new(engine.clone());
        assert_eq!(runner.search(&record(), &limits).best, Some(2));
        assert_eq!(engine.threads.lock().unwrap().pop(), Some(thread::current().id()));
    }
}

/// Searches until it is stopped.
struct Patient;

impl Engine<Heap> for Patient {
    fn search(&mut self, _: &Record<Heap>, control: &SearchControl<u16>) -> SearchInfo<u16> {
        let mut info = SearchInfo { best: Some(3), ..SearchInfo::default() };
        while !control.should_stop() {
            info.nodes += 1;
            control.publish(&info);
            thread::sleep(MS);
        }
        SearchInfo { depth: 1, ..info }
    }

    fn ponder(&mut self, record: &Record<Heap>, control: &SearchControl<u16>) {
        self.search(record, control);
    }

    fn new_game(&mut self, _: u64) {}
}

#[test]
fn work_in_the_background_can_be_watched_and_stopped() {
    for work in [Work::Search(Limits::default()), Work::Ponder] {
        let mut runner = Runner::new(Patient);
        assert!(runner.is_finished());
        let (send, finished) = channel();
        let go_on = || ControlFlow::Continue(());
        runner.start(&record(), work, go_on, move || send.send(()).unwrap());
        while runner.newest().nodes == 0 {
            thread::sleep(MS);
        }
        assert!(!runner.is_finished() && runner.time_left().is_none());
        runner.stop();
        assert!(runner.time_left().is_some());
        finished.recv_timeout(LONG).unwrap();
        assert!(runner.is_due() && runner.is_finished());
        assert_eq!(runner.newest().depth, u32::from(work != Work::Ponder));
    }
}

#[test]
fn a_poll_that_breaks_stops_the_work() {
    let mut runner = Runner::new(Patient);
    let (send, finished) = channel();
    let mut polls = 0;
    let poll = move || {
        polls += 1;
        if polls == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let limits = Limits::time(LONG);
    runner.start(&record(), Work::Search(limits), poll, move || send.send(()).unwrap());
    finished.recv_timeout(LONG).unwrap();
    assert_eq!((runner.newest().nodes, runner.newest().depth), (3, 1));
}

/// Panics.
struct Bomb;

impl Engine<Heap> for Bomb {
    fn search(&mut self, _: &Record<Heap>, _: &SearchControl<u16>) -> SearchInfo<u16> {
        panic!("the bomb went off")
    }

    fn new_game(&mut self, _: u64) {}
}

#[test]
#[should_panic(expected = "the bomb went off")]
fn a_panic_comes_back_with_the_next_call() {
    let mut runner = Runner::new(Bomb);
    let info = runner.search(&record(), &Limits::time(LONG));
    assert_eq!(info.best, Some(1), "and does not keep the caller waiting");
    runner.search(&record(), &Limits::time(LONG));
}

//! Long work that Ctrl-C ends.
//!
//! Python's signal handlers run in the main thread, and only when it holds the
//! interpreter. So long work runs in a thread of its own, while the caller's
//! thread sleeps, without the interpreter's lock, and wakes from time to time to
//! let handlers run. An exception from a handler stops the work and goes on in the
//! caller; a panic of the work becomes an exception.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::error::internal_error;

/// How often handlers get a chance to run.
pub const TICK: Duration = Duration::from_millis(20);

/// Does work, which polls the flag that it is given and ends early once it is set.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        let stop = &stop;
        let worker = scope.spawn(move || {
            // Dropped when the work ends, by a panic too.
            let _sender: std::sync::mpsc::Sender<()> = sender;
            work(stop)
        });
        let mut interrupted = None;
        // A receiver may not be shared, but it may be lent to one closure.
        let receiver = std::sync::Mutex::new(receiver);
        loop {
            let ended = py.detach(|| {
                let receiver = receiver.lock().expect("no holder panics");
                receiver.recv_timeout(TICK) == Err(RecvTimeoutError::Disconnected)
            });
            if ended {
                break;
            }
            if let Err(exception) = py.check_signals() {
                stop.store(true, Relaxed);
                interrupted = interrupted.or(Some(exception));
            }
        }
        let found = py.detach(|| worker.join());
        match (interrupted, found) {
            (Some(exception), _) => Err(exception),
            (None, Ok(found)) => Ok(found),
            (None, Err(_)) => Err(internal_error()),
        }
    })
}

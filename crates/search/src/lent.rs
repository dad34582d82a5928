//! Something that is here, or on its way back from a thread.
//!
//! A search that was told to stop needs its core to notice, and on a busy machine
//! it may not get one for a while. So whoever wants back what it works on waits
//! for that as long as there is time and no longer.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A value that can be lent to one thread at a time.
pub(crate) struct Lent<T> {
    here: Option<T>,
    away: Option<(Receiver<T>, JoinHandle<()>)>,
}

impl<T: Send + 'static> Lent<T> {
    pub fn new(value: T) -> Lent<T> {
        Lent { here: Some(value), away: None }
    }

    /// Lets a new thread work on the value, which must be here.
    pub fn lend(&mut self, work: impl FnOnce(&mut T) + Send + 'static) {
        let mut value = self.here.take().expect("nobody else has it");
        let (send, back) = channel();
        let thread = thread::spawn(move || {
            work(&mut value);
            // Without a receiver there is nobody left who wants it.
            let _ = send.send(value);
        });
        self.away = Some((back, thread));
    }

    /// The value, if it is here or comes back within `time`; without a time it is
    /// waited for. A panic of the thread that had it goes on here.
    pub fn wait(&mut self, time: Option<Duration>) -> Option<&mut T> {
        if let Some((back, thread)) = self.away.take() {
            let came = match time {
                None => back.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(time) => back.recv_timeout(time),
            };
            match came {
                Ok(value) => self.here = Some(value),
                Err(RecvTimeoutError::Timeout) => self.away = Some((back, thread)),
                Err(RecvTimeoutError::Disconnected) => {
                    let panic = thread.join().expect_err("it ended without giving back");
                    std::panic::resume_unwind(panic);
                }
            }
        }
        self.here.as_mut()
    }
}

impl<T> Drop for Lent<T> {
    /// Waits for the thread: it must not outlive what started it. A panic in it
    /// was its own; there is nobody left to tell.
    fn drop(&mut self) {
        if let Some((_, thread)) = self.away.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn what_is_lent_comes_back_changed_and_is_not_waited_for_too_long() {
        let mut lent = Lent::new(1);
        let (go, gate) = channel::<()>();
        lent.lend(move |value| {
            gate.recv().unwrap();
            *value += 1;
        });
        assert_eq!(lent.wait(Some(Duration::ZERO)), None);
        assert_eq!(lent.wait(Some(Duration::from_millis(1))), None);
        go.send(()).unwrap();
        assert_eq!(lent.wait(None), Some(&mut 2));
        assert_eq!(lent.wait(Some(Duration::ZERO)), Some(&mut 2));
    }

    #[test]
    #[should_panic(expected = "its own fault")]
    fn a_panic_comes_back_too() {
        let mut lent = Lent::new(());
        lent.lend(|()| panic!("its own fault"));
        lent.wait(None);
    }
}

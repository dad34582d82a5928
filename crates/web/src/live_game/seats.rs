//! Giving a player's seat to another.

use super::LiveGame;
use crate::access::{Rights, SeatAccess};
use crate::caller::Caller;
use crate::error::ApiError;

impl LiveGame {
    /// A new link for a player's seat; what an earlier one gave is taken back.
    pub fn give_seat(&self, player: usize, rights: Rights) -> Result<String, ApiError> {
        rights.owner()?;
        if player > 1 {
            return Err(ApiError::bad("a player is 0, for First, or 1, for Second"));
        }
        if self.is_contest() {
            return Err(ApiError::bad("a contest game is for its owner alone"));
        }
        let link = crate::id::fresh();
        self.set_seat(player, SeatAccess { link: Some(link.clone()), key: None })?;
        Ok(link)
    }

    /// Gives the seat of a link to a caller.
    pub fn take_seat(&self, link: &str, caller: &Caller) -> Result<usize, ApiError> {
        // Under the game's lock, so that two who come at once do not both get it.
        let guard = self.lock();
        let player = self.access.borrow().seat_of(link, &caller.key);
        let Some(player) = player else {
            let sentence =
                "this link gives no seat: another has taken it, or there is a newer link";
            return Err(ApiError::stale(sentence));
        };
        let seat = SeatAccess { link: Some(link.to_owned()), key: Some(caller.key.clone()) };
        self.set_seat(player, seat)?;
        drop(guard);
        Ok(player)
    }

    /// Writes who holds a seat, then shows it.
    fn set_seat(&self, player: usize, seat: SeatAccess) -> Result<(), ApiError> {
        self.app.store.write_seat(&self.id, player, &seat)?;
        self.access.send_modify(|access| access.seats[player] = seat);
        Ok(())
    }
}

//! What a caller may do in a game.
//!
//! The key that created a game owns it. Others watch, unless the owner has given
//! them a player's seat by a link: the first key that opens the link has the
//! seat, and then the owner does not move for it. A new link takes the seat back.
//! A contest game is for its owner alone. The operator may do what an owner may,
//! in every game.

use axum::http::StatusCode;
use serde::Serialize;

use crate::caller::Caller;
use crate::error::ApiError;

/// Who holds a player's seat beside the owner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatAccess {
    /// What the link that gives the seat contains.
    pub link: Option<String>,
    /// The key that has opened it.
    pub key: Option<String>,
}

/// The keys of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// The key that created it; none in games of earlier versions.
    pub owner: Option<String>,
    /// First's seat and Second's.
    pub seats: [SeatAccess; 2],
}

/// What a caller may do in a game, as the page gets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rights {
    /// Whether everything about the game may be changed.
    pub owns: bool,
    /// Whether moves may be made for First and for Second.
    pub plays: [bool; 2],
    /// Whether the seats of First and Second were given away.
    pub given: [bool; 2],
}

impl Access {
    /// What a caller may do.
    pub fn rights(&self, caller: &Caller) -> Rights {
        let owns = caller.is_operator || self.owner.as_ref() == Some(&caller.key);
        let plays = [0, 1].map(|player| match &self.seats[player].key {
            Some(holder) => *holder == caller.key,
            None => owns,
        });
        Rights { owns, plays, given: [0, 1].map(|player| self.seats[player].key.is_some()) }
    }

    /// The seat that a link gives to a key; none if it is taken or there is no
    /// such link.
    pub fn seat_of(&self, link: &str, key: &str) -> Option<usize> {
        self.seats.iter().position(|seat| {
            seat.link.as_deref() == Some(link) && seat.key.as_deref().is_none_or(|own| own == key)
        })
    }
}

impl Rights {
    /// The right to change everything, or why not.
    pub fn owner(self) -> Result<(), ApiError> {
        self.require(self.owns)
    }

    /// The right to move for a player, or why not.
    pub fn player(self, player: usize) -> Result<(), ApiError> {
        self.require(self.plays.get(player).copied().unwrap_or(false))
    }

    /// The right of one who takes part, or why not.
    pub fn participant(self) -> Result<(), ApiError> {
        self.require(self.owns || self.plays.contains(&true))
    }

    fn require(self, allowed: bool) -> Result<(), ApiError> {
        let sentence = match self.owns || self.plays.contains(&true) {
            true => "this seat belongs to another browser; its player moves there",
            false => "you watch this game; only its owner, or a player with a seat, changes it",
        };
        if allowed { Ok(()) } else { Err(ApiError::new(StatusCode::FORBIDDEN, sentence)) }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn caller(key: &str, is_operator: bool) -> Caller {
        let address = IpAddr::from([10, 0, 0, 1]);
        Caller { address, key: key.to_owned(), is_known: true, is_operator }
    }

    #[test]
    fn a_seat_that_was_given_is_no_longer_the_owners() {
        let mut access = Access { owner: Some("a".to_owned()), ..Access::default() };
        let plays = |access: &Access, key: &str| access.rights(&caller(key, false)).plays;
        assert_eq!((plays(&access, "a"), plays(&access, "b")), ([true; 2], [false; 2]));
        access.seats[1] = SeatAccess { link: Some("x".to_owned()), key: None };
        assert_eq!(plays(&access, "a"), [true; 2], "until the link is opened");
        assert_eq!(access.seat_of("x", "b"), Some(1));
        assert_eq!(access.seat_of("y", "b"), None);
        access.seats[1].key = Some("b".to_owned());
        assert_eq!((plays(&access, "a"), plays(&access, "b")), ([true, false], [false, true]));
        assert_eq!(access.seat_of("x", "c"), None, "it is taken");
        assert_eq!(access.seat_of("x", "b"), Some(1), "a reload");
    }

    #[test]
    fn the_operator_owns_every_game() {
        let access = Access::default();
        assert!(access.rights(&caller("b", true)).owner().is_ok());
        let watcher = access.rights(&caller("b", false));
        assert!(watcher.owner().is_err() && watcher.player(0).is_err());
        assert!(watcher.participant().is_err());
    }
}

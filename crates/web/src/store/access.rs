//! The keys of games on disk: a row for the owner and for each seat that was
//! given away.

use rusqlite::{Connection, params};

use super::{Store, StoreError};
use crate::access::{Access, SeatAccess};

/// The owner's row.
pub(super) const OWNER: &str = "owner";
/// The rows of First's seat and Second's.
const SEATS: [&str; 2] = ["first", "second"];

/// Writes a row.
pub(super) fn write(
    connection: &Connection,
    game: &str,
    role: &str,
    key: Option<&str>,
    link: Option<&str>,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO access VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![game, role, key, link])
        .map(drop)
}

impl Store {
    /// The keys of a game.
    pub fn access(&self, game: &str) -> Result<Access, StoreError> {
        let connection = self.lock();
        let mut query =
            connection.prepare_cached("SELECT role, key, link FROM access WHERE game = ?1")?;
        let mut rows = query.query([game])?;
        let mut access = Access::default();
        while let Some(row) = rows.next()? {
            let role: String = row.get(0)?;
            let seat = SeatAccess { key: row.get(1)?, link: row.get(2)? };
            match SEATS.iter().position(|name| *name == role) {
                Some(player) => access.seats[player] = seat,
                None => access.owner = seat.key,
            }
        }
        Ok(access)
    }

    /// Writes who holds a player's seat.
    pub fn write_seat(
        &self,
        game: &str,
        player: usize,
        SeatAccess { link, key }: &SeatAccess,
    ) -> Result<(), StoreError> {
        Ok(write(&self.lock(), game, SEATS[player], key.as_deref(), link.as_deref())?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ListRequest, StoredGame};
    use super::*;

    #[test]
    fn keys_are_kept_and_lists_are_ones_own() {
        let store = Store::open(None).unwrap();
        for (id, owner) in [("x", "a"), ("y", "b")] {
            let mut game = StoredGame { id: id.to_owned(), ..StoredGame::default() };
            store.create(&mut game, owner).unwrap();
        }
        let seat = SeatAccess { link: Some("l".to_owned()), key: Some("b".to_owned()) };
        store.write_seat("x", 1, &seat).unwrap();
        let access = store.access("x").unwrap();
        let seats = [SeatAccess::default(), seat];
        assert_eq!(access, Access { owner: Some("a".to_owned()), seats });
        assert_eq!(store.access("z").unwrap(), Access::default());
        let list = |key: Option<&str>| -> Vec<String> {
            store
                .list(&ListRequest::default(), key)
                .unwrap()
                .into_iter()
                .map(|game| game.id)
                .collect()
        };
        assert_eq!(list(None), ["y", "x"]);
        assert_eq!((list(Some("a")), list(Some("b"))), (vec!["x".to_owned()], list(None)));
        assert!(list(Some("c")).is_empty());
    }
}

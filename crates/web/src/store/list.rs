//! The list of games: who played, how it ended, searching, keeping, deleting.

use rusqlite::params;
use serde::{Deserialize, Serialize};
use session::GameSpec;

use super::read::{parsed, read_game, whole};
use super::{Store, StoreError};
use crate::record::result_text;
use crate::settings::{Seat, Settings};

/// What a list shall have.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct ListRequest {
    /// Words that each game has: of its name, its players, its event, its result.
    pub text: String,
    /// Whether to list kept games only.
    pub kept: bool,
    /// Games to leave out first.
    pub skip: usize,
    /// The most games.
    pub most: Option<usize>,
}

/// Games of a list unless it asks for fewer.
const MOST_LISTED: usize = 100;

/// A game in a list.
#[derive(Clone, Debug, Serialize)]
pub struct GameSummary {
    /// Its id.
    pub id: String,
    /// The game and its setup.
    pub game: String,
    /// Moves played.
    pub plies: usize,
    /// When it last changed, in milliseconds since 1970.
    pub updated: u64,
    /// First's seat and Second's.
    pub seats: [Seat; 2],
    /// The names of First and Second, where there are any.
    pub names: Option<[String; 2]>,
    /// The contest that it belongs to.
    pub event: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` while it goes on.
    pub result: String,
    /// Whether it stays whatever its age.
    pub kept: bool,
    /// Whether the reader may keep or delete it.
    pub owns: bool,
}

impl GameSummary {
    /// Whether all words are found in what a list shows of the game.
    fn has(&self, words: &[String]) -> bool {
        let seat = |seat: &Seat| match seat {
            Seat::Human => String::new(),
            Seat::Engine(spec) => spec.clone(),
        };
        let title = self.game.parse::<GameSpec>().map(|spec| spec.row().title);
        let mut texts = vec![self.game.clone(), self.result.clone()];
        texts.extend(title.iter().flat_map(|title| [title.en.to_owned(), title.zh.to_owned()]));
        texts.extend(self.seats.iter().map(seat));
        texts.extend(self.names.iter().flatten().cloned());
        texts.extend(self.event.clone());
        let text = texts.join("\n").to_lowercase();
        words.iter().all(|word| text.contains(word))
    }
}

impl Store {
    /// The games that changed last: those in which a key has a part, or all.
    pub fn list(
        &self,
        request: &ListRequest,
        key: Option<&str>,
    ) -> Result<Vec<GameSummary>, StoreError> {
        let words: Vec<String> =
            request.text.split_whitespace().map(str::to_lowercase).take(10).collect();
        let connection = self.lock();
        let mut query = connection.prepare_cached(
            "SELECT id, spec, played, updated, settings, result, kept,
                    ?1 IS NULL OR EXISTS (SELECT 1 FROM access
                      WHERE game = id AND key = ?1 AND role = 'owner')
             FROM game
             WHERE (?1 IS NULL OR id IN (SELECT game FROM access WHERE key = ?1))
               AND (NOT ?2 OR kept)
             ORDER BY touched DESC",
        )?;
        let mut rows = query.query(params![key, request.kept])?;
        let (mut skip, mut found) = (request.skip, Vec::new());
        let most = request.most.unwrap_or(MOST_LISTED).min(MOST_LISTED);
        while let Some(row) = rows.next()? {
            if found.len() >= most {
                break;
            }
            // A game whose settings are damaged is listed by what can be read.
            let settings: Settings = parsed(row, 4).unwrap_or_default();
            let contest = settings.contest;
            let event = contest.as_ref().map(|contest| contest.event.clone());
            let mut game = GameSummary {
                id: row.get(0)?,
                game: row.get(1)?,
                plies: whole(row, 2)?,
                updated: row.get::<_, i64>(3)? as u64,
                seats: settings.seats,
                names: contest.map(|contest| contest.names).or(settings.names),
                event: event.filter(|event| !event.is_empty()),
                result: row.get::<_, Option<String>>(5)?.unwrap_or_default(),
                kept: row.get(6)?,
                owns: row.get(7)?,
            };
            if !game.has(&words) {
                continue;
            }
            if skip > 0 {
                skip -= 1;
                continue;
            }
            if game.result.is_empty() {
                game.result = self.played_result(&connection, &game.id).unwrap_or("*").to_owned();
            }
            found.push(game);
        }
        Ok(found)
    }

    /// The result of a game that was written before results were: it is played
    /// through.
    fn played_result(&self, connection: &rusqlite::Connection, id: &str) -> Option<&'static str> {
        let game = read_game(connection, "id", id, String::new()).ok()??;
        if let Some(ended) = &game.ended {
            return Some(["1-0", "0-1"].get(ended.winner.unwrap_or(2)).unwrap_or(&"1/2-1/2"));
        }
        let mut session = session::open(&game.spec.parse().ok()?);
        let moves: Vec<&str> =
            game.plies[..game.played].iter().map(|ply| ply.mv.as_str()).collect();
        session.set(game.start.as_deref(), &moves).ok()?;
        Some(result_text(session.outcome()))
    }

    /// Keeps a game whatever its age, or no longer.
    pub fn keep(&self, id: &str, on: bool) -> Result<(), StoreError> {
        let sql = "UPDATE game SET kept = ?2 WHERE id = ?1";
        match self.lock().prepare_cached(sql)?.execute(params![id, on])? {
            0 => Err(StoreError::Gone),
            _ => Ok(()),
        }
    }

    /// Deletes a game.
    pub fn delete(&self, id: &str) -> Result<(), StoreError> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        super::delete(&transaction, id)?;
        Ok(transaction.commit()?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Ended, StoredGame, StoredPly};
    use super::*;
    use crate::settings::Contest;

    fn game(id: &str, settings: Settings, moves: &[&str]) -> StoredGame {
        let ply = |mv: &&str| StoredPly { mv: (*mv).to_owned(), eval: None, left: None };
        StoredGame {
            id: id.to_owned(),
            spec: "connect-four".to_owned(),
            settings,
            played: moves.len(),
            plies: moves.iter().map(ply).collect(),
            ..StoredGame::default()
        }
    }

    #[test]
    fn games_are_found_by_what_is_shown_of_them() {
        let store = Store::open(None).unwrap();
        let contest = Contest {
            names: ["甲队".to_owned(), "Wolf".to_owned()],
            event: "Test Cup".to_owned(),
            ..Contest::default()
        };
        let of_contest = Settings { contest: Some(contest), ..Settings::default() };
        let engine = Seat::Engine("level n=3".to_owned());
        let with_engine = Settings { seats: [Seat::Human, engine], ..Settings::default() };
        // Results of games that have none in their row are played.
        let won = ["1", "2", "1", "2", "1", "2", "1"];
        store.create(&mut game("a", of_contest, &won), "k").unwrap();
        store.create(&mut game("b", with_engine, &["4"]), "k").unwrap();
        let ended = Some(Ended { winner: Some(1), reason: "resigned".to_owned() });
        let mut resigned = StoredGame { ended, ..game("c", Settings::default(), &[]) };
        store.create(&mut resigned, "other").unwrap();
        let list = |text: &str, key: Option<&str>| -> Vec<String> {
            let request = ListRequest { text: text.to_owned(), ..ListRequest::default() };
            store.list(&request, key).unwrap().into_iter().map(|game| game.id).collect()
        };
        assert_eq!(list("", None), ["c", "b", "a"]);
        assert_eq!(list("", Some("k")), ["b", "a"]);
        for (text, found) in [
            ("wolf", vec!["a"]),
            ("甲 cup", vec!["a"]),
            ("甲 level", vec![]),
            ("LEVEL", vec!["b"]),
            ("四子棋", vec!["c", "b", "a"]),
        ] {
            assert_eq!(list(text, None), found, "{text}");
        }
        let all = store.list(&ListRequest::default(), Some("k")).unwrap();
        let results: Vec<&str> = all.iter().map(|game| game.result.as_str()).collect();
        assert_eq!((results, all[1].event.as_deref()), (vec!["*", "1-0"], Some("Test Cup")));
        store.keep("a", true).unwrap();
        let kept = ListRequest { kept: true, ..ListRequest::default() };
        assert_eq!(store.list(&kept, None).unwrap().len(), 1);
        // A later change leaves it kept.
        let mut again = store.load("a").unwrap().unwrap();
        store.save(&mut again, 0).unwrap();
        assert!(store.list(&kept, None).unwrap()[0].kept);
        store.delete("a").unwrap();
        assert_eq!(
            (list("", None), store.load("a").unwrap()),
            (vec!["c".into(), "b".into()], None)
        );
        assert!(store.keep("a", true).is_err());
        let page = ListRequest { skip: 1, most: Some(1), ..ListRequest::default() };
        assert_eq!(store.list(&page, None).unwrap()[0].id, "b");
    }
}

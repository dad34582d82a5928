//! A folder as matches and experiments leave it, for tests to look at.

use arena::{Entrant, GameResult, MatchConfig, Openings, Ply, Store};
use games::connect_four::{ConnectFour, Setup};
use games::{Outcome, Player, Reason};
use search::Limits;
use tempfile::TempDir;

/// A folder with a store of three pairs between two engines, and a report.
/// It goes with the value.
pub struct MatchesFolder {
    pub dir: TempDir,
}

impl MatchesFolder {
    pub fn new() -> MatchesFolder {
        let dir = TempDir::new().unwrap();
        std::fs::create_dir_all(dir.path().join("reproduction")).unwrap();
        let folder = MatchesFolder { dir };
        let mut store = folder.store();
        for pair in 0..3 {
            folder.play(&mut store, pair);
        }
        let report = r#"{"version":"0.1.0","profile":"short","experiments":[{"id":"000-table-1","title":"Ours against <b>theirs</b>",
            "waits":null,"finished":true,"claims":[{"about":"share","printed":"60%","ours":"58% [50, 66] of 200",
            "verdict":"reproduced","rule":"a rule"},{"about":"best","printed":"0.4","ours":"1.2",
            "verdict":"not-reproduced","rule":"another"}]}]}"#;
        std::fs::write(folder.dir.path().join("reproduction/report.json"), report).unwrap();
        let page = "<!doctype html><title>r</title><style>p{color:red}</style><p id=x>whole</p><script>x.textContent='run'</script>";
        std::fs::write(folder.dir.path().join("reproduction/report.html"), page).unwrap();
        // What is no store and no report.
        std::fs::write(folder.dir.path().join("other.sqlite"), "some other file").unwrap();
        std::fs::write(folder.dir.path().join("secret.txt"), "secret").unwrap();
        folder
    }

    /// The store, to write to.
    pub fn store(&self) -> Store {
        Store::open(self.dir.path().join("boyi-matches.sqlite")).unwrap()
    }

    fn config() -> MatchConfig {
        let time = Some(std::time::Duration::from_millis(100));
        let limits = Limits { time, ..Limits::default() };
        let entrant = |spec: &str| Entrant { spec: spec.into(), version: "0.1.0".into(), limits };
        let engines = vec![entrant("uct c=0.4"), entrant("alpha-beta depth=6")];
        MatchConfig {
            openings: Openings::Random { plies: 2 },
            ..MatchConfig::new::<ConnectFour<u64>>(&Setup::default(), engines, 7)
        }
    }

    /// Writes the first ply of a game in play.
    #[allow(dead_code)] // Not by every test program.
    pub fn journal(&self, store: &mut Store, game: u64, mv: &str) {
        let id = store.match_id(&MatchesFolder::config()).unwrap();
        let ply = Ply {
            mv: mv.into(),
            micros: 1000,
            win_rate: 0.5,
            score: "0".into(),
            depth: 1,
            nodes: 1,
            sims: 0,
        };
        store.journal_ply(id, game, 0, &ply).unwrap();
    }

    /// Adds a pair of games: the first engine wins one, and the other one is a
    /// draw by agreement.
    pub fn play(&self, store: &mut Store, pair: u64) {
        let id = store.match_id(&MatchesFolder::config()).unwrap();
        let ply = |mv: &str, win_rate: f64| Ply {
            mv: mv.into(),
            micros: 1000,
            win_rate,
            score: "0.5".into(),
            depth: 3,
            nodes: 10,
            sims: 0,
        };
        let game = |second: u64, engines, moves: &str, outcome| GameResult {
            index: 2 * pair + second,
            engines,
            seed: 1,
            setup: String::new(),
            opening: "12".into(),
            moves: moves.into(),
            plies: moves.chars().skip(2).map(|mv| ply(&mv.to_string(), 0.7)).collect(),
            outcome,
            note: String::new(),
        };
        let won = Outcome { winner: Some(Player::First), reason: Reason::FourInARow };
        let level = Outcome { winner: None, reason: Reason::Adjudicated };
        let games = [game(0, [0, 1], "1212121", won), game(1, [1, 0], "1244", level)];
        store.add_pair(id, &games).unwrap();
    }
}

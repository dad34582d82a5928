//! The games store on a disk that fails: every write, truncation and sync of a
//! small run fails once, in each way, alone and with all that follow it.

use std::path::Path;

use storage::{DiskFault, DiskFaults};
use web::store::{Store, StoreError, StoredGame, StoredPly};

const MOVES: [&str; 5] = ["4", "4", "3", "3", "5"];

/// What was acknowledged in a run.
#[derive(Debug, Default)]
struct Acknowledged {
    created: bool,
    moves: usize,
}

/// Opens the store, creates a game and plays its moves; a move that is refused is
/// tried once more.
fn run(path: &Path) -> Acknowledged {
    let mut done = Acknowledged::default();
    let Ok(store) = Store::open(Some(path)) else { return done };
    let mut game =
        StoredGame { id: "x".to_owned(), spec: "connect-four".to_owned(), ..StoredGame::default() };
    done.created = (0..2).any(|_| store.create(&mut game, "key").is_ok());
    for mv in MOVES {
        if !done.created {
            break;
        }
        let from = game.plies.len();
        game.plies.push(StoredPly { mv: mv.to_owned(), eval: None, left: None });
        game.played = game.plies.len();
        if !(0..2).any(|_| store.save(&mut game, from).is_ok()) {
            break;
        }
        done.moves += 1;
    }
    done
}

/// Opens the store again and compares.
fn check(path: &Path, done: &Acknowledged) -> Result<(), StoreError> {
    let store = Store::open(Some(path))?;
    let game = store.load("x")?;
    assert!(game.is_some() || !done.created, "the game is lost");
    let Some(mut game) = game else { return Ok(()) };
    let moves: Vec<&str> = game.plies.iter().map(|ply| ply.mv.as_str()).collect();
    assert!(moves.len() >= done.moves, "moves are lost: {moves:?}");
    assert!(moves.len() <= done.moves + 1, "moves that were never sent: {moves:?}");
    assert_eq!(moves, MOVES[..moves.len()]);
    // And it goes on.
    let from = game.plies.len();
    game.plies.push(StoredPly { mv: "1".to_owned(), eval: None, left: None });
    store.save(&mut game, from)?;
    assert_eq!(store.load("x")?.unwrap().plies.len(), from + 1);
    Ok(())
}

#[test]
fn no_fault_of_the_disk_loses_what_was_acknowledged() {
    let mut faults_tried = 0;
    for fault in DiskFault::ALL {
        for lasts in [false, true] {
            for at in 1.. {
                let folder = tempfile::TempDir::new().unwrap();
                let path = folder.path().join("games.sqlite");
                let faults = DiskFaults::watch(folder.path());
                faults.arm(at, fault, lasts);
                let done = run(&path);
                let injected = faults.injected();
                faults.heal();
                let checked = std::panic::catch_unwind(|| check(&path, &done));
                let label = format!("{fault:?} at operation {at}, lasting: {lasts}; {done:?}");
                match checked {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => panic!("{label}: {error}"),
                    Err(_) => panic!("{label}"),
                }
                if injected == 0 {
                    assert_eq!(done.moves, MOVES.len());
                    break;
                }
                faults_tried += 1;
            }
        }
    }
    println!("{faults_tried} faults of the disk");
    assert!(faults_tried > 100, "{faults_tried}");
}

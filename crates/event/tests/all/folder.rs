//! An event in a folder: names of records, other processes, what a crash leaves.

use std::path::Path;

use event::{EventFolder, FolderError, Format, GameEnd, Settings, Winner};

fn folder(path: &Path) -> EventFolder {
    let settings = Settings::new("Cup", "connect-four", Format::RoundRobin);
    EventFolder::create(path, settings, ["甲", "乙"]).unwrap()
}

fn names(folder: &EventFolder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.records()).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_record_has_the_name_that_its_result_demands() {
    let temp = tempfile::tempdir().unwrap();
    let folder = folder(temp.path());
    folder.change(|event| event.pair().map(drop)).unwrap();
    let [a, b] = folder.load().unwrap().pairing(0, 0).unwrap().teams.map(|team| ["甲", "乙"][team]);
    let place = (0, 0, 0);
    // An unfinished game: no result in the name.
    folder.set_record(place, "4433").unwrap();
    assert_eq!(names(&folder), [format!("R1T1：{a}先手，{b}后手.txt")]);
    folder.set_result(place, Some(GameEnd::new(Winner::Second, "time"))).unwrap();
    assert_eq!(names(&folder), [format!("R1T1：{a}先手，{b}后手，{b}胜.txt")]);
    let text = std::fs::read_to_string(folder.records().join(&names(&folder)[0])).unwrap();
    assert!(text.contains(a) && text.contains("Cup"), "{text}");
    // A finished game brings its result along, and must not contradict it.
    let won = "1212121";
    assert!(folder.set_record(place, won).is_err(), "First has four in a row");
    folder.remove_record(place).unwrap();
    folder.set_result(place, None).unwrap();
    assert!(names(&folder).is_empty());
    folder.set_record(place, won).unwrap();
    assert_eq!(names(&folder), [format!("R1T1：{a}先手，{b}后手，{a}胜.txt")]);
    let end = folder.load().unwrap().game(place).unwrap().end.clone().unwrap();
    assert_eq!(end, GameEnd::new(Winner::First, "four in a row"));
    for bad in ["999", "game: surakarta\nmoves: b5-b4\n", "nonsense"] {
        assert!(folder.set_record(place, bad).is_err(), "{bad}");
    }
}

#[test]
fn what_a_killed_process_left_is_removed_with_the_next_change() {
    let temp = tempfile::tempdir().unwrap();
    let folder = folder(temp.path());
    folder.change(|event| event.pair().map(drop)).unwrap();
    // Killed after the record was written, before the event named it.
    let stale = folder.records().join("R1T1：甲先手，乙后手，和棋.txt");
    let other = folder.records().join("R1T11：甲先手，乙后手，和棋.txt");
    for path in [&stale, &other] {
        std::fs::write(path, "left over").unwrap();
    }
    folder.set_record((0, 0, 0), "1212121").unwrap();
    assert!(!stale.exists() && other.exists(), "only this game's files");
}

#[test]
fn several_processes_may_change_one_event() {
    let temp = tempfile::tempdir().unwrap();
    let folder = folder(temp.path());
    std::thread::scope(|scope| {
        for n in 0..4 {
            let folder = folder.clone();
            scope.spawn(move || {
                for k in 0..10 {
                    folder.change(|event| event.add_team(&format!("Team {n}.{k}"))).unwrap();
                }
            });
        }
    });
    assert_eq!(folder.load().unwrap().teams.len(), 42);
    let chart = std::fs::read_to_string(temp.path().join("wall-chart.txt")).unwrap();
    assert_eq!(chart.lines().count(), 46, "the chart of the last change: {chart}");
}

#[test]
fn a_damaged_event_is_refused_and_left_alone() {
    let temp = tempfile::tempdir().unwrap();
    assert!(matches!(EventFolder::at(temp.path()).load(), Err(FolderError::Missing(_))));
    let folder = folder(temp.path());
    let settings = Settings::new("Cup", "connect-four", Format::RoundRobin);
    let again = EventFolder::create(temp.path(), settings, []);
    assert!(matches!(again, Err(FolderError::Exists(_))));
    let file = temp.path().join("event.json");
    let text = std::fs::read_to_string(&file).unwrap();
    for broken in [text.replace("\"version\": 1", "\"version\": 2"), text[..40].to_owned()] {
        std::fs::write(&file, &broken).unwrap();
        let result = folder.change(|event| event.add_team("C"));
        assert!(matches!(result, Err(FolderError::Damaged(..))), "{result:?}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), broken);
    }
}

//! A batch against libraries that were made for the course's judge, good and bad.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// `getPoint` with this body; `clearPoint` frees.
fn library(folder: &Path, name: &str, body: &str) -> bool {
    let source = folder.join(format!("{name}.c"));
    let code = format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
         struct Point {{ int x; int y; }};\n\
         struct Point *answer(int x, int y) {{\n\
             struct Point *p = malloc(sizeof *p); p->x = x; p->y = y; return p;\n\
         }}\n\
         struct Point *getPoint(int M, int N, const int *top, const int *board,\n\
                                int lastX, int lastY, int noX, int noY) {{\n{body}\n}}\n\
         void clearPoint(struct Point *p) {{ free(p); }}\n"
    );
    std::fs::write(&source, code).unwrap();
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-w", "-o"])
        .arg(folder.join(format!("{name}.so")))
        .arg(&source)
        .status();
    match compiled {
        Ok(status) => {
            assert!(status.success(), "{name} does not compile");
            true
        }
        Err(_) => {
            println!("there is no C compiler ('cc'), so no library is played against");
            false
        }
    }
}

#[test]
fn good_and_bad_libraries_are_played_against() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let first_open =
        "int y = 0; while (top[y] == 0) y++; printf(\"noise\"); return answer(top[y] - 1, y);";
    if !library(folder, "a-first-open", first_open) {
        return;
    }
    library(folder, "b-crashes", "abort();");
    library(folder, "c-illegal", "return answer(0, 0);");
    let hog = "char *p = malloc(3ul << 30); memset(p, 1, 3ul << 30); return answer(top[0] - 1, 0);";
    library(folder, "d-hog", hog);
    // The judge's libraries know its C++ library without naming it.
    let unnamed = "extern void _ZNSt8ios_base4InitD1Ev(void *); static void (*volatile use)(void *) = \
        _ZNSt8ios_base4InitD1Ev; int y = 0; while (top[y] == 0 || use == 0) y++; \
        return answer(top[y] - 1, y);";
    library(folder, "e-unnamed", unnamed);
    library(
        folder,
        "f-late-crash",
        "static int n; if (n++) abort(); return answer(top[0] - 1, 0);",
    );
    std::fs::write(folder.join("g-no-library.so"), "nothing").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_boyi"))
        .arg("course")
        .arg(folder)
        .args(["--seconds", "0.005", "--engine", "uct memory=4", "--json"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("1 of 7 libraries can't be loaded and did not play"), "{said}");
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = told["libraries"].as_array().unwrap();
    let faults: Vec<&str> = rows.iter().map(|row| row["fault"].as_str().unwrap_or("")).collect();
    let first = "crashed before its first move";
    assert_eq!(faults, ["", first, "illegal move 0,0", first, "", "crashed", ""]);
    assert_eq!((&rows[0]["forfeits"], &rows[4]["forfeits"]), (&0.into(), &0.into()));
    assert!(rows[4]["points"].as_f64().unwrap() > 0.4, "it plays: {}", rows[4]);
    // What crashed before it moved is no opponent, and what was never loaded even less.
    assert_eq!((&rows[1]["points"], &rows[1]["no_games"]), (&serde_json::Value::Null, &2.into()));
    assert!(rows[6]["error"].is_string() && rows[6]["points"].is_null());
    assert_eq!((&told["all"]["forfeits"], &told["all"]["no_games"]), (&4.into(), &4.into()));
    assert!(told["all"]["points"].as_f64().unwrap() > 0.8, "{told}");
}

#[test]
fn a_lost_game_is_printed_with_its_board_and_moves() {
    let temp = TempDir::new().unwrap();
    // Builds a column of its own, which a player at random hardly ever stops.
    let tower =
        "int y = lastY == 0 ? 1 : 0; while (top[y] == 0) y++; return answer(top[y] - 1, y);";
    if !library(temp.path(), "tower", tower) {
        return;
    }
    let run = |more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_boyi"))
            .arg("course")
            .arg(temp.path())
            .args(["--engine", "random", "--seconds", "0.01", "--games", "6"])
            .args(more)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let told: serde_json::Value = serde_json::from_str(&run(&["--json"])).unwrap();
    let lost = told["libraries"][0]["lost_games"].as_array().unwrap();
    assert!(!lost.is_empty(), "{told}");
    let text = run(&[]);
    for game in lost {
        let setup = game["setup"].as_str().unwrap();
        let moves = game["moves"].as_str().unwrap();
        let side = game["ours"].as_str().unwrap();
        assert!(text.contains(&format!("lost, moving {side}, on {setup}: {moves}")), "{text}");
    }
}

#[test]
fn a_folder_without_libraries_is_an_error() {
    let empty = TempDir::new().unwrap();
    let output =
        Command::new(env!("CARGO_BIN_EXE_boyi")).arg("course").arg(empty.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("has no library"));
}

#[test]
fn a_folder_of_strategies_is_an_experiment() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    std::fs::create_dir_all(folder.join("strategies")).unwrap();
    let first_open = "int y = 0; while (top[y] == 0) y++; return answer(top[y] - 1, y);";
    if !library(&folder.join("strategies"), "100", first_open) {
        return;
    }
    library(&folder.join("strategies"), "98", "abort();");
    let run = |more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_boyi"))
            .current_dir(folder)
            .args(["reproduce", "004-samples", "--profile", "smoke", "--out", "out", "--json"])
            .args(more)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    // Without a folder it says what it waits for.
    let waits = &run(&[])["experiments"][0];
    assert!(waits["waits"].as_str().unwrap().contains("--samples DIR"), "{waits}");
    let told = run(&["--samples", "strategies"]);
    let found = &told["experiments"][0];
    assert_eq!(found["finished"], true);
    let measures = found["measures"].as_array().unwrap();
    assert_eq!(measures.len(), 2, "against all, and against the strongest");
    for measure in measures {
        let games = |side: &str| measure[side]["games"].as_u64().unwrap();
        assert_eq!((games("first"), games("second")), (1, 1), "crashes are no games: {measure}");
    }
    let fault = found["facts"][0]["value"].as_str().unwrap();
    assert_eq!(fault, "2 of 4 games, the first by 98: crashed before its first move");
    // Everything is in the store.
    assert_eq!(run(&["--samples", "strategies"]), told);
    // What can't be loaded is no opponent.
    std::fs::write(folder.join("strategies/99.so"), "nothing").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_boyi"))
        .current_dir(folder)
        .args(["reproduce", "004-samples", "--profile", "smoke", "--samples", "strategies"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("it is no opponent"), "{said}");
}

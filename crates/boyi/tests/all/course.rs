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
    std::fs::write(folder.join("e-no-library.so"), "nothing").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_boyi"))
        .arg("course")
        .arg(folder)
        .args(["--seconds", "0.005", "--engine", "uct memory=4", "--json"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = told["libraries"].as_array().unwrap();
    let faults: Vec<&str> = rows.iter().map(|row| row["fault"].as_str().unwrap_or("")).collect();
    assert_eq!(faults, ["", "crashed", "illegal move 0,0", "crashed", "crashed"]);
    assert_eq!(rows[0]["forfeits"], 0);
    assert_eq!(told["all"]["forfeits"], 8);
    assert!(told["all"]["points"].as_f64().unwrap() > 0.8, "{told}");
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
        assert_eq!((games("first"), games("second")), (2, 2), "{measure}");
    }
    let fault = found["facts"][0]["value"].as_str().unwrap();
    assert_eq!(fault, "2 of 4 games, the first by 98: crashed");
    // Everything is in the store.
    assert_eq!(run(&["--samples", "strategies"]), told);
}

//! Matches that are started, watched, paused and stopped in the page; engines that
//! play each other on the board.

use serde_json::{Value, json};
use web::Options;

use crate::client::{begin, get, post, serve, serve_with};
use crate::driver::{Browser, key, skipped};
use crate::matches_folder::MatchesFolder;

#[test]
fn a_match_is_started_watched_paused_and_goes_on() {
    if skipped() {
        return;
    }
    let folder = tempfile::TempDir::new().unwrap();
    let at = serve_with(Options { matches: Some(folder.path().to_owned()), ..Options::local(0) });
    let browser = Browser::open(at, 1200, 900, "en-US");
    browser.go("/arena");
    browser.click(".new-match summary");
    browser.click("[name=match-game][value='connect-four']");
    browser.run(
        "const set = (name, value) => {
           const field = document.querySelector(`.new-match [name=${name}]`);
           field.value = value; field.dispatchEvent(new Event('change'));
         };
         set('one', '3'); set('two', '1'); set('limit', 's 0.1');
         document.querySelector('.new-match [name=games]').value = '2000'",
    );
    browser.click(".new-match .primary");
    browser.wait("document.querySelector('.live-game .board') !== null");
    // Who plays stands there from the start, and that it plays only once.
    browser
        .wait("document.querySelector('.intro .pairing')?.textContent === 'level n=3–level n=1'");
    assert_eq!(browser.run("return document.querySelector('.intro .live')"), Value::Null);
    // Between two games the board stays.
    browser.run(
        "window.gone = 0; setInterval(() => {
           if (document.querySelector('.live-panel')?.hidden) window.gone += 1;
         }, 5)",
    );
    // An engine is named once it has moved in the game.
    browser.wait(
        "['level n=3', 'level n=1'].every((name) =>
           document.querySelector('.live-game figcaption')?.textContent.includes(name))",
    );
    browser.wait("document.querySelector('.pentanomial') !== null");
    let path = browser.run("return location.pathname").as_str().unwrap().to_owned();
    // The buttons stay while games are counted, so that no click is lost.
    browser.run("window.pause = document.querySelector('[data-do=match-pause]')");
    let counted = "document.querySelector('main [role=status]').textContent";
    let before = browser.run(&format!("return {counted}"));
    browser.wait(&format!("{counted} !== {before}"));
    assert_eq!(browser.run("return [window.pause.isConnected, window.gone]"), json!([true, 0]));
    browser.click("[data-do=match-pause]");
    browser.wait("document.activeElement.dataset.do === 'match-resume'");
    let api = path.replace("/arena", "/api/arena");
    let state = || get(at, &api).good()["run"]["state"].clone();
    assert_eq!(state(), "paused");
    // What was played stays, and the same match goes on.
    let games = || get(at, &api).good()["table"][0]["tally"]["games"].as_u64().unwrap();
    let before = games();
    assert!(before >= 2);
    let running = post(at, &format!("{api}/run"), &json!({ "do": "pause" }));
    assert_eq!(running.status, 409, "it does not play");
    while !get(at, "/api/arena").good()["stores"][0]["running"].is_boolean()
        || get(at, "/api/arena").good()["stores"][0]["running"] == true
    {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    browser.click("[data-do=match-resume]");
    browser.wait("document.querySelector('[data-do=match-stop]') !== null");
    let began = std::time::Instant::now();
    while games() <= before {
        assert!(began.elapsed().as_secs() < 20, "it goes on");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    browser.click("[data-do=match-stop]");
    browser.wait("document.querySelector('[role=status]')?.textContent.includes('stopped')");
    assert_eq!(state(), "stopped");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_list_says_whose_score_it_is_and_keeps_the_focus() {
    if skipped() {
        return;
    }
    let folder = MatchesFolder::new();
    let at =
        serve_with(Options { matches: Some(folder.dir.path().to_owned()), ..Options::local(0) });
    let browser = Browser::open(at, 1200, 900, "zh-CN");
    browser.go("/arena");
    browser.wait("document.querySelector('.rows .figure') !== null");
    assert!(browser.text(".rows .figure small").contains("uct c=0.4"));
    let cut = "const box = document.querySelector('.rows .figure small');
               return box.scrollWidth > box.clientWidth";
    assert_eq!(browser.run(cut), false, "its words are whole");
    let here = "document.activeElement.closest('.rows a')?.getAttribute('href')";
    browser.run("document.querySelector('.store .rows a').focus()");
    let focused = browser.run(&format!("return {here}"));
    // A run goes on: the list is drawn again.
    let mut store = folder.store();
    store.lock().unwrap();
    folder.play(&mut store, 3);
    browser.wait("document.querySelector('.live') !== null");
    assert_eq!(browser.run(&format!("return {here}")), focused);
    drop(store);
    browser.keys(key::ENTER);
    browser.wait("document.querySelector('[data-game=\"0\"]') !== null");
}

#[test]
fn engine_against_engine_can_be_paused() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1000, 800, "en-US");
    let seats = json!([{ "engine": "uct memory=16" }, { "engine": "uct memory=16" }]);
    let game = json!({ "game": "surakarta", "seats": seats, "move_seconds": 0.6 });
    let id = begin(at, game);
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelectorAll('[data-ply]').length >= 2");
    browser.run("window.pause = document.querySelector('[data-do=pause]')");
    browser.wait("document.querySelectorAll('[data-ply]').length >= 4");
    assert_eq!(browser.run("return window.pause.isConnected"), true, "it is the same button");
    browser.click("[data-do=pause]");
    browser.wait("document.querySelector('[data-do=resume]') !== null");
    assert_eq!(browser.text(".status"), "Paused");
    let played = || browser.state("head.played").as_u64().unwrap();
    let before = played();
    std::thread::sleep(std::time::Duration::from_millis(900));
    assert_eq!(played(), before);
    // A pause survives the page, and the game goes on from there.
    browser.go(&format!("/g/{id}"));
    browser.click("[data-do=resume]");
    browser.wait(&format!("document.querySelectorAll('[data-ply]').length > {before}"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn an_opponent_keeps_its_thoughts_to_itself() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1000, 800, "en-US");
    let seats = json!(["human", { "engine": "uct memory=16" }]);
    let game = json!({ "game": "connect-four", "seats": seats, "move_seconds": 1 });
    let id = begin(at, game);
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelector('.board.ready .hit.open') !== null");
    browser.with_module(
        "./state.js",
        "window.seen = []; module.subscribe(() => window.seen.push(
           document.querySelectorAll('.lines tbody tr').length + (module.state.thought ? 'thinks' : ''))); done(null)",
    );
    browser.click(".hit.open[data-place='4']");
    browser.wait("document.querySelectorAll('[data-ply]').length === 2");
    let seen = browser.run("return window.seen");
    let seen: Vec<&str> = seen.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(seen.iter().any(|one| one.ends_with("thinks")), "it did think: {seen:?}");
    assert!(seen.iter().all(|one| one.starts_with('0')), "nothing was shown: {seen:?}");
    assert_eq!(
        browser.run("return document.querySelector('.bar').classList.contains('unknown')"),
        true
    );
    // With the analysis on, everything is shown.
    browser.click(".switch");
    browser.wait("document.querySelectorAll('.lines tbody tr').length > 0");
}

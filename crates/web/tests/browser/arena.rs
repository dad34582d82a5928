//! Watching matches and reading reports.

use serde_json::json;
use web::Options;

use crate::client::serve_with;
use crate::driver::{Browser, key, skipped};
use crate::matches_folder::MatchesFolder;

fn open(folder: &MatchesFolder, width: u32, height: u32) -> Browser {
    let at =
        serve_with(Options { matches: Some(folder.dir.path().to_owned()), ..Options::local(0) });
    Browser::open(at, width, height, "en-US")
}

#[test]
fn a_match_is_watched_and_its_game_stepped_through() {
    if skipped() {
        return;
    }
    let folder = MatchesFolder::new();
    let browser = open(&folder, 1200, 900);
    browser.go("/");
    browser.click("nav a[href='/arena']");
    browser.wait("document.querySelector('.rows .figure')?.textContent.startsWith('75.0%')");
    browser.click(".store .rows a");
    browser.wait("document.querySelector('.pentanomial') !== null");
    assert!(browser.text(".meeting .statistics").contains("75.0%"));
    assert_eq!(browser.run("return document.querySelectorAll('.games tbody tr').length"), 6);
    // A run goes on: the table follows by itself.
    let mut store = folder.store();
    store.lock().unwrap();
    folder.play(&mut store, 3);
    browser.wait("document.querySelectorAll('.games tbody tr').length === 8");
    browser.wait("document.querySelector('.live') !== null");
    drop(store);
    // A finished game on the board, from its first move.
    browser.click("[data-game='0']");
    browser.wait("document.querySelector('.board.ready') !== null");
    assert_eq!(browser.run("return document.querySelectorAll('.layer-pieces .stone').length"), 0);
    assert!(browser.text(".stage").contains("uct c=0.4"));
    browser.wait("document.querySelector('.graph .course') !== null");
    browser.keys(key::RIGHT);
    browser.wait("document.querySelectorAll('.layer-pieces .stone').length === 1");
    browser.keys(key::END);
    browser.wait("document.querySelectorAll('.layer-pieces .stone').length === 7");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_report_is_opened_and_a_strange_page_runs_nothing() {
    if skipped() {
        return;
    }
    let folder = MatchesFolder::new();
    let browser = open(&folder, 1200, 900);
    browser.go("/arena");
    browser.click("a[href^='/arena/report/']");
    browser.wait("document.querySelector('.verdict.not-reproduced') !== null");
    assert!(browser.text(".panel h2").contains("<b>theirs</b>"), "text stays text");
    browser.click("#language");
    browser.wait("document.querySelector('.verdict.reproduced')?.textContent === '已复现'");
    assert_eq!(browser.complaints(), Vec::<String>::new());
    let page = browser.wait("document.querySelector('a[href^=\"/report/\"]').pathname");
    browser.go(page.as_str().unwrap());
    assert_eq!(browser.text("#x"), "whole", "its script did not run");
    let colour = browser.run("return getComputedStyle(document.querySelector('#x')).color");
    assert_eq!(colour, "rgb(255, 0, 0)", "its style did");
}

#[test]
fn the_arena_fits_a_phone() {
    if skipped() {
        return;
    }
    let folder = MatchesFolder::new();
    let browser = open(&folder, 360, 640);
    browser.go("/arena");
    browser.wait("document.querySelector('.rows a') !== null");
    let fits = || browser.run("return document.documentElement.scrollWidth <= 360");
    assert_eq!(fits(), json!(true));
    for link in [".store .rows a", "a[href^='/arena/report/']"] {
        browser.go("/arena");
        browser.click(link);
        browser.wait("document.querySelector('table.figures') !== null");
        assert_eq!(fits(), json!(true), "{link}");
    }
}

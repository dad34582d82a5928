//! What holds for every page of games, positions and rules: nothing that axe finds,
//! no overflow, and the whole board in sight, on a desk and on a phone held either
//! way.

use std::net::SocketAddr;

use serde_json::json;

use crate::axe::{set_scheme, violations};
use crate::client::{begin, serve};
use crate::driver::{Browser, skipped};

/// A page and what must be there before it is looked at.
fn pages(at: SocketAddr) -> Vec<(String, &'static str)> {
    let moves = "4 {the centre} 4 (3 {or this} 3 (2 2) 1) (5) 3";
    let tree = begin(at, json!({ "game": "connect-four", "moves": moves }));
    let seats = json!(["human", { "engine": "level n=1" }]);
    begin(at, json!({ "game": "surakarta", "seats": seats }));
    let mut pages = vec![
        ("/games".to_owned(), ".game-list li"),
        (format!("/g/{tree}"), "[data-node]"),
        (format!("/g/{tree}#3.1"), "[data-do=promote]"),
    ];
    for game in ["surakarta", "dots-and-boxes+3x3", "connect-four+12x9"] {
        pages.push((format!("/edit?game={game}"), ".editor-verdict:not(:empty)"));
        let name = game.split('+').next().unwrap();
        pages.push((format!("/rules/{name}"), ".rule:last-child svg"));
        pages.push((format!("/learn/{name}"), ".learn .board"));
        pages.push((format!("/learn/{name}#1"), ".ask-for:not(:empty)"));
    }
    pages.push((
        "/edit?game=surakarta&position=6/6/6/6/6/5b+b".to_owned(),
        ".editor-verdict:not(:empty)",
    ));
    pages
}

/// No page has anything that axe finds, neither at first nor after some clicks.
fn axe_finds_nothing(width: u32, height: u32, scheme: &str, language: &str) {
    if skipped() {
        return;
    }
    let at = serve();
    let pages = pages(at);
    let browser = Browser::open(at, width, height, language);
    set_scheme(&browser, scheme);
    for (path, there) in &pages {
        browser.go(path);
        browser.wait(&format!("document.querySelector({there:?}) !== null"));
        let found = violations(&browser);
        assert_eq!(found, json!([]), "{path}: {found:#}");
    }
    // A path, what is clicked there, and what appears.
    for (path, click, there) in [
        ("/edit?game=surakarta", "[data-do=clear]", ".editor-verdict.wrong"),
        ("/learn/connect-four#1", ".hit[data-place='1']", ".answer.wrong"),
        ("/learn/connect-four#1", ".hit[data-place='4']", ".answer.right"),
        ("/learn/surakarta#3", ".hit[data-place='d5']", ".aim-take"),
        (&pages[2].0, ".note-field summary", ".note-field[open]"),
    ] {
        // Away first: another fragment alone loads nothing.
        browser.go("/arena");
        browser.go(path);
        browser.click(click);
        browser.wait(&format!("document.querySelector({there:?}) !== null"));
        let found = violations(&browser);
        assert_eq!(found, json!([]), "{path} {there}: {found:#}");
    }
}

#[test]
fn axe_finds_nothing_on_a_desk_in_light_colours() {
    axe_finds_nothing(1200, 900, "light", "en-US");
}

#[test]
fn axe_finds_nothing_on_a_phone_in_dark_colours() {
    axe_finds_nothing(390, 780, "dark", "zh-CN");
}

#[test]
fn every_page_fits_a_phone_held_either_way() {
    if skipped() {
        return;
    }
    let at = serve();
    let pages = pages(at);
    for (width, height) in [(320, 568), (390, 780), (844, 390)] {
        let browser = Browser::open(at, width, height, "en-US");
        for (path, there) in &pages {
            browser.go(path);
            browser.wait(&format!("document.querySelector({there:?}) !== null"));
            let seen = browser.run(&format!(
                "const board = document.querySelector('.stage .board')?.getBoundingClientRect();
                 return [document.documentElement.scrollWidth <= {width},
                         !board || (board.width <= {width} && board.height <= {height}),
                         !board || {width} < {height} || board.bottom <= {height}]"
            ));
            assert_eq!(seen, json!([true, true, true]), "{path} at {width}x{height}");
        }
    }
}

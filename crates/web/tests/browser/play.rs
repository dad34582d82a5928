//! Whole games by clicks, drags and keys.

use serde_json::json;

use crate::client::{begin, serve};
use crate::driver::{Browser, key, skipped};

const MY_TURN: &str = "(document.querySelector('.board.ready .hit.open') !== null \
                       || document.querySelector('.strip.won, [data-do=again]') !== null)";

/// Plays until the game is over, always a random open place and target.
fn play_on(browser: &Browser, two_steps: bool) -> usize {
    let mut turns = 0;
    loop {
        browser.wait(MY_TURN);
        let place = browser.run(&format!(
            "const open = [...document.querySelectorAll('.board.ready .hit.open')];
             return open.length ? open[{} % open.length].dataset.place : null",
            turns * 7 + 3
        ));
        let Some(place) = place.as_str() else { break };
        let before = browser.state("head.played");
        browser.click(&format!(".hit[data-place='{place}']"));
        if two_steps {
            browser.click(".hit.target");
        }
        browser.wait(&format!("document.querySelectorAll('.moves [data-ply]').length > {before}"));
        turns += 1;
    }
    turns
}

#[test]
fn connect_four_from_the_first_view_to_the_end() {
    if skipped() {
        return;
    }
    let browser = Browser::open(serve(), 1200, 800, "en-US");
    browser.go("/");
    browser.click("[data-game='connect-four']");
    browser.run(
        "const level = document.querySelector('[name=level]');
         level.value = '1'; level.dispatchEvent(new Event('change'))",
    );
    browser.click(".setup .primary");
    browser.wait("location.pathname.startsWith('/g/')");
    assert!(play_on(&browser, false) >= 4);
    let status = browser.text(".status");
    assert!(status.contains("wins") || status.contains("Draw"), "{status}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
    // The list walks: to the start, and the board is empty.
    browser.keys(key::HOME);
    browser.wait("document.querySelectorAll('.stone').length === 2 + 0");
    browser.keys(key::END);
    browser.wait("document.querySelectorAll('.layer-pieces .stone').length >= 7");
}

#[test]
fn dots_and_boxes_by_clicks() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 800, "en-US");
    let seats = json!(["human", { "engine": "level n=1" }]);
    let id = begin(at, json!({ "game": "dots-and-boxes 3x3", "seats": seats }));
    browser.go(&format!("/g/{id}"));
    play_on(&browser, false);
    assert_eq!(browser.run("return document.querySelectorAll('.box').length"), 9);
    assert_eq!(browser.run("return document.querySelectorAll('.edge').length"), 24);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn surakarta_by_clicks_with_captures() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 800, "en-US");
    let seats = json!(["human", { "engine": "level n=2" }]);
    let id = begin(at, json!({ "game": "surakarta quiet=14", "seats": seats }));
    browser.go(&format!("/g/{id}"));
    assert!(play_on(&browser, true) >= 7);
    assert!(browser.text(".status").contains("·"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_capture_shows_its_way_and_pieces_can_be_dragged() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 800, "en-US");
    // White's b2 can take b3 over the loop at the corner.
    let position = "bbbbbb/b1bbb1/5b/wb3w/1wwwww/w1wwww w";
    let id = begin(at, json!({ "game": "surakarta", "position": position }));
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelector('.board.ready') !== null");
    browser.click(".hit[data-place='b2']");
    browser.wait("document.querySelector('.aim-take') !== null");
    browser.drag(".hit[data-place='b2']", ".hit[data-place='b3']");
    browser.wait("document.querySelector('.trail.capture') !== null");
    let way = browser.run("return document.querySelector('.trail.capture').getAttribute('d')");
    assert!(way.as_str().unwrap().contains('A'), "over an arc: {way}");
    assert_eq!(browser.text("[data-ply='1']"), "b2xb3");
    assert!(browser.text("#announce").contains("takes"));
    // A step by drag, too.
    browser.wait("document.querySelector('.board.ready') !== null");
    browser.drag(".hit[data-place='b6']", ".hit[data-place='b5']");
    browser.wait("document.querySelectorAll('[data-ply]').length === 2");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn taking_back_and_playing_again() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1000, 800, "en-US");
    let id = begin(at, json!({ "game": "connect-four", "moves": "4433" }));
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelectorAll('.layer-pieces .stone').length === 4");
    browser.click("[data-do=undo]");
    browser.wait("document.querySelectorAll('.layer-pieces .stone').length === 3");
    browser.click("[data-do=undo]");
    browser.wait("document.querySelectorAll('.layer-pieces .stone').length === 2");
    browser.click("[data-do=redo]");
    browser.wait("document.querySelectorAll('.layer-pieces .stone').length === 3");
    // Arrow keys only look; a move from there begins another line.
    browser.run("document.activeElement.blur()");
    browser.keys(key::LEFT);
    browser.keys(key::LEFT);
    browser.wait("document.querySelectorAll('.layer-pieces .stone').length === 1");
    browser.click(".hit.open[data-place='7']");
    browser.wait("document.querySelectorAll('[data-ply]').length === 2");
    browser.click("[data-do=hint]");
    browser.wait("document.querySelector('.status').textContent.includes('Hint')");
    browser.click("[data-do=resign]");
    browser.wait("document.querySelector('.status').textContent.includes('wins')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn by_keyboard_alone() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1000, 800, "en-US");
    for (game, keys) in [
        // Black sits below: from a6 to b6, up to b5, take it to b4.
        ("surakarta", [key::LEFT, key::UP, key::ENTER, key::UP, key::ENTER].concat()),
        ("dots-and-boxes", [key::RIGHT, key::DOWN, key::ENTER].concat()),
        ("connect-four", [key::RIGHT, key::RIGHT, key::LEFT, key::ENTER].concat()),
    ] {
        let id = begin(at, json!({ "game": game }));
        browser.go(&format!("/g/{id}"));
        browser.wait("document.querySelector('.board.ready') !== null");
        for _ in 0..40 {
            browser.keys(key::TAB);
            if browser.run("return document.activeElement.matches('.hit')") == true {
                break;
            }
        }
        assert_eq!(browser.run("return document.activeElement.matches('.hit')"), true, "{game}");
        browser.keys(&keys);
        browser.wait("document.querySelectorAll('[data-ply]').length === 1");
        let ring = browser.run("return document.activeElement.matches('.hit:focus-visible')");
        assert_eq!(ring, true, "the focus stays on the board and is seen");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

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
fn a_finger_drags_a_piece_and_scrolls_elsewhere() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 390, 700, "en-US");
    let id = begin(at, json!({ "game": "surakarta" }));
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelector('.board.ready') !== null");
    // Up the page, where a browser would scroll.
    browser.touch_drag(".hit[data-place='c5']", ".hit[data-place='c4']");
    browser.wait("document.querySelectorAll('[data-ply]').length === 1");
    assert_eq!(browser.text("[data-ply='1']"), "c5-c4");
    assert_eq!(browser.run("return window.scrollY"), 0);
    browser.touch_drag(".hit[data-place='c3']", ".strip");
    browser.wait("window.scrollY > 0");
    assert_eq!(browser.state("head.played"), 1);
}

#[test]
fn boards_have_coordinates() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1000, 800, "en-US");
    for (game, labels) in [
        ("connect-four 12x4", "1 2 3 4 5 6 7 8 9 10 11 12"),
        ("dots-and-boxes 2x3", "a b c d 3 2 1"),
        ("surakarta", "a 6 b 5 c 4 d 3 e 2 f 1"),
    ] {
        let id = begin(at, json!({ "game": game }));
        browser.go(&format!("/g/{id}"));
        browser.wait("document.querySelector('.board.ready') !== null");
        let seen = browser.run(
            "return [...document.querySelectorAll('.coordinate')].map((one) => one.textContent).join(' ')",
        );
        assert_eq!(seen, labels, "{game}");
    }
    // A column is shown by its number where the text of a move has a letter.
    let id = begin(at, json!({ "game": "connect-four 12x4", "moves": "bc" }));
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelector('.board.ready') !== null");
    assert_eq!(browser.text("[data-ply='1']"), "11");
    assert_eq!(browser.state("plies[1].move"), "b");
}

#[test]
fn the_list_follows_the_move_and_a_finished_game_has_its_result() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1000, 800, "en-US");
    let moves: Vec<String> = (0..41).map(|edge| edge.to_string()).collect();
    let id = begin(at, json!({ "game": "dots-and-boxes 7x7", "moves": moves.join(" ") }));
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelector('.board.ready') !== null");
    let seen = "(() => {
        const list = document.querySelector('.moves').getBoundingClientRect();
        const move = document.querySelector('.moves [aria-current=true]')?.getBoundingClientRect();
        return move !== undefined && move.top >= list.top && move.bottom <= list.bottom;
    })()";
    browser.wait(seen);
    for (key, ply) in [(key::HOME, 0), (key::RIGHT, 1), (key::END, 41), (key::LEFT, 40)] {
        browser.keys(key);
        let shown = format!(
            "(document.querySelector('[aria-current=true][data-ply]')?.dataset.ply ?? 0) == {ply}"
        );
        browser.wait(&shown);
        if ply > 0 {
            assert_eq!(browser.run(&format!("return {seen}")), true, "ply {ply}");
        }
    }
    let id = begin(at, json!({ "game": "connect-four", "moves": "1212121" }));
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelector('.strip.won') !== null");
    assert_eq!(
        browser.run("return document.querySelector('.bar i').style.getPropertyValue('--share')"),
        "100.0%",
    );
}

#[test]
fn a_game_that_has_begun_shows_no_empty_graph() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1000, 800, "en-US");
    browser.go(&format!("/g/{}", begin(at, json!({ "game": "connect-four", "moves": "44" }))));
    browser.wait("document.querySelector('.board.ready') !== null");
    assert_eq!(browser.run("return document.querySelector('.graph-panel').hidden"), true);
    browser.click(".hit.open[data-place='4']");
    browser.wait("!document.querySelector('.graph-panel').hidden");
}

#[test]
fn another_game_has_the_same_clock() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1000, 800, "en-US");
    let request = json!({ "game": "connect-four", "total": 180_000, "increment": 2_000 });
    let id = begin(at, request);
    browser.go(&format!("/g/{id}"));
    browser.click("[data-do=resign]");
    browser.click("[data-do=again]");
    browser
        .wait(&format!("location.pathname.startsWith('/g/') && location.pathname !== '/g/{id}'"));
    browser.wait("document.querySelector('.board.ready') !== null");
    assert_eq!(browser.state("head.clocks.total"), 180_000);
    assert_eq!(browser.state("head.clocks.increment"), 2_000);
    assert_eq!(browser.text(".clock"), "3:00");
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
    // Arrow keys only look; a move from there begins a side line.
    browser.run("document.activeElement.blur()");
    browser.keys(key::LEFT);
    browser.keys(key::LEFT);
    browser.wait("document.querySelectorAll('.layer-pieces .stone').length === 1");
    browser.click(".hit.open[data-place='7']");
    browser.wait("document.querySelector('[data-node]')?.textContent === '7'");
    assert_eq!(browser.run("return document.querySelectorAll('[data-ply]').length"), 4);
    // Taking back goes on with the game; another move there keeps what was played.
    browser.click("[data-do=undo]");
    browser.wait("document.querySelectorAll('.layer-pieces .stone').length === 2");
    browser.click(".hit.open[data-place='6']");
    browser.wait("document.querySelectorAll('[data-ply]').length === 3");
    browser.wait("document.querySelectorAll('[data-node]').length === 3");
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
    // Letters, and the list of them.
    browser.keys("f");
    browser.wait(
        "document.querySelector('.stage .strip:last-child').textContent.startsWith('Second')",
    );
    browser.keys("a");
    browser.wait("document.querySelector('.lines tbody tr') !== null");
    browser.keys("x");
    browser.wait("document.querySelector('[name=threat]').checked");
    browser.keys("a");
    browser.wait("!document.querySelector('#study').checked");
    browser.keys("?");
    browser.wait("document.querySelectorAll('dialog.keys[open] kbd').length === 10");
    browser.click("dialog [data-do=close]");
    browser.wait("document.querySelector('dialog') === null");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

//! Lines on the board, threats, arrows, review with reasons, retrying mistakes, the
//! explorer.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{begin, serve, serve_with};
use crate::driver::{Browser, key, skipped};
use crate::matches_folder::MatchesFolder;

const STONES: &str = "document.querySelectorAll('.layer-pieces .stone').length";

fn analysed(browser: &Browser, game: &str, moves: Option<&str>) {
    let id = begin(browser.server, json!({ "game": game, "moves": moves }));
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelector('.board.ready') !== null");
    browser.click("#study");
    browser.wait("document.querySelector('.pv .line-move') !== null");
}

#[test]
fn a_line_is_shown_on_the_board_and_stepped_through() {
    if skipped() {
        return;
    }
    let browser = Browser::open(serve(), 1200, 900, "en-US");
    analysed(&browser, "connect-four", Some("4444"));
    browser.hover(".pv .line-move:nth-child(2)");
    browser.wait(&format!("{STONES} === 7"));
    browser.hover("h2");
    browser.wait(&format!("{STONES} === 4"));
    // The table is drawn again while the search goes on: pressed where it stands.
    browser.drag(".pv .line-move:nth-child(2)", ".pv .line-move:nth-child(2)");
    browser.wait(&format!("{STONES} === 7 && !document.querySelector('.line-bar').hidden"));
    browser.keys(key::LEFT);
    browser.wait(&format!("{STONES} === 6"));
    browser.click("[data-do=line-forward]");
    browser.wait(&format!("{STONES} === 7"));
    browser.click(".line-bar .line-move:first-child");
    browser.wait(&format!("{STONES} === 5"));
    browser.click("[data-do=line-close]");
    browser.wait(&format!("{STONES} === 4 && document.querySelector('.line-bar').hidden"));
    // Nothing was played.
    assert_eq!(browser.state("plies.length"), 5);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn every_move_has_a_value_and_networks_are_in_the_menu() {
    if skipped() {
        return;
    }
    let browser = Browser::open(serve(), 1200, 900, "en-US");
    for (game, moves, count) in [("surakarta", None, 16), ("dots-and-boxes", Some("0 1"), 58)] {
        analysed(&browser, game, moves);
        let lines = "state.analysis?.lines.filter((line) => line.score || line.exact).length";
        let all = format!(
            "const check = () => {lines} >= {count} ? done(true) : setTimeout(check, 50); check()"
        );
        let all = all.replace("state.analysis", "module.state.analysis");
        assert_eq!(browser.with_module("./state.js", &all), true, "{game}");
        if game == "surakarta" {
            // The book stands above, and the search goes on.
            browser
                .wait("document.querySelector('.lines .book')?.textContent.startsWith('Book: ')");
        }
        // Seven are shown, and all on request.
        let rows = "document.querySelectorAll('.lines tbody tr').length";
        browser.wait(&format!("{rows} === 7"));
        let tall = "[...document.querySelectorAll('.lines tr + tr')]
            .filter((row) => row.offsetHeight > 36).length";
        assert_eq!(browser.run(&format!("return {tall}")), 0, "a row each but for the best line");
        browser.click("[data-do=all-moves]");
        browser.wait(&format!("{rows} >= {count}"));
        browser.click("[data-do=all-moves]");
        browser.wait(&format!("{rows} === 7"));
        let options = browser.run(
            "return [...document.querySelectorAll('[name=engine] option')].map((one) => one.value)",
        );
        let options: Vec<&str> =
            options.as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(options.contains(&format!("puct net={game}").as_str()), "{options:?}");
        assert!(options.iter().any(|one| one.starts_with("paper-")), "{options:?}");
    }
}

#[test]
fn the_threat_is_shown() {
    if skipped() {
        return;
    }
    let at = serve();
    for (language, words) in [("en-US", "If First were to move"), ("zh-CN", "若轮到先手走")] {
        let browser = Browser::open(at, 1200, 900, language);
        // First threatens four in column 4; it is Second's turn.
        analysed(&browser, "connect-four", Some("11223"));
        browser.click("[name=threat]");
        browser.wait(&format!("document.querySelector('.facts').textContent.includes({words:?})"));
        browser.wait("document.querySelector('.lines tbody tr')?.textContent.startsWith('4')");
        browser.click("[name=threat]");
        browser.wait(&format!("!document.querySelector('.facts').textContent.includes({words:?})"));
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}

#[test]
fn arrows_and_circles_are_drawn_and_stay_with_their_position() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 900, "en-US");
    let id = begin(at, json!({ "game": "surakarta", "moves": "b5-c4" }));
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelector('.board.ready') !== null");
    browser.right_drag("[data-place=c4]", "[data-place=c2]");
    browser.wait("document.querySelectorAll('.arrow-shape').length === 1");
    browser.right_drag("[data-place=a3]", "[data-place=a3]");
    browser.wait("document.querySelectorAll('circle.shape').length === 1");
    // Another position has none; turned, the board has them still.
    browser.keys(key::LEFT);
    browser.wait("document.querySelectorAll('.shape').length === 0");
    browser.keys(key::RIGHT);
    browser.wait("document.querySelectorAll('.shape').length === 2");
    browser.click("[data-do=flip]");
    browser.wait("document.querySelectorAll('.shape').length === 2");
    browser.right_drag("[data-place=c4]", "[data-place=c2]");
    browser.wait("document.querySelectorAll('.shape').length === 1");
    // Without a second button: drawing is switched on.
    browser.click("[name=drawing]");
    browser.drag("[data-place=f2]", "[data-place=f3]");
    browser.wait("document.querySelectorAll('.arrow-shape').length === 1");
    assert_eq!(browser.state("plies.length"), 2, "nothing was played");
    browser.click("[data-do=clear-shapes]");
    browser.wait("document.querySelectorAll('.shape').length === 0");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_review_says_why_and_mistakes_are_tried_again() {
    if skipped() {
        return;
    }
    let at = serve();
    for (language, why) in [("en-US", "four"), ("zh-CN", "四子")] {
        let browser = Browser::open(at, 1200, 1400, language);
        // Second does not stop three in the lowest row.
        let id = begin(at, json!({ "game": "connect-four 5x4", "moves": "1122354" }));
        browser.go(&format!("/g/{id}"));
        browser.wait("document.querySelector('[data-do=review]') !== null");
        let began = Instant::now();
        browser.click("[data-do=review]");
        browser.wait("document.querySelector('.note p') !== null");
        browser.with_module(
            "./state.js",
            "const check = () => module.state.review?.found.length > 0 ? done(true) : setTimeout(check, 5); check()",
        );
        assert!(began.elapsed() < Duration::from_secs(5), "first results: {:?}", began.elapsed());
        browser.wait("document.querySelector('[data-do=retry-1]') !== null");
        let rows = browser.run("return document.querySelectorAll('.accuracy tbody tr').length");
        assert_eq!(rows, 2);
        browser.click("[data-ply='6']");
        browser.wait("document.querySelector('.mistake-note .why') !== null");
        let told = browser.text(".mistake-note .why");
        assert!(told.contains(why), "{told}");
        // The better line is shown on the board.
        browser.click(".mistake-note .line-move");
        browser.wait("!document.querySelector('.line-bar').hidden");
        browser.click("[data-do=line-close]");
        // The same mistake again is answered on the board; then the right move.
        browser.click("[data-do=retry-1]");
        browser.wait("document.querySelector('.retry:not([hidden])') !== null");
        let asked = browser.state("view");
        let same = browser.state("plies[module.state.view + 1].move");
        browser.wait("document.querySelector('.board.ready') !== null");
        browser.click(&format!("[data-place='{}']", same.as_str().unwrap()));
        browser.wait("document.querySelector('[data-do=retry-again]') !== null");
        browser.wait("!document.querySelector('.line-bar').hidden");
        browser.click("[data-do=retry-again]");
        browser.wait("document.querySelector('.line-bar').hidden");
        assert_eq!(browser.state("view"), asked);
        browser.click("[data-do=retry-solution]");
        browser.wait("!document.querySelector('.line-bar').hidden");
        browser.click("[data-do=retry-end]");
        browser.wait("document.querySelector('.retry').hidden");
        assert_eq!(browser.state("plies.length"), 8, "nothing was played");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}

#[test]
fn on_a_phone_a_mistake_is_tried_again_beside_the_board() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 390, 844, "zh-CN");
    let id = begin(at, json!({ "game": "connect-four 5x4", "moves": "1122354" }));
    browser.go(&format!("/g/{id}"));
    browser.click("[data-do=review]");
    browser.click("[data-do=retry-1]");
    browser.wait("document.querySelector('.retry:not([hidden])') !== null");
    let place = "const box = (name) => document.querySelector(name).getBoundingClientRect();
         return box('.retry').top - box('.stage').bottom < 60 && box('.retry').bottom < box('.status').top";
    assert_eq!(browser.run(place), true);
}

#[test]
fn the_explorer_has_book_stores_and_fast_games() {
    if skipped() {
        return;
    }
    let folder = MatchesFolder::new();
    let matches = Some(folder.dir.path().to_owned());
    let at = serve_with(web::Options { matches, ..web::Options::local(0) });
    let browser = Browser::open(at, 1200, 1400, "en-US");
    let id = begin(at, json!({ "game": "connect-four", "moves": "12" }));
    browser.go(&format!("/g/{id}"));
    browser.click(".explorer summary");
    // Three pairs: 1 won each first game, 4 was a draw in each second one.
    browser.wait("document.querySelectorAll('.explorer .shares').length === 2");
    let told = browser.run("return [...document.querySelectorAll('.explorer .shares')].map((one) => one.getAttribute('aria-label'))");
    assert_eq!(told, json!(["First 3, Draw 0, Second 0", "First 0, Draw 3, Second 0"]));
    browser.keys(key::LEFT);
    browser.keys(key::LEFT);
    browser.wait("document.querySelector('.explorer caption')?.textContent === 'Book'");
    let id = begin(at, json!({ "game": "connect-four 4x4" }));
    browser.go(&format!("/g/{id}"));
    browser.click(".explorer summary");
    browser.click("[data-do=sample]");
    browser.wait("document.querySelector('.explorer').textContent.includes('100 fast games of')");
    let sum = browser.with_module(
        "./state.js",
        "done(module.state.sample.results.reduce((sum, n) => sum + n, 0))",
    );
    assert_eq!(sum, 100);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

//! Opening games: texts, links, sizes, and what goes wrong.

use serde_json::json;

use crate::client::{begin, get, serve};
use crate::driver::{Browser, skipped};

/// Pastes a text at the first view while a game is selected; waits for its board.
fn paste(browser: &Browser, game: &str, text: &str) {
    browser.go("/");
    browser.click(&format!("[data-game='{game}']"));
    browser.click(".paste summary");
    browser.run(&format!("document.querySelector('.paste textarea').value = {}", json!(text)));
    browser.click("[data-do=open]");
    browser
        .wait("location.pathname.startsWith('/g/') && document.querySelector('.board') !== null");
}

#[test]
fn every_text_of_ours_opens_whatever_game_is_selected() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1000, 800, "en-US");
    // Moves and positions of Surakarta that begin as a contest's record does.
    paste(&browser, "surakarta", "b5-b4 d2-d3");
    assert_eq!(browser.state("head.played"), 2);
    paste(&browser, "surakarta", "b5/1b4/6/6/6/4ww w");
    browser.wait("document.querySelectorAll('.layer-pieces .piece').length === 4");
    paste(&browser, "surakarta", "B2C-3C\nR5D-4D\n");
    assert_eq!(browser.text("[data-ply='1']"), "c5-c4");
    // Links and records of another game.
    let link = "http://127.0.0.1:9/?game=connect-four+9x9+hole%3D5%2C1&moves=5544";
    paste(&browser, "surakarta", link);
    assert_eq!(browser.state("head.game"), "connect-four 9x9 hole=5,1");
    assert_eq!(browser.state("head.played"), 4);
    for (game, moves, selected) in [
        ("dots-and-boxes 3x3", "0 1 2 3", "connect-four"),
        ("connect-four 8x7", "4433", "surakarta"),
        ("surakarta quiet=80 stall=draw", "c5-c4 d2-d3", "dots-and-boxes"),
    ] {
        let id = begin(at, json!({ "game": game, "moves": moves }));
        let record = get(at, &format!("/api/games/{id}/record")).body;
        paste(&browser, selected, &record);
        assert_eq!(browser.state("head.game"), game, "{record}");
    }
    paste(&browser, "connect-four", "B2C-3C\nR5D-4D\n");
    assert_eq!(browser.state("head.name"), "surakarta");
}

#[test]
fn refusals_are_in_the_language_of_the_page() {
    if skipped() {
        return;
    }
    let at = serve();
    let toast = "document.querySelector('#toast:not([hidden])')?.textContent";
    for (language, read, known, unknown) in [
        (
            "en-US",
            "This is neither a game nor a position that can be read. As moves of Surakarta: \
             move 1 ('hello'): 'hello' is not a move",
            "there is a team '甲' already",
            "and so on",
        ),
        (
            "zh-CN",
            "读不出棋谱或局面。作为苏拉卡尔塔棋的着法：“hello”不是着法",
            "已有队伍“甲”",
            "未能完成（and so on）",
        ),
    ] {
        let browser = Browser::open(at, 1000, 800, language);
        browser.go("/");
        browser.click("[data-game=surakarta]");
        browser.click(".paste summary");
        browser.run("document.querySelector('.paste textarea').value = 'hello'");
        browser.click("[data-do=open]");
        browser.wait(&format!("{toast}?.startsWith({read:?})"));
        // The server's sentence is kept beside the page's words.
        let told = browser.with_module(
            "./api.js",
            "window.fetch = async () => new Response(JSON.stringify({ error: window.sentence }), { status: 400 });
             const ask = (sentence) => {
               window.sentence = sentence;
               return module.catalogue().catch((error) => [error.message, error.sentence]);
             };
             ask(\"there is a team '甲' already\").then(async (one) => done([one, await ask('and so on')]))",
        );
        let expected = json!([[known, "there is a team '甲' already"], [unknown, "and so on"]]);
        assert_eq!(told, expected);
    }
}

#[test]
fn sizes_are_read_as_people_write_them() {
    if skipped() {
        return;
    }
    let browser = Browser::open(serve(), 1000, 800, "en-US");
    for (setup, game) in [
        ("8 x 7", "connect-four 8x7"),
        ("8×7", "connect-four 8x7"),
        ("9 X 9 hole=3,4", "connect-four 9x9 hole=3,4"),
    ] {
        browser.go("/");
        browser.click("[data-game='connect-four']");
        browser.run(&format!(
            "const select = document.querySelector('[name=setup]');
             select.value = '\\n'; select.dispatchEvent(new Event('change'));
             const input = document.querySelector('[name=setup-text]');
             input.value = {setup:?}; input.dispatchEvent(new Event('input'))"
        ));
        browser.click(".setup .primary");
        browser.wait("document.querySelector('.board') !== null");
        assert_eq!(browser.state("head.game"), game);
    }
}

#[test]
fn a_missing_game_and_a_missing_server_are_told_in_a_sentence() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1000, 800, "en-US");
    browser.go("/g/abcdefghijklmnopqrstuvwxyz");
    browser.wait("document.querySelector('h1')?.textContent === 'There is no such game'");
    assert_eq!(browser.run("return document.querySelector('.stage, .panel') === null"), true);
    browser.click("main a[href='/']");
    browser.wait("document.querySelector('.card') !== null");
    for nowhere in ["/nowhere", "/arena/nothing", "/event"] {
        browser.go(nowhere);
        browser.wait("document.querySelector('h1')?.textContent === 'There is no such page'");
    }
    assert_eq!(get(at, "/nowhere").status, 404);
    let told = get(at, "/api/nothing");
    assert_eq!(
        (told.status, &told.json()["error"]),
        (404, &json!("there is nothing at this address"))
    );
    browser.click("main a[href='/']");
    browser.wait("document.querySelector('.card') !== null");
    let conditions =
        json!({ "offline": true, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0 });
    browser.devtools("Network.enable", json!({}));
    browser.devtools("Network.emulateNetworkConditions", conditions);
    browser.click(".setup .primary");
    browser.wait(
        "document.querySelector('#toast:not([hidden])')?.textContent.startsWith('The server does not answer')",
    );
}

#[test]
fn a_second_visit_fetches_no_file_again() {
    if skipped() {
        return;
    }
    let browser = Browser::open(serve(), 1000, 800, "en-US");
    let files = "performance.getEntriesByType('resource')
                   .filter(({ name }) => name.includes('/page/'))
                   .reduce((sum, one) => sum + one.transferSize, 0)";
    let requests = "performance.getEntriesByType('resource').length + 1";
    browser.go("/");
    browser.wait("document.querySelector('.recent .faint') !== null");
    let first = browser.run(&format!("return {files}")).as_u64().unwrap();
    assert!(first > 20_000 && first < 100_000, "{first} bytes with their headers");
    let asked = browser.run(&format!("return {requests}")).as_u64().unwrap();
    assert!(asked <= 40, "{asked} requests of a first visit");
    let id = begin(browser.server, json!({ "game": "surakarta" }));
    let game = format!("/g/{id}");
    let board = "document.querySelector('.board.ready') !== null";
    browser.go(&game);
    browser.wait(board);
    let more = browser.run(&format!("return {files}")).as_u64().unwrap();
    assert!(more < 60_000, "{more} bytes that the first view did not need");
    let asked = browser.run(&format!("return {requests}")).as_u64().unwrap();
    assert!(asked <= 46, "{asked} requests of a game");
    for path in ["/", &game] {
        browser.go(path);
        browser.wait(if path == "/" { "document.querySelector('.card') !== null" } else { board });
        assert_eq!(browser.run(&format!("return {files}")), 0, "{path}");
    }
}

#[test]
fn the_picture_of_the_first_view_shows_a_legal_capture() {
    if skipped() {
        return;
    }
    let browser = Browser::open(serve(), 1000, 800, "en-US");
    browser.go("/");
    browser.wait("document.querySelector('.art .trail.capture') !== null");
    // Nothing stands in the way over the loop; the piece has come to its end.
    let seen = browser.run(
        "const path = document.querySelector('.art .trail.capture');
         const length = path.getTotalLength();
         const screen = (point) => point.matrixTransform(path.getScreenCTM());
         const unit = path.getScreenCTM().a;
         const pieces = [...document.querySelectorAll('.board-surakarta.art .piece')].map((piece) => {
           const box = piece.getBoundingClientRect();
           return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
         });
         const near = (at) => pieces.filter((piece) => {
           const point = screen(path.getPointAtLength(at));
           return Math.hypot(point.x - piece.x, point.y - piece.y) < 0.45 * unit;
         }).length;
         const blocked = [...Array(100).keys()].map((n) => (n / 100) * (length - 0.6)).some(near);
         return [path.getAttribute('d').includes('A'), blocked, near(length)]",
    );
    assert_eq!(seen, json!([true, false, 1]));
}

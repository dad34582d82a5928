//! The list of games: players, results, events; searching, keeping, deleting.

use serde_json::json;

use crate::client::{begin, get, post, serve};
use crate::driver::{Browser, skipped};

#[test]
fn games_are_found_kept_and_deleted() {
    if skipped() {
        return;
    }
    let at = serve();
    let contest =
        json!({ "ours": 0, "names": ["北方的狼", "Home"], "event": "Test Cup", "place": "" });
    let seats = json!(["human", { "engine": "level n=3" }]);
    let won = begin(at, json!({ "game": "connect-four", "moves": "1212121", "contest": contest }));
    let engine = begin(at, json!({ "game": "surakarta", "seats": seats, "moves": "c5-c4" }));
    let resigned = begin(at, json!({ "game": "dots-and-boxes 3x3", "moves": "0 1" }));
    let path = format!("/api/games/{resigned}");
    post(at, &path, &json!({ "do": "resign", "player": 0 })).good();
    for (language, texts) in [
        ("en-US", ["Second wins", "Not finished", "First wins", "Level 3"]),
        ("zh-CN", ["后手胜", "未结束", "先手胜", "3 级"]),
    ] {
        let browser = Browser::open(at, 1200, 900, language);
        browser.go("/");
        browser.click(".all-games");
        browser.wait("document.querySelectorAll('.game-list li').length === 3");
        let row = |id: &str| browser.text(&format!("li[data-id='{id}']"));
        assert!(row(&resigned).contains(texts[0]), "{}", row(&resigned));
        assert!(row(&engine).contains(texts[1]) && row(&engine).contains(texts[3]));
        let text = row(&won);
        assert!(
            ["北方的狼", "Home", "Test Cup", texts[2]].iter().all(|part| text.contains(part)),
            "{text}"
        );
        // By a player, an event, a game, a level.
        for (words, found) in
            [("狼", &won), ("cup home", &won), ("surakarta", &engine), ("LEVEL", &engine)]
        {
            browser.run(&format!(
                "const field = document.querySelector('[name=search]');
                 field.value = {words:?}; field.dispatchEvent(new Event('input'))"
            ));
            browser.wait(&format!(
                "document.querySelectorAll('.game-list li').length === 1
                 && document.querySelector('li[data-id=\"{found}\"]') !== null"
            ));
        }
        browser.run(
            "const field = document.querySelector('[name=search]');
             field.value = 'nowhere'; field.dispatchEvent(new Event('input'))",
        );
        browser.wait("document.querySelector('.game-list li') === null");
        browser.wait("document.querySelector('.panel p:not([hidden])') !== null");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
    let browser = Browser::open(at, 390, 780, "en-US");
    browser.go("/games");
    browser.wait("document.querySelectorAll('.game-list li').length === 3");
    assert_eq!(browser.run("return document.documentElement.scrollWidth <= 390"), true);
    browser.tap(&format!("li[data-id='{engine}'] [data-do=keep]"));
    browser.wait("document.querySelector('[data-do=keep][aria-pressed=true]') !== null");
    browser.click("[name=kept]");
    browser.wait("document.querySelectorAll('.game-list li').length === 1");
    browser.click("[name=kept]");
    browser.wait("document.querySelectorAll('.game-list li').length === 3");
    // A page that shows the game is told that it is gone.
    let other = Browser::open(at, 1000, 800, "en-US");
    other.go(&format!("/g/{resigned}"));
    other.wait("document.querySelector('.board') !== null");
    browser.run("window.confirm = (text) => { window.asked = text; return true; }");
    browser.click(&format!("li[data-id='{resigned}'] [data-do=delete]"));
    browser.wait("document.querySelectorAll('.game-list li').length === 2");
    assert!(browser.run("return asked").as_str().unwrap().contains("2 moves"));
    other.wait("document.querySelector('h1')?.textContent === 'There is no such game'");
    post(at, &path, &json!({ "do": "undo" })).refused(404);
    assert_eq!(get(at, "/api/games?kept=true").good()[0]["id"], engine);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

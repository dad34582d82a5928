//! A game between two people at two browsers: one watches until a link gives a
//! seat.

use serde_json::json;

use crate::client::{Guest, serve_class};
use crate::driver::{Browser, skipped};

#[test]
fn a_watcher_becomes_a_player_by_a_link() {
    if skipped() {
        return;
    }
    let (link, _) = serve_class();
    let mut owner = Guest::enter(&link);
    let id = owner.begin(json!({ "game": "connect-four" }));
    owner.play(&id, 0, "4").good();
    let browser = Browser::open(owner.at, 1000, 800, "en-US");
    browser.go(&format!("/?{}", link.split_once("/?").unwrap().1));
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelector('.status')?.textContent.includes('watching')");
    browser.wait("document.querySelectorAll('.layer-pieces .stone').length === 1");
    let buttons = "return [...document.querySelectorAll('.now [data-do]')]\
        .filter(b => b.offsetParent).map(b => b.dataset.do)";
    assert_eq!(browser.run(buttons), json!(["flip"]));
    assert_eq!(browser.run("return document.querySelectorAll('.hit.open').length"), json!(0));
    let seat = owner.post(&format!("/api/games/{id}/seat"), &json!({ "player": 1 })).good();
    browser.go(seat["link"].as_str().unwrap());
    browser.wait("document.querySelector('.board.ready .hit.open') !== null");
    assert_eq!(browser.run("return location.search"), json!(""), "the link is used up");
    browser.click(".hit.open[data-place='7']");
    browser.wait("document.querySelectorAll('.layer-pieces .stone').length === 2");
    assert_eq!(browser.run("return document.querySelectorAll('.hit.open').length"), json!(0));
    owner.play(&id, 2, "4").good();
    browser.wait("document.querySelector('.board.ready .hit.open') !== null");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

//! A contest game: put in, correct, save.

use crate::client::{get, serve};
use crate::driver::{Browser, key, skipped};

#[test]
fn a_contest_game_with_a_corrected_input_and_a_saved_record() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 800, "en-US");
    browser.go("/contest");
    browser.click("[name=game][value='connect-four']");
    browser.click("[name=ours][value='1']");
    browser.run(
        "for (const [name, value] of [['engine', '\\n'], ['setup', '\\n']]) {
           const select = document.querySelector(`select[name=${name}]`);
           select.value = value; select.dispatchEvent(new Event('change'));
         }
         for (const [name, value] of [['engine-text', 'alpha-beta depth=2'], ['setup-text', '4x4'],
                                      ['first', 'Visitors'], ['second', 'Home'], ['event', 'Test Cup']]) {
           const input = document.querySelector(`[name=${name}]`);
           input.value = value; input.dispatchEvent(new Event('input'));
         }",
    );
    browser.click(".setup .primary");
    browser.wait("location.pathname.startsWith('/g/')");
    let path = browser.run("return location.pathname");
    let id = path.as_str().unwrap().trim_start_matches("/g/").to_owned();
    browser.click("[data-do=clock]");
    // By click: proposed, refused, proposed again, confirmed.
    browser.click(".hit.open[data-place='1']");
    browser.click("[data-do=cancel]");
    browser.wait("document.querySelector('[data-do=confirm]') === null");
    assert_eq!(browser.state("head.played"), 0);
    browser.click(".hit.open[data-place='2']");
    browser.click("[data-do=confirm]");
    browser.wait("document.querySelector('.our-move:not([hidden])') !== null");
    // It was column 1 really.
    browser.click("[data-do=correct]");
    browser.wait("document.activeElement.name === 'move'");
    browser.keys("9");
    browser.keys(key::ENTER);
    browser.wait("document.querySelector('#toast:not([hidden])') !== null");
    browser.keys("1");
    browser.keys(key::ENTER);
    browser.click("[data-do=confirm]");
    browser.wait("document.querySelector('[data-ply=\"1\"]').textContent === '1'");
    browser.wait("document.querySelectorAll('[data-ply]').length === 2");
    let left = browser.state("head.clocks.left");
    assert!(left[0].as_u64().unwrap() < 900_000 && left[1].as_u64().unwrap() < 900_000);
    // By keyboard to the end: the first open column each time.
    for _ in 0..16 {
        browser.wait(
            "document.querySelector('.entry:not([hidden])') !== null || document.querySelector('.strip.won') !== null
             || document.querySelector('.status').textContent.includes('Draw')",
        );
        if browser.run("return document.querySelector('.entry:not([hidden])') === null") == true {
            break;
        }
        let before = browser.state("head.played");
        let legal = browser.state("head.legal");
        browser.click(".entry input");
        browser.keys(legal[0][0].as_str().unwrap());
        browser.keys(key::ENTER);
        browser.click("[data-do=confirm]");
        browser.wait(&format!("document.querySelectorAll('[data-ply]').length > {before}"));
    }
    browser.wait("document.querySelector('.contest-status').textContent === 'Game over'");
    let record = get(at, &format!("/api/games/{id}/record"));
    let golden = include_str!("contest-record.txt");
    assert_eq!(record.body, golden, "the saved record");
    let link = browser.wait("document.querySelector('[data-do=save]').getAttribute('href')");
    assert!(
        link.as_str().unwrap().starts_with(&format!("/api/games/{id}/record?date=20")),
        "{link}"
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

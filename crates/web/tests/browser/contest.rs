//! A contest game: put in, correct, save.

use serde_json::{Value, json};

use crate::client::{begin, get, post, serve};
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

/// A contest game in which we are First or Second, its clocks running.
fn contest_game(at: std::net::SocketAddr, game: &str, ours: usize, moves: &str) -> String {
    let mut seats = json!(["human", "human"]);
    seats[ours] = json!({ "engine": "level n=1" });
    let contest = json!({ "ours": ours, "names": ["甲", "乙"], "event": "Cup", "place": "A6", "ponder": false });
    let request = json!({
        "game": game, "moves": moves, "seats": seats, "contest": contest, "total": 900_000,
    });
    let id = begin(at, request);
    post(at, &format!("/api/games/{id}"), &json!({ "do": "pause", "on": false })).good();
    id
}

#[test]
fn a_result_is_entered_with_its_reason_and_undone() {
    if skipped() {
        return;
    }
    let at = serve();
    for (language, winner, reason) in
        [("en-US", "Black (甲)", "forfeit"), ("zh-CN", "黑方（甲）", "弃权")]
    {
        let browser = Browser::open(at, 1200, 800, language);
        let id = contest_game(at, "surakarta", 1, "");
        browser.go(&format!("/g/{id}"));
        browser.click("[data-do=result]");
        browser.wait("document.querySelector('dialog[open]') !== null");
        let words = browser.text("dialog[open]");
        assert!(words.contains(winner) && words.contains(reason), "{words}");
        // A forfeited game has a winner.
        browser.click("dialog [name=winner][value='']");
        browser.click("dialog [name=reason][value=forfeit]");
        browser.click("[data-do=set-result]");
        browser.wait("document.querySelector('#toast:not([hidden])') !== null");
        browser.click("dialog [name=winner][value='0']");
        browser.click("[data-do=set-result]");
        browser.wait("document.querySelector('.strip.won') !== null");
        assert_eq!(browser.state("head.outcome"), json!({ "winner": 0, "reason": "forfeit" }));
        assert!(browser.text(".status").contains(reason));
        // It was wrong: another result, then none.
        browser.click("[data-do=result]");
        browser.click("dialog [name=winner][value='']");
        browser.click("dialog [name=reason][value=agreed]");
        browser.click("[data-do=set-result]");
        browser.wait("document.querySelector('.strip.won') === null");
        browser.click("[data-do=result]");
        browser.click("[data-do=undo-result]");
        browser.wait("document.querySelector('.entry, [data-do=clock]') !== null");
        browser.wait("document.querySelector('[data-do=clock].primary') !== null");
        assert_eq!(browser.state("head.outcome"), Value::Null);
        assert_eq!(browser.state("head.paused"), true, "the referee starts the clocks again");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}

#[test]
fn resigning_gives_up_our_own_side() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 800, "en-US");
    for ours in [0, 1] {
        let id = contest_game(at, "connect-four", ours, "");
        browser.go(&format!("/g/{id}"));
        browser.click("[data-do=resign]");
        browser.wait("document.querySelector('.strip.won') !== null");
        assert_eq!(browser.state("head.outcome.winner"), json!(1 - ours));
        let seats = json!([{ "engine": "level n=1" }, "human"]);
        let id = begin(at, json!({ "game": "connect-four", "seats": seats }));
        browser.go(&format!("/g/{id}"));
        browser.click("[data-do=resign]");
        browser.wait("document.querySelector('.strip.won') !== null");
        assert_eq!(browser.state("head.outcome.winner"), json!(0), "the engine has won");
    }
}

#[test]
fn while_their_move_is_corrected_our_answer_is_not_shown() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 390, 780, "zh-CN");
    let id = contest_game(at, "connect-four", 1, "4");
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelector('.our-move:not([hidden])') !== null");
    browser.click("[data-do=correct]");
    browser.wait("document.querySelector('.our-move[hidden]') !== null");
    assert!(browser.text(".contest-status").contains("实际走的"));
    browser.click("[data-do=correct]");
    browser.wait("document.querySelector('.our-move:not([hidden])') !== null");
    // The record is saved where everything else is done.
    let link = browser.wait("document.querySelector('.contest [data-do=save-record]')?.href");
    assert!(link.as_str().unwrap().contains(&format!("/api/games/{id}/record?date=")), "{link}");
    assert_eq!(browser.run("return document.documentElement.scrollWidth <= 390"), true);
    // While the clocks stand, nobody is said to think.
    let contest = json!({ "ours": 0, "names": ["A", "B"], "event": "", "ponder": false });
    let seats = json!([{ "engine": "level n=1" }, "human"]);
    let request = json!({
        "game": "surakarta", "seats": seats, "contest": contest, "total": 60_000,
    });
    browser.go(&format!("/g/{}", begin(at, request)));
    browser.wait("document.querySelector('.status')?.textContent === '轮到黑方'");
}

#[test]
fn both_clocks_are_set_in_one_dialog() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1000, 800, "en-US");
    let id = contest_game(at, "connect-four", 1, "");
    browser.go(&format!("/g/{id}"));
    browser.click("[data-do=set-clocks]");
    browser.wait("document.activeElement.name === 'clock-0'");
    browser.run(
        "const [a, b] = document.querySelectorAll('dialog input');
         a.value = '12:34'; b.value = 'soon'",
    );
    browser.click("[data-do=set]");
    browser.wait("document.querySelector('#toast:not([hidden])')?.textContent.includes('soon')");
    browser.wait("document.activeElement.name === 'clock-1'");
    browser.run("document.querySelectorAll('dialog input')[1].value = '1:02:03'");
    browser.keys(key::ENTER);
    browser.wait("document.querySelector('dialog') === null");
    browser.wait("document.querySelector('.clock[data-player=\"1\"]').textContent === '1:02:03'");
    let left = browser.state("head.clocks.left");
    assert!((753_000..=754_000).contains(&left[0].as_u64().unwrap()), "{left}");
}

#[test]
fn a_quiet_move_typed_as_a_capture_warns() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1000, 800, "en-US");
    let id = contest_game(at, "surakarta", 1, "");
    browser.go(&format!("/g/{id}"));
    for (typed, warns) in [("c5-c4x", true), ("c5xc4", true), ("c5c4", false), ("C5-C4", false)] {
        browser.click(".entry input");
        browser.keys(typed);
        browser.keys(key::ENTER);
        browser.wait("document.querySelector('[data-do=confirm]') !== null");
        let warning = browser.run("return document.querySelector('.warning')?.textContent ?? ''");
        let expected = if warns { "You typed a capture, but c5-c4 captures nothing." } else { "" };
        assert_eq!(warning, expected, "{typed}");
        browser.click("[data-do=cancel]");
        browser.wait("document.querySelector('.entry:not([hidden])') !== null");
    }
    // What can't be played is told, and is there to be corrected.
    browser.click(".entry input");
    browser.keys("c5-c1");
    browser.keys(key::ENTER);
    browser.wait("document.querySelector('#toast:not([hidden])') !== null");
    browser.wait("document.querySelector('.entry input').value === 'c5-c1'");
}

#[test]
fn a_contest_game_is_played_by_the_finger_on_a_phone_held_either_way() {
    if skipped() {
        return;
    }
    let at = serve();
    for (width, height) in [(390, 844), (844, 390)] {
        let phone = Browser::open(at, width, height, "en-US");
        phone.go("/contest");
        phone.tap("[name=game][value='connect-four'] + span");
        phone.tap("[name=ours][value='1'] + span");
        phone.tap(".setup .primary");
        phone.wait("location.pathname.startsWith('/g/')");
        phone.tap("[data-do=clock]");
        phone.tap(".hit.open[data-place='4']");
        phone.tap("[data-do=confirm]");
        phone.wait("document.querySelector('.our-move:not([hidden])') !== null");
        assert!(phone.state("head.played").as_u64().unwrap() >= 2);
        phone.run("scrollTo(0, 0)");
        // Our move is read and theirs is entered without scrolling; the board is whole.
        let seen = phone.run(
            "const whole = (selector) => {
               const box = document.querySelector(selector).getBoundingClientRect();
               return box.left >= 0 && box.right <= innerWidth && box.top >= 0
                 && box.bottom <= innerHeight;
             };
             return [whole('.our-move'), whole('.entry input'), whole('.board'),
                     document.documentElement.scrollWidth <= innerWidth]",
        );
        assert_eq!(seen, json!([true, true, true, true]), "{width}x{height}");
        phone.tap("[data-do=result]");
        let inside = phone.run(
            "const box = document.querySelector('dialog[open]').getBoundingClientRect();
             return [box.left >= 0, box.right <= innerWidth, box.top >= 0, box.bottom <= innerHeight]",
        );
        assert_eq!(inside, json!([true, true, true, true]), "{width}x{height}");
        assert_eq!(phone.complaints(), Vec::<String>::new());
    }
}

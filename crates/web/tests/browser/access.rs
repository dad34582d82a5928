//! Languages, sizes, and people who do not see or do not use a mouse.

use std::net::SocketAddr;

use serde_json::{Value, json};

use web::Options;

use crate::axe::{colour_violations, set_scheme, violations};
use crate::client::{begin, get, post, serve, serve_with};
use crate::driver::{Browser, key, skipped};
use crate::matches_folder::MatchesFolder;

#[test]
fn the_language_switches_and_every_word_is_there() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 800, "zh-CN");
    browser.go("/");
    assert_eq!(browser.text("#language"), "English", "a Chinese browser gets Chinese");
    assert!(browser.text("h1").contains("选择"));
    browser.click("#language");
    browser.wait("document.documentElement.lang === 'en'");
    assert_eq!(browser.text("h1"), "Choose a game");
    let missing = browser.run_async(
        "const done = arguments[0];
         Promise.all(['english', 'chinese'].map((name) => import(`/page/words/${name}.js`)))
           .then(([{ english }, { chinese }]) => done(
             [...Object.keys(english).filter((key) => !(key in chinese)),
              ...Object.keys(chinese).filter((key) => !(key in english))]))",
    );
    assert_eq!(missing, json!([]));
    let counted = browser.with_module(
        "./i18n.js",
        "done([0, 1, 2, '−1'].map((n) => module.t('exact.boxes', { n })))",
    );
    assert_eq!(counted, json!(["0 boxes", "1 box", "2 boxes", "−1 box"]));
    let id = begin(at, json!({ "game": "surakarta" }));
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelector('.board.ready') !== null");
    browser.click("#language");
    browser.wait("document.querySelector('.status')?.textContent === '轮到黑方'");
    let text = browser.run("return document.body.innerText");
    let text = text.as_str().unwrap();
    let keys = ["do.", "analysis.", "moves.", "home.", "contest.", "nav."];
    assert!(!keys.iter().any(|key| text.contains(key)), "{text}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn on_a_phone_the_whole_board_is_seen() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 360, 640, "en-US");
    for game in [
        "surakarta",
        "dots-and-boxes 5x5",
        "dots-and-boxes 7x7",
        "connect-four 12x12",
        "connect-four",
    ] {
        let id = begin(at, json!({ "game": game, "total": 600_000 }));
        browser.go(&format!("/g/{id}"));
        browser.wait("document.querySelector('.board.ready') !== null");
        let seen = browser.run(
            "const box = document.querySelector('.board').getBoundingClientRect();
             return [document.documentElement.scrollWidth <= 360,
                     box.top >= 0 && box.bottom <= 640 && box.left >= 0 && box.right <= 360,
                     Math.min(...[...document.querySelectorAll('.hit')].map((hit) => {
                       const { width, height } = hit.getBoundingClientRect();
                       return Math.min(width, height);
                     }))]",
        );
        assert_eq!((&seen[0], &seen[1]), (&json!(true), &json!(true)), "{game}");
        assert!(seen[2].as_f64().unwrap() >= 24.0, "{game}: a finger needs room, {}", seen[2]);
    }
    // The buttons that step through the moves are next to the board.
    let above = "const top = (name) => document.querySelector(name).getBoundingClientRect().top;
         return top('.status') < top('.walk') && top('.walk') < top('.analysis')";
    assert_eq!(browser.run(above), true);
    browser.go("/");
    browser.wait("document.querySelector('.cards') !== null");
    assert_eq!(browser.run("return document.documentElement.scrollWidth <= 360"), true);
}

#[test]
fn on_a_phone_on_its_side_the_whole_board_is_seen() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 844, 390, "en-US");
    for game in ["surakarta", "dots-and-boxes 7x7", "connect-four 12x12", "connect-four"] {
        let id = begin(at, json!({ "game": game, "total": 600_000 }));
        browser.go(&format!("/g/{id}"));
        browser.wait("document.querySelector('.board.ready') !== null");
        let seen = browser.run(
            "const box = document.querySelector('.board').getBoundingClientRect();
             const status = document.querySelector('.status').getBoundingClientRect();
             return box.top >= 0 && box.bottom <= 390 && box.height > 300
               && box.left >= 0 && box.right < status.left && status.bottom <= 390
               && document.documentElement.scrollWidth <= 844",
        );
        assert_eq!(seen, true, "{game}");
    }
}

#[test]
fn the_narrowest_phone_has_the_whole_header() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 320, 568, "en-US");
    let id = begin(at, json!({ "game": "surakarta" }));
    for language in ["en", "zh"] {
        for path in ["/", "/contest", "/arena", &format!("/g/{id}")] {
            browser.go(path);
            browser.run(&format!("localStorage.language = '{language}'"));
            browser.go(path);
            browser.wait("document.querySelector('h1')?.textContent");
            let fits = browser.run(
                "const inside = [...document.querySelectorAll('#top a:not(.skip), #top button')]
                   .every((one) => one.getBoundingClientRect().right <= 320);
                 return inside && document.documentElement.scrollWidth <= 320",
            );
            assert_eq!(fits, true, "{path} {language}");
        }
    }
}

#[test]
fn the_cards_are_one_stop_of_the_tab_key() {
    if skipped() {
        return;
    }
    let browser = Browser::open(serve(), 1000, 800, "en-US");
    browser.go("/");
    browser.wait("document.querySelector('.card') !== null");
    let on_card = "document.activeElement.matches('.card')";
    let mut stops = 0;
    for _ in 0..14 {
        browser.keys(key::TAB);
        stops += usize::from(browser.run(&format!("return {on_card}")) == true);
    }
    assert_eq!(stops, 1);
    browser.run("document.querySelector('.card[tabindex=\"0\"]').focus()");
    let chosen = "document.querySelector('.card[aria-checked=true]').dataset.game";
    for (key, game) in
        [(key::RIGHT, "dots-and-boxes"), (key::DOWN, "connect-four"), (key::RIGHT, "surakarta")]
    {
        browser.keys(key);
        browser.wait(&format!("{chosen} === {game:?} && {on_card}"));
    }
}

#[test]
fn signs_of_mistakes_can_be_read() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1000, 800, "en-US");
    let id = begin(at, json!({ "game": "surakarta", "moves": "c5-c4" }));
    for scheme in ["light", "dark"] {
        set_scheme(&browser, scheme);
        browser.go(&format!("/g/{id}"));
        browser.wait("document.querySelector('[data-ply]') !== null");
        let contrast = browser.run(
            "const move = document.querySelector('[data-ply]');
             const light = (element, name) => {
               const paint = document.createElement('canvas').getContext('2d');
               paint.fillStyle = getComputedStyle(element)[name];
               paint.fillRect(0, 0, 1, 1);
               const [r, g, b] = [...paint.getImageData(0, 0, 1, 1).data].map((v) =>
                 v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
               return 0.2126 * r + 0.7152 * g + 0.0722 * b;
             };
             const ground = light(document.querySelector('.panel'), 'backgroundColor');
             return Math.min(...[1, 2, 3].map((level) => {
               move.className = `severity-${level}`;
               const sign = document.createElement('sup');
               move.append(sign);
               const ink = light(sign, 'color');
               sign.remove();
               return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
             }))",
        );
        assert!(contrast.as_f64() >= Some(4.5), "{scheme}: {contrast}");
    }
}

/// That axe-core finds nothing on the page as it stands, in either colour scheme.
fn assert_accessible(browser: &Browser, what: &str) {
    for (scheme, violations) in
        [("light", violations as fn(&Browser) -> Value), ("dark", colour_violations)]
    {
        set_scheme(browser, scheme);
        let found = violations(browser);
        assert_eq!(found, Value::Array(Vec::new()), "{what} {scheme}: {found:#}");
    }
}

/// A page, what to click there one after the other, and what is then seen.
struct View<'a>(&'a str, &'a [&'a str], &'a str);

/// That axe-core finds nothing in any of these views.
fn assert_accessible_views(at: SocketAddr, views: &[View]) {
    let browser = Browser::open(at, 1200, 900, "en-US");
    for View(path, clicks, seen) in views {
        browser.go(path);
        for click in *clicks {
            browser.click(click);
        }
        browser.wait(&format!("document.querySelector({seen:?}) !== null"));
        assert_accessible(&browser, &format!("{path} {clicks:?}"));
    }
}

#[test]
fn axe_finds_no_violation_at_a_board() {
    if skipped() {
        return;
    }
    let at = serve();
    let board = |request: Value| format!("/g/{}", begin(at, request));
    let study = json!({ "on": true, "engine": "uct memory=16" });
    let surakarta = board(json!({ "game": "surakarta", "study": study }));
    let boxes = board(json!({ "game": "dots-and-boxes 3x3", "moves": "0 1 2 3", "total": 60_000 }));
    let four =
        board(json!({ "game": "connect-four 9x9 hole=2,2", "moves": "4433", "study": study }));
    let over = board(json!({ "game": "connect-four", "moves": "1212121" }));
    let seats = json!([{ "engine": "level n=1" }, "human"]);
    let names = json!({ "ours": 0, "names": ["A", "B"], "event": "", "ponder": false });
    let contest =
        board(json!({ "game": "surakarta", "seats": seats, "contest": names, "total": 60_000 }));
    let views = [
        View(&surakarta, &[], ".lines tbody tr"),
        View(&boxes, &[], ".board.ready"),
        View(&four, &[], ".lines tbody tr"),
        View(&over, &[], ".strip.won"),
        View(&contest, &[], ".contest"),
        View(&contest, &["[data-do=result]"], "dialog[open]"),
        View(&contest, &["[data-do=set-clocks]"], "dialog[open]"),
        View("/g/abcdefghijklmnopqrstuvwxyz", &[], "main a[href='/']"),
        View("/nowhere", &[], "main a[href='/']"),
    ];
    assert_accessible_views(at, &views);
}

#[test]
fn axe_finds_no_violation_in_what_a_coach_opens() {
    if skipped() {
        return;
    }
    let at = serve();
    let study = json!({ "on": true, "engine": "uct memory=16" });
    let game = json!({ "game": "connect-four 5x4", "moves": "1122354", "study": study });
    let game = format!("/g/{}", begin(at, game));
    let small = format!("/g/{}", begin(at, json!({ "game": "connect-four 4x4" })));
    let boxes =
        begin(at, json!({ "game": "dots-and-boxes 3x3", "moves": "0 1 2", "study": study }));
    let boxes = format!("/g/{boxes}");
    let views = [
        View(&game, &["[data-do=review]"], ".accuracy button"),
        View(&game, &["[data-ply='6']", ".mistake-note .line-move"], ".line-bar:not([hidden])"),
        View(&game, &["[data-do=retry-1]"], ".retry:not([hidden])"),
        View(&small, &[".trace summary"], ".trace button"),
        View(&game, &["[data-do=keys]"], "dialog[open]"),
        View(&small, &[".explorer summary", "[data-do=sample]"], ".explorer .shares"),
        View(&boxes, &["[name=chains]", "[data-do=all-moves]"], ".lines tr:nth-child(12)"),
        View(&boxes, &["[name=threat]"], ".lines tbody tr"),
    ];
    assert_accessible_views(at, &views);
}

#[test]
fn axe_finds_no_violation_in_the_other_views() {
    if skipped() {
        return;
    }
    let folder = MatchesFolder::new();
    let events = tempfile::TempDir::new().unwrap();
    let at = serve_with(Options {
        matches: Some(folder.dir.path().to_owned()),
        events: Some(events.path().to_owned()),
        ..Options::local(0)
    });
    let event = json!({
        "name": "Cup", "game": "connect-four", "format": { "kind": "swiss", "rounds": 3 },
        "games": 1, "minutes": 5, "teams": "A\nB\nC",
    });
    post(at, "/api/events", &event).good();
    post(at, "/api/events/Cup", &json!({ "do": "pair", "round": 0 })).good();
    begin(at, json!({ "game": "surakarta" }));
    let found = get(at, "/api/arena").good();
    let id = |kind: &str| found[kind][0]["id"].as_str().unwrap().to_owned();
    let table = format!("/arena/{}/1", id("stores"));
    let report = format!("/arena/report/{}", id("reports"));
    let views = [
        View("/", &[".paste summary"], ".recent h2"),
        View("/contest", &[], ".setup button"),
        View("/events", &[], ".events form:not([hidden])"),
        View("/event/Cup", &[".teams summary"], ".team-list"),
        View("/event/Cup", &["[data-key=record-R1T1]"], "dialog[open]"),
        View("/arena", &[".new-match summary"], ".new-match .primary"),
        View(&table, &[], ".pentanomial"),
        View(&report, &[], ".arena-list .panel"),
    ];
    assert_accessible_views(at, &views);
}

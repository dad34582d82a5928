//! A contest day in the page.

use serde_json::json;
use web::Options;

use crate::client::{Guest, get, post, serve_with};
use crate::driver::{Browser, skipped};

fn serve(folder: &std::path::Path) -> std::net::SocketAddr {
    serve_with(Options { events: Some(folder.to_owned()), ..Options::local(0) })
}

#[test]
fn an_event_from_its_teams_to_the_wall_chart() {
    if skipped() {
        return;
    }
    let folder = tempfile::TempDir::new().unwrap();
    let at = serve(folder.path());
    let browser = Browser::open(at, 1200, 900, "en-US");
    browser.go("/contest");
    browser.click("a[href='/events']");
    browser.wait("document.querySelector('.events form:not([hidden])') !== null");
    browser.run(
        "document.querySelector('[name=name]').value = 'Spring Cup';
         document.querySelector('[name=rounds]').value = '3';
         document.querySelector('[name=teams]').value = '甲\\n乙\\n丙\\n丁\\n戊\\n'",
    );
    browser.click("[name=game][value='connect-four']");
    browser.click(".events form .primary");
    browser.wait("location.pathname === '/event/Spring%20Cup'");
    browser.click("[data-do=pair]");
    browser.wait("document.querySelectorAll('.tables tbody tr').length === 2");
    browser.wait("document.querySelector('.round .note')?.textContent.startsWith('Bye: ')");
    // Results by the keyboard's own way of changing a menu; the focus stays.
    let set = |key: &str, value: &str| {
        browser
            .wait(&format!("document.querySelector('[data-key={key}]:not([disabled])') !== null"));
        browser.run(&format!(
            "const field = document.querySelector('[data-key={key}]');
             field.focus(); field.value = '{value}'; field.dispatchEvent(new Event('change'))"
        ));
    };
    set("winner-R1T1", "first");
    browser.wait("document.querySelector('[data-table=R1T1] .winner') !== null");
    assert_eq!(browser.run("return document.activeElement.dataset.key"), "winner-R1T1");
    set("reason-R1T1", "forfeit");
    browser.wait("document.querySelector('.wall-chart').textContent.includes('!')");
    assert!(browser.text(".intro").contains("Without a result: table 2"));
    // A game that was not played is no draw: the reason follows the result.
    set("winner-R1T1", "draw");
    browser.wait("document.querySelector('[data-key=reason-R1T1]').value === 'agreed'");
    let offered =
        browser.run("return [...document.querySelectorAll('[data-key=reason-R1T1] option')].map((one) => one.value)");
    assert_eq!(offered, json!(["agreed", "time", "adjudicated"]));
    set("winner-R1T1", "nobody");
    browser.wait("document.querySelector('[data-key=reason-R1T1]').value === 'forfeit'");
    // What can't be read stays in its dialog. A record brings its result, and gets its
    // name.
    browser.click("[data-key=record-R1T2]");
    browser.run("document.querySelector('dialog textarea').value = 'hello'");
    browser.click("[data-do=keep-record]");
    browser.wait("document.querySelector('#toast:not([hidden])')?.textContent.includes('record')");
    assert_eq!(browser.run("return document.querySelector('dialog textarea').value"), "hello");
    // It is told above the dialog, all of which is seen.
    let seen = "const dialog = document.querySelector('dialog');
                return [dialog.querySelector('#toast') !== null, dialog.scrollWidth <= dialog.clientWidth]";
    assert_eq!(browser.run(seen), json!([true, true]));
    assert_eq!(browser.complaints().len(), 1, "the refusal");
    browser.run("document.querySelector('dialog textarea').value = '1212121'");
    browser.click("[data-do=keep-record]");
    browser
        .wait("document.querySelector('[data-key=record-R1T2]').textContent.startsWith('R1T2：')");
    let event = get(at, "/api/events/Spring%20Cup").good();
    let name = event["rounds"][0]["tables"][1]["games"][0]["record"].as_str().unwrap().to_owned();
    assert!(folder.path().join("Spring Cup/records").join(&name).is_file(), "{name}");
    assert!(name.ends_with("胜.txt"), "{name}");
    browser.click("[data-do=pair]");
    browser.wait("document.querySelectorAll('.round .segments label').length === 2");
    browser.click("[data-do=unpair]");
    browser.wait("document.querySelectorAll('.round .segments label').length === 1");
    // The record on the board.
    browser.click("[data-key=record-R1T2]");
    browser.click("dialog [data-do=show-record]");
    browser.wait("location.pathname.startsWith('/g/')");
    browser.wait("document.querySelectorAll('[data-ply]').length === 7");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_table_of_an_event_is_played_on_the_board() {
    if skipped() {
        return;
    }
    let folder = tempfile::TempDir::new().unwrap();
    let at = serve(folder.path());
    let new = json!({
        "name": "杯赛", "game": "surakarta", "format": { "kind": "knockout" }, "games": 1,
        "minutes": 7, "teams": "A\nB",
    });
    let id = post(at, "/api/events", &new).good()["id"].as_str().unwrap().to_owned();
    assert_eq!(id, "杯赛");
    let browser = Browser::open(at, 390, 780, "zh-CN");
    browser.go("/event/%E6%9D%AF%E8%B5%9B");
    browser.click("[data-do=pair]");
    browser.click("[data-key=record-R1T1]");
    browser.click("dialog [data-do=board]");
    browser.wait("document.querySelector('[name=place]')?.value === 'R1T1'");
    assert_eq!(browser.run("return document.querySelector('[name=total]').value"), "7");
    browser.click(".setup .primary");
    browser.wait("document.querySelector('.board') !== null");
    let path = browser.run("return location.pathname");
    assert_eq!(browser.state("head.contest.event"), "杯赛");
    // Its record goes back by its address.
    browser.go("/event/%E6%9D%AF%E8%B5%9B");
    browser.click("[data-key=record-R1T1]");
    browser.run(&format!(
        "document.querySelector('dialog textarea').value = location.origin + {path}"
    ));
    browser.click("[data-do=keep-record]");
    browser
        .wait("document.querySelector('[data-key=record-R1T1]').textContent.startsWith('R1T1：')");
    assert_eq!(browser.run("return document.documentElement.scrollWidth <= 390"), true);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn guests_read_and_only_the_operator_changes() {
    let folder = tempfile::TempDir::new().unwrap();
    let options = Options {
        bind: "0.0.0.0:0".parse().unwrap(),
        events: Some(folder.path().to_owned()),
        ..Options::local(0)
    };
    let (link, own) = crate::client::serve_class_with(options);
    let new = json!({
        "name": "Cup", "game": "connect-four", "format": { "kind": "round-robin" }, "games": 1,
        "minutes": 5, "teams": "A\nB\nC",
    });
    let mut guest = Guest::enter(&link);
    let mut operator = Guest::enter(&own);
    assert_eq!(guest.post("/api/events", &new).status, 403);
    operator.post("/api/events", &new).good();
    assert_eq!(guest.post("/api/events/Cup", &json!({ "do": "pair", "round": 0 })).status, 403);
    for _ in 0..2 {
        operator.post("/api/events/Cup", &json!({ "do": "pair", "round": 0 })).good();
    }
    let seen = guest.get("/api/events/Cup").good();
    assert_eq!(seen["rounds"].as_array().unwrap().len(), 1, "asked twice, paired once");
    assert_eq!((&seen["changes"], &seen["folder"]), (&json!(false), &json!(null)));
    for id in ["..", "..%2Fcup", "%2e%2e", "nothing"] {
        assert_ne!(guest.get(&format!("/api/events/{id}")).status, 200, "{id}");
    }
}

#[test]
fn an_event_is_run_by_the_finger_on_a_phone_held_either_way() {
    if skipped() {
        return;
    }
    let folder = tempfile::TempDir::new().unwrap();
    let at = serve(folder.path());
    for (width, height) in [(390, 844), (844, 390)] {
        let name = format!("Cup {width}");
        let format = json!({ "kind": "swiss", "rounds": 3 });
        let teams = "Amsterdam\nBandung\nCairo\nDelft";
        let new = json!({
            "name": name, "game": "surakarta", "format": format, "games": 1, "minutes": 15,
            "teams": teams,
        });
        post(at, "/api/events", &new).good();
        let phone = Browser::open(at, width, height, "en-US");
        phone.go("/events");
        phone.tap(&format!("a[href='/event/Cup%20{width}']"));
        phone.tap("[data-do=pair]");
        phone.wait("document.querySelectorAll('.tables tbody tr').length === 2");
        // Nothing of a table lies outside the screen, and what is touched is large enough.
        let fits = format!(
            "document.documentElement.scrollWidth <= {width} &&
             [...document.querySelectorAll('.tables :is(select, button, td)')].every((one) => {{
               const box = one.getBoundingClientRect();
               return box.right <= {width} && (one.matches('td') || box.height >= 32);
             }})"
        );
        assert_eq!(phone.run(&format!("return {fits}")), true, "{width}x{height}");
        phone.run(
            "const field = document.querySelector('[data-key=winner-R1T1]');
             field.value = 'first'; field.dispatchEvent(new Event('change'))",
        );
        phone.wait("document.querySelector('[data-table=R1T1] .winner') !== null");
        phone.tap("[data-key=record-R1T2]");
        phone.wait("document.querySelector('dialog[open] textarea') !== null");
        let inside = phone.run(
            "const box = document.querySelector('dialog[open]').getBoundingClientRect();
             return [box.left >= 0, box.right <= innerWidth, box.top >= 0, box.bottom <= innerHeight]",
        );
        assert_eq!(inside, json!([true, true, true, true]), "{width}x{height}");
        assert_eq!(phone.complaints(), Vec::<String>::new());
    }
}

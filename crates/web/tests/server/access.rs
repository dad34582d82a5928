//! Who may do what in a classroom: owners, players with a seat, those who watch,
//! and the operator.

use serde_json::{Value, json};

use crate::client::{Guest, Stream, begin, post, serve, serve_class};

/// Every command that changes a game.
fn commands() -> Vec<Value> {
    vec![
        json!({ "do": "play", "ply": 1, "move": "4" }),
        json!({ "do": "undo" }),
        json!({ "do": "redo" }),
        json!({ "do": "correct", "ply": 0, "move": "5" }),
        json!({ "do": "resign", "player": 0 }),
        json!({ "do": "pause", "on": true }),
        json!({ "do": "clocks", "left": [1000, 1000] }),
        json!({ "do": "seats", "seats": ["human", { "engine": "best" }] }),
        json!({ "do": "hurry" }),
        json!({ "do": "hint" }),
    ]
}

#[test]
fn a_game_is_changed_by_its_owner_and_watched_by_others() {
    let (link, _) = serve_class();
    let (mut owner, mut other) = (Guest::enter(&link), Guest::enter(&link));
    let id = owner.begin(json!({ "game": "connect-four", "total": 600_000 }));
    owner.play(&id, 0, "4").good();
    let path = format!("/api/games/{id}");
    for command in commands() {
        let sentence = other.post(&path, &command).refused(403);
        assert!(sentence.contains("watch"), "{command}: {sentence}");
    }
    other.post(&format!("{path}/review"), &json!({})).refused(403);
    other.post(&format!("{path}/seat"), &json!({ "player": 0 })).refused(403);
    let stream = other.stream(&id, "t").unwrap();
    assert_eq!(stream.rights["owns"], false);
    assert_eq!(stream.moves(), ["4"]);
    assert_eq!(other.get(&format!("{path}/record")).status, 200);
    // An analysis of one who watches is that page's own.
    let request = json!({ "tab": "t", "on": true, "engine": "uct memory=8", "ply": 1 });
    other.post(&format!("{path}/study"), &request).good();
    let stream = owner.stream(&id, "o").unwrap();
    assert_eq!(
        (&stream.rights["owns"], &stream.head["study"]["on"]),
        (&json!(true), &json!(false))
    );
    assert_eq!((owner.games(), other.games()), (vec![id.clone()], vec![]));
    owner.play(&id, 1, "4").good();
}

#[test]
fn a_link_gives_a_seat_once() {
    let (link, _) = serve_class();
    let (mut owner, mut second) = (Guest::enter(&link), Guest::enter(&link));
    let id = owner.begin(json!({ "game": "connect-four" }));
    let seat = |owner: &mut Guest| {
        let answer = owner.post(&format!("/api/games/{id}/seat"), &json!({ "player": 1 })).good();
        answer["link"].as_str().unwrap().to_owned()
    };
    let given = seat(&mut owner);
    let secret = given.rsplit_once("seat=").unwrap().1.to_owned();
    let take = |guest: &mut Guest, secret: &str| {
        guest.post(&format!("/api/games/{id}/seat"), &json!({ "link": secret }))
    };
    take(&mut second, "aaaaaaaaaaaaaaaaaaaaaaaaaa").refused(409);
    // The link lets in a browser that never had the class's link.
    let mut fresh = Guest::new(owner.at);
    fresh.get("/").refused(401);
    let welcome = fresh.get(&given);
    assert_eq!(welcome.status, 303);
    assert!(welcome.head.contains(&format!("location: /g/{id}?seat={secret}")), "{}", welcome.head);
    assert_eq!(fresh.get(&format!("/g/{id}?seat={secret}")).status, 200);
    assert_eq!(take(&mut fresh, &secret).good()["player"], 1);
    take(&mut second, &secret).refused(409);
    take(&mut fresh, &secret).good();
    owner.play(&id, 0, "4").good();
    owner.play(&id, 1, "4").refused(403);
    let stream = fresh.stream(&id, "t").unwrap();
    assert_eq!(stream.rights["plays"], json!([false, true]));
    fresh.play(&id, 1, "3").good();
    fresh.play(&id, 2, "3").refused(403);
    fresh.post(&format!("/api/games/{id}"), &json!({ "do": "undo" })).refused(403);
    assert_eq!(fresh.games(), vec![id.clone()]);
    // A newer link takes the seat back.
    let mut watching = owner.stream(&id, "o").unwrap();
    assert_eq!(watching.rights["given"], json!([false, true]));
    let newer = seat(&mut owner);
    assert_eq!(watching.wait_for("access")["plays"], json!([true, true]));
    owner.play(&id, 2, "3").good();
    fresh.play(&id, 3, "3").refused(403);
    take(&mut second, newer.rsplit_once("seat=").unwrap().1).good();
    second.play(&id, 3, "1").good();
}

#[test]
fn a_contest_game_is_its_owners_alone() {
    let (link, operator) = serve_class();
    let (mut owner, mut other) = (Guest::enter(&link), Guest::enter(&link));
    let contest = json!({ "ours": 0, "names": ["Us", "Them"] });
    let id = owner.begin(json!({ "game": "connect-four", "contest": contest }));
    let path = format!("/api/games/{id}");
    assert_eq!(other.stream(&id, "t").err(), Some(404));
    other.get(&format!("{path}/record")).refused(404);
    other.get(&format!("{path}/legal?ply=0")).refused(404);
    other.post(&path, &json!({ "do": "undo" })).refused(404);
    let analysis = json!({ "tab": "t", "on": true, "engine": "uct", "ply": 0 });
    other.post(&format!("{path}/study"), &analysis).refused(404);
    owner.post(&format!("{path}/seat"), &json!({ "player": 1 })).refused(400);
    owner.play(&id, 0, "4").good();
    // The operator administers every game, and sees them all.
    let mut operator = Guest::enter(&operator);
    assert!(operator.games().contains(&id) && !other.games().contains(&id));
    assert_eq!(operator.stream(&id, "t").unwrap().rights["owns"], true);
    operator.play(&id, 1, "4").good();
}

#[test]
fn on_this_machine_every_page_is_the_operators() {
    let at = serve();
    let id = begin(at, json!({ "game": "connect-four" }));
    // A program without cookies goes on with its game, and so does any browser.
    post(at, &format!("/api/games/{id}"), &json!({ "do": "play", "ply": 0, "move": "4" })).good();
    let mut browser = Guest::new(at);
    browser.play(&id, 1, "4").good();
    assert_eq!(browser.games(), std::slice::from_ref(&id));
    assert_eq!(Stream::open(at, &id, "t").rights["owns"], true);
}

#[test]
fn keys_outlive_the_server() {
    let folder = tempfile::TempDir::new().unwrap();
    let data = Some(folder.path().join("games.sqlite"));
    let options = || web::Options {
        bind: "0.0.0.0:0".parse().unwrap(),
        data: data.clone(),
        ..web::Options::local(0)
    };
    let first = crate::client::Running::start(options());
    let mut owner = Guest::enter(&first.link);
    let id = owner.begin(json!({ "game": "connect-four" }));
    drop(first);
    let second = crate::client::Running::start(options());
    let mut owner = owner.enter_again(&second.link);
    owner.play(&id, 0, "4").good();
    Guest::enter(&second.link).play(&id, 1, "4").refused(403);
}

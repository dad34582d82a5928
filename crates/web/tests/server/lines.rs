//! Side lines by requests: what is kept, what is refused, and that a kill loses
//! none of it.

use serde_json::{Value, json};

use crate::client::{Guest, Running, Stream, begin, get, post, serve, serve_class};
use web::Options;

#[test]
fn side_lines_are_added_found_raised_and_removed() {
    let at = serve();
    let id = begin(at, json!({ "game": "dots-and-boxes 2x2", "moves": "0 1 2 3" }));
    let path = format!("/api/games/{id}");
    let vary = |ply: usize, node: Option<u64>, mv: &str| {
        post(at, &format!("{path}/line"), &json!({ "ply": ply, "node": node, "move": mv }))
    };
    let first = vary(2, None, "5").good();
    assert_eq!(first, json!({ "ply": 3, "node": 0 }));
    assert_eq!(vary(2, None, "5").good(), first, "the same move is the same line");
    assert_eq!(vary(2, None, "2").good(), json!({ "ply": 3, "node": null }), "the game's move");
    let second = vary(3, Some(0), "6").good();
    assert_eq!(second["node"], 1);
    vary(3, Some(0), "5").refused(400);
    vary(9, None, "5").refused(400);
    vary(3, Some(7), "5").refused(409);
    let legal = get(at, &format!("{path}/legal?ply=4&node=1")).good();
    assert_eq!(legal.as_array().unwrap().len(), 8);
    let line = get(at, &format!("{path}/line?node=0")).good();
    assert_eq!((&line["from"], &line["nodes"]), (&json!(2), &json!([0, 1])));
    assert_eq!(line["plies"][1]["move"], "6");
    let mut stream = Stream::open(at, &id, "a");
    assert_eq!(stream.moves(), ["0", "1", "2", "3"], "the game is as it was");
    let note = |spot: Value, text: &str| {
        let mut command = json!({ "do": "note", "text": text });
        for (key, value) in spot.as_object().unwrap() {
            command[key] = value.clone();
        }
        post(at, &path, &command)
    };
    note(second, "  sharp ").good();
    note(json!({ "ply": 4 }), "the end").good();
    note(json!({ "ply": 5 }), "nowhere").refused(400);
    note(json!({ "ply": 4 }), &"x".repeat(5000)).refused(400);
    stream.until(|_, _| true);
    // A game that has ended from outside keeps its end while another line is the
    // game.
    post(at, &path, &json!({ "do": "resign", "player": 0 })).good();
    post(at, &path, &json!({ "do": "promote", "node": 1 })).good();
    let stream = Stream::open(at, &id, "b");
    assert_eq!(stream.moves(), ["0", "1", "5", "6"]);
    assert!(stream.head["outcome"].is_null());
    assert_eq!(stream.tree["notes"], json!({ "4": "sharp" }));
    let nodes = stream.tree["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 2);
    assert_eq!(
        (&nodes[1]["note"], &nodes[1]["ended"]["reason"]),
        (&json!("the end"), &json!("resigned"))
    );
    let back = nodes[0]["id"].clone();
    post(at, &path, &json!({ "do": "promote", "node": back })).good();
    let stream = Stream::open(at, &id, "c");
    assert_eq!(stream.moves(), ["0", "1", "2", "3"]);
    assert_eq!(stream.head["outcome"]["reason"], "resigned");
    // What comes after the end is a side line, which can't take the end's place.
    let after = vary(4, None, "7").good()["node"].clone();
    post(at, &path, &json!({ "do": "promote", "node": after })).refused(409);
    post(at, &path, &json!({ "do": "remove", "node": after })).good();
    let node = stream.tree["nodes"][0]["id"].clone();
    post(at, &path, &json!({ "do": "remove", "node": node })).good();
    let stream = Stream::open(at, &id, "d");
    assert_eq!(stream.tree["nodes"], json!([]));
}

#[test]
fn side_lines_are_on_disk_before_they_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games.sqlite");
    let options = || Options { data: Some(data.clone()), ..Options::local(0) };
    let server = Running::start(options());
    let id = begin(server.at, json!({ "game": "connect-four", "moves": "4 4 3 3 (5 5) 2 2" }));
    let spot = json!({ "ply": 1, "move": "7" });
    post(server.at, &format!("/api/games/{id}/line"), &spot).good();
    let before = Stream::open(server.at, &id, "a").tree;
    assert_eq!(before["nodes"].as_array().unwrap().len(), 3);
    drop(server);
    let server = Running::start(options());
    assert_eq!(Stream::open(server.at, &id, "a").tree, before);
    assert_eq!(web::store::check(&data).unwrap().whole, 1);
    // A side line that the rules refuse makes a game damaged, never another one.
    drop(server);
    let connection = rusqlite::Connection::open(&data).unwrap();
    let damage = "UPDATE game SET tree = replace(tree, '\"7\"', '\"8\"')";
    assert_eq!(connection.execute(damage, []).unwrap(), 1);
    drop(connection);
    let found = web::store::check(&data).unwrap();
    assert_eq!((found.whole, found.moves_only), (0, 1));
}

#[test]
fn only_the_owner_adds_to_a_game_and_a_contest_stays_as_it_was() {
    let (link, _) = serve_class();
    let (mut owner, mut guest) = (Guest::enter(&link), Guest::enter(&link));
    let id = owner.begin(json!({ "game": "connect-four", "moves": "4433" }));
    let side = json!({ "ply": 1, "move": "7" });
    let path = format!("/api/games/{id}/line");
    guest.post(&path, &side).refused(403);
    owner.post(&path, &side).good();
    assert_eq!(guest.get(&format!("{path}?node=0")).good()["from"], 1, "all may look");
    for command in [
        json!({ "do": "promote", "node": 0 }),
        json!({ "do": "remove", "node": 0 }),
        json!({ "do": "note", "ply": 0, "text": "x" }),
    ] {
        guest.post(&format!("/api/games/{id}"), &command).refused(403);
    }
    let contest = json!({ "ours": 0, "names": ["a", "b"], "event": "", "place": "" });
    let id = owner.begin(json!({ "game": "connect-four", "moves": "44", "contest": contest }));
    owner.post(&format!("/api/games/{id}/line"), &side).good();
    owner.post(&format!("/api/games/{id}"), &json!({ "do": "promote", "node": 0 })).refused(409);
    // With an engine the game that goes on can't be replaced either.
    let seats = json!(["human", { "engine": "level n=1" }]);
    let id = owner.begin(json!({ "game": "connect-four", "moves": "44", "seats": seats }));
    owner.post(&format!("/api/games/{id}/line"), &side).good();
    owner.post(&format!("/api/games/{id}"), &json!({ "do": "promote", "node": 0 })).refused(409);
}

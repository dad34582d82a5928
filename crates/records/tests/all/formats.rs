//! Records: what is written is read back, whatever the format, and a record that
//! is not legal is refused at the right ply.

use games::{Player, Rng};
use records::{Format, GameRecord};
use session::{GameSpec, open};

/// A random game, finished or cut short, with names in Chinese.
fn random_game(game: &GameSpec, rng: &mut Rng) -> GameRecord {
    let mut session = open(game);
    let plies = 5 + rng.below(200);
    for _ in 0..plies {
        let legal = session.legal();
        if legal.is_empty() {
            break;
        }
        let moves = [session.moves(), vec![legal[rng.below(legal.len())].clone()]].concat();
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        session.set(None, &moves).unwrap();
    }
    let mut record = GameRecord::of_session(&session);
    record.players = [Some("北方的狼".to_owned()), Some("X".to_owned())];
    record.date = Some("2023-11-3".to_owned());
    record.event = Some("2022 CCGC".to_owned());
    record
}

fn moves(record: &GameRecord) -> Vec<String> {
    record.replay(None).unwrap().moves()
}

#[test]
fn what_is_written_is_read_back() {
    let mut rng = Rng::seeded(3);
    for (game, formats) in [
        ("surakarta", vec![Format::Contest, Format::Platform, Format::Plain]),
        ("dots-and-boxes", vec![Format::Json, Format::Platform, Format::Plain]),
        ("dots-and-boxes 3x4", vec![Format::Json, Format::Plain]),
        ("connect-four", vec![Format::Columns, Format::Plain]),
        ("connect-four 12x9 hole=11,3", vec![Format::Columns, Format::Plain]),
    ] {
        let game: GameSpec = game.parse().unwrap();
        for _ in 0..20 {
            let record = random_game(&game, &mut rng);
            for &format in &formats {
                let text = records::write(&record, format).unwrap();
                assert_eq!(Format::of_text(&text), Some(format), "{text}");
                for bytes in [text.clone().into_bytes(), records::encode_gbk(&text)] {
                    let found = records::read(&records::decode(&bytes), None, Some(&game)).unwrap();
                    assert_eq!(moves(&found), moves(&record), "{text}");
                    assert_eq!(records::write(&found, format).unwrap(), text);
                    if matches!(format, Format::Json | Format::Plain) {
                        assert_eq!(found.players, record.players);
                        assert_eq!((&found.date, &found.event), (&record.date, &record.event));
                    }
                }
            }
        }
    }
}

#[test]
fn a_format_refuses_games_it_has_no_words_for() {
    let record = GameRecord::new("connect-four".parse().unwrap());
    for format in [Format::Contest, Format::Json, Format::Platform] {
        assert!(records::write(&record, format).is_err());
    }
    assert!(records::read("4455", None, Some(&"surakarta".parse().unwrap())).is_err());
}

#[test]
fn both_digit_bases_are_read() {
    // The same two moves; rows from 1, from 0 told by a 0, and from 0 told only
    // by what can be played.
    let from_one = "B2C-3C\nR5B-4B\n";
    let from_zero = "B1C-2C\nR4B-3B\n";
    let with_zero = "B1C-2C\nR4B-3B\nB0C-1C\n";
    let board =
        "#<2023-11-03 10:00:00>|<沈阳>\n!BBBBBB\n!BBBBBB\n!000000\n!000000\n!RRRRRR\n!RRRRRR\n";
    for text in [from_one.to_owned(), from_zero.to_owned(), format!("{board}{from_one}")] {
        let record = records::read(&text, None, None).unwrap();
        assert_eq!(moves(&record), ["c5-c4", "b2-b3"], "{text}");
    }
    assert_eq!(moves(&records::read(with_zero, None, None).unwrap()).len(), 3);
    let headed = records::read(&format!("{board}{from_one}"), None, None).unwrap();
    assert_eq!(headed.event.as_deref(), Some("沈阳"));
    assert!(records::read("B0C-1C\nR6B-5B\n", None, None).is_err(), "a 0 and a 6");
}

#[test]
fn either_colour_may_begin_and_names_follow() {
    let text = r#"{"R": "红", "B": "蓝", "winner": "B", "RScore": 0, "BScore": 1,
        "game": [{"piece": "b(a1,h)"}, {"piece": "r(a1,v)"}, {"piece": "b(b1,v)"}, {"piece": "r(a2,h)"}]}"#;
    let game = "dots-and-boxes 1x1".parse().unwrap();
    let record = records::read(text, None, Some(&game)).unwrap();
    assert_eq!(record.players, [Some("蓝".to_owned()), Some("红".to_owned())]);
    assert_eq!(record.winner, Some(Some(Player::First)));
    let outcome = record.replay(None).unwrap().outcome();
    let mismatch = record.result_mismatch(outcome).unwrap();
    assert!(mismatch.contains("first won, but second won by the moves"), "{mismatch}");
}

#[test]
fn an_illegal_record_says_where_and_why() {
    for (text, game, ply, why) in [
        ("B2C-3C\nR5B-4B\nR5C-4C\n", "surakarta", 3, "other side's turn"),
        ("B2C-3C\nR5B-2B\n", "surakarta", 2, "enemy piece"),
        ("Black: BBCC\nWhite: AEAC\n", "surakarta", 2, "no neighbour"),
        ("444444 4", "connect-four", 0, ""),
        ("4444444", "connect-four", 7, "column 4 is full"),
        ("Black: 1 AAA\nWhite: 1 AAA\n", "dots-and-boxes", 2, "already drawn"),
        ("Black: 2 AAABBA\n", "dots-and-boxes", 2, "other side's turn"),
        ("game: connect-four\nmoves: 1 2 1 2 1 2 1 2\n", "connect-four", 8, "over"),
        ("game: connect-four\nstart: x\n", "connect-four", 0, "column"),
    ] {
        let record = records::read(text, None, Some(&game.parse().unwrap())).unwrap();
        match record.replay(None) {
            Ok(_) => assert_eq!((ply, why), (0, ""), "{text}"),
            Err(error) => {
                assert_eq!(error.ply, ply, "{text}: {error}");
                assert!(error.reason.to_string().contains(why), "{text}: {error}");
            }
        }
    }
    for nonsense in ["", "hello", "{", "[]", "game: chess", "Black: ABBC\nBlue: AAAA"] {
        assert!(records::read(nonsense, None, None).is_err(), "{nonsense}");
    }
}

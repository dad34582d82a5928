//! Random games with all that the rules say of them, a line of JSON each, for
//! another program to check: `playthroughs GAME COUNT`.
//!
//! `moves` are the codes of the moves played; `legal` has the codes of the legal
//! moves before each of them, and `movers` who moved (0 is First). `result` is
//! First's, 1, 0 or -1, and `lead` what First counted more than Second.

use std::io::{BufWriter, Write};

use games::connect_four::ConnectFour;
use games::dots_and_boxes::DotsAndBoxes;
use games::{Game, MoveList, Rng};

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, count] = arguments.as_slice() else { panic!("playthroughs GAME COUNT") };
    let count = count.parse().expect("a number of games");
    match game.as_str() {
        "connect-four" => write::<ConnectFour<u64>>(count),
        "dots-and-boxes" => write::<DotsAndBoxes>(count),
        _ => panic!("there is no game {game} here"),
    }
}

fn write<G: Game>(count: u64) -> std::io::Result<()> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for seed in 0..count {
        let mut rng = Rng::seeded(seed);
        let mut game = G::start(&G::Setup::default()).expect("the usual board is one");
        let (mut moves, mut movers, mut legal) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(mv) = game.random_move(&mut rng) {
            let mut list = MoveList::new();
            game.moves(&mut list);
            let mut codes: Vec<u16> = list.into_iter().map(Into::into).collect();
            codes.sort_unstable();
            legal.push(codes);
            movers.push(game.to_move() as u8);
            moves.push(mv.into());
            game.play(mv);
        }
        let moves: Vec<u16> = moves;
        let winner = game.outcome().expect("no move is left").winner;
        let result = winner.map_or(0, |player| player.sign());
        let lead = game.lead();
        writeln!(
            out,
            r#"{{"moves":{moves:?},"movers":{movers:?},"legal":{legal:?},"result":{result},"lead":{lead}}}"#
        )?;
    }
    out.flush()
}

//! `boyi play` without a game: offers one in the terminal.

use std::io::Write;

use session::GameSpec;

use crate::language::Language;
use crate::position::print_line;
use crate::verbs::play;

/// Asks which game, and plays it against the best engine.
pub fn run() -> anyhow::Result<()> {
    let language = Language::of_user();
    let games = GameSpec::all();
    print_line(language.pick(
        "Boyi: three board games. 'boyi --help' shows everything else.\n",
        "博弈：三种棋。其余功能见 boyi --help。\n",
    ))?;
    for (i, game) in games.iter().enumerate() {
        print_line(format!("  {}  {}", i + 1, language.pick(game.name(), game.row().title.zh)))?;
    }
    loop {
        print!("{}", language.pick("Which game (1-3, or q)? ", "选哪一种（1-3，q 退出）？"));
        std::io::stdout().flush()?;
        let mut line = String::new();
        if std::io::stdin().read_line(&mut line)? == 0 {
            return print_line("");
        }
        match line.trim() {
            "" => continue,
            "q" | "quit" | "exit" => return Ok(()),
            text => match text.parse::<usize>().ok().and_then(|n| games.get(n.wrapping_sub(1))) {
                Some(game) => return play::against_best(game),
                None => match text.parse::<GameSpec>() {
                    Ok(game) => return play::against_best(&game),
                    Err(error) => print_line(error)?,
                },
            },
        }
    }
}

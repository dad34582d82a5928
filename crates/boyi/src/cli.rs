//! The verbs and what they share.

use clap::{Parser, Subcommand};

use crate::verbs;

/// Boyi (博弈): Surakarta, Dots and Boxes and Connect Four.
///
/// Without a command it serves the board for a browser.
#[derive(Parser)]
#[command(name = "boyi", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,
}

const EXAMPLES: &str = "\
A GAME is one quoted phrase: surakarta, 'dots-and-boxes 5x5', 'connect-four 11x10 hole=3,4'.

Examples:
  boyi                                        open the board in the browser
  boyi games                                  which games there are, and their setups
  boyi show connect-four --moves 4435         draw the board after some moves
  boyi perft surakarta 5                      count move sequences
  boyi play 'dots-and-boxes 3x3'              play against the best engine
  boyi engine --game surakarta                play for another program, in its protocol
  boyi export sau DIR                         engines for the contest platform
  boyi record check FILE                      is a contest's record legal, and if not, why
";

#[derive(Subcommand)]
enum Verb {
    Serve(verbs::serve::Arguments),
    Store(verbs::store::Arguments),
    Games(verbs::games::Arguments),
    Show(verbs::show::Arguments),
    Moves(verbs::moves::Arguments),
    Perft(verbs::perft::Arguments),
    Play(verbs::play::Arguments),
    Engines(verbs::engines::Arguments),
    Eval(verbs::eval::Arguments),
    Analyse(verbs::analyse::Arguments),
    Match(Box<verbs::match_cmd::Arguments>),
    Tune(Box<verbs::tune::Arguments>),
    Event(verbs::event::Arguments),
    Reproduce(verbs::reproduce::Arguments),
    Solve(verbs::solve::Arguments),
    Atlas(verbs::atlas::Arguments),
    Tables(verbs::tables::Arguments),
    Book(verbs::book::Arguments),
    Train(Box<verbs::train::Arguments>),
    Nnue(verbs::nnue::Arguments),
    Fleet(Box<verbs::fleet::Arguments>),
    Bench(verbs::bench::Arguments),
    Engine(verbs::engine::Arguments),
    Export(verbs::export::Arguments),
    Record(verbs::record::Arguments),
    Course(verbs::course::Arguments),
    CoursePlayer(verbs::course_player::Arguments),
}

impl Cli {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<()> {
        match self.verb {
            None => verbs::serve::Arguments::default().run(),
            Some(Verb::Serve(arguments)) => arguments.run(),
            Some(Verb::Store(arguments)) => arguments.run(),
            Some(Verb::Games(arguments)) => arguments.run(),
            Some(Verb::Show(arguments)) => arguments.run(),
            Some(Verb::Moves(arguments)) => arguments.run(),
            Some(Verb::Perft(arguments)) => arguments.run(),
            Some(Verb::Play(arguments)) => arguments.run(),
            Some(Verb::Engines(arguments)) => arguments.run(),
            Some(Verb::Eval(arguments)) => arguments.run(),
            Some(Verb::Analyse(arguments)) => arguments.run(),
            Some(Verb::Match(arguments)) => arguments.run(),
            Some(Verb::Tune(arguments)) => arguments.run(),
            Some(Verb::Event(arguments)) => arguments.run(),
            Some(Verb::Reproduce(arguments)) => arguments.run(),
            Some(Verb::Solve(arguments)) => arguments.run(),
            Some(Verb::Atlas(arguments)) => arguments.run(),
            Some(Verb::Tables(arguments)) => arguments.run(),
            Some(Verb::Book(arguments)) => arguments.run(),
            Some(Verb::Train(arguments)) => arguments.run(),
            Some(Verb::Nnue(arguments)) => arguments.run(),
            Some(Verb::Fleet(arguments)) => arguments.run(),
            Some(Verb::Bench(arguments)) => arguments.run(),
            Some(Verb::Engine(arguments)) => arguments.run(),
            Some(Verb::Export(arguments)) => arguments.run(),
            Some(Verb::Record(arguments)) => arguments.run(),
            Some(Verb::Course(arguments)) => arguments.run(),
            Some(Verb::CoursePlayer(arguments)) => arguments.run(),
        }
    }
}

//! Builds the Connect Four opening book, or goes on with one that was begun:
//!
//! ```text
//! cargo run --release -p exact --example connect_four_book -- FILE [PLIES [MEGABYTES [THREADS]]]
//! ```
//!
//! The file is written anew every few seconds (beside the old one, then moved
//! over it), so a build may be interrupted at any moment.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use exact::connect_four::{Book, Solver, Standard};

fn save(path: &Path, book: &Book<Standard>) -> std::io::Result<()> {
    let beside = path.with_extension("new");
    std::fs::write(&beside, book.to_bytes())?;
    std::fs::rename(beside, path)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let path = Path::new(args.first().ok_or("which file?")?);
    let number = |index: usize, or: usize| args.get(index).map_or(Ok(or), |text| text.parse());
    let (plies, megabytes, threads) = (number(1, 8)?, number(2, 1024)?, number(3, 1)?);

    let mut book = Book::new(Standard, plies.try_into()?);
    if path.exists() {
        let old = Book::from_bytes(Standard, &std::fs::read(path)?)?;
        if old.plies() != book.plies() {
            return Err(format!("the file holds a book of {} plies", old.plies()).into());
        }
        println!("going on with {} entries", old.len());
        book = old;
    }
    let mut solver = Solver::new(megabytes, threads);
    let start = Instant::now();
    let (mut shown, mut saved) = (start, book.len());
    book.build(&mut solver, &mut |book, progress| {
        if shown.elapsed() > Duration::from_secs(5) {
            shown = Instant::now();
            let millions = progress.nodes / 1_000_000;
            println!(
                "{:>6.0} s  {} entries  {millions} M nodes",
                start.elapsed().as_secs_f64(),
                book.len()
            );
            if book.len() > saved {
                saved = book.len();
                if let Err(error) = save(path, book) {
                    eprintln!("{}: {error}", path.display());
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    });
    save(path, &book)?;
    println!("{} entries, {} bytes, {} nodes", book.len(), book.to_bytes().len(), solver.nodes());
    Ok(())
}

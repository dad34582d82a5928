//! `boyi serve`, and `boyi` alone: the board in the browser.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::bail;
use clap::Args;
use session::machine::{free_megabytes, require_memory};
use web::{Options, Server};

use crate::language::Language;
use crate::position::print_line;

/// Serve the board for a browser
#[derive(Args, Default)]
#[command(after_help = "\
Examples:
  boyi serve
  boyi serve --bind 127.0.0.1:9000 --no-open
  boyi serve --matches results                shows the matches and reports in that folder
  boyi serve --bind 0.0.0.0:8000              for a classroom; prints a link with a token for
                                              the class, and one for you
")]
pub struct Arguments {
    /// The address to listen on; other addresses than loopback require a token
    #[arg(long, value_name = "ADDR:PORT")]
    bind: Option<SocketAddr>,

    /// Do not open the browser
    #[arg(long)]
    no_open: bool,

    /// The file that stores the games
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,

    /// The folder whose matches and reports are shown; this one by default
    #[arg(long, value_name = "DIR")]
    matches: Option<PathBuf>,

    /// The folder of contest days (boyi event); beside the games by default
    #[arg(long, value_name = "DIR")]
    events: Option<PathBuf>,

    /// Concurrent searches; one per core by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    slots: Option<u16>,

    /// Megabytes of memory for all engines together; by default 1024, or three quarters of
    /// what is free if that is less
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(LEAST_MEMORY as i64..=1_048_576))]
    memory: Option<u32>,
}

/// Megabytes with which an engine can play.
const LEAST_MEMORY: u64 = 64;

/// The default address.
const PORT: u16 = 8611;

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        let mut options = Options::local(PORT);
        if let Some(bind) = self.bind {
            options.bind = bind;
        }
        if let Some(slots) = self.slots {
            options.slots = slots.into();
        }
        match self.memory {
            Some(memory) => {
                require_memory("all engines together", memory.into())?;
                options.memory = memory.into();
            }
            None => {
                let free = free_megabytes().unwrap_or(u64::MAX);
                options.memory = options.memory.min(free / 4 * 3).max(LEAST_MEMORY);
            }
        }
        if !options.bind.ip().is_loopback() {
            // Twenty people share the machine: a search gets one thread.
            options.threads = 1;
        }
        if let Some(folder) = self.matches.as_ref().filter(|folder| !folder.is_dir()) {
            bail!("--matches {} is no folder", folder.display());
        }
        options.matches = Some(self.matches.unwrap_or_else(|| PathBuf::from(".")));
        options.data = Some(match self.data {
            Some(path) => path,
            None => default_store()?,
        });
        let beside = options.data.as_ref().map(|data| data.with_file_name("events"));
        options.events = self.events.or(beside);
        let runtime = tokio::runtime::Runtime::new()?;
        runtime.block_on(async {
            let server = match Server::start(&options).await {
                // Another program has our port (the games are ours alone, see
                // `web::store`): any other will do, unless the user asked for
                // this one.
                Err(web::StartError::Address(..)) if self.bind.is_none() => {
                    options.bind.set_port(0);
                    Server::start(&options).await?
                }
                server => server?,
            };
            // Asked once, so that the handler is there before the board is announced.
            let mut interrupt = std::pin::pin!(tokio::signal::ctrl_c());
            tokio::select! {
                biased;
                _ = &mut interrupt => return Ok(()),
                () = std::future::ready(()) => {}
            }
            let language = Language::of_user();
            let at = language.pick("The board is at", "棋盘在");
            let end =
                language.pick("Ctrl-C ends it; no game is lost.", "按 Ctrl-C 结束，棋局不会丢失。");
            // A program that reads only the first line still finds the board.
            let _ = print_line(format!("{at} {}", server.link()));
            let or = language.pick("or at", "或在");
            for link in &server.links()[1..] {
                let _ = print_line(format!("{or} {link}"));
            }
            let own = server.operator_link();
            if let Some(link) = own {
                let text = language.pick(
                    "Your own link, with which every game can be changed:",
                    "您自己的链接（可以改动所有对局）：",
                );
                let _ = print_line(format!("{text} {link}"));
            }
            let _ = print_line(end);
            if !self.no_open {
                open_browser(own.unwrap_or(server.link()));
            }
            tokio::select! {
                () = server.run() => {}
                _ = &mut interrupt => {}
            }
            Ok::<(), anyhow::Error>(())
        })?;
        // The games are closed when the runtime has ended.
        runtime.shutdown_timeout(std::time::Duration::from_secs(2));
        std::process::exit(130)
    }
}

/// The user's own file for games.
pub fn default_store() -> anyhow::Result<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let base = variable("XDG_DATA_HOME")
        .or_else(|| variable("LOCALAPPDATA"))
        .map(PathBuf::from)
        .or_else(|| variable("HOME").map(|home| PathBuf::from(home).join(".local/share")));
    let folder = base.map_or_else(|| PathBuf::from("."), |base| base.join("boyi"));
    std::fs::create_dir_all(&folder)?;
    Ok(folder.join("games.sqlite"))
}

/// Opens the user's browser where there is one; the link was printed anyway.
fn open_browser(link: &str) {
    let mut command = if cfg!(target_os = "windows") {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]);
        command
    } else if cfg!(target_os = "macos") {
        Command::new("open")
    } else if std::env::var_os("DISPLAY").is_some() || std::env::var_os("WAYLAND_DISPLAY").is_some()
    {
        Command::new("xdg-open")
    } else {
        return;
    };
    let quiet = command.arg(link).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = quiet.spawn();
}

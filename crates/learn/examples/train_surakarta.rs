//! Trains Surakarta without the command line's many parts: for experiments with
//! settings. `train_surakarta DIR MINUTES [JSON PATCH]`, or `--resume DIR`.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use games::Game;
use games::surakarta::Surakarta;
use learn::train::{Folder, Settings, Trainer, run};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let start = Surakarta::start(&Default::default())?;
    let mut trainer = if words[0] == "--resume" {
        let (folder, _, settings) = Folder::open(Path::new(&words[1]))?;
        Trainer::resume(folder, start, settings)?
    } else {
        let mut chosen = serde_json::to_value(Settings::default())?;
        chosen["minutes"] = words[1].parse::<f64>()?.into();
        for change in &words[2..] {
            let (name, value) = change.split_once('=').ok_or("write name=value")?;
            let place = name.split('.').try_fold(&mut chosen, |value, name| value.get_mut(name));
            *place.ok_or(name)? = serde_json::from_str(value)?;
        }
        let settings: Settings = serde_json::from_value(chosen)?;
        let folder = Folder::create(Path::new(&words[0]), "surakarta", &settings)?;
        Trainer::begin(folder, start, settings)?
    };
    let stop = AtomicBool::new(false);
    run(&mut trainer, &stop, &mut |line| println!("{line}"))?;
    Ok(())
}

//! All tables of one stall rule: building, opening, probing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use files::{FileLock, LockError};
use games::surakarta::Stall;
use games::surakarta::geometry::POINTS;

use super::class::{Class, Material, Placement};
use super::file::{self, FileError, TableFile};
use super::parallel::Workers;
use super::retrograde::{Pair, SmallerTables};
use super::subsets::{CHOOSE, MOST, Orbits};
use super::value::{Value, byte};

/// The most pieces for which tables can be built.
pub const MOST_PIECES: usize = MOST + 1;

/// How hard the tables that come with the program are compressed, and over what
/// distance (two to this power).
const PACK_LEVEL: i32 = 19;
const PACK_WINDOW: u32 = 25;

/// Endgame tables for one stall rule, up to some number of pieces.
pub struct Tables {
    stall: Stall,
    pieces: usize,
    orbits: Vec<Arc<Orbits>>,
    /// By the mover's and the other side's number of pieces.
    tables: Vec<Vec<Option<(Class, TableFile)>>>,
}

/// Progress of a build.
#[derive(Clone, Copy, Debug)]
pub struct BuildProgress {
    /// The material under work, with the side that has more pieces to move.
    pub material: Material,
    /// Placements of both its classes, folded.
    pub placements: usize,
    /// Whether it was found on disk.
    pub found: bool,
    /// Whether it is done.
    pub done: bool,
}

/// How a build ended.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A file could not be written or read.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another process builds tables in the folder.
    #[error("{0} is in use: {1}; wait until it has finished, or name another folder")]
    Locked(String, LockError),
    /// It was stopped. Finished tables stay and are found again.
    #[error("stopped; finished tables are kept, and the same command continues")]
    Stopped,
}

impl Tables {
    /// No tables yet.
    fn empty(stall: Stall) -> Tables {
        let tables = (0..=MOST).map(|_| (0..=MOST).map(|_| None).collect()).collect();
        Tables { stall, pieces: 1, orbits: vec![Arc::new(Orbits::of(0))], tables }
    }

    /// Opens the tables in a folder, as many numbers of pieces as are complete,
    /// at most `pieces`. A damaged file is an error.
    pub fn open(folder: &Path, stall: Stall, pieces: usize) -> Result<Tables, FileError> {
        let mut tables = Tables::empty(stall);
        for total in 2..=pieces.min(MOST_PIECES) {
            for material in materials(total) {
                if !tables.load(folder, material)? {
                    return Ok(tables);
                }
            }
            tables.pieces = total;
        }
        Ok(tables)
    }

    /// Builds whatever is missing in a folder, up to `pieces` pieces. One process at a
    /// time builds in a folder.
    pub fn build(
        folder: &Path,
        stall: Stall,
        pieces: usize,
        workers: &Workers,
        mut on_progress: impl FnMut(BuildProgress),
    ) -> Result<Tables, BuildError> {
        let place = folder.display().to_string();
        let io = |error| FileError::Io { path: place.clone(), error };
        std::fs::create_dir_all(folder).map_err(io)?;
        let _lock = FileLock::acquire(&folder.join("tables")).map_err(|error| match error {
            LockError::Held(_) => BuildError::Locked(place.clone(), error),
            LockError::Io(path, error) => {
                FileError::Io { path: path.display().to_string(), error }.into()
            }
        })?;
        files::remove_partial(folder).map_err(io)?;
        let mut tables = Tables::empty(stall);
        for total in 2..=pieces.min(MOST_PIECES) {
            for material in materials(total).filter(|material| material.mover >= material.other) {
                let pair = pair_of(material);
                let missing = pair
                    .iter()
                    .map(|&one| tables.load(folder, one))
                    .collect::<Result<Vec<_>, _>>()?;
                let classes: Vec<Class> = pair.iter().map(|&one| tables.class(one)).collect();
                let placements = classes.iter().map(Class::len).sum();
                let found = missing.iter().all(|&loaded| loaded);
                on_progress(BuildProgress { material, placements, found, done: found });
                if found {
                    continue;
                }
                let bytes =
                    Pair::solve(&classes, stall, &tables, workers).ok_or(BuildError::Stopped)?;
                for (&material, bytes) in pair.iter().zip(&bytes) {
                    file::write(folder, stall, material, bytes)?;
                    tables.load(folder, material)?;
                }
                on_progress(BuildProgress { material, placements, found, done: true });
            }
            tables.pieces = total;
        }
        Ok(tables)
    }

    /// All tables up to so many pieces as one compressed text of bytes, the form in
    /// which they come with the program; see [`Tables::unpack`].
    pub fn pack(&self, pieces: usize) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        for (class, values) in self.each() {
            if class.material.pieces() <= pieces {
                bytes.extend(values);
            }
        }
        let mut packed = zstd::bulk::Compressor::new(PACK_LEVEL)?;
        packed.include_checksum(true)?;
        packed.window_log(PACK_WINDOW)?;
        packed.compress(&bytes)
    }

    /// The tables up to so many pieces in memory; `None` if these are not the bytes
    /// that [`Tables::pack`] makes of them.
    pub fn unpack(packed: &[u8], stall: Stall, pieces: usize) -> Option<Tables> {
        let mut tables = Tables::empty(stall);
        let all = || (2..=pieces.min(MOST_PIECES)).flat_map(materials);
        let len = all().map(|material| tables.class(material).len()).sum();
        let bytes = zstd::bulk::decompress(packed, len).ok().filter(|bytes| bytes.len() == len)?;
        let mut rest = &bytes[..];
        for material in all() {
            let class = tables.class(material);
            let (values, behind) = rest.split_at(class.len());
            rest = behind;
            let Material { mover, other } = material;
            tables.tables[mover][other] = Some((class, TableFile::of_bytes(values)));
        }
        tables.pieces = pieces;
        Some(tables)
    }

    /// The stall rule that these tables were built for.
    pub fn stall(&self) -> Stall {
        self.stall
    }

    /// Placements with at most so many pieces are known.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// The value of a placement, if it has few enough pieces.
    pub fn value(&self, placement: Placement) -> Option<Value> {
        let (mover, other) =
            (placement.mover.count_ones() as usize, placement.other.count_ones() as usize);
        if mover == 0 || other == 0 || mover + other > self.pieces {
            return None;
        }
        byte::value(self.stored(placement)?)
    }

    /// Every class with its bytes, in the order in which they are built.
    pub fn each(&self) -> impl Iterator<Item = (&Class, Vec<u8>)> {
        (2..=self.pieces)
            .flat_map(materials)
            .filter_map(|material| self.tables[material.mover][material.other].as_ref())
            .map(|(class, table)| (class, table.to_vec()))
    }

    /// The byte of a placement; `None` if its file has lost it.
    fn stored(&self, placement: Placement) -> Option<u8> {
        let (mover, other) =
            (placement.mover.count_ones() as usize, placement.other.count_ones() as usize);
        let (class, table) = self.tables[mover][other].as_ref().expect("smaller tables come first");
        table.byte(class.number(placement).0)
    }

    fn class(&mut self, material: Material) -> Class {
        let large = material.mover.max(material.other);
        while self.orbits.len() <= large {
            self.orbits.push(Arc::new(Orbits::of(self.orbits.len())));
        }
        Class::new(material, self.orbits[large].clone())
    }

    /// Opens one table if it is there and not yet open.
    fn load(&mut self, folder: &Path, material: Material) -> Result<bool, FileError> {
        let Material { mover, other } = material;
        if self.tables[mover][other].is_none() {
            let class = self.class(material);
            let table = TableFile::open(folder, self.stall, material, class.len())?;
            self.tables[mover][other] = table.map(|table| (class, table));
        }
        Ok(self.tables[mover][other].is_some())
    }
}

impl SmallerTables for Tables {
    fn byte(&self, placement: Placement) -> u8 {
        self.stored(placement).expect("another program made a table shorter while it was in use")
    }
}

/// Every material with so many pieces in all.
fn materials(total: usize) -> impl Iterator<Item = Material> {
    (1..total).map(move |mover| Material { mover, other: total - mover })
}

/// A material and its turned one; one of them if they are the same.
fn pair_of(material: Material) -> Vec<Material> {
    if material == material.turned() { vec![material] } else { vec![material, material.turned()] }
}

/// Bytes of memory that a build up to `pieces` pieces needs at its worst, and
/// bytes of disk for all its tables. An estimate from the counts of placements,
/// divided by eight for the symmetries.
pub fn estimate(pieces: usize) -> (u64, u64) {
    let folded = |material: Material| {
        let (a, b) = (material.mover, material.other);
        u64::from(CHOOSE[POINTS][a]) * u64::from(CHOOSE[POINTS - a][b]) / 8
    };
    let disk: u64 = (2..=pieces).flat_map(materials).map(folded).sum();
    let largest = materials(pieces)
        .map(|material| pair_of(material).into_iter().map(folded).sum::<u64>())
        .max()
        .unwrap_or(0);
    let orbits: u64 = (1..pieces).map(|size| 4 * u64::from(CHOOSE[POINTS][size.min(MOST)])).sum();
    // Two bytes and a bit for each placement under work, and the smaller tables
    // mapped.
    (largest * 17 / 8 + disk - materials(pieces).map(folded).sum::<u64>() + orbits, disk)
}

/// The default folder of the tables: `BOYI_TABLES`; else `tables` below the working
/// folder, if there is one; else `tables` beside the program, if there is one.
pub fn default_folder() -> PathBuf {
    if let Some(folder) = std::env::var_os("BOYI_TABLES") {
        return folder.into();
    }
    let here = PathBuf::from("tables");
    let program = std::env::current_exe().ok();
    let beside = program.and_then(|program| Some(program.parent()?.join("tables")));
    match beside {
        Some(beside) if !here.is_dir() && beside.is_dir() => beside,
        _ => here,
    }
}

//! A disk that fails when a test wants it to.
//!
//! SQLite reaches files through a table of functions, its VFS. [`DiskFaults`] puts
//! one in front of the system's for the whole process; it counts the writes,
//! truncations and syncs of the files in a folder and lets one of them fail: the
//! disk is full, the write fails, or half of it arrives. Files elsewhere are not
//! touched. It is compiled for tests alone (feature `faults`).
//!
//! See <https://www.sqlite.org/vfs.html> for what each function promises.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rusqlite::ffi;

/// What happens to an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum DiskFault {
    /// No space is left; nothing is written.
    Full = 0,
    /// The device fails; nothing is written.
    Error = 1,
    /// The device fails when half of the bytes are written.
    Torn = 2,
}

impl DiskFault {
    /// All of them.
    pub const ALL: [DiskFault; 3] = [DiskFault::Full, DiskFault::Error, DiskFault::Torn];
}

const NEVER: u64 = u64::MAX;

#[derive(Debug)]
struct State {
    folder: PathBuf,
    operations: AtomicU64,
    injected: AtomicU64,
    fail_at: AtomicU64,
    fault: AtomicU8,
    lasts: AtomicBool,
}

impl State {
    /// Counts an operation and says what happens to it.
    fn next(&self) -> Option<DiskFault> {
        let number = self.operations.fetch_add(1, SeqCst) + 1;
        let fail_at = self.fail_at.load(SeqCst);
        if number != fail_at && !(number > fail_at && self.lasts.load(SeqCst)) {
            return None;
        }
        self.injected.fetch_add(1, SeqCst);
        Some(DiskFault::ALL[usize::from(self.fault.load(SeqCst))])
    }
}

/// The faults of one folder.
#[derive(Clone, Debug)]
pub struct DiskFaults(Arc<State>);

/// The folders that are watched.
static FOLDERS: Mutex<Vec<Arc<State>>> = Mutex::new(Vec::new());

impl DiskFaults {
    /// Watches the files that are opened in a folder from now on.
    ///
    /// # Panics
    ///
    /// If the folder does not exist or SQLite has no VFS.
    pub fn watch(folder: &Path) -> DiskFaults {
        install();
        let folder = folder.canonicalize().expect("the folder exists");
        let state = Arc::new(State {
            folder,
            operations: AtomicU64::new(0),
            injected: AtomicU64::new(0),
            fail_at: AtomicU64::new(NEVER),
            fault: AtomicU8::new(0),
            lasts: AtomicBool::new(false),
        });
        FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&state));
        DiskFaults(state)
    }

    /// Lets the `at`-th operation from now on fail, the first being 1, and if the
    /// fault lasts all after it.
    pub fn arm(&self, at: u64, fault: DiskFault, lasts: bool) {
        self.0.fail_at.store(NEVER, SeqCst);
        self.0.operations.store(0, SeqCst);
        self.0.fault.store(fault as u8, SeqCst);
        self.0.lasts.store(lasts, SeqCst);
        self.0.fail_at.store(at, SeqCst);
    }

    /// Ends all faults.
    pub fn heal(&self) {
        self.0.fail_at.store(NEVER, SeqCst);
    }

    /// How many operations failed so far.
    pub fn injected(&self) -> u64 {
        self.0.injected.load(SeqCst)
    }
}

/// A file of ours, followed in memory by the system's own.
#[repr(C)]
struct File {
    base: ffi::sqlite3_file,
    /// The folder's state, from `Arc::into_raw`; null for other files.
    state: *const State,
}

/// The system's VFS and ours.
struct Registered {
    system: *mut ffi::sqlite3_vfs,
    _ours: Box<ffi::sqlite3_vfs>,
}

// SAFETY: both are written once, before they are shared, and SQLite itself uses
// them from all threads.
unsafe impl Send for Registered {}
// SAFETY: as above.
unsafe impl Sync for Registered {}

static REGISTERED: OnceLock<Registered> = OnceLock::new();

fn install() {
    REGISTERED.get_or_init(|| {
        // SAFETY: SQLite's own table is valid for the life of the process and is
        // only copied. The copy is on the heap, is never freed, and has the same
        // functions but for `xOpen`.
        unsafe {
            let system = ffi::sqlite3_vfs_find(std::ptr::null());
            assert!(!system.is_null(), "SQLite has a VFS");
            let mut ours = Box::new(*system);
            ours.zName = c"boyi-faults".as_ptr();
            ours.pNext = std::ptr::null_mut();
            ours.szOsFile = size_of::<File>() as c_int + (*system).szOsFile;
            ours.xOpen = Some(open);
            assert_eq!(ffi::sqlite3_vfs_register(&raw mut *ours, 1), ffi::SQLITE_OK);
            Registered { system, _ours: ours }
        }
    });
}

static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    // 2: shared memory for the log, but no mapped pages.
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

/// The system's file behind one of ours.
///
/// # Safety
///
/// `file` was opened by [`open`].
unsafe fn behind(file: *mut ffi::sqlite3_file) -> *mut ffi::sqlite3_file {
    // SAFETY: `szOsFile` asked for both, one after the other.
    unsafe { file.cast::<File>().add(1).cast() }
}

/// What happens to the next operation on a file.
///
/// # Safety
///
/// `file` was opened by [`open`].
unsafe fn fault(file: *mut ffi::sqlite3_file) -> Option<DiskFault> {
    // SAFETY: the state lives until the file is closed.
    unsafe { (*file.cast::<File>()).state.as_ref()?.next() }
}

/// Calls the system's function of the same name.
macro_rules! system {
    ($file:expr, $name:ident $(, $argument:expr)*) => {{
        // SAFETY: SQLite calls these functions with files that `open` has opened,
        // and whatever it may pass to ours it may pass to the system's.
        unsafe {
            let file = behind($file);
            let methods = &*(*file).pMethods;
            (methods.$name.expect("the system's files have every function"))(file $(, $argument)*)
        }
    }};
}

unsafe extern "C" fn open(
    _: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    let Some(Registered { system, .. }) = REGISTERED.get() else { return ffi::SQLITE_CANTOPEN };
    // SAFETY: SQLite gives `szOsFile` bytes at `file` and a name that ends in zero
    // or is null; the system's function is called with the system's own table.
    unsafe {
        let ours = file.cast::<File>();
        (*ours).base.pMethods = std::ptr::null();
        (*ours).state = std::ptr::null();
        let open = (**system).xOpen.expect("a VFS opens files");
        let result = open(*system, name, behind(file), flags, out_flags);
        if result != ffi::SQLITE_OK || (*behind(file)).pMethods.is_null() {
            return result;
        }
        (*ours).base.pMethods = &raw const METHODS;
        if !name.is_null() {
            (*ours).state = watching(CStr::from_ptr(name));
        }
        result
    }
}

/// The state of the watched folder that a file lies in, or null.
fn watching(name: &CStr) -> *const State {
    let Ok(name) = name.to_str() else { return std::ptr::null() };
    let path = Path::new(name);
    let folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    let found = folders.iter().find(|state| path.starts_with(&state.folder));
    found.map_or(std::ptr::null(), |state| Arc::into_raw(Arc::clone(state)))
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    let result = system!(file, xClose);
    // SAFETY: the pointer is null or from `Arc::into_raw`, and is given up here.
    unsafe {
        let ours = file.cast::<File>();
        let state = std::mem::replace(&mut (*ours).state, std::ptr::null());
        if !state.is_null() {
            drop(Arc::from_raw(state));
        }
    }
    result
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    bytes: *const c_void,
    length: c_int,
    at: ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: the file is open.
    match unsafe { fault(file) } {
        None => system!(file, xWrite, bytes, length, at),
        Some(DiskFault::Full) => ffi::SQLITE_FULL,
        Some(DiskFault::Error) => ffi::SQLITE_IOERR_WRITE,
        Some(DiskFault::Torn) => {
            system!(file, xWrite, bytes, length / 2, at);
            ffi::SQLITE_IOERR_WRITE
        }
    }
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, size: ffi::sqlite3_int64) -> c_int {
    // SAFETY: the file is open.
    match unsafe { fault(file) } {
        None => system!(file, xTruncate, size),
        Some(_) => ffi::SQLITE_IOERR_TRUNCATE,
    }
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, flags: c_int) -> c_int {
    // SAFETY: the file is open.
    match unsafe { fault(file) } {
        None => system!(file, xSync, flags),
        Some(_) => ffi::SQLITE_IOERR_FSYNC,
    }
}

unsafe extern "C" fn read(
    file: *mut ffi::sqlite3_file,
    bytes: *mut c_void,
    length: c_int,
    at: ffi::sqlite3_int64,
) -> c_int {
    system!(file, xRead, bytes, length, at)
}

unsafe extern "C" fn file_size(
    file: *mut ffi::sqlite3_file,
    size: *mut ffi::sqlite3_int64,
) -> c_int {
    system!(file, xFileSize, size)
}

unsafe extern "C" fn lock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    system!(file, xLock, level)
}

unsafe extern "C" fn unlock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    system!(file, xUnlock, level)
}

unsafe extern "C" fn check_reserved_lock(file: *mut ffi::sqlite3_file, held: *mut c_int) -> c_int {
    system!(file, xCheckReservedLock, held)
}

unsafe extern "C" fn file_control(
    file: *mut ffi::sqlite3_file,
    operation: c_int,
    argument: *mut c_void,
) -> c_int {
    system!(file, xFileControl, operation, argument)
}

unsafe extern "C" fn sector_size(file: *mut ffi::sqlite3_file) -> c_int {
    system!(file, xSectorSize)
}

unsafe extern "C" fn device_characteristics(file: *mut ffi::sqlite3_file) -> c_int {
    system!(file, xDeviceCharacteristics)
}

unsafe extern "C" fn shm_map(
    file: *mut ffi::sqlite3_file,
    page: c_int,
    size: c_int,
    extend: c_int,
    address: *mut *mut c_void,
) -> c_int {
    system!(file, xShmMap, page, size, extend, address)
}

unsafe extern "C" fn shm_lock(
    file: *mut ffi::sqlite3_file,
    offset: c_int,
    count: c_int,
    flags: c_int,
) -> c_int {
    system!(file, xShmLock, offset, count, flags)
}

unsafe extern "C" fn shm_barrier(file: *mut ffi::sqlite3_file) {
    system!(file, xShmBarrier)
}

unsafe extern "C" fn shm_unmap(file: *mut ffi::sqlite3_file, delete: c_int) -> c_int {
    system!(file, xShmUnmap, delete)
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::Fault;

    /// Opens a database and adds a row a transaction; gives how many were
    /// acknowledged.
    fn add_rows(path: &Path) -> rusqlite::Result<(i64, Option<rusqlite::Error>)> {
        let connection = Connection::open(path)?;
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "full")?;
        connection.execute_batch("CREATE TABLE IF NOT EXISTS a (b INTEGER PRIMARY KEY)")?;
        for row in 0..4 {
            if let Err(error) = connection.execute("INSERT INTO a VALUES (?1)", [row]) {
                return Ok((row, Some(error)));
            }
        }
        Ok((4, None))
    }

    #[test]
    fn every_operation_may_fail_and_no_acknowledged_row_is_lost() {
        let mut tried = 0;
        for fault in DiskFault::ALL {
            for lasts in [false, true] {
                for at in 1.. {
                    let folder = tempfile::tempdir().unwrap();
                    let faults = DiskFaults::watch(folder.path());
                    let path = folder.path().join("x.sqlite");
                    faults.arm(at, fault, lasts);
                    let acknowledged = add_rows(&path).map_or(0, |(rows, _)| rows);
                    let injected = faults.injected();
                    faults.heal();
                    let connection = Connection::open(&path).unwrap();
                    let rows = "SELECT count(*) FROM a";
                    let found: i64 = connection.query_row(rows, [], |row| row.get(0)).unwrap_or(0);
                    assert!(found >= acknowledged, "{fault:?} at {at}, lasting: {lasts}");
                    if injected == 0 {
                        break;
                    }
                    tried += 1;
                }
            }
        }
        assert!(tried > 60, "{tried} faults");
    }

    #[test]
    fn a_full_disk_says_so_and_other_folders_have_none() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let faults = DiskFaults::watch(folder.path());
        let path = folder.path().join("x.sqlite");
        assert_eq!(add_rows(&path).unwrap().0, 4);
        let connection = Connection::open(&path).unwrap();
        faults.arm(1, DiskFault::Full, true);
        let error = connection.execute("INSERT INTO a VALUES (9)", []).unwrap_err();
        assert_eq!(Fault::of(&error), Fault::Full);
        assert_eq!(add_rows(&other.path().join("x.sqlite")).unwrap().0, 4);
        faults.heal();
        connection.execute("INSERT INTO a VALUES (9)", []).unwrap();
    }
}

//! What an error of SQLite means for the user.

use rusqlite::{Error, ErrorCode};

/// An error of SQLite, by what can be done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No space is left.
    Full,
    /// The disk, the folder or the file can't be written to.
    ReadOnly,
    /// The disk fails to read or write.
    Disk,
    /// The file is not what SQLite wrote.
    Damaged,
    /// Another process holds the file.
    Busy,
    /// It took too long and was stopped ([`crate::limit_time`]).
    Stopped,
    /// Anything else: a mistake in the program.
    Other,
}

impl Fault {
    /// Which one an error is.
    pub fn of(error: &Error) -> Fault {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Fault::Full,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                Fault::ReadOnly
            }
            Some(ErrorCode::SystemIoFailure) => Fault::Disk,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Fault::Damaged,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Fault::Busy,
            Some(ErrorCode::OperationInterrupted) => Fault::Stopped,
            // Columns of another type than the program wrote.
            None => match error {
                Error::FromSqlConversionFailure(..)
                | Error::IntegralValueOutOfRange(..)
                | Error::InvalidColumnType(..)
                | Error::Utf8Error(..) => Fault::Damaged,
                _ => Fault::Other,
            },
            _ => Fault::Other,
        }
    }

    /// What to tell the user about an error, without naming the file: the sentence of
    /// its fault, else SQLite's own.
    pub fn explain(error: &Error) -> String {
        Fault::of(error).sentence().map_or_else(|| error.to_string(), str::to_owned)
    }

    /// What to tell the user, without naming the file.
    pub fn sentence(self) -> Option<&'static str> {
        Some(match self {
            Fault::Full => "the disk is full; make room and try again",
            Fault::ReadOnly => "the disk or the file is read-only; make it writable and try again",
            Fault::Disk => "the disk fails to read or write; copy the file to another disk",
            Fault::Damaged => "the file is damaged",
            Fault::Busy => "another process holds the file; try again when it has finished",
            Fault::Stopped => "the file takes too long to read",
            Fault::Other => return None,
        })
    }
}

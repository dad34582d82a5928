//! TensorBoard's event files, written by hand: a stream of records, each a length
//! and a payload with masked CRC-32C sums, the payload a small protocol buffer.
//!
//! The few fields used are `Event { 1: double wall_time, 2: int64 step, 3: string
//! file_version, 5: Summary }`, `Summary { 1: repeated Value }` and
//! `Value { 1: string tag, 2: float simple_value }`.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// An event file being written.
pub(super) struct Events {
    file: File,
}

impl Events {
    /// Begins an event file in a folder; TensorBoard reads all of a folder.
    pub fn create(folder: &Path) -> io::Result<Events> {
        let now = now();
        let name = format!("events.out.tfevents.{:.0}.boyi.{}", now, std::process::id());
        let file = OpenOptions::new().create(true).append(true).open(folder.join(name))?;
        let mut events = Events { file };
        let mut event = Vec::new();
        double(&mut event, 1, now);
        bytes(&mut event, 3, b"brain.Event:2");
        events.record(&event)?;
        Ok(events)
    }

    /// Writes numbers at a step.
    pub fn write(&mut self, step: u64, numbers: &[(&str, f64)]) -> io::Result<()> {
        let mut event = Vec::new();
        double(&mut event, 1, now());
        tag(&mut event, 2, 0);
        varint(&mut event, step);
        let mut summary = Vec::new();
        for (name, number) in numbers {
            let mut value = Vec::new();
            bytes(&mut value, 1, name.as_bytes());
            tag(&mut value, 2, 5);
            value.extend((*number as f32).to_le_bytes());
            bytes(&mut summary, 1, &value);
        }
        bytes(&mut event, 5, &summary);
        self.record(&event)
    }

    fn record(&mut self, payload: &[u8]) -> io::Result<()> {
        self.file.write_all(&framed(payload))
    }
}

/// Length, its sum, payload, its sum.
fn framed(payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u64).to_le_bytes();
    let mut record = length.to_vec();
    record.extend(masked(&length).to_le_bytes());
    record.extend(payload);
    record.extend(masked(payload).to_le_bytes());
    record
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

fn tag(out: &mut Vec<u8>, field: u64, kind: u64) {
    varint(out, field << 3 | kind);
}

fn varint(out: &mut Vec<u8>, mut n: u64) {
    while n >= 128 {
        out.push(n as u8 | 128);
        n >>= 7;
    }
    out.push(n as u8);
}

fn double(out: &mut Vec<u8>, field: u64, x: f64) {
    tag(out, field, 1);
    out.extend(x.to_le_bytes());
}

fn bytes(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    tag(out, field, 2);
    varint(out, bytes.len() as u64);
    out.extend(bytes);
}

/// The sum as these files have it: turned and shifted, so that a sum over data
/// that holds sums stays good.
fn masked(data: &[u8]) -> u32 {
    crc32c(data).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// Castagnoli's sum, bit by bit: a few hundred bytes a minute.
fn crc32c(data: &[u8]) -> u32 {
    !data.iter().fold(!0, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| {
            (sum >> 1) ^ (0x82f6_3b78 & (sum & 1).wrapping_neg())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_castagnolis() {
        // The check value of the polynomial, and RFC 3720's row of noughts.
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
    }

    #[test]
    fn a_record_is_framed_as_tensorboard_reads_it() {
        let mut payload = Vec::new();
        bytes(&mut payload, 3, b"brain.Event:2");
        let record = framed(&payload);
        assert_eq!(record[..8], 15u64.to_le_bytes());
        assert_eq!(record.len(), 8 + 4 + 15 + 4);
        assert_eq!(record[12..27], *b"\x1a\x0dbrain.Event:2");
        let sum = u32::from_le_bytes(record[27..].try_into().unwrap());
        let turned = sum.wrapping_sub(0xa282_ead8).rotate_left(15);
        assert_eq!(turned, crc32c(&payload));
    }
}

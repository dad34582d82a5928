//! TensorBoard's event files: a stream of records, each a length and a payload
//! with masked CRC-32C checksums, the payload a small protocol buffer. Three
//! messages of it are used, which a protobuf library would not make shorter.
//!
//! The few fields used are `Event { 1: double wall_time, 2: int64 step, 3: string
//! file_version, 5: Summary }`, `Summary { 1: repeated Value }` and
//! `Value { 1: string tag, 2: float simple_value }`.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::varint;

/// An event file being written.
pub(super) struct Events {
    file: File,
}

impl Events {
    /// Creates an event file in a folder; TensorBoard reads all of a folder.
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

    /// Writes scalars at a step.
    pub fn write(&mut self, step: u64, scalars: &[(&str, f64)]) -> io::Result<()> {
        let mut event = Vec::new();
        double(&mut event, 1, now());
        tag(&mut event, 2, 0);
        varint::write(&mut event, step);
        let mut summary = Vec::new();
        for (name, scalar) in scalars {
            let mut value = Vec::new();
            bytes(&mut value, 1, name.as_bytes());
            tag(&mut value, 2, 5);
            value.extend((*scalar as f32).to_le_bytes());
            bytes(&mut summary, 1, &value);
        }
        bytes(&mut event, 5, &summary);
        self.record(&event)
    }

    fn record(&mut self, payload: &[u8]) -> io::Result<()> {
        self.file.write_all(&framed(payload))
    }
}

/// Length, its checksum, payload, its checksum.
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
    varint::write(out, field << 3 | kind);
}

fn double(out: &mut Vec<u8>, field: u64, x: f64) {
    tag(out, field, 1);
    out.extend(x.to_le_bytes());
}

fn bytes(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    tag(out, field, 2);
    varint::write(out, bytes.len() as u64);
    out.extend(bytes);
}

/// The checksum as these files have it: rotated and shifted, so that a checksum
/// over data that contains checksums stays good.
fn masked(data: &[u8]) -> u32 {
    crc32c(data).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// CRC-32C, bit by bit: a few hundred bytes a minute.
fn crc32c(data: &[u8]) -> u32 {
    !data.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0x82f6_3b78 & (crc & 1).wrapping_neg())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_crc32c() {
        // The check value of the polynomial, and RFC 3720's 32 zero bytes.
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
        let unmasked = sum.wrapping_sub(0xa282_ead8).rotate_left(15);
        assert_eq!(unmasked, crc32c(&payload));
    }
}

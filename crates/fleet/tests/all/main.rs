//! A fleet with a real broker, Debian's package nats-server; BOYI_NO_BROKER=1
//! leaves these tests out.

mod access;

mod forged;
mod roles;
mod rollback;
mod testbed;
mod training;

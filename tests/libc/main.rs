//! The library inside programs: one file a family of calls.

mod argv;
mod exec;
mod layer;
mod link;
mod lookup;
mod lost;
mod number;
mod open;
mod peers;
mod policy;
mod programs;
mod race;
mod rename;
mod report;
mod robust;
mod same;
mod shm;
mod spelling;
mod stage;
mod stdio;
mod truncate;
mod unlink;
mod unseen;

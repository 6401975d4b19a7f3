//! The functions of libc that are replaced, one file a family.
//!
//! A hook says which call it stands for; what is judged and how the call is made lies in the modules beside.

pub mod actions;
pub mod allocate;
pub mod exec;
pub mod fcntl;
pub mod link;
pub mod lookup;
pub mod open;
pub mod rename;
pub mod shm;
pub mod spawn;
pub mod stdio;
pub mod syscall;
pub mod truncate;
pub mod unlink;

//! `libblastradius.so`.

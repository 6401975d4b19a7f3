//! Figures as text. `core::fmt` could write them as well, and would be a tenth of the library.

/// Most digits of a number of 64 bits.
const DIGITS_MAX: usize = 20;

/// The digits of a number.
#[derive(Clone, Copy, Debug)]
pub struct Digits {
    bytes: [u8; DIGITS_MAX],
    start: usize,
}

impl Digits {
    /// In decimal.
    #[must_use]
    pub const fn decimal(number: u64) -> Self {
        Self::new(number, 10, 1)
    }

    /// In decimal, at least so many.
    #[must_use]
    pub const fn decimal_of(least: usize, number: u64) -> Self {
        Self::new(number, 10, least)
    }

    /// All eight, in hexadecimal.
    pub(crate) const fn hexadecimal(number: u32) -> Self {
        Self::new(number as u64, 16, 8)
    }

    const fn new(mut number: u64, base: u64, least: usize) -> Self {
        let mut bytes = [b'0'; DIGITS_MAX];
        let mut start = DIGITS_MAX;
        while start > 0 && (number > 0 || DIGITS_MAX - start < least) {
            start -= 1;
            bytes[start] = b"0123456789abcdef"[(number % base) as usize];
            number /= base;
        }
        Self { bytes, start }
    }

    /// As ASCII.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(self.start..).unwrap_or(b"")
    }
}

/// A decimal number without sign or leading zeros.
#[must_use]
pub fn number(digits: &[u8]) -> Option<u64> {
    match digits {
        [b'0'] => Some(0),
        [b'1'..=b'9', ..] => digits.iter().try_fold(0_u64, |value, &digit| {
            let digit = digit.is_ascii_digit().then(|| u64::from(digit - b'0'))?;
            value.checked_mul(10)?.checked_add(digit)
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Digits, number};

    #[test]
    fn figures_are_written_as_core_writes_them() {
        for figure in [0, 1, 9, 10, 99, 4096, u64::from(u32::MAX), u64::MAX] {
            let digits = Digits::decimal(figure);
            assert_eq!(digits.as_bytes(), figure.to_string().as_bytes());
            assert_eq!(number(digits.as_bytes()), Some(figure));
            assert_eq!(
                Digits::decimal_of(9, figure).as_bytes(),
                format!("{figure:09}").as_bytes()
            );
        }
        for figure in [0, 0xa, 0x3fb2_c1d0, u32::MAX] {
            assert_eq!(
                Digits::hexadecimal(figure).as_bytes(),
                format!("{figure:08x}").as_bytes()
            );
        }
    }
}

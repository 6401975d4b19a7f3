//! Tests of single tokens: how random they are, and the checksum that some carry.

/// Bits of a byte, as the frequencies within the token itself tell.
pub(super) fn entropy(token: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in token {
        counts[usize::from(*byte)] += 1;
    }
    let length = f64::from(u32::try_from(token.len()).unwrap_or(u32::MAX));
    counts
        .into_iter()
        .filter(|count| *count > 0)
        .map(|count| {
            let share = f64::from(count) / length;
            // The C library has its own in another file, which every start would load for this.
            -share * libm::log2(share)
        })
        .sum()
}

/// How many kinds of character there are: small letters, capitals, digits.
pub(super) fn kinds(token: &[u8]) -> usize {
    let tests: [fn(&u8) -> bool; 3] = [
        u8::is_ascii_lowercase,
        u8::is_ascii_uppercase,
        u8::is_ascii_digit,
    ];
    tests.iter().filter(|test| token.iter().any(*test)).count()
}

/// Whether the last six characters are the CRC-32 of what stands before them, in base 62: so it is with tokens of
/// GitHub and npm.
pub(super) fn has_checksum(token: &[u8]) -> bool {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let Some(end) = token.len().checked_sub(6) else {
        return false;
    };
    let mut rest = crc32(&token[..end]);
    let mut digits = [b'0'; 6];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(rest % 62) as usize];
        rest /= 62;
    }
    token[end..] == digits
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |mut crc: u32, byte| {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = crc >> 1 ^ 0xedb8_8320 & (crc & 1).wrapping_neg();
        }
        crc
    })
}

#[cfg(test)]
mod tests {
    use super::{crc32, entropy, has_checksum, kinds};

    #[test]
    fn checksums_are_those_of_the_provider() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        // Made up, and with the checksum that its first thirty characters ask for.
        assert!(has_checksum(b"zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"));
        assert!(!has_checksum(b"zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq18"));
        assert!(!has_checksum(b"short"));
    }

    #[test]
    fn what_repeats_is_not_random() {
        assert!(entropy(b"xxxxxxxxxxxxxxxx") < 0.1);
        assert!(entropy(b"8Fh3kQ9zLmT2vXcB7nRs") > 4.0);
        assert_eq!(kinds(b"abcDEF123"), 3);
        assert_eq!(kinds(b"0123"), 1);
    }
}

//! CRC-32, as in ZIP and PNG: detects all errors within 32 bits.

const REVERSED_POLYNOMIAL: u32 = 0xedb8_8320;

static TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut remainder = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            let carry = remainder & 1;
            remainder = (remainder >> 1) ^ (REVERSED_POLYNOMIAL * carry);
            bit += 1;
        }
        table[byte] = remainder;
        byte += 1;
    }
    table
}

pub(super) fn crc32(bytes: impl IntoIterator<Item = u8>) -> u32 {
    !bytes.into_iter().fold(!0, |crc, byte| (crc >> 8) ^ TABLE[usize::from(crc as u8 ^ byte)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_value_of_the_standard() {
        assert_eq!(crc32(*b"123456789"), 0xcbf4_3926);
    }
}

//! As much of the ZIP format as `.npz` files need: stored and deflated members, with 64-bit sizes.

use anyhow::{Context, bail, ensure};

/// How such a file begins; an empty one begins otherwise and holds nothing.
pub(super) const MAGIC: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
const END_64: &[u8] = b"PK\x06\x06";
/// Stands for a size in the extra field.
const IN_EXTRA: u64 = u32::MAX as u64;
/// What a member may unpack to: no table of states is larger.
const LARGEST: usize = 1 << 33;

/// A number of some bytes, the smallest first.
fn number(bytes: &[u8], at: usize, length: usize) -> anyhow::Result<u64> {
    let end = at.checked_add(length).context("the file is damaged")?;
    let own = bytes.get(at..end).context("the file is cut off; write it again")?;
    Ok(own.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
}

/// The members of an archive with their names, in order.
pub(super) fn read(bytes: &[u8]) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let end = (0..bytes.len()).rev().take(1 << 17).find(|&at| bytes[at..].starts_with(END));
    let end = end.context("the file is cut off: its directory is missing; write it again")?;
    let (mut count, mut at) = (number(bytes, end + 10, 2)?, number(bytes, end + 16, 4)?);
    if at == IN_EXTRA || count == u64::from(u16::MAX) {
        let locator = end.checked_sub(20).context("the file is damaged")?;
        let place = number(bytes, locator + 8, 8)? as usize;
        ensure!(bytes.get(place..).is_some_and(|rest| rest.starts_with(END_64)), "the file is damaged");
        (count, at) = (number(bytes, place + 32, 8)?, number(bytes, place + 48, 8)?);
    }
    let mut members = Vec::new();
    let mut at = at as usize;
    for _ in 0..count {
        ensure!(bytes.get(at..).is_some_and(|rest| rest.starts_with(CENTRAL)), "the file is damaged");
        let method = number(bytes, at + 10, 2)?;
        let [name, extra, comment] =
            [28, 30, 32].map(|field| number(bytes, at + field, 2).map(|length| length as usize));
        let (name, extra, comment) = (name?, extra?, comment?);
        let sum = number(bytes, at + 16, 4)? as u32;
        let mut sizes = [number(bytes, at + 24, 4)?, number(bytes, at + 20, 4)?, number(bytes, at + 42, 4)?];
        let names = at + 46;
        let title = bytes.get(names..names + name).context("the file is cut off; write it again")?;
        let title = String::from_utf8_lossy(title).into_owned();
        let extras = bytes.get(names + name..names + name + extra).context("the file is cut off; write it again")?;
        take_large(&mut sizes, extras)?;
        let [whole, packed, place] = sizes.map(|size| size as usize);
        let data = member(bytes, place, packed)?;
        members.push((title.clone(), unpacked(data, method, whole, sum).with_context(|| format!("array `{title}`"))?));
        at = names + name + extra + comment;
    }
    Ok(members)
}

/// Sizes of more than 32 bits stand in an extra field.
fn take_large(sizes: &mut [u64; 3], extras: &[u8]) -> anyhow::Result<()> {
    let mut at = 0;
    while at + 4 <= extras.len() {
        let (kind, length) = (number(extras, at, 2)?, number(extras, at + 2, 2)? as usize);
        let mut next = at + 4;
        for size in sizes.iter_mut().filter(|size| kind == 1 && **size == IN_EXTRA) {
            *size = number(extras, next, 8)?;
            next += 8;
        }
        at += 4 + length;
    }
    Ok(())
}

/// The packed bytes of a member, behind its own header.
fn member(bytes: &[u8], place: usize, packed: usize) -> anyhow::Result<&[u8]> {
    let start = place.checked_add(30).context("the file is damaged")?;
    let start = start + number(bytes, place + 26, 2)? as usize + number(bytes, place + 28, 2)? as usize;
    let end = start.checked_add(packed).context("the file is damaged")?;
    bytes.get(start..end).context("the file is cut off; write it again")
}

fn unpacked(data: &[u8], method: u64, whole: usize, sum: u32) -> anyhow::Result<Vec<u8>> {
    ensure!(whole <= LARGEST, "it unpacks to {whole} bytes, which no table needs");
    let bytes = match method {
        0 => data.to_vec(),
        8 => miniz_oxide::inflate::decompress_to_vec_with_limit(data, whole).ok().context("it cannot be unpacked")?,
        other => bail!("it is packed by method {other}; np.savez and np.savez_compressed use others"),
    };
    ensure!(bytes.len() == whole && crc32fast::hash(&bytes) == sum, "its checksum is wrong; write it again");
    Ok(bytes)
}

/// An archive of members that are stored as they are. Sizes of more than 32 bits are in extra fields, as NumPy has them.
pub(super) fn write(members: &[(String, Vec<u8>)]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, data) in members {
        let (place, size) = (bytes.len() as u64, data.len() as u64);
        let sum = crc32fast::hash(data).to_le_bytes();
        let large: Vec<u8> = [size, size, place].iter().flat_map(|size| size.to_le_bytes()).collect();
        // Version 4.5, no flags, stored, midnight of 1 January 1980, checksum, sizes in the extra field.
        let common = |extra: u16| {
            let mut common = vec![45, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
            common.extend(sum);
            common.extend([0xff; 8]);
            common.extend((name.len() as u16).to_le_bytes());
            common.extend(extra.to_le_bytes());
            common
        };
        bytes.extend(MAGIC);
        bytes.extend(common(20));
        bytes.extend(name.as_bytes());
        bytes.extend([1, 0, 16, 0]);
        bytes.extend(&large[..16]);
        bytes.extend(data);
        directory.extend(CENTRAL);
        directory.extend([45, 0]);
        directory.extend(common(28));
        directory.extend([0; 10]); // no comment, first disk, no attributes
        directory.extend([0xff; 4]);
        directory.extend(name.as_bytes());
        directory.extend([1, 0, 24, 0]);
        directory.extend(&large);
    }
    let (place, size, count) = (bytes.len() as u64, directory.len() as u64, members.len() as u64);
    bytes.extend(directory);
    let end = bytes.len() as u64;
    bytes.extend(END_64);
    bytes.extend(44_u64.to_le_bytes());
    bytes.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    [count, count, size, place].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes.extend(b"PK\x06\x07\0\0\0\0");
    bytes.extend(end.to_le_bytes());
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(END);
    bytes.extend([0, 0, 0, 0]);
    bytes.extend([0xff; 12]);
    bytes.extend([0, 0]);
    bytes
}

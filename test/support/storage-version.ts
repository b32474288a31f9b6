/** A DuckDB file that claims to be of another storage version, with the checksum that goes with it. */
export function withStorageVersion(file: Buffer, version: bigint): Buffer {
  const changed = Buffer.from(file)
  changed.writeBigUInt64LE(version, 12)
  let checksum = 5381n
  for (let at = 8; at < 4096; at += 8) {
    checksum ^= BigInt.asUintN(64, changed.readBigUInt64LE(at) * 0xbf58476d1ce4e5b9n)
  }
  changed.writeBigUInt64LE(checksum, 0)
  return changed
}

/** DuckDB speaks of places in UTF-8 bytes, everything else here in UTF-16 units: converted once, at this edge. */

/**
 * Returns a function from byte offsets in the UTF-8 form of `text` to offsets in `text`. Offsets beyond the
 * end give the end.
 */
export function byteOffsets(text: string): (byte: number) => number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the ASCII range is what is meant
  if (/^[\x00-\x7f]*$/.test(text)) return byte => Math.min(Math.max(byte, 0), text.length)
  const bytes = Buffer.from(text)
  return byte => bytes.toString('utf8', 0, Math.max(byte, 0)).length
}

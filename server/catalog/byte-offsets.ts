/** DuckDB speaks of places in UTF-8 bytes, everything else here in UTF-16 units: converted once, at this edge. */

/**
 * Returns a function from byte offsets in the UTF-8 form of `text` to offsets in `text`. Offsets beyond the
 * end give the end.
 */
export function byteOffsets(text: string): (byte: number) => number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the ASCII range is what is meant
  if (/^[\x00-\x7f]*$/.test(text)) return byte => Math.min(Math.max(byte, 0), text.length)
  const bytes = new Uint32Array(text.length + 1)
  let at = 0
  for (let index = 0; index < text.length; index++) {
    bytes[index] = at
    at += unitBytes(text, index)
  }
  bytes[text.length] = at
  return byte => firstAtLeast(bytes, byte)
}

/**
 * Returns the UTF-8 bytes of a code unit: a surrogate pair has four, counted at its first unit; a lone
 * surrogate becomes U+FFFD, three bytes.
 */
function unitBytes(text: string, index: number): number {
  const code = text.charCodeAt(index)
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  const isHigh = code >= 0xd800 && code < 0xdc00
  const isLow = code >= 0xdc00 && code < 0xe000
  if (isHigh && isLowSurrogate(text.charCodeAt(index + 1))) return 4
  if (isLow && index > 0 && isHighSurrogate(text.charCodeAt(index - 1))) return 0
  return 3
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}

function firstAtLeast(bytes: Uint32Array, byte: number): number {
  let low = 0
  let high = bytes.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bytes[middle] ?? 0) < byte) low = middle + 1
    else high = middle
  }
  return low
}

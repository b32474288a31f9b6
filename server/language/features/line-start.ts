/** Returns the start of the line that contains an offset. */
export function lineStart(text: string, offset: number): number {
  let start = offset
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') start--
  return start
}

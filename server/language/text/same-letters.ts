/** Returns whether two texts differ in case alone. */
export function sameLetters(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

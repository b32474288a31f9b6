/** Returns whether a time lies more than a day in the future: the clocks of the world are less than that apart. */
export function isAhead(ageMs: number): boolean {
  return ageMs < -86_400_000
}

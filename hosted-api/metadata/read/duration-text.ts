const units = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const

/** Returns a duration as a file writes it, in the largest unit that has it whole: `12h`. */
export function durationText(seconds: number): string {
  const [unit, size] = units.find(([, each]) => seconds > 0 && seconds % each === 0) ?? ['s', 1]
  return `${seconds / size}${unit}`
}

/** What errors say, thrown or printed. Independent of the editor. */

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Reads the first error that `svc` printed, whose lines are broken at the width of a terminal. Returns the message in one line, without `error:` and its code; '' if nothing was printed. */
export function firstError(stderr: string): string {
  const [first = '', ...rest] = stderr.trim().split('\n')
  const lines = [first.replace(/^error: /, '')]
  // Further lines of the message are indented below its first word; the code in brackets ends it.
  for (const line of rest) {
    if (
      !first.startsWith('error: ') ||
      !line.startsWith(' '.repeat('error: '.length)) ||
      hasCode(lines.at(-1))
    )
      break
    lines.push(line.trim())
  }
  return lines.join(' ').replace(code, '')
}

const code = / *\[[a-z]+(?:-[a-z]+)*\]$/

function hasCode(line = ''): boolean {
  return code.test(line)
}

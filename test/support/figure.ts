/** The figures that the suites of `npm run test:long` end with: what was tried, and how much of it was wrong. */
import { appendFileSync } from 'node:fs'

/** Prints the figure of a suite on a line of its own; `npm run test:long` shows them all again at its end. */
export function figure(suite: string, text: string): void {
  const line = `${suite}: ${text}`
  process.stdout.write(`${line}\n`)
  const path = process.env['SVC_FIGURES']
  if (path !== undefined) appendFileSync(path, `${line}\n`)
}

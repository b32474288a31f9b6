/** Asks for a yes on a terminal. Where nobody can answer, the answer is no. */
import type { CommandContext } from './command.ts'

/** The question goes to stderr, since stdout has the data. */
export async function confirm({ output }: CommandContext, question: string): Promise<boolean> {
  if (!output.err.isTerminal || process.stdin.isTTY !== true) return false
  const { createInterface } = await import('node:readline/promises')
  const asked = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await asked.question(`${question} [y/N] `)).trim())
  } finally {
    asked.close()
  }
}

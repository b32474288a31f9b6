/** Asks for a yes on a terminal. Where nobody can answer, the answer is no. */
import type { CommandContext } from './command.ts'

export async function confirm({ output }: CommandContext, question: string): Promise<boolean> {
  if (!output.err.isTerminal || process.stdin.isTTY !== true) return false
  return /^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim())
}

/** The question goes to stderr, since stdout has the data. */
export async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const asked = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await asked.question(question)
  } finally {
    asked.close()
  }
}

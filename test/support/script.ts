/** Runs a script of `scripts` to its end: what it says is read by tests, and its last figure by `npm run test:long`. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { buildCommand } from './cli.ts'
import { figure } from './figure.ts'

const repository = join(import.meta.dirname, '..', '..')

/** `said` is what it wrote to both streams. */
export interface Ended {
  readonly code: number | null
  readonly said: string
}

/** Runs `node scripts/<words>` with the built command beside it. */
export function runScript(words: string): Promise<Ended> {
  buildCommand()
  const [name = '', ...options] = words.split(' ')
  const child = spawn(process.execPath, [join('scripts', name), ...options], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  return new Promise(resolve => child.on('close', code => resolve({ code, said })))
}

/** As above, and returns what it said; the script must end well, and what `line` finds is a figure of the suite. */
export async function figureOfScript(suite: string, words: string, line: RegExp): Promise<string> {
  const { code, said } = await runScript(words)
  expect(code, said).toBe(0)
  const [text] = line.exec(said) ?? []
  expect(text, said).toBeDefined()
  figure(suite, text ?? '')
  return said
}

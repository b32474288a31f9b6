/** The command line in this process: what `svc <words>` prints and how it ends, hundreds of times a second. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { runCommandLine } from '../../../cli/commands/run-command-line.ts'
import { realWorld } from '../../../cli/commands/world.ts'
import { readOutput } from '../../support/cli.ts'

export interface Said {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface LineOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly now?: () => Date
  /** Who keeps what it found out; absent: nothing is kept. */
  readonly program?: string
}

export interface Ground {
  readonly root: string
  write(path: string, text: string | Uint8Array): void
  remove(path: string): void
  line(words: readonly string[], options?: LineOptions): Promise<Said>
  /** As `line`, with the JSON on stdout read. */
  json(
    words: readonly string[],
    options?: LineOptions,
  ): Promise<{ readonly code: number | null; readonly value: unknown }>
  dispose(): void
}

/** A project folder, and `svc` in it without a process of its own. `always`: the options of every line. */
export function createGround(files: Readonly<Record<string, string>>, always: LineOptions = {}): Ground {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-bad-')))
  const ground: Ground = {
    root,
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    },
    remove: path => rmSync(join(root, path), { recursive: true, force: true }),
    line: (words, options) => lineIn(root, words, { ...always, ...options }),
    json: async (words, options) => readOutput(words, await ground.line(words, options)),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  }
  for (const [path, text] of Object.entries(files)) ground.write(path, text)
  return ground
}

/** What `svc <words>` prints in a folder, and how it ends. */
export async function lineIn(
  root: string,
  words: readonly string[],
  { env = {}, now, program }: LineOptions = {},
): Promise<Said> {
  let stdout = ''
  let stderr = ''
  const world = {
    ...realWorld(program, undefined, true),
    cwd: root,
    env,
    ...(now === undefined ? {} : { now }),
  }
  const code = await runCommandLine(words, {
    version: '0.0.0',
    world,
    signal: new AbortController().signal,
    out: {
      write: text => {
        stdout += text
      },
    },
    err: {
      write: text => {
        stderr += text
      },
    },
  })
  return { code, stdout, stderr }
}

/** A refusal as every one of them must be: the right code, in words, without a stack. */
export function expectRefusal(said: Said, code: number, ...says: readonly string[]): void {
  const all = said.stdout + said.stderr
  expect(said.code, all).toBe(code)
  expectNoStack(said)
  // What a terminal's width breaks is still one sentence.
  const sentence = all.replace(/\s+/g, ' ')
  for (const part of says) expect(sentence).toContain(part)
}

export function expectNoStack(said: Said): void {
  const all = said.stdout + said.stderr
  expect(all).not.toMatch(/^ {4}at /m)
  expect(all).not.toContain('this is a bug in svc')
  expect(said.code, all).not.toBe(70)
}

/** Follows a page step by step in a folder of its own, as a reader would, and compares what it shows. */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { runCommandLine } from '../../cli/commands/run-command-line.ts'
import { realWorld } from '../../cli/commands/world.ts'
import { buildCommand, normalise, svcLauncher } from '../support/cli.ts'
import { type Api, startApi } from './page-apis.ts'
import { type PageStep, stepsOf } from './page-steps.ts'

const repository = join(import.meta.dirname, '..', '..')

export interface Reading {
  /** Everything that went otherwise than the page says. */
  readonly faults: readonly string[]
  /** The page with the outputs as they came. */
  readonly page: string
}

export interface ReaderOptions {
  /** Folder with the installed command; by default `svc` runs in this process, and in shells as it is built. */
  readonly bin?: string
}

interface Reader {
  readonly root: string
  cwd: string
  /** The ids that the page and the commands name: those of the page stand for the last real one. */
  lastRun: string
  readonly bin: string
  readonly inProcess: boolean
  readonly env: Record<string, string>
  api: Api | undefined
}

export async function followPage(page: string, options: ReaderOptions = {}): Promise<Reading> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-page-')))
  const root = join(folder, 'home')
  mkdirSync(root)
  const bin = options.bin ?? ownBin(folder)
  const reader: Reader = {
    root,
    cwd: root,
    lastRun: '',
    bin,
    inProcess: options.bin === undefined,
    env: {},
    api: undefined,
  }
  const faults: string[] = []
  const outputs: { readonly start: number; readonly old: string; readonly now: string }[] = []
  try {
    for (const step of stepsOf(page)) {
      const output = await take(reader, step)
      if (output === undefined) continue
      if (output.code !== step.exitCode)
        faults.push(`$ ${step.what}\nended with ${output.code} instead of ${step.exitCode}:\n${output.text}`)
      if (step.shown === undefined) continue
      if (!isAsShown(step.shown.text, output.text, reader))
        faults.push(
          `$ ${step.what}\nprinted:\n${shownText(output.text, reader)}\nthe page has:\n${step.shown.text}`,
        )
      outputs.push({ start: step.shown.start, old: step.shown.text, now: shownText(output.text, reader) })
    }
  } finally {
    await reader.api?.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { faults, page: withOutputs(page, outputs) }
}

function ownBin(folder: string): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  symlinkSync(svcLauncher, join(bin, 'svc'))
  return bin
}

async function take(reader: Reader, step: PageStep): Promise<Output | undefined> {
  const path = join(reader.cwd, step.what)
  switch (step.kind) {
    case 'project':
      reader.cwd = join(reader.root, step.what)
      if (existsSync(join(repository, 'test', 'fixtures', step.what)))
        cpSync(join(repository, 'test', 'fixtures', step.what), reader.cwd, { recursive: true })
      else mkdirSync(reader.cwd)
      return undefined
    case 'api':
      if (reader.api === undefined) reader.api = await startApi(step.what)
      else reader.api.behave(step.what)
      return undefined
    case 'file':
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, reader.api?.here(step.text) ?? step.text)
      return undefined
    case 'edit': {
      const text = readFileSync(path, 'utf8')
      if (!text.includes(step.text)) throw new Error(`${step.what} has no "${step.text}"`)
      writeFileSync(path, text.replace(step.text, step.replacement))
      return undefined
    }
    case 'command': {
      const output = await runLine(reader, step.what)
      const ids = [
        ...output.text.matchAll(/\b(?:Run|run|Preview|Deployed run|Failed run) ([0-9a-hjkmnp-tv-z]{10})\b/g),
      ]
      const last = ids.find(([, id]) => /\d/.test(id ?? ''))?.[1]
      if (last !== undefined) reader.lastRun = last
      return output
    }
  }
}

// ---------------------------------------------------------------- commands

interface Output {
  readonly code: number | null
  readonly text: string
}

const runId = /<run>|\b(?=[0-9a-hjkmnp-tv-z]*\d)(?=\d*[a-z])[0-9a-hjkmnp-tv-z]{10}\b/g

/** Nothing of a page may reach beyond its folder: other programs and other places are "not run". */
const allowed = /^(svc|npx --no -- svc|cd|mkdir|git|cat|cp|mv|rm|export|code=0) ?/

async function runLine(reader: Reader, written: string): Promise<Output> {
  const line = written.replace(runId, reader.lastRun)
  const parts = line.split(/ (?:&&|\|\||[|;]) /)
  if (!parts.every(part => allowed.test(part)) || /(^|[\s=:'"])(\/|\.\.)/.test(line))
    throw new Error(`a page must not run "${line}": put "not run" and the reason before its block`)
  const change = /^(?:mkdir (?:-p )?(\S+) && )?cd (\S+)$/.exec(line.replaceAll('~', reader.root))
  if (change !== null) {
    reader.cwd = resolve(reader.cwd, change[2] ?? '')
    if (change[1] !== undefined) mkdirSync(reader.cwd, { recursive: true })
    return { code: existsSync(reader.cwd) ? 0 : 1, text: '' }
  }
  const variable = /^export (\w+)=(.*)$/.exec(line)
  if (variable !== null) {
    reader.env[variable[1] ?? ''] = (variable[2] ?? '').replace(/^(["'])(.*)\1$/, '$2')
    return { code: 0, text: '' }
  }
  if (line === 'svc --version') return { code: 0, text: `svc ${version} (3f9c2a71)\n` }
  // The page of a site lies beside the built command.
  const isPlain = /^svc (?!lineage .*--out)[^|&;<>$()!{~]*$/.test(line)
  return isPlain && reader.inProcess ? runHere(reader, wordsOf(line).slice(1)) : runInShell(reader, line)
}

function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replace(/["']/g, ''))
}

const version = '0.1.0'

async function runHere(reader: Reader, written: readonly string[]): Promise<Output> {
  // What serves until Ctrl-C gets one as soon as it has said where.
  const isServing = written[0] === 'ui' || (written[0] === 'lineage' && !written.includes('--out'))
  const words = isServing ? onFreePort(written) : written
  const ctrlC = new AbortController()
  let text = ''
  const sink = {
    write(part: string) {
      text += part
      if (isServing && part.includes('http')) ctrlC.abort()
    },
  }
  const world = { ...realWorld(undefined), cwd: reader.cwd, env: environmentOf(reader) }
  const code = await runCommandLine(words, { version, world, signal: ctrlC.signal, out: sink, err: sink })
  return { code, text }
}

/** The page of another test, or somebody on this machine, may have the port that a page names. */
function onFreePort(written: readonly string[]): readonly string[] {
  const kept = written.filter(
    (word, index) => !['--no-open', '--port'].includes(word) && written[index - 1] !== '--port',
  )
  return [...kept, '--port', '0', '--no-open']
}

function environmentOf({ root, env, bin }: Reader): Record<string, string> {
  return { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: root, ...env }
}

function runInShell(reader: Reader, line: string): Output {
  if (reader.inProcess) buildCommand()
  const { status, stdout } = spawnSync('bash', ['-c', `exec 2>&1; ${line}`], {
    cwd: reader.cwd,
    encoding: 'utf8',
    env: environmentOf(reader),
  })
  return { code: status, text: stdout }
}

// ---------------------------------------------------------------- comparing

/** A terminal draws the lines of work that is going on and takes them away; elsewhere they stay. */
function shownText(text: string, reader: Reader): string {
  return text
    .replace(/^ {2}· .*\n/gm, '')
    .replaceAll(reader.root, '/home/you')
    .replaceAll(reader.api?.origin ?? '\u0000', reader.api?.stands ?? '')
    .replace(/\s+$/, '\n')
}

function isAsShown(shown: string, came: string, reader: Reader): boolean {
  const wanted = comparable(shown)
  const text = comparable(shownText(came, reader))
  // A line "…" stands for any lines.
  const pattern = wanted.split(/^ *…\n/m).map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pattern.join('(?:.*\\n)*')}$`).test(text)
}

function comparable(text: string): string {
  const lines = normalise(text.replace(/\s+$/, '\n'))
    .replace(/\b\d+(\.\d+)? (B|kB|MB)\b/g, '<size>')
    .replace(/\b\d+ (d old|seconds?)\b/g, '<age>')
    .replace(/\bNode [\d.]+, \w+ \w+/g, '<machine>')
    .replace(/\bsvc [\d.]+ \((sources|[0-9a-f]{8})\)/g, '<build>')
    .replace(/ {2,}/g, '  ')
  // Sources are fetched and tables are built side by side: which one is ready first is chance.
  return lines.replace(/(^ {2}✓ \S+ {2}(fetched|built|unchanged).*\n)+/gm, block =>
    block.split('\n').slice(0, -1).toSorted().join('\n').concat('\n'),
  )
}

function withOutputs(
  page: string,
  outputs: readonly { readonly start: number; readonly old: string; readonly now: string }[],
): string {
  return outputs.toReversed().reduce((text, { start, old, now }) => {
    if (old.includes('…\n')) return text
    return text.slice(0, start) + now + text.slice(start + old.length)
  }, page)
}

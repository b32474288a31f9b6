/**
 * Puts damaged texts through the command `svc validate`, a folder of them at a time: real processes, the catalogue, and
 * what is printed. Says what is wrong with the outcome of each; never looks at how it came about.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isBrokenYaml } from './fuzz-language.ts'
import { fuzzSeeds } from './fuzz-seeds.ts'
import { fuzzTexts } from './fuzz-texts.ts'

export interface FuzzValidate {
  /** The folder of the repository, with the command built. */
  readonly root: string
  readonly count: number
  readonly seed: number
  /** Texts a process. */
  readonly batch: number
  /** A process that takes longer never ends. */
  readonly longestMs: number
}

export interface ValidateFailure {
  readonly problem: string
  /** Undefined: it is about the whole folder. */
  readonly text: string | undefined
}

export interface ValidateOutcome {
  readonly texts: number
  readonly processes: number
  readonly failures: readonly ValidateFailure[]
  readonly slowestMs: number
}

export async function fuzzValidate(options: FuzzValidate): Promise<ValidateOutcome> {
  const seeds = fuzzSeeds(options.root)
  const texts = [...fuzzTexts(options.count, options.seed, seeds)]
  const failures: ValidateFailure[] = []
  let processes = 0
  let slowestMs = 0
  for (let start = 0; start < texts.length; start += options.batch) {
    const started = performance.now()
    failures.push(...(await validateTexts(texts.slice(start, start + options.batch), seeds, options)))
    slowestMs = Math.max(slowestMs, performance.now() - started)
    processes++
  }
  return { texts: texts.length, processes, failures, slowestMs }
}

/** Most texts get a name of their own: of namesakes only the first is looked at by the catalogue. */
function named(text: string, index: number): string {
  return index % 5 === 0 ? text : text.replace(/^(name: *["']?)(\w+)/m, `$1$2_${index}`)
}

/** One folder with these texts, one process. */
export async function validateTexts(
  texts: readonly string[],
  seeds: readonly string[],
  { root, longestMs }: Pick<FuzzValidate, 'root' | 'longestMs'>,
): Promise<ValidateFailure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-fuzz-'))
  try {
    const files = writeProject(folder, texts, seeds)
    const ended = await validate(root, folder, longestMs)
    return whatIsWrong(ended, files)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Texts by path, as they can be read back: a lone surrogate has no bytes of its own. */
function writeProject(
  folder: string,
  texts: readonly string[],
  seeds: readonly string[],
): Map<string, string> {
  mkdirSync(join(folder, 'models', 'good'), { recursive: true })
  writeFileSync(join(folder, 'svc.yaml'), 'name: fuzz\nvars: {start: "2026-01-01", v: 1}\n')
  // What the damaged ones refer to.
  for (const [index, seed] of seeds.entries()) {
    writeFileSync(join(folder, 'models', 'good', `${index}.svc`), seed)
  }
  const files = new Map<string, string>()
  for (const [index, text] of texts.entries()) {
    const path = `models/${String(index).padStart(5, '0')}.svc`
    writeFileSync(join(folder, path), named(text, index))
    files.set(path, readFileSync(join(folder, path), 'utf8'))
  }
  return files
}

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly timedOut: boolean
}

function validate(root: string, folder: string, longestMs: number): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'cli/bin/svc.cjs'), 'validate', '--json'], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      child.kill('SIGKILL')
    }, longestMs)
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', code => {
      clearTimeout(timer)
      resolve({ code, stdout, stderr, timedOut })
    })
  })
}

interface Place {
  readonly line: number
  readonly column: number
}

interface Report {
  readonly files: readonly {
    readonly path: string
    readonly diagnostics: readonly {
      readonly code: string
      readonly severity: string
      readonly message: string
      readonly start: Place
      readonly end: Place
    }[]
  }[]
}

function whatIsWrong(ended: Ended, files: ReadonlyMap<string, string>): ValidateFailure[] {
  const whole = (problem: string): ValidateFailure[] => [{ problem, text: undefined }]
  if (ended.timedOut) return whole('svc validate never ends')
  if (ended.code !== 1 && ended.code !== 0)
    return whole(`svc validate ended with ${ended.code}: ${ended.stderr}`)
  if (ended.stderr !== '') return whole(`svc validate said: ${ended.stderr}`)
  const report = JSON.parse(ended.stdout) as Report
  const reported = new Map(report.files.map(file => [file.path, file.diagnostics]))
  return [...files].flatMap(([path, text]) => {
    const diagnostics = reported.get(path)
    if (diagnostics === undefined) return [{ problem: 'the file is not reported', text }]
    const problems = diagnostics.flatMap(each => badPlace(each, text.replace(/^\ufeff/, '')))
    const silent = isBrokenYaml(text) && !diagnostics.some(({ severity }) => severity === 'error')
    if (silent) problems.push('broken YAML without an error')
    return problems.map(problem => ({ problem, text }))
  })
}

function badPlace(
  { code, message, start, end }: Report['files'][number]['diagnostics'][number],
  text: string,
): string[] {
  const lines = text.split(/\r\n|\r|\n/)
  const inside = (place: Place) =>
    place.line >= 1 &&
    place.line <= lines.length &&
    place.column >= 1 &&
    // A mark of byte order counts on the first line.
    place.column <= (lines[place.line - 1]?.length ?? 0) + 2
  const ordered = start.line < end.line || (start.line === end.line && start.column <= end.column)
  const problems: string[] = []
  if (message.trim() === '') problems.push(`${code}: no message`)
  if (!inside(start) || !inside(end) || !ordered) {
    problems.push(
      `${code}: ${start.line}:${start.column} to ${end.line}:${end.column} of ${lines.length} lines`,
    )
  }
  return problems
}

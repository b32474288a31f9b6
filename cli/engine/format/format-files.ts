/** Formats files and, where asked to, writes them back. */
import { readFileSync } from 'node:fs'
import { documentKind, type Formatted, formatDocument, hasPython } from '@svc/server/format'
import type { Diagnostic, Engine, PythonTools } from '@svc/server/language'
import { encodingProblems } from '@svc/server/workspace'
import { SvcError } from '../errors.ts'
import type { FormatTarget } from './find-targets.ts'
import type { KnownFormatted } from './known-formatted.ts'
import { writeSource } from './write-source.ts'

export interface FormattedFile {
  readonly path: string
  /** `broken`: not YAML or no text, and not touched. */
  readonly status: 'formatted' | 'unchanged' | 'broken'
  readonly before: string
  readonly after: string
  /** Why it is broken, or which pieces stayed as they were (hints). */
  readonly problems: readonly Diagnostic[]
}

export interface FormatTools {
  /** Of the project. */
  readonly engine: Engine
  /** Loads Python's tools; asked for by the first file with Python. */
  readonly openPython: () => Promise<PythonTools>
}

export interface FormatRun extends FormatTools {
  readonly known: KnownFormatted
  /** False: nothing is written. */
  readonly write: boolean
  readonly pid: number
  readonly signal: AbortSignal
}

/** SvcError `file-failed`, `interrupted`. */
export async function formatFiles(files: readonly FormatTarget[], run: FormatRun): Promise<FormattedFile[]> {
  const done: FormattedFile[] = []
  let writes: Promise<void>[] = []
  for (const target of files) {
    if (run.signal.aborted) break
    const file = await formatFile(target, run)
    done.push(file)
    if (run.write && file.status === 'formatted')
      writes.push(writeSource(target.absolute, file.after, run.pid))
    if (writes.length < writesAtOnce) continue
    await finish(writes)
    writes = []
  }
  await finish(writes)
  if (run.signal.aborted)
    throw new SvcError('interrupted', 'interrupted; each file is formatted or as it was')
  return done
}

/** Disks take their time to say that a file is safe; they can say so of many at once. */
const writesAtOnce = 32

/** All of them, also where one fails. */
async function finish(writes: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(writes)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

async function formatFile({ path, absolute }: FormatTarget, run: FormatRun): Promise<FormattedFile> {
  const text = read(path, absolute)
  const [wrongBytes] = encodingProblems('', [[absolute, text]])
  if (wrongBytes !== undefined) return broken(path, text, [{ ...wrongBytes, path }])
  if (run.known.has(text)) return { path, status: 'unchanged', before: text, after: text, problems: [] }
  const file = await formatText(path, text, run)
  const isDone = file.status === 'unchanged' || (run.write && file.status === 'formatted')
  if (isDone && file.problems.length === 0) run.known.add(file.after)
  return file
}

/** `path` says what kind of file the text is, and is what problems are told of. */
export async function formatText(
  path: string,
  text: string,
  { engine, openPython }: FormatTools,
): Promise<FormattedFile> {
  const kind = documentKind(path)
  const python = kind === 'asset' && hasPython(text) ? await openPython() : undefined
  const formatted = formatDocument(text, { kind, engine, python })
  if (formatted.kind === 'broken') return broken(path, text, brokenProblems(path, formatted))
  return {
    path,
    status: formatted.text === text ? 'unchanged' : 'formatted',
    before: text,
    after: formatted.text,
    problems: formatted.left.map(({ range, message, hint }) => ({
      code: 'format-left-alone',
      severity: 'hint',
      path,
      range,
      message,
      hint,
    })),
  }
}

function broken(path: string, text: string, problems: readonly Diagnostic[]): FormattedFile {
  return { path, status: 'broken', before: text, after: text, problems }
}

function brokenProblems(path: string, { problems }: Extract<Formatted, { kind: 'broken' }>): Diagnostic[] {
  return problems.map(problem => ({ ...problem, severity: 'error', path }))
}

function read(path: string, absolute: string): string {
  try {
    return readFileSync(absolute, 'utf8')
  } catch (cause) {
    throw new SvcError('file-failed', `cannot read ${path}`, { hint: 'Are you allowed to read it?', cause })
  }
}

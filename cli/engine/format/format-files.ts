/** Formats files and optionally writes them back. */
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
  /** `broken`: the file is not YAML or not text, and was not changed. */
  readonly status: 'formatted' | 'unchanged' | 'broken'
  readonly before: string
  readonly after: string
  /** Why the file is broken, or which blocks were left as they are (hints). */
  readonly problems: readonly Diagnostic[]
}

export interface FormatTools {
  /** The engine of the project. */
  readonly engine: Engine
  /** Loads the tools for Python; called for the first file with Python. */
  readonly openPython: () => Promise<PythonTools>
}

export interface FormatRun extends FormatTools {
  readonly known: KnownFormatted
  /** Whether the result is written to the files. */
  readonly write: boolean
  readonly pid: number
  readonly signal: AbortSignal
}

/** Throws SvcError `file-failed`, `interrupted`. */
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

/** Syncing to disk is slow, and many files can be synced concurrently. */
const writesAtOnce = 32

/** Waits for all writes, even if one fails. */
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

/** Formats a text; `path` determines the kind of file and is named in problems. */
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

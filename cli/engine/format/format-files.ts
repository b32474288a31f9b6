/** Formats files and, where asked to, writes them back: whole, with their own permissions, through their links. */
import { chmodSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { documentKind, type Formatted, formatDocument, hasPython } from '@svc/server/format'
import type { Diagnostic, PythonTools } from '@svc/server/language'
import { encodingProblems } from '@svc/server/workspace'
import { writeWhole } from '../artifacts/write-file.ts'
import { SvcError } from '../errors.ts'
import type { FormatTarget } from './find-targets.ts'
import type { KnownFormatted } from './known-formatted.ts'

export interface FormattedFile {
  readonly path: string
  /** `broken`: not YAML or no text, and not touched. */
  readonly status: 'formatted' | 'unchanged' | 'broken'
  readonly before: string
  readonly after: string
  /** Why it is broken, or which pieces stayed as they were (hints). */
  readonly problems: readonly Diagnostic[]
}

export interface FormatRun {
  readonly known: KnownFormatted
  /** Loads Python's tools; asked for by the first file with Python. */
  readonly openPython: () => Promise<PythonTools>
  /** False: nothing is written. */
  readonly write: boolean
  readonly pid: number
  readonly signal: AbortSignal
}

/** SvcError `file-failed`, `interrupted`. */
export async function formatFiles(files: readonly FormatTarget[], run: FormatRun): Promise<FormattedFile[]> {
  const done: FormattedFile[] = []
  for (const target of files) {
    if (run.signal.aborted) throw new SvcError('interrupted', 'interrupted; files so far are formatted')
    done.push(await formatFile(target, run))
  }
  return done
}

async function formatFile({ path, absolute }: FormatTarget, run: FormatRun): Promise<FormattedFile> {
  const text = read(path, absolute)
  const [wrongBytes] = encodingProblems('', [[absolute, text]])
  if (wrongBytes !== undefined) return broken(path, text, [{ ...wrongBytes, path }])
  if (run.known.has(text)) return { path, status: 'unchanged', before: text, after: text, problems: [] }
  const file = await formatText(path, text, run.openPython)
  if (run.write && file.status === 'formatted') replace(absolute, file.after, run.pid)
  const isDone = file.status === 'unchanged' || (run.write && file.status === 'formatted')
  if (isDone && file.problems.length === 0) run.known.add(file.after)
  return file
}

/** `path` says what kind of file the text is, and is what problems are told of. */
export async function formatText(
  path: string,
  text: string,
  openPython: FormatRun['openPython'],
): Promise<FormattedFile> {
  const kind = documentKind(path)
  const python = kind === 'asset' && hasPython(text) ? await openPython() : undefined
  const formatted = formatDocument(text, { kind, python })
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

/** A link stays a link, and what may run or be read by whom stays as it was. */
function replace(absolute: string, text: string, pid: number): void {
  const real = realpathSync(absolute)
  const { mode } = statSync(real)
  writeWhole(real, text, pid)
  if ((statSync(real).mode & 0o777) !== (mode & 0o777)) chmodSync(real, mode & 0o777)
}

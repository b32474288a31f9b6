/**
 * The failures and warnings of the last run as diagnostics, so that a user who opens the editor in the morning sees without
 * asking what the night brought, where, why and what to do. A failure stays until a run did better, or until its file is
 * edited; a warning as long as what it is about is live. Pure.
 */
import type { LastRun } from '../../language/features/knowledge.ts'
import { type Asset, type Diagnostic, locate, type Project, type Range, svcIn } from '../../language/index.ts'

const runFailedCode = 'last-run-failed'
const runWarnedCode = 'last-run-warned'

/** Assets that were skipped because of another one have none: the cause has it. */
export function runFailures(project: Project, runs: ReadonlyMap<string, LastRun>): readonly Diagnostic[] {
  return [...runs].flatMap(([name, run]) => {
    const asset = project.byName.get(name)
    return asset === undefined ? [] : [...runFailure(asset, run), ...runWarnings(asset, run)]
  })
}

function runFailure(asset: Asset, { failure, finishedAt, environment }: LastRun): Diagnostic[] {
  if (failure === undefined || failure.textHash !== asset.textHash) return []
  const { message, place } = failure
  const when = finishedAt === undefined ? '' : `, ${localTime(new Date(finishedAt))}`
  return [
    {
      code: runFailedCode,
      severity: 'warning',
      message: `the last run failed here (${environment}${when}): ${message}`,
      hint: failure.hint ?? `After a fix: ${svcIn(environment)('retry')}`,
      path: asset.path,
      range: rangeOf(asset, place),
    },
  ]
}

function runWarnings(asset: Asset, { warnings = [], environment }: LastRun): Diagnostic[] {
  const block = asset.definition.ingest.type === 'none' ? 'name' : 'ingest'
  return warnings.map(({ code, message, hint, target }) => ({
    code: runWarnedCode,
    severity: 'warning',
    message: `the last ${target === undefined ? 'run' : `publish to ${target}`} warned here (${environment}): ${message} [${code}]`,
    ...(hint !== undefined && { hint }),
    path: asset.path,
    range: locate(asset, target === undefined ? [block] : ['publish', target], 'key'),
  }))
}

/** Marks the word at the place, or the first one of its line: a whole line underlined would be noise. */
function rangeOf(asset: Asset, place: string | undefined): Range {
  const [, line, column] = /:(\d+):(\d+)$/.exec(place ?? '') ?? []
  const isHere = line !== undefined && place?.startsWith(`${asset.path}:`) === true
  const lineStart = isHere ? startOfLine(asset.text, Number(line)) : undefined
  if (lineStart === undefined) return locate(asset, ['name'], 'key')
  const [text = ''] = asset.text.slice(lineStart).split(/\r?\n/, 1)
  return (
    wordAt(text, lineStart, Number(column) - 1) ?? wordIn(text, lineStart) ?? locate(asset, ['name'], 'key')
  )
}

function startOfLine(text: string, line: number): number | undefined {
  let start = 0
  for (let count = 1; count < line; count++) {
    start = text.indexOf('\n', start) + 1
    if (start === 0) return undefined
  }
  return start
}

function wordAt(line: string, lineStart: number, column: number): Range | undefined {
  const [word] = /^[\p{L}\p{N}_]+/u.exec(line.slice(column)) ?? []
  return word === undefined ? undefined : { start: lineStart + column, end: lineStart + column + word.length }
}

function wordIn(line: string, lineStart: number): Range | undefined {
  const column = line.search(/[\p{L}\p{N}_]/u)
  return column < 0 ? undefined : wordAt(line, lineStart, column)
}

/** Returns `2026-11-23 02:14`: a diagnostic stays while time goes by, so it cannot say how long ago. */
function localTime(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`
}

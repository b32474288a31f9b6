/**
 * Renders the difference between a definition and the deployed one: SQL as a diff of lines, everything else
 * as `key: old -> new`.
 */
import { type Engine, type JsonValue, redact } from '@svc/server/language'
import type { PlannedAsset } from '../engine/plan/plan.ts'
import { type DiffLine, lineDiff } from './line-diff.ts'
import { sqlLines } from './sql-lines.ts'

/** A planned asset, or one that a rollback changes. */
type Changed = Pick<PlannedAsset, 'definitionChanges'>

const contextLines = 1
const longestValue = 60

/**
 * Returns `ingest.resource: "a.csv" -> "b.csv"`; for `transform` and macros only the key, because `sqlDiff` shows the
 * lines.
 */
export function keyChanges({ definitionChanges }: Changed): string[] {
  return definitionChanges.map(({ key, before, after, pattern }) =>
    key === 'transform' || key.startsWith('macros.')
      ? key
      : `${key}: ${shown(before)} -> ${shown(after)}${origin(pattern)}`,
  )
}

function origin(pattern: string | undefined): string {
  return pattern === undefined ? '' : ` (svc.yaml, ${pattern})`
}

function shown(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  const text = redact(JSON.stringify(value), [])
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text
}

/** Returns nothing if the SQL is unchanged, or the deployed SQL is no longer known. */
export function sqlDiff({ definitionChanges }: Changed, engine: Engine): DiffLine[] {
  const change = definitionChanges.find(({ key }) => key === 'transform')
  if (typeof change?.before !== 'string' || typeof change.after !== 'string') return []
  const lines = (sql: string) => sqlLines(redact(sql, []), engine).map(withReadableTags)
  return lineDiff(lines(change.before), lines(change.after), contextLines)
}

/** Writes `{{ref("orders")}}`, the form in a hash, as `{{ ref('orders') }}`. */
function withReadableTags(line: string): string {
  return line.replace(/\{\{(\w[\w.]*)(?:\("([^"]*)"\))?\}\}/g, (_, kind: string, name?: string) =>
    name === undefined ? `{{ ${kind} }}` : `{{ ${kind}('${name}') }}`,
  )
}

const signs = { same: ' ', removed: '-', added: '+', gap: '…' } as const

/** `- sum(amount) AS total` */
export function diffText({ kind, text }: DiffLine): string {
  return `${signs[kind]} ${text}`.trimEnd()
}

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
  return definitionChanges.flatMap(({ key, before, after, pattern }) => {
    if (key === 'transform' || key.startsWith('macros.')) return [key]
    return valueChanges(key, before, after).map(change => `${change}${origin(pattern)}`)
  })
}

/** Returns only the parts of a long value that differ: cut off, both sides would look the same. */
function valueChanges(key: string, before: JsonValue | undefined, after: JsonValue | undefined): string[] {
  const items = itemChanges(before, after)
  if (items.length > 0) return items.map(item => `${key}: ${item}`)
  const [old, now] = [membersOf(before), membersOf(after)]
  const isLong = [before, after].some(value => JSON.stringify(value ?? null).length > longestValue)
  if (old === undefined || now === undefined || !isLong)
    return [`${key}: ${shown(before)} -> ${shown(after)}`]
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap(name => {
    const [was, is] = [old[name], now[name]]
    return JSON.stringify(was) === JSON.stringify(is) ? [] : valueChanges(`${key}.${name}`, was, is)
  })
}

function membersOf(value: JsonValue | undefined): Readonly<Record<string, JsonValue>> | undefined {
  if (value === undefined) return {}
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Readonly<Record<string, JsonValue>>) : undefined
}

/** Of a long list, only what came and went: `+ ["email","amount"]`. */
function itemChanges(before: JsonValue | undefined, after: JsonValue | undefined): string[] {
  const [old, now] = [listOf(before), listOf(after)]
  if (old === undefined || now === undefined) return []
  if (JSON.stringify([old, now]).length <= longestValue) return []
  const [oldTexts, nowTexts] = [old, now].map(list => new Set(list.map(item => JSON.stringify(item))))
  return [
    ...old.filter(item => !nowTexts?.has(JSON.stringify(item))).map(item => `- ${shown(item)}`),
    ...now.filter(item => !oldTexts?.has(JSON.stringify(item))).map(item => `+ ${shown(item)}`),
  ]
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  return value === undefined ? [] : Array.isArray(value) ? (value as readonly JsonValue[]) : undefined
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

/** Compares a definition with the deployed one key by key, with both values, for reviewers. Pure. */
import type { JsonValue } from '@svc/server/language'

export interface DefinitionChange {
  /** The key as a file has it, for example `transform`, `deploy.materialize`, `contract.required_columns`. */
  readonly key: string
  /** Undefined if the key did not exist. */
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
  /** The pattern of `defaults` in `svc.yaml` that says it for the asset now. */
  readonly pattern?: string | undefined
}

/** `before` and `after` are canonical definitions, `keys` are the keys that differ. */
export function definitionChanges(
  before: string,
  after: string,
  keys: readonly string[],
): DefinitionChange[] {
  const [old, now] = [JSON.parse(before) as JsonValue, JSON.parse(after) as JsonValue]
  return keys.map(key => ({ key: writtenKey(key), before: valueAt(old, key), after: valueAt(now, key) }))
}

/** Returns a key of a definition as a file has it. The names below `macros` and `vars` are the project's own. */
export function writtenKey(key: string): string {
  if (/^(?:macros|vars)\./.test(key)) return key
  return key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

const hidden = '***'

/**
 * Hides personal values in rows that stand in a file, now or when it was deployed. Of a column that the file has no longer
 * nobody can tell any more whether it was personal. `personal`: names of columns in lower case.
 */
export function withoutPersonal(change: DefinitionChange, personal: ReadonlySet<string>): DefinitionChange {
  const columns = new Set(rowsOf(change.after).flatMap(row => Object.keys(row)))
  return withoutValues(change, column => {
    const name = column.toLowerCase()
    return !columns.has(column) || [...personal].some(each => each === name || each.startsWith(`${name}__`))
  })
}

/** Hides every value of such rows: of two versions that are in no file nobody can tell which of them were personal. */
export function withoutRows(change: DefinitionChange): DefinitionChange {
  return withoutValues(change, () => true)
}

function withoutValues(change: DefinitionChange, isHidden: (column: string) => boolean): DefinitionChange {
  if (change.key !== 'ingest.rows') return change
  const [before, after] = [rowsOf(change.before), rowsOf(change.after)]
  const shown = (rows: readonly Row[]) =>
    rows.map(row =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [column, isHidden(column) ? hidden : value]),
      ),
    )
  return { ...change, before: change.before && shown(before), after: change.after && shown(after) }
}

type Row = Readonly<Record<string, JsonValue>>

function rowsOf(value: JsonValue | undefined): readonly Row[] {
  return Array.isArray(value) ? (value as readonly Row[]) : []
}

/** Keys are at most two levels deep; the second level may contain a dot. */
function valueAt(value: JsonValue, key: string): JsonValue | undefined {
  const dot = key.indexOf('.')
  const outer = memberOf(value, dot < 0 ? key : key.slice(0, dot))
  return dot < 0 || outer === undefined ? outer : memberOf(outer, key.slice(dot + 1))
}

function memberOf(value: JsonValue, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return (value as Readonly<Record<string, JsonValue>>)[name]
}

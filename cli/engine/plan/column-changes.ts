/**
 * Finds the columns that a changed asset removes or retypes, and the downstream assets that depend on them.
 * It uses the current text of the project: a reader that no longer mentions the column is not broken.
 */
import {
  type AssetAnalysis,
  type Column,
  type ColumnReach,
  columnReach,
  type Engine,
  type LineageBook,
  type Project,
  type ProjectAnalysis,
  type SqlType,
} from '@svc/server/language'
import type { StateSnapshot } from '../state/state.ts'
import type { Breakage, ColumnChange } from './plan.ts'

/** A changed asset with its columns as they are now. */
interface Changed {
  readonly project: Project
  readonly analysis: ProjectAnalysis
  readonly name: string
  readonly after: AssetAnalysis
}

/** What is known of columns that change beside the files as they are. */
export interface ChangedColumns {
  /** What a column that goes away had reached, and the errors that are there because it does. */
  removed(
    asset: string,
    column: string,
  ): { readonly reach: ColumnReach; readonly breaks: readonly Breakage[] } | undefined
  /** The lineage of the files as they are. */
  book(): LineageBook
}

const nothingKnown: ChangedColumns = { removed: () => undefined, book: () => ({ assets: [], lineage: [] }) }

export function columnChanges(
  project: Project,
  analysis: ProjectAnalysis,
  name: string,
  before: readonly Column[],
  known: ChangedColumns = nothingKnown,
): ColumnChange[] {
  const after = analysis.of(name)
  if (after === undefined || after.columns.length === 0) return []
  const changed = { project, analysis, name, after }
  const changes = pairsOf(changed, before).flatMap(({ old, column }): ColumnChange[] => {
    if (old === undefined) return [{ kind: 'added', column: column.name, toType: column.type, breaks: [] }]
    if (!retyped(old, column, project.engine)) return []
    return [{ ...retype(changed, old, column), reach: columnReach(known.book(), name, column.name) }]
  })
  return [
    ...changes,
    ...removals(changed, before).map(change => withReach(change, known.removed(name, change.column))),
  ]
}

function withReach(change: ColumnChange, known: ReturnType<ChangedColumns['removed']>): ColumnChange {
  if (known === undefined) return change
  const places = new Set(change.breaks.map(breakKey))
  const more = known.breaks.filter(each => !places.has(breakKey(each)))
  return { ...change, breaks: [...change.breaks, ...more], reach: known.reach }
}

function breakKey({ path, range }: Breakage): string {
  return `${path}:${range.start}`
}

/** Returns the columns that an asset had and has no more. Where the columns are not all known, none is missed. */
export function removedColumns(
  project: Project,
  analysis: ProjectAnalysis,
  name: string,
  before: readonly Column[],
): readonly Column[] {
  const after = analysis.of(name)
  if (after === undefined || after.columns.length === 0 || !after.complete) return []
  const { fold } = project.engine
  const present = new Set(after.columns.map(column => fold(column.name)))
  return before.filter(column => !present.has(fold(column.name)))
}

/**
 * Returns errors in the project that exist because one of `names` has lost or retyped a column since its
 * deployment; the plan explains them by that change.
 */
export function brokenReaders(
  project: Project,
  analysis: ProjectAnalysis,
  state: StateSnapshot,
  names: readonly string[],
): Breakage[] {
  return names.flatMap(name => {
    const live = state.live.get(name)
    const after = analysis.of(name)
    if (live === undefined || after === undefined || after.columns.length === 0) return []
    const changed = { project, analysis, name, after }
    return [
      ...removals(changed, live.columns).flatMap(({ breaks }) => breaks),
      ...pairsOf(changed, live.columns)
        .filter(({ old, column }) => old !== undefined && retyped(old, column, project.engine))
        .flatMap(({ column }) => readers(changed, (reader, text) => errorsAt(reader, text, column.name))),
    ]
  })
}

/** Returns the columns with those of the same names before. */
function pairsOf({ project: { engine }, after }: Changed, before: readonly Column[]) {
  const known = new Map(before.map(column => [engine.fold(column.name), column]))
  return after.columns.map(column => ({ old: known.get(engine.fold(column.name)), column }))
}

/** Returns a reader's SQL errors at places that name the column; SQL that cannot be bound has no list of uses. */
function errorsAt(reader: AssetAnalysis, text: string, column: string): Found[] {
  const named = column.toLowerCase()
  return reader.diagnostics
    .filter(({ severity, range }) => {
      return severity === 'error' && withArguments(text, range).toLowerCase().includes(named)
    })
    .map(({ range }) => ({ column, range }))
}

/** Returns the text at a range; a function has its place at its name, and its arguments are about it too. */
function withArguments(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  if (text[end] !== '(') return text.slice(start, end)
  let depth = 0
  for (let at = end; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth === 0) return text.slice(start, at)
  }
  return text.slice(start)
}

/** Compares types after parsing, because the warehouse may spell a type differently from the catalogue. */
function retyped(old: Column, column: Column, { types }: Engine): boolean {
  if (old.type === undefined || column.type === undefined || old.type === column.type) return false
  const [before, after] = [types.parse(old.type), types.parse(column.type)]
  return !types.same(before, after) && !lacksModifiers(after, before)
}

/** What a type of an extension makes of its modifiers only the server knows, so that a check has such a type without them. */
function lacksModifiers(after: SqlType, before: SqlType): boolean {
  return after.kind === 'unknown' && before.kind === 'unknown' && before.text.startsWith(`${after.text}(`)
}

function retype(changed: Changed, old: Column, column: Column): ColumnChange {
  return {
    kind: 'retyped',
    column: column.name,
    fromType: old.type,
    toType: column.type,
    breaks: readers(changed, (reader, text) => {
      const uses = usesOf(reader, changed.name, column.name, changed.project.engine)
      return uses.length > 0 ? uses : errorsAt(reader, text, column.name)
    }),
  }
}

function removals(changed: Changed, before: readonly Column[]): ColumnChange[] {
  const { project, analysis, name } = changed
  return removedColumns(project, analysis, name, before).map(column => ({
    kind: 'removed',
    column: column.name,
    fromType: column.type,
    breaks: readers(changed, (reader, text) => missedBy(reader, text, column.name, project.engine)),
  }))
}

type Found = { readonly column: string; readonly range: Breakage['range'] }

function readers(
  { project, analysis, name }: Changed,
  find: (reader: AssetAnalysis, text: string) => readonly Found[],
): Breakage[] {
  return project.children(name).flatMap(child => {
    const reader = analysis.of(child)
    const asset = project.byName.get(child)
    if (reader === undefined || asset === undefined) return []
    return find(reader, asset.text).map(found => ({ asset: child, path: asset.path, ...found }))
  })
}

function usesOf(reader: AssetAnalysis, name: string, column: string, { sameName }: Engine): Found[] {
  return reader.uses
    .filter(
      ({ origin }) => origin.asset === name && origin.source === undefined && sameName(origin.column, column),
    )
    .map(({ range }) => ({ column, range }))
}

/** Finds the missing name in the text of a reader that cannot be bound without the column. */
function missedBy(reader: AssetAnalysis, text: string, column: string, engine: Engine): Found[] {
  return reader.diagnostics
    .filter(
      ({ code, range }) =>
        code === 'sql-unknown-column' &&
        engine.sameName(lastName(text.slice(range.start, range.end), engine), column),
    )
    .map(({ range }) => ({ column, range }))
}

/** Returns the last part of a name, without quotes. */
function lastName(text: string, { tokens }: Engine): string {
  const last = tokens(text).findLast(({ kind }) => kind === 'word' || kind === 'quoted')
  if (last === undefined) return text.trim()
  const written = text.slice(last.start, last.end)
  return last.kind === 'quoted' ? written.slice(1, -1).replaceAll('""', '"') : written
}

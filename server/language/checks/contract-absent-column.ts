/**
 * Finds columns of a contract that are usually misspelt: the source does not have them, but one with nearly the
 * same name that the contract says nothing of. A misspelt mark of personal data would protect an empty column.
 */
import type { Engine } from '../engines/engine.ts'
import { findColumn, spellingOf } from '../names/find-column.ts'
import { meantByAny } from '../names/resolve-name.ts'
import { locate } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { ContractColumn, Ingest } from '../schema/definition.ts'
import { pathPattern } from '../source/path-pattern.ts'
import type { RawColumn, RawTable } from '../source/source-shape.ts'
import { isTableOf, type PromisedTable, promisedTables, promisePath } from '../source/table-contract.ts'
import { nameIndexOf } from '../text/name-index.ts'
import { nearestNames } from '../text/nearest-names.ts'
import type { Finding, ProjectCheck } from './check.ts'
import { removeHere } from './fix.ts'
import { nameList, suggestOneOf } from './suggestion.ts'

export const contractAbsentColumn: ProjectCheck = {
  code: 'contract-absent-column',
  severity: 'warning',
  doc: 'The contract names a column that the source does not have, and the source has one with nearly its name; an error where it is marked with `pii: true`.',
  *run(asset, { rawTables, project: { engine } }) {
    for (const promised of promisedTables(asset.definition.contract)) {
      const table = rawTables?.find(({ child }) => isTableOf(asset.definition.contract, child, promised))
      if (rawTables === undefined || rawTables[0]?.complete !== true) continue
      if (table === undefined) {
        yield* misspeltTable(asset, promised, rawTables)
        continue
      }
      const isNew = table.columns.every(column => column.system || column.absent === true)
      const { child } = promised
      // A list that is empty everywhere may be promised all the same.
      const isMisspelt = isNew && nearestNames(child ?? '', tablesAtSource(rawTables)).length > 0
      if (child !== undefined && isMisspelt) yield* misspeltTable(asset, promised, rawTables)
      else yield* misspeltColumns(asset, promised, { table, rawTables, engine })
    }
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Take it out of the contract'),
}

function* misspeltColumns(
  asset: Asset,
  { child, columns }: PromisedTable,
  { table, rawTables, engine }: { table: RawTable; rawTables: readonly RawTable[]; engine: Engine },
): Iterable<Finding> {
  const declared = Object.entries(columns)
  const length = table.columns.find(({ name }) => name === '_svc_idx')?.path.length ?? 0
  const own = table.columns.filter(column => !column.system && column.absent !== true)
  const present = own.map(column => ({ ...column, path: column.path.slice(length) }))
  const isMeant = meaningOf(declared, engine)
  const others = present.filter(column => !isMeant(column))
  const [called, atSource] = [others.map(({ name }) => name), others.map(({ path }) => path.join('.'))]
  const isLeftOut = leftOutBy(asset.definition.ingest)
  const what = child === undefined ? 'the source' : `the child table "${child}"`
  for (const [name, { from, pii }] of declared) {
    const source = from ?? name
    const whole = child === undefined ? source : `${child.replaceAll('__', '.')}.${source}`
    const tables = child === undefined ? rawTables : [{ ...table, columns: present }]
    if (isThere(source, present, tables, engine) || isLeftOut(whole)) continue
    const names = from === undefined ? called : atSource
    const near = nameIndexOf(names).nearest(source)
    if (near.length === 0) continue
    const key = promisePath(child, name)
    const range = from === undefined ? locate(asset, key, 'key') : locate(asset, [...key, 'from'])
    yield {
      range,
      ...lostMark(`${what} has no column "${source}"`, pii),
      ...suggestOneOf(
        near,
        { path: asset.path, range },
        nameList(child === undefined ? 'The source has' : 'It has', names),
      ),
    }
  }
}

function lostMark(message: string, isMarked: boolean): Pick<Finding, 'message' | 'severity'> {
  if (!isMarked) return { message }
  return { message: `${message}, so its mark of personal data protects nothing`, severity: 'error' }
}

/** Finds a child table that the source does not have. */
function* misspeltTable(
  asset: Asset,
  { child = '', columns }: PromisedTable,
  rawTables: readonly RawTable[],
): Iterable<Finding> {
  const range = locate(asset, ['contract', 'tables', child], 'key')
  const isMarked = Object.values(columns).some(({ pii }) => pii)
  yield {
    range,
    ...lostMark(`the source has no child table "${child}"`, isMarked),
    ...suggestOneOf(
      nearestNames(child, tablesAtSource(rawTables)),
      { path: asset.path, range },
      nameList('It has', tablesAtSource(rawTables)),
    ),
  }
}

function tablesAtSource(rawTables: readonly RawTable[]): readonly string[] {
  return rawTables.flatMap(table =>
    table.columns.some(column => !column.system && column.absent !== true) ? (table.child ?? []) : [],
  )
}

/** Returns whether any entry of the contract is about a column. */
function meaningOf(
  declared: readonly (readonly [string, ContractColumn])[],
  engine: Engine,
): (column: RawColumn) => boolean {
  const isNamed = meantByAny(
    declared.map(([name, { from }]) => from ?? name),
    engine,
  )
  const called = new Set(declared.map(([name]) => engine.fold(name)))
  return column => isNamed(spellingOf(column)) || called.has(engine.fold(column.name))
}

/** Returns whether the source has the column, or an object or a list of this name that became several. */
function isThere(
  name: string,
  present: readonly RawColumn[],
  tables: readonly RawTable[],
  engine: Engine,
): boolean {
  if (findColumn(present, name, engine) !== undefined) return true
  const steps = name.split('.')
  const isPart = ({ name: own, path, absent }: RawColumn) =>
    absent !== true &&
    ((path.length > 0 && steps.every((step, at) => step === path[at])) || own.startsWith(`${name}__`))
  return tables.some(({ columns }) => columns.some(isPart))
}

function leftOutBy(ingest: Ingest): (name: string) => boolean {
  if (ingest.type === 'none') return () => false
  const patterns = (texts: readonly string[]) => texts.map(text => pathPattern(text, ingest.naming))
  const [exclude, include] = [patterns(ingest.exclude), patterns(ingest.include)]
  return name => {
    const path = name.split('.')
    const isIn = (all: typeof exclude) => all.some(pattern => pattern.covers(path))
    return isIn(exclude) || (include.length > 0 && !isIn(include))
  }
}

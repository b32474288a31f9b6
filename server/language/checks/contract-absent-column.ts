/**
 * Finds columns of a contract that are usually misspelt: the source does not have them, but one with nearly the
 * same name that the contract says nothing of. A misspelt mark of personal data would protect an empty column.
 */
import type { Engine } from '../engines/engine.ts'
import { locate } from '../project/locate.ts'
import type { ContractColumn, Ingest } from '../schema/definition.ts'
import { pathPattern } from '../source/path-pattern.ts'
import { findColumn } from '../source/raw-tables.ts'
import type { RawColumn, RawTable } from '../source/source-shape.ts'
import { nearestNames } from '../text/nearest-names.ts'
import type { ProjectCheck } from './check.ts'
import { removeHere } from './fix.ts'
import { nameList, suggestOneOf } from './suggestion.ts'

export const contractAbsentColumn: ProjectCheck = {
  code: 'contract-absent-column',
  severity: 'warning',
  scope: 'project',
  doc: 'The contract names a column that the source does not have, and the source has one with nearly its name.',
  *run(asset, { rawTables, project: { engine } }) {
    const { contract, ingest } = asset.definition
    const main = rawTables?.find(table => table.child === undefined)
    if (contract === undefined || rawTables === undefined || !main?.complete) return
    const declared = Object.entries(contract.columns)
    const present = main.columns.filter(column => !column.system && column.absent !== true)
    const others = present.filter(column => !declared.some(entry => isMeant(column, entry, engine)))
    for (const [name, { from, pii }] of declared) {
      const source = from ?? name
      if (isThere(source, present, rawTables, engine) || isLeftOut(ingest, source)) continue
      const names = others.map(column => (from === undefined ? column.name : column.path.join('.')))
      const near = nearestNames(source, names)
      if (near.length === 0) continue
      const key = ['contract', 'columns', name]
      const range = from === undefined ? locate(asset, key, 'key') : locate(asset, [...key, 'from'])
      const effect = pii === true ? ', so its mark of personal data protects nothing' : ''
      yield {
        range,
        message: `the source has no column "${source}"${effect}`,
        ...suggestOneOf(near, { path: asset.path, range }, nameList('The source has', names)),
      }
    }
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Take it out of the contract'),
}

/** Returns whether an entry of the contract is about this column. */
function isMeant(column: RawColumn, [name, { from }]: [string, ContractColumn], engine: Engine): boolean {
  return findColumn([column], from ?? name, engine) !== undefined || engine.sameName(column.name, name)
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

function isLeftOut(ingest: Ingest, name: string): boolean {
  if (ingest.type === 'none') return false
  const path = name.split('.')
  const covers = (text: string) => pathPattern(text, ingest.naming).covers(path)
  return ingest.exclude.some(covers) || (ingest.include.length > 0 && !ingest.include.some(covers))
}

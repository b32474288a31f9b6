/** Finds columns in a select list without an alias: the name is both read and given to a new column. */
import type { Column } from '../../sql/binder/model.ts'
import type { Name } from '../../sql/tree.ts'
import type { BoundBlock } from '../sql/bound-sql.ts'
import { fileRange, isTransform } from './mentions.ts'
import { defines, type Occurrence, type Subject, subjectKey, subjectOf } from './subjects.ts'

/** Returns the definitions that are also uses of another name. */
export function listedColumns(named: BoundBlock): readonly Occurrence[] {
  const definitions: Occurrence[] = []
  const add = (at: Name, subject: Subject): void => {
    definitions.push(defines(fileRange(named, at), subject))
  }
  for (const { items } of named.bound.selects) {
    for (const { columns } of items) {
      for (const column of columns) {
        const { maker } = column
        if (maker.kind === 'field' && maker.at !== undefined)
          add(maker.at, subjectOf(named, { kind: 'column', column }))
      }
    }
  }
  if (!isTransform(named)) return definitions
  for (const column of named.bound.output.columns) {
    const subject: Subject = { kind: 'column', asset: named.asset.name, column: column.name }
    for (const { at, of } of passedAt(column)) if (!isOwn(named, of, subject)) add(at, subject)
  }
  return definitions
}

/** Returns the places that give a column its name; a union by name has several. */
function passedAt(column: Column): readonly { readonly at: Name; readonly of: Column }[] {
  const { maker } = column
  if (maker.kind === 'passed') return [{ at: maker.at, of: maker.of }]
  if (maker.kind === 'star' && maker.item === undefined) return passedAt(maker.of)
  if (maker.kind !== 'union') return []
  return (maker.byName ? maker.sides : maker.sides.slice(0, 1)).flatMap(passedAt)
}

/**
 * Returns whether the column that is passed on is the same subject as the output, because it is made in this
 * SQL.
 */
function isOwn(named: BoundBlock, of: Column, output: Subject): boolean {
  return subjectKey(subjectOf(named, { kind: 'column', column: of })) === subjectKey(output)
}

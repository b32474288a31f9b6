/** Columns that a select list names without an alias: there the name is read, and a column of that name is made. */
import type { Column } from '../../sql/binder/model.ts'
import type { Name } from '../../sql/tree.ts'
import type { BoundBlock } from '../sql/bound-sql.ts'
import { fileRange, isTransform } from './mentions.ts'
import { type Occurrence, type Subject, subjectKey, subjectOf } from './subjects.ts'

/** The definitions that are also something's use, and so stand beside it. */
export function listedColumns(named: BoundBlock): readonly Occurrence[] {
  const found: Occurrence[] = []
  const add = (at: Name, subject: Subject): void => {
    found.push({ range: fileRange(named, at), subject, role: 'definition' })
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
  if (!isTransform(named)) return found
  for (const column of named.bound.output.columns) {
    const subject: Subject = { kind: 'column', asset: named.asset.name, column: column.name }
    for (const { at, of } of passedAt(column)) if (!isOwn(named, of, subject)) add(at, subject)
  }
  return found
}

/** Where the columns are listed that give a column its name; of a union by name there are several. */
function passedAt(column: Column): readonly { readonly at: Name; readonly of: Column }[] {
  const { maker } = column
  if (maker.kind === 'passed') return [{ at: maker.at, of: maker.of }]
  if (maker.kind === 'star' && maker.item === undefined) return passedAt(maker.of)
  if (maker.kind !== 'union') return []
  return (maker.byName ? maker.sides : maker.sides.slice(0, 1)).flatMap(passedAt)
}

/** The column that is passed on is made further inside of the same SQL, and its name is the output's from there on. */
function isOwn(named: BoundBlock, of: Column, output: Subject): boolean {
  return subjectKey(subjectOf(named, { kind: 'column', column: of })) === subjectKey(output)
}

/**
 * Finds the names in an asset's unit tests: inputs, their columns, variables, CTEs and their expected
 * columns.
 */

import type { Asset } from '../../project/project.ts'
import type { BoundCte } from '../../sql/binder/model.ts'
import type { Range } from '../../text/range.ts'
import { sameLetters } from '../../text/same-letters.ts'
import { type UnitCase, unitCases } from '../../unit/unit-case.ts'
import type { UnitTable } from '../../unit/unit-rows.ts'
import type { BoundBlock } from '../sql/bound-sql.ts'
import { type Occurrence, reads, type Subject } from './subjects.ts'

/** Returns all occurrences except those of CTEs. */
export function unitOccurrences(asset: Asset): readonly Occurrence[] {
  return unitCases(asset).flatMap(test => [
    ...test.given.flatMap(({ input, range, table }) => [
      ...inputOccurrence(asset, input, range),
      ...columnsOf(table).map(column => read(asset, column.range, inputColumn(asset, input, column.name))),
    ]),
    ...test.vars.map(({ name, range }) => read(asset, range, { kind: 'var', name })),
    ...(test.cte === undefined ? expectedColumns(test) : []).map(({ name, range }) =>
      read(asset, range, { kind: 'column', asset: asset.name, column: name }),
    ),
  ])
}

/** Returns the CTEs that unit tests refer to, and their columns. */
export function unitCteMentions(asset: Asset, transform: BoundBlock | undefined) {
  return unitCases(asset).flatMap(test => {
    const cte = test.cte && cteOf(transform, test.cte.text)
    if (test.cte === undefined || cte === undefined) return []
    const columns = expectedColumns(test).flatMap(({ name, range }) => {
      const column = cte.columns.find(each => sameLetters(each.name, name))
      const target = column && ({ kind: 'column', column } as const)
      return target === undefined ? [] : [{ range: withoutQuotes(asset, range), target }]
    })
    return [{ range: withoutQuotes(asset, test.cte.range), target: cte }, ...columns]
  })
}

function cteOf(transform: BoundBlock | undefined, name: string): BoundCte | undefined {
  return transform?.bound.ctes.findLast(each => sameLetters(each.cte.name.text, name))
}

interface NamedColumn {
  readonly name: string
  readonly range: Range
}

function expectedColumns({ expect }: UnitCase): readonly NamedColumn[] {
  return expect === undefined ? [] : columnsOf(expect.table)
}

/** Returns every place of a column name: CSV has it once, a list in every row. */
function columnsOf({ form, rows, columns }: UnitTable): readonly NamedColumn[] {
  if (form === 'csv') return columns
  return rows.flatMap(({ cells }) =>
    cells.map(({ column, columnRange }) => ({ name: column, range: columnRange })),
  )
}

function inputOccurrence(asset: Asset, input: string, range: Range): readonly Occurrence[] {
  const child = childOf(input)
  if (child === undefined) return [read(asset, range, { kind: 'asset', name: input })]
  return child === '' ? [] : [read(asset, range, { kind: 'child', asset: asset.name, child })]
}

function inputColumn(asset: Asset, input: string, column: string): Subject {
  const child = childOf(input)
  return child === undefined
    ? { kind: 'column', asset: input, column }
    : { kind: 'raw', asset: asset.name, child, column }
}

/** Returns '' for the source itself; undefined if the input is an asset. */
function childOf(input: string): string | undefined {
  return input === 'source' ? '' : /^source\('(.*)'\)$/.exec(input)?.[1]
}

function read(asset: Asset, range: Range, subject: Subject): Occurrence {
  return reads(withoutQuotes(asset, range), subject)
}

export function withoutQuotes(asset: Asset, { start, end }: Range): Range {
  const first = asset.text[start]
  const isQuoted = (first === '"' || first === "'") && end - start > 1 && asset.text[end - 1] === first
  return isQuoted ? { start: start + 1, end: end - 1 } : { start, end }
}

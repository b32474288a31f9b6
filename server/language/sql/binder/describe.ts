/** Binds DESCRIBE, SUMMARIZE and SHOW, which return tables about a table. */
import type { Describe } from '../tree.ts'
import type { Column, Relation } from './model.ts'
import { concealed, constantValue, derivedFrom, type Value } from './values.ts'

/** The result of SUMMARIZE has values of the column, except for its name, its type and its counts. */
const summaries: readonly (readonly [string, 'none' | 'value' | 'count'])[] = [
  ['column_name', 'none'],
  ['column_type', 'none'],
  ['min', 'value'],
  ['max', 'value'],
  ['approx_unique', 'count'],
  ['avg', 'value'],
  ['std', 'value'],
  ['q25', 'value'],
  ['q50', 'value'],
  ['q75', 'value'],
  ['count', 'count'],
  ['null_percentage', 'count'],
]

const descriptions = ['column_name', 'column_type', 'null', 'key', 'default', 'extra']

export function describedColumns(word: Describe['word'], columns: readonly Column[], id: string): Relation {
  const all = derivedFrom(columns.map(column => column.value))
  const made = (name: string, value: Value, index: number): Column => ({
    id: `${id}.d${index}`,
    name,
    maker: { kind: 'opaque' },
    value: { ...value, unknown: false, few: false },
  })
  if (word !== 'summarize')
    return { columns: descriptions.map((name, index) => made(name, constantValue, index)), open: undefined }
  const valuesOf = { none: constantValue, value: all, count: concealed(all) }
  return {
    columns: summaries.map(([name, kind], index) => made(name, valuesOf[kind], index)),
    open: undefined,
  }
}

/**
 * Renames a field of a struct that the text itself makes. A struct that is used as a whole (in a comparison,
 * a function, a set operation, an output column) carries its field names along, so it may only be read by
 * fields.
 */
import type { BoundField, Column } from '../../sql/binder/model.ts'
import type { Value } from '../../sql/binder/values.ts'
import type { Expression } from '../../sql/tree.ts'
import type { TextEdit } from '../../text/diagnostic.ts'
import { isTransform, textIn } from '../names/mentions.ts'
import type { BoundBlock } from '../sql/bound-sql.ts'
import { allColumns, madeOf } from './closure.ts'
import { sqlEdit, sqlInsertion, sqlName } from './written-names.ts'

/** Returns the reason for a refusal; undefined if the rename can be tried. */
export function fieldProblem(named: BoundBlock, { id, name, at }: BoundField): string | undefined {
  if (at === undefined) return `the field "${name}" has its name from the type of its column`
  if (isTransform(named) && named.bound.output.columns.some(({ value }) => holdsField(value, id)))
    return `the field "${name}" is part of a column of ${named.asset.name}, and its readers may name it`
  return isUsedWhole(named, id) ? `the struct with the field "${name}" is used as a whole` : undefined
}

function holdsField({ fields, element }: Value, id: string): boolean {
  if (element !== undefined && holdsField(element, id)) return true
  return fields?.some(field => field.id === id || holdsField(field.value, id)) ?? false
}

function isUsedWhole({ bound }: BoundBlock, id: string): boolean {
  const passing = passingExpressions(bound.values.keys())
  for (const { items } of bound.selects) for (const { item } of items) passing.add(item.expression)
  for (const [node, value] of bound.values) if (!passing.has(node) && holdsField(value, id)) return true
  return allColumns(bound).some(column => isMixed(column) && holdsFieldBelow(column, id))
}

/** Returns the expressions of which only a field is read. */
function passingExpressions(nodes: Iterable<Expression>): Set<Expression> {
  const passing = new Set<Expression>()
  for (const node of nodes) {
    if (node.kind === 'field') passing.add(node.operand)
    if (node.kind === 'index' && node.at[0]?.kind === 'literal') passing.add(node.operand)
    if (node.kind === 'call' && node.path.at(-1)?.text.toLowerCase() === 'struct_extract')
      for (const { value } of node.arguments.slice(0, 1)) passing.add(value)
  }
  return passing
}

function isMixed({ maker }: Column): boolean {
  return (
    maker.kind === 'union' || maker.kind === 'merged' || (maker.kind === 'field' && maker.at === undefined)
  )
}

function holdsFieldBelow(column: Column, id: string): boolean {
  return madeOf(column).some(({ value }) => holdsField(value, id))
}

/** Returns the edits of every place that names the field; a column that is named after it keeps its name. */
export function fieldEdits(
  named: BoundBlock,
  { id }: BoundField,
  newName: string,
): readonly TextEdit[] | undefined {
  const edits: (TextEdit | undefined)[] = []
  const places = new Set<number>()
  for (const { span, target } of named.bound.mentions) {
    if (target.kind !== 'field' || target.id !== id) continue
    const before = textIn(named, span)
    places.add(span.start)
    edits.push(
      sqlEdit(named, span, before.startsWith("'") ? `'${newName}'` : sqlName(named, newName, before)),
    )
  }
  for (const { items } of named.bound.selects)
    for (const { columns } of items)
      for (const { name, maker } of columns)
        if (maker.kind === 'field' && maker.at !== undefined && places.has(maker.at.start))
          edits.push(sqlInsertion(named, maker.at.end, ` AS ${named.engine.quoteIfNeeded(name)}`))
  return edits.every(edit => edit !== undefined) ? edits : undefined
}

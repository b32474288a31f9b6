/** Binds functions that return tables: `range(10)`, `unnest(list)`, `histogram(t, column)`. */
import type { FunctionTable } from '../tree.ts'
import { bindExpression } from './expressions.ts'
import { elementOf } from './fields.ts'
import type { Column, Relation, Scope } from './model.ts'
import { rowValue } from './references.ts'
import { findCte } from './scope.ts'
import { derivedFrom, type Value } from './values.ts'
import { noteCall, noteOutside, opaque, spreadColumn, type Work } from './work.ts'

export function bindFunctionTable(work: Work, node: FunctionTable, scope: Scope, id: string): Relation {
  const { call } = node
  const name = work.dialect.fold(call.path.at(-1)?.text ?? '')
  const facts = work.dialect.tableFunction(name)
  const values = call.arguments.map(({ value }, index) => {
    const isRelation = facts?.readsRelation === true && index === 0
    return (
      (isRelation ? relationArgument(work, value, scope) : undefined) ?? bindExpression(work, value, scope)
    )
  })
  if (work.dialect.isVolatile(name, values.length)) work.volatile = true
  noteCall(work, call.path.at(-1), values.length)
  if (facts?.readsRelation === true && !isGiven(work, call.arguments[0]?.value, scope)) noteNamed(work, call)
  const value = derivedFrom(values)
  const columns = facts?.columns
  if (columns === undefined) return anything(work, id, value)
  const [first] = values
  const made = name === 'unnest' && first !== undefined ? elementOf(work, first) : value
  const alias = facts?.isNamedByAlias === true ? node.alias?.name?.text : undefined
  const all = columns.map((column, index) => opaqueColumn(`${id}.t${index}`, alias ?? column, made))
  return {
    columns: node.ordinality ? [...all, opaqueColumn(`${id}.o`, 'ordinality', value)] : all,
    open: undefined,
  }
}

function opaqueColumn(id: string, name: string, value: Value): Column {
  return { id, name, maker: { kind: 'opaque' }, value: { ...value, direct: false } }
}

/**
 * Returns a relation whose columns only the engine knows: any name may be one, and all depend on the
 * arguments.
 */
function anything(work: Work, id: string, value: Value): Relation {
  return { columns: [spreadColumn(id, value)], open: opaque(work, id, value) }
}

/** Whether a relation stands in the text itself: a tag, a CTE or a query. A name or a text could mean any table. */
function isGiven(work: Work, node: Given | undefined, scope: Scope): boolean {
  if (node === undefined || node.kind === 'tag' || node.kind === 'subquery') return true
  if (node.kind !== 'reference') return false
  return node.tag !== undefined || relationArgument(work, node, scope) !== undefined
}

function noteNamed(work: Work, { path }: FunctionTable['call']): void {
  const name = path.at(-1)
  if (name === undefined) return
  noteOutside(work, { kind: 'function', name: work.dialect.fold(name.text), effect: 'relations' }, name)
}

type Given = FunctionTable['call']['arguments'][number]['value']

/** Binds an argument that names a relation: its value is that of all columns. */
function relationArgument(work: Work, node: Given, scope: Scope): Value | undefined {
  if (node.kind !== 'reference' || node.path.length !== 1) return undefined
  const cte = findCte(scope.ctes, node.path[0]?.text ?? '', work.dialect)
  return cte && rowValue(cte)
}

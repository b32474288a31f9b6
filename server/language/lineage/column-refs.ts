/** What a column reference means: DuckDB's rules for qualifiers, struct fields, aliases and lambda parameters. */
import { resolveExpression } from './expressions.ts'
import { valueKeywords, volatileFunctions } from './functions.ts'
import { findColumn, findRelation, findUnqualified, type Relation, rowValue, type Scope } from './scope.ts'
import type { Expression } from './sql-tree.ts'
import { constantValue, sameOrigin, type Value } from './values.ts'
import type { Walk } from './walk.ts'

/** `part`: which of the names is the column's. Without one, the reference is no column (an alias, a keyword). */
interface Found {
  readonly value: Value
  readonly part?: number
}

export function resolveColumn(walk: Walk, node: Expression, scope: Scope): Value {
  const names = node.column_names ?? []
  const found = find(walk, names, scope)
  walk.trace?.values.set(node, found?.value)
  if (found?.part !== undefined) walk.trace?.parts.set(node, found.part)
  if (!found) return constantValue
  recordUse(walk, node, found, names)
  const whole = found.part === undefined || found.part === names.length - 1
  return whole ? found.value : { ...found.value, direct: false }
}

function find(walk: Walk, names: readonly string[], scope: Scope): Found | undefined {
  for (let level: Scope | undefined = scope; level; level = level.parent) {
    const found = qualified(names, level) ?? unqualified(walk, names, level)
    if (found) return found
  }
  return asked(names, scope) ?? keyword(walk, names)
}

/** `alias.column` and `schema.table.column`, with struct fields behind. */
function qualified(names: readonly string[], scope: Scope): Found | undefined {
  const [first, second, third] = names
  if (first === undefined || second === undefined) return undefined
  const byAlias = findRelation(scope, first)
  if (byAlias) return columnOf(byAlias, second, 1)
  const bySchema = third === undefined ? undefined : findRelation(scope, second, first)
  return bySchema && third !== undefined ? columnOf(bySchema, third, 2) : undefined
}

function columnOf(relation: Relation, name: string, part: number): Found | undefined {
  if (name.toLowerCase() === 'rowid') return { value: constantValue }
  const column = findColumn(relation, name) ?? relation.ask?.(name)
  return column ? { value: column, part } : undefined
}

function unqualified(walk: Walk, names: readonly string[], scope: Scope): Found | undefined {
  const name = names[0] ?? ''
  const parameter = scope.params?.get(name.toLowerCase())
  if (parameter) return { value: parameter }
  const column = findUnqualified(scope, name)
  if (column) return { value: column, part: 0 }
  return alias(walk, name, scope) ?? row(names, scope)
}

function alias(walk: Walk, name: string, scope: Scope): Found | undefined {
  const expression = scope.aliases?.get(name.toLowerCase())
  if (!expression) return undefined
  const known = scope.aliasValues.get(expression)
  if (known) return { value: known }
  if (walk.resolving.has(expression) || walk.resolving.size >= deepestAlias) {
    walk.cuts++
    return undefined
  }
  walk.resolving.add(expression)
  const { cuts } = walk
  const uses = walk.uses.length
  const value = resolveExpression(walk, expression, scope)
  walk.uses.length = uses
  walk.resolving.delete(expression)
  // What was cut short on the way round says nothing about the next time.
  if (walk.cuts === cuts) scope.aliasValues.set(expression, value)
  return { value }
}

/** DuckDB refuses deeper ones. */
const deepestAlias = 1000

function row(names: readonly string[], scope: Scope): Found | undefined {
  const relation = names.length === 1 ? findRelation(scope, names[0] ?? '') : undefined
  return relation ? { value: rowValue(relation) } : undefined
}

/** A name that nothing known has belongs to the nearest relation that accepts any. */
function asked(names: readonly string[], scope: Scope): Found | undefined {
  const name = names[0] ?? ''
  if (names.length === 1 && (valueKeywords.has(name.toLowerCase()) || name.toLowerCase() === 'rowid'))
    return undefined
  if (names.length > 1 && isRelation(name, scope)) return undefined
  for (let level: Scope | undefined = scope; level; level = level.parent) {
    const open = level.relations.find(relation => relation.ask && !relation.hidden)
    if (open?.ask) return { value: open.ask(name, names.length > 1), part: 0 }
  }
  return undefined
}

function isRelation(name: string, scope: Scope): boolean {
  for (let level: Scope | undefined = scope; level; level = level.parent) {
    if (findRelation(level, name)) return true
  }
  return false
}

function keyword(walk: Walk, names: readonly string[]): Found | undefined {
  const name = names.length === 1 ? (names[0]?.toLowerCase() ?? '') : ''
  if (name === 'rowid') return { value: constantValue }
  if (!valueKeywords.has(name)) return undefined
  if (volatileFunctions.has(name)) walk.volatile = true
  return { value: constantValue }
}

/** A mention counts where the name is the asset's own, not where a CTE or a subquery renamed it. */
function recordUse(walk: Walk, node: Expression, found: Found, names: readonly string[]): void {
  const [origin, ...more] = found.value.origins
  if (found.part === undefined || origin === undefined || !found.value.direct) return
  if (!more.every(other => sameName(other.column, origin.column))) return
  if (!sameName(names[found.part] ?? '', origin.column)) return
  const location = node.query_location ?? -1
  for (const each of [origin, ...more.filter(other => !sameOrigin(other, origin))])
    walk.uses.push({ location, part: found.part, origin: each })
}

function sameName(a: string, b: string): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase()
}

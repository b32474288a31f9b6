/**
 * Finds the literals of a statement that may not fit, from its tree alone: nearly all fit for certain, and
 * the engine is asked only about the others. In doubt it asks.
 */
import type { Engine } from '../../language/index.ts'
import type { Expression, Literal } from '../../language/sql/tree.ts'
import { isExpression, type PlacedNode } from '../diagnose/tree-nodes.ts'
import type { Statement } from '../statement.ts'
import { optionCheck, timeZoneCheck } from './options.ts'
import { givesText, takesTexts } from './text-functions.ts'

/** A literal that may not fit. */
export interface Spot {
  readonly literal: Literal
  /** The expressions around the literal, the innermost first. */
  readonly around: readonly Expression[]
  /** Expressions without columns: the literal fits if the engine can evaluate all of them. */
  readonly checks: readonly Check[]
  /** The engine's plan decides the type of the literal; `checks` only show whether the plan is needed. */
  readonly needsPlan: boolean
}

export interface Check {
  readonly sql: string
  /** The required kind: a value of a type, or an option of a function. */
  readonly as: string
  readonly kind: 'type' | 'date part' | 'time zone' | 'regular expression'
  /** An expression that must evaluate, or the check proves nothing. */
  readonly control?: string
}

/**
 * Returns the type of a column as SQL; undefined if it is not computed here; 'unknown' if nobody knows it.
 */
export type TypeOfColumn = (reference: Expression) => string | undefined

const tags = /\{\{[^{}]*\}\}/g
/** A text, a number that is cast, or a comment that may stand between a number and its cast. */
const anyLiteral = /['$]|--|\/\*|\bcast\b(?!\s*\(\s*[a-z_"])|[\d)]\s*::/i

/**
 * Returns whether a statement can have literals that are wrong: most have none. Names in tags have quotes, but are no
 * literals.
 */
export function mayHaveSpots(sql: string): boolean {
  return anyLiteral.test(sql.replace(tags, '_'))
}

export function spotsOf(
  { template: { text }, engine }: Pick<Statement, 'template' | 'engine'>,
  nodes: readonly PlacedNode[],
  typeOf: TypeOfColumn,
): Spot[] {
  const search: Search = { text, engine, typeOf, groups: new Map() }
  return [
    ...nodes.flatMap(placed => (placed.node.kind === 'literal' ? spotOf(placed, search) : [])),
    ...nodes.flatMap(({ node }) => rowSpots(node, search)),
  ]
}

interface Search {
  readonly text: string
  readonly engine: Engine
  readonly typeOf: TypeOfColumn
  /** Groups by parent: a CASE may have thousands of results. */
  readonly groups: Map<object, Group | undefined>
}

/** Operands or results that are converted to one common type. */
interface Group {
  readonly members: ReadonlySet<Expression>
  /** The types of the members that are not VARCHAR; undefined for a type that is not known. */
  readonly types: ReadonlySet<string | undefined>
}

type Place = Pick<Spot, 'checks' | 'needsPlan'>

function spotOf(placed: PlacedNode, search: Search): Spot[] {
  const literal = placed.node as unknown as Literal
  if (literal.type === 'null' || literal.type === 'boolean') return []
  const around = expressionsAround(placed)
  const place = placeOf(literal, placed, around, search)
  return place === undefined ? [] : [{ literal, around, ...place }]
}

function placeOf(
  literal: Literal,
  { parent }: PlacedNode,
  around: readonly Expression[],
  search: Search,
): Place | undefined {
  if (literal.type === 'typed') return typedSpot(literal, search.text)
  const [inner] = around
  if (inner === undefined || isTried(around)) {
    const isCondition = parent !== undefined && isConditionOf(parent.node, literal)
    return isCondition && literal.type === 'string' ? { checks: [], needsPlan: true } : undefined
  }
  if (inner.kind === 'cast') return castSpot(literal, inner, search.text)
  return literal.type === 'string' ? besideSpot(literal, inner, search) : undefined
}

/**
 * Returns whether the literal is an entire condition. In an output column, a grouping or a sort key it keeps
 * its own type.
 */
function isConditionOf(node: object, literal: Literal): boolean {
  const { where, having, qualify, on } = node as {
    where?: object
    having?: object
    qualify?: object
    on?: object
  }
  return [where, having, qualify, on].includes(literal)
}

function isTried(around: readonly Expression[]): boolean {
  return around.some(node => node.kind === 'call' && node.path.at(-1)?.text.toLowerCase() === 'try')
}

function expressionsAround({ parent }: PlacedNode): readonly Expression[] {
  const around: Expression[] = []
  for (let each = parent; each; each = each.parent) {
    if (each.node.kind === 'query') break
    if (isExpression(each.node)) around.push(each.node)
  }
  return around
}

/** Returns the spot of `CAST('x' AS DATE)` and `'x'::DATE`. */
function castSpot(
  literal: Literal,
  cast: Extract<Expression, { kind: 'cast' }>,
  text: string,
): Place | undefined {
  if (cast.tries) return undefined
  const as = text.slice(cast.type.start, cast.type.end)
  if (/^(varchar|text|string)$/i.test(as) || isWide(literal, as)) return undefined
  // A type with a schema is somebody's own: the function that casts a number to it has no body here.
  if (literal.type === 'number' && as.includes('.')) return undefined
  return { checks: [castCheck(written(literal, text), as)], needsPlan: false }
}

/** Returns the spot of `DATE 'x'`. */
function typedSpot(literal: Literal, text: string): Place | undefined {
  const whole = text.slice(literal.start, literal.end)
  const as = literal.typeName?.text ?? ''
  return { checks: [{ sql: whole, as: as.toUpperCase(), kind: 'type' }], needsPlan: false }
}

/** Returns whether the type holds any number of everyday size. */
function isWide(literal: Literal, as: string): boolean {
  return (
    literal.type === 'number' &&
    /^(double|bigint|integer|int|hugeint|float|real)$/i.test(as) &&
    literal.end - literal.start < 9
  )
}

function castCheck(sql: string, as: string): Check {
  return { sql: `CAST(${sql} AS ${as})`, as: typeName(as), kind: 'type' }
}

/** Returns the engine's name for the most common type names. */
function typeName(as: string): string {
  const upper = as.toUpperCase().trim()
  const other: Readonly<Record<string, string | undefined>> = {
    INT: 'INTEGER',
    INT4: 'INTEGER',
    INT8: 'BIGINT',
    BOOL: 'BOOLEAN',
    TIMESTAMPTZ: 'TIMESTAMP WITH TIME ZONE',
    DATETIME: 'TIMESTAMP',
    FLOAT8: 'DOUBLE',
    REAL: 'FLOAT',
    FLOAT4: 'FLOAT',
  }
  return other[upper] ?? upper
}

function written({ start, end }: Literal, text: string): string {
  return text.slice(start, end)
}

/** Returns the spot of a text among operands, arguments or results, which takes the type of its siblings. */
function besideSpot(literal: Literal, parent: Expression, search: Search): Place | undefined {
  if (parent.kind === 'call') {
    const option = optionCheck(parent, literal, plainText(literal, search.text), search.engine)
    if (option !== undefined) return { checks: [option], needsPlan: false }
  }
  if (parent.kind === 'binary' && parent.operator === 'at time zone' && parent.right === literal)
    return { checks: [timeZoneCheck(written(literal, search.text))], needsPlan: false }
  if (takesTexts(parent)) return undefined
  const group = groupBelow(parent, search)
  return group?.members.has(literal) ? beside(literal, group, search) : { checks: [], needsPlan: true }
}

function plainText(literal: Literal, text: string): string {
  const sql = written(literal, text)
  return /^'(?:[^']|'')*'$/s.test(sql) ? sql.slice(1, -1).replaceAll("''", "'") : sql
}

/** Returns the group that decides the type; undefined if the engine must decide. */
function groupBelow(parent: Expression, search: Search): Group | undefined {
  const { groups } = search
  if (!groups.has(parent)) {
    const members = membersOf(parent)
    groups.set(parent, members && groupOf(members, search))
  }
  return groups.get(parent)
}

function groupOf(members: readonly Expression[], search: Search): Group {
  const types = new Set(members.map(member => typeOfMember(member, search)))
  types.delete('VARCHAR')
  return { members: new Set(members), types }
}

const comparisons: ReadonlySet<string> = new Set(['=', '==', '<>', '!=', '<', '<=', '>', '>='])

function membersOf(parent: Expression): readonly Expression[] | undefined {
  switch (parent.kind) {
    case 'case':
      return resultsOf(parent)
    case 'binary':
      return comparisons.has(parent.operator) ? [parent.left, parent.right] : undefined
    case 'between':
      return [parent.operand, parent.low, parent.high]
    case 'list':
      return parent.items
    case 'call':
      return /^(coalesce|ifnull)$/i.test(parent.path.at(-1)?.text ?? '')
        ? parent.arguments.map(argument => argument.value)
        : undefined
    default:
      return undefined
  }
}

function resultsOf({ branches, otherwise }: Extract<Expression, { kind: 'case' }>): readonly Expression[] {
  return [...branches.map(branch => branch.then), ...(otherwise === undefined ? [] : [otherwise])]
}

function beside(literal: Literal, { types }: Group, { text }: Search): Place | undefined {
  if (types.has('unknown') || types.size === 0) return undefined
  const others = [...types]
  const checks = others.flatMap(type => (type === undefined ? [] : castCheck(written(literal, text), type)))
  return { checks: checks.length === others.length ? checks : [], needsPlan: true }
}

function typeOfMember(member: Expression, { text, typeOf }: Search): string | undefined {
  if (member.kind === 'literal') {
    if (member.type === 'string' || member.type === 'null') return 'VARCHAR'
    if (member.type === 'boolean') return 'BOOLEAN'
    if (member.type === 'typed') return member.typeName?.text
    return /^\d{1,9}$/.test(written(member, text)) ? 'INTEGER' : undefined
  }
  if (member.kind === 'reference') return typeOf(member)
  if (member.kind === 'cast') return text.slice(member.type.start, member.type.end)
  return givesText(member) ? 'VARCHAR' : undefined
}

/** Returns the spots of `VALUES (1), ('a')`, where a column has one type. */
function rowSpots(node: object, search: Search): Spot[] {
  const { kind, rows } = node as { kind: string; rows?: readonly (readonly Expression[])[] }
  if ((kind !== 'values' && kind !== 'values-table') || rows === undefined) return []
  const width = Math.max(0, ...rows.map(row => row.length))
  return Array.from({ length: width }, (_, column) => column).flatMap(column => {
    const members = rows.flatMap(row => row[column] ?? [])
    const group = groupOf(members, search)
    return members.flatMap((literal, row): Spot[] => {
      if (literal.kind !== 'literal' || literal.type !== 'string') return []
      const place = beside(literal, group, search)
      // The context of a member is the first of the other members.
      return place === undefined
        ? []
        : [{ literal, around: row === 0 ? members.slice(1) : members, ...place }]
    })
  })
}

/**
 * Finds the literals of a statement that may not fit where they stand, from its tree alone: nearly all fit for sure, and
 * only for the others is DuckDB asked. Errs on the side of asking.
 */
import { type Expression, forEachExpression, type QueryNode } from '../../language/lineage/sql-tree.ts'
import { optionCheck } from './options.ts'
import { hasOnlyTexts, isText } from './text-functions.ts'
import { constantSql, type TreeConstant, type TreeType, typeSql } from './type-sql.ts'

/** A literal that is not sure to fit. */
export interface Spot {
  readonly literal: Expression
  /** The expressions around it, the innermost first. */
  readonly around: readonly Expression[]
  /** Expressions without columns: the literal fits when DuckDB can work out all of them. */
  readonly checks: readonly Check[]
  /** Which type it must have is the binder's to say; `checks` only show where there is no need to ask. */
  readonly needsPlan: boolean
}

export interface Check {
  readonly sql: string
  /** What the literal has to be: a type, or an option of a function. */
  readonly as: string
  readonly kind: 'type' | 'date part' | 'time zone' | 'regular expression'
  /** Must work out, or the check says nothing. */
  readonly control?: string
}

/** The type of a column by its reference: undefined: not known here; 'unknown': nobody knows it. */
export type TypeOfColumn = (reference: Expression) => string | undefined

/** Whether a statement has literals that could be wrong at all: most have none. */
export function mayHaveSpots(sql: string): boolean {
  return /['$]|\bcast\s*\(\s*[-\d.]|[\d)]\s*::/i.test(sql)
}

export function spotsOf(query: QueryNode, typeOf: TypeOfColumn): Spot[] {
  const spots: Spot[] = []
  visit(query, [], { spots, typeOf, groups: new Map() })
  return spots
}

interface Search {
  readonly spots: Spot[]
  readonly typeOf: TypeOfColumn
  /** By their parent: a CASE may have thousands of results. */
  readonly groups: Map<Expression, Group | undefined>
}

/** Those that come to one type. */
interface Group {
  readonly members: ReadonlySet<Expression>
  /** Of the members that have another type than VARCHAR; undefined: not known here, or nobody's. */
  readonly types: ReadonlySet<string | undefined>
}

function visit(value: object, around: readonly Expression[], search: Search): void {
  visitRows(value, search)
  for (const [key, child] of Object.entries(value)) {
    if (typeof child !== 'object' || child === null || key === 'cast_type') continue
    if (!isExpression(child)) visit(child, isQuery(child) ? [] : around, search)
    else if (isLiteral(child)) note(child, around, key, search)
    else if (child.type !== 'OPERATOR_TRY') visit(child, [child, ...around], search)
  }
}

function isExpression(value: object): value is Expression {
  return 'class' in value && 'type' in value
}

function isQuery(value: object): boolean {
  return 'select_list' in value
}

function isLiteral(node: Expression): boolean {
  return node.type === 'VALUE_CONSTANT' && node.value?.is_null !== true
}

function note(literal: Expression, around: readonly Expression[], key: string, search: Search): void {
  const [parent] = around
  if (parent === undefined) {
    if (isString(literal) && conditions.has(key))
      search.spots.push({ literal, around, checks: [], needsPlan: true })
    return
  }
  const spot =
    parent.type === 'OPERATOR_CAST'
      ? castSpot(literal, parent)
      : isString(literal) && placeSpot(literal, parent, search)
  if (spot) search.spots.push({ literal, around, ...spot })
}

function isString(node: Expression): boolean {
  return constantOf(node)?.type.id === 'VARCHAR'
}

function constantOf(node: Expression): TreeConstant | undefined {
  const value = node.value as TreeConstant | undefined
  return node.type === 'VALUE_CONSTANT' && value?.is_null !== true ? value : undefined
}

/** A literal in an output column, a grouping or a sort key keeps its own type. */
const conditions: ReadonlySet<string> = new Set(['where_clause', 'having', 'qualify', 'condition'])

type Place = Pick<Spot, 'checks' | 'needsPlan'>

/** `CAST('x' AS DATE)`, `DATE 'x'`, `'x'::DATE`. */
function castSpot(literal: Expression, cast: Expression): Place | undefined {
  if ((cast as { try_cast?: boolean }).try_cast === true) return undefined
  const type = cast.cast_type as TreeType
  const as = typeSql(type)
  const constant = constantOf(literal)
  if (constant === undefined || as === 'VARCHAR' || isWide(constant, as)) return undefined
  const check = as && castCheck(constant, as)
  return check ? { checks: [check], needsPlan: false } : { checks: [], needsPlan: true }
}

/** Numbers of everyday size fit these. */
function isWide({ type, value }: TreeConstant, as: string | undefined): boolean {
  return (
    type.id === 'INTEGER' && typeof value === 'number' && /^(DOUBLE|BIGINT|INTEGER|HUGEINT)$/.test(as ?? '')
  )
}

function castCheck(constant: TreeConstant, as: string): Check | undefined {
  const sql = constantSql(constant)
  return sql === undefined ? undefined : { sql: `CAST(${sql} AS ${as})`, as, kind: 'type' }
}

/** A text among operands, arguments or results: it takes the type of those that it stands beside. */
function placeSpot(literal: Expression, parent: Expression, search: Search): Place | undefined {
  if (parent.type === 'FUNCTION') {
    const option = optionCheck(parent, literal)
    if (option) return { checks: [option], needsPlan: false }
    if (hasOnlyTexts(parent)) return undefined
  }
  const group = groupBelow(parent, search)
  return group?.members.has(literal) ? beside(literal, group) : { checks: [], needsPlan: true }
}

/** Undefined: the binder is to say. */
function groupBelow(parent: Expression, { groups, typeOf }: Search): Group | undefined {
  if (!groups.has(parent)) {
    const members = membersOf(parent)
    groups.set(parent, members && groupOf(members, typeOf))
  }
  return groups.get(parent)
}

function groupOf(members: readonly Expression[], typeOf: TypeOfColumn): Group {
  const types = new Set(members.map(member => typeOfMember(member, typeOf)))
  types.delete('VARCHAR')
  return { members: new Set(members), types }
}

function membersOf(parent: Expression): readonly Expression[] | undefined {
  if (parent.type === 'CASE_EXPR') return resultsOf(parent)
  const isGroup =
    /^COMPARE_/.test(parent.type) ||
    parent.type === 'OPERATOR_COALESCE' ||
    (parent.type === 'FUNCTION' && parent.function_name === 'list_value')
  if (!isGroup) return undefined
  const members: Expression[] = []
  forEachExpression(parent, child => members.push(child))
  return members
}

function resultsOf(parent: Expression): readonly Expression[] {
  const { case_checks: checks = [], else_expr: otherwise } = parent as Expression & {
    case_checks?: readonly { then_expr: Expression }[]
    else_expr?: Expression
  }
  return [...checks.map(check => check.then_expr), ...(otherwise ? [otherwise] : [])]
}

function beside(literal: Expression, { types }: Group): Place | undefined {
  const constant = constantOf(literal)
  if (constant === undefined || types.has('unknown') || types.size === 0) return undefined
  const others = [...types]
  const checks = others.map(type => (type === undefined ? undefined : castCheck(constant, type)))
  const known = checks.filter(check => check !== undefined)
  return { checks: known.length === others.length ? known : [], needsPlan: true }
}

function typeOfMember(member: Expression, typeOf: TypeOfColumn): string | undefined {
  if (member.type === 'VALUE_CONSTANT') {
    const constant = constantOf(member)
    return constant === undefined ? 'VARCHAR' : typeSql(constant.type)
  }
  if (member.type === 'COLUMN_REF') return typeOf(member)
  if (member.type === 'OPERATOR_CAST') return typeSql(member.cast_type as TreeType)
  return isText(member) ? 'VARCHAR' : undefined
}

/** `VALUES (1), ('a')`: a column has one type. */
function visitRows(node: object, { spots, typeOf }: Search): void {
  const { values: rows } = node as { values?: unknown }
  if (!Array.isArray(rows) || !rows.every(Array.isArray)) return
  const width = Math.max(0, ...rows.map(row => row.length))
  for (let column = 0; column < width; column++) {
    const members = rows.flatMap((row: Expression[]) => row[column] ?? [])
    const group = groupOf(members, typeOf)
    for (const [row, literal] of members.entries()) {
      const place = isLiteral(literal) && isString(literal) ? beside(literal, group) : undefined
      // The first of them stands for what it stands beside.
      if (place) spots.push({ literal, around: row === 0 ? members.slice(1) : members, ...place })
    }
  }
}

/**
 * The names that PostgreSQL gives to columns without an alias (FigureColname of its parser): a value is named
 * after its column, its function or, weaker, its type.
 */
import type { Case, Expression, Query, Subquery } from '../../sql/tree.ts'
import { postgresTypes } from './types/index.ts'

const unnamed = '?column?'

/** The name of a type or of CASE gives way to a better one inside. */
interface Found {
  readonly name: string
  readonly isStrong: boolean
}

export function nameOfValue(value: Expression, text: string): string {
  return nameIn(value, text)?.name ?? unnamed
}

const strong = (name: string): Found => ({ name, isStrong: true })
const weak = (name: string): Found => ({ name, isStrong: false })

function nameIn(value: Expression, text: string): Found | undefined {
  switch (value.kind) {
    case 'reference': {
      const last = value.path.at(-1)
      return last && strong(last.text)
    }
    case 'field':
      return strong(value.name.text)
    case 'call':
      return nameOfCall(value)
    case 'index':
    case 'collate':
      return nameIn(value.operand, text)
    case 'cast':
      return nameOfCast(value, text)
    case 'literal':
      return nameOfLiteral(text.slice(value.start, value.end), value.type === 'typed')
    case 'interval':
      return weak('interval')
    case 'case':
      return nameOfCase(value, text)
    case 'list':
      return strong('array')
    case 'row':
      return strong('row')
    case 'subquery':
      return nameOfSubquery(value, text)
    case 'binary':
      return operatorNames.has(value.operator) ? strong(operatorNames.get(value.operator) ?? '') : undefined
    case 'unary':
      return value.operator === 'at local' ? strong('timezone') : undefined
    case 'test':
      return value.what === 'normalized' && !value.not ? strong('is_normalized') : undefined
    default:
      return undefined
  }
}

/** Operators that the grammar turns into functions. */
const operatorNames: ReadonlyMap<string, string> = new Map([
  ['at time zone', 'timezone'],
  ['overlaps', 'overlaps'],
])

/** Functions that the grammar names otherwise. */
const functionNames: ReadonlyMap<string, string> = new Map([
  ['trim', 'btrim'],
  ['collation', 'pg_collation_for'],
])

function nameOfCall(value: Extract<Expression, { kind: 'call' }>): Found | undefined {
  const name = value.path.at(-1)?.text ?? ''
  return strong(value.path.length === 1 ? (functionNames.get(name) ?? name) : name)
}

function nameOfCast(
  { operand, type }: Extract<Expression, { kind: 'cast' }>,
  text: string,
): Found | undefined {
  const inner = nameIn(operand, text)
  return inner?.isStrong ? inner : weak(typeName(text.slice(type.start, type.end)))
}

/** A literal is named after the type before its quotes; N'…' is one of characters. */
function nameOfLiteral(written: string, isTyped: boolean): Found | undefined {
  if (isTyped) return weak(typeName(written.replace(/\s*(?:[a-z]?'|u&'|\$).*$/is, '')))
  return /^n'/i.test(written) ? weak('bpchar') : undefined
}

function nameOfCase({ otherwise }: Case, text: string): Found {
  const inner = otherwise && nameIn(otherwise, text)
  return inner?.isStrong ? inner : weak('case')
}

function nameOfSubquery({ form, query }: Subquery, text: string): Found | undefined {
  if (form === 'exists' || form === 'array') return strong(form)
  return form === 'scalar' ? nameOfQuery(query, text) : undefined
}

/** A query as a value is named after its only column. */
function nameOfQuery({ body }: Query, text: string): Found | undefined {
  let side = body
  while (side.kind === 'set' || side.kind === 'nested')
    side = side.kind === 'set' ? side.left : side.query.body
  if (side.kind === 'values') return strong('column1')
  const [item] = side.kind === 'select' ? side.items : []
  if (item === undefined) return undefined
  return item.alias === undefined
    ? (nameIn(item.expression, text) ?? strong(unnamed))
    : strong(item.alias.text)
}

/** The catalogue's name of a type, or of the elements of an array: `int4` for INTEGER. */
function typeName(written: string): string {
  const type = postgresTypes.parse(written)
  const element = type.kind === 'list' ? type.element : type
  if (element.kind === 'unknown') return /"?(\w+)"?(?:\(.*\))?(?:\[.*)?$/.exec(written)?.[1] ?? written
  const printed = postgresTypes.print(element).replace(/\([\d,-]+\)/, '')
  return catalogNames.get(printed) ?? printed.replace(/^interval .*/, 'interval').replaceAll('"', '')
}

const catalogNames: ReadonlyMap<string, string> = new Map([
  ['bigint', 'int8'],
  ['bit varying', 'varbit'],
  ['boolean', 'bool'],
  ['character varying', 'varchar'],
  ['character', 'bpchar'],
  ['double precision', 'float8'],
  ['integer', 'int4'],
  ['real', 'float4'],
  ['smallint', 'int2'],
  ['time with time zone', 'timetz'],
  ['time without time zone', 'time'],
  ['timestamp with time zone', 'timestamptz'],
  ['timestamp without time zone', 'timestamp'],
])

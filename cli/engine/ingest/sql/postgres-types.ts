/** The types of PostgreSQL: what each becomes, and how its values are written for the reader. */
import { type DatabaseColumn, scalar } from './database.ts'
import type { Quote } from './relation.ts'
import { misfitMark } from './spooled-rows.ts'

export interface FieldType {
  readonly oid: number
  /** The name in the catalogue, such as `int4`. */
  readonly name: string
  /** `d` for a domain. */
  readonly kind: string
  readonly category: string
  /** The type of a domain, with its modifier. */
  readonly base: number
  readonly modifier: number
}

interface Field {
  readonly name: string
  readonly dataTypeID: number
  readonly dataTypeModifier: number
}

interface Question {
  readonly text: string
  readonly values: unknown[]
}

type AskTypes = (question: Question) => Promise<{ readonly rows: readonly FieldType[] }>

type Written = Omit<DatabaseColumn, 'name'>

/** Types whose text is the value, under the name that the warehouse has for them. */
const plain: Readonly<Record<string, string>> = {
  bool: 'BOOLEAN',
  int2: 'SMALLINT',
  int4: 'INTEGER',
  int8: 'BIGINT',
  oid: 'BIGINT',
  float4: 'FLOAT',
  float8: 'DOUBLE',
  time: 'TIME',
  timetz: 'TIME WITH TIME ZONE',
  uuid: 'UUID',
  jsonb: 'JSON',
}

/** Types of which some values are written otherwise, or are none of the reader's. */
const special: Readonly<Record<string, (sql: string) => Written>> = {
  date: sql => ({
    select: inWordsOfReader(sql, `replace(${sql}::text, ' BC', ' (BC)')`),
    type: scalar('DATE'),
  }),
  timestamp: sql => moment(sql, 'TIMESTAMP'),
  timestamptz: sql => moment(sql, 'TIMESTAMP WITH TIME ZONE'),
  interval: span,
  json: sql => ({
    select: markedWhere(`position('\\ud' IN lower(${sql}::text)) > 0`, sql),
    type: scalar('JSON'),
    marksMisfits: true,
  }),
  money: sql => ({ select: `${sql}::numeric`, type: scalar('DECIMAL(19,2)') }),
  bytea: sql => ({
    select: `encode(${sql}, 'hex')`,
    type: scalar('BLOB'),
    decode: text => `unhex(${text})`,
  }),
}

/** Years before the first one are marked in another way, and are rare. */
function inWordsOfReader(sql: string, early: string): string {
  return `CASE WHEN ${sql} >= '0001-01-01' THEN ${sql}::text ELSE ${early} END`
}

/** The server counts 29 years longer than the reader. */
function moment(sql: string, type: string): Written {
  const early = `regexp_replace(${sql}::text, '^([^ ]+) ([^ ]+) BC$', '\\1 (BC) \\2')`
  const far = `${sql} > '294246-12-31' AND ${sql} < 'infinity'`
  const select = `CASE WHEN ${far} THEN ${markSql} || ${sql}::text ELSE ${inWordsOfReader(sql, early)} END`
  return { select, type: scalar(type), marksMisfits: true }
}

/** The reader takes no plus sign, and hours of nine digits and more only by their name. */
function span(sql: string): Written {
  const clock = `'(-?)([0-9]{9,}):([0-9]{2}):([0-9.]+)$'`
  const long = `regexp_replace(${sql}::text, ${clock}, '\\1\\2 hours \\1\\3 minutes \\1\\4 seconds')`
  const text = `CASE WHEN ${sql}::text ~ '[0-9]{9}:' THEN ${long} ELSE ${sql}::text END`
  return { select: `replace(${text}, '+', '')`, type: scalar('INTERVAL') }
}

const markSql = `chr(${misfitMark.charCodeAt(0)})`

function markedWhere(condition: string, sql: string): string {
  return `CASE WHEN ${condition} THEN ${markSql} || ${sql}::text ELSE ${sql}::text END`
}

export async function columnsOf(
  fields: readonly Field[],
  ask: AskTypes,
  quote: Quote,
): Promise<readonly DatabaseColumn[]> {
  const types = await typesOf([...new Set(fields.map(field => field.dataTypeID))], ask)
  return fields.map(field => columnOf(field, types, quote))
}

/** Returns the types by number, with those below domains. */
async function typesOf(numbers: readonly number[], ask: AskTypes): Promise<ReadonlyMap<number, FieldType>> {
  const types = new Map<number, FieldType>()
  for (let open = numbers; open.length > 0; ) {
    const { rows } = await ask({
      text: 'SELECT oid::int8::float8 AS oid, typname AS name, typtype::text AS kind, typcategory::text AS category, typbasetype::int8::float8 AS base, typtypmod AS modifier FROM pg_type WHERE oid = ANY($1::oid[])',
      values: [open],
    })
    for (const row of rows) types.set(row.oid, row)
    open = rows.filter(({ kind, base }) => kind === 'd' && !types.has(base)).map(({ base }) => base)
  }
  return types
}

function columnOf(field: Field, types: ReadonlyMap<number, FieldType>, quote: Quote): DatabaseColumn {
  const { name } = field
  let type = types.get(field.dataTypeID)
  let modifier = field.dataTypeModifier
  while (type?.kind === 'd') {
    modifier = type.modifier
    type = types.get(type.base)
  }
  const select = quote(name)
  const known = Object.hasOwn(plain, type?.name ?? '') ? plain[type?.name ?? ''] : undefined
  if (known !== undefined) return { name, select, type: scalar(known) }
  const written = Object.hasOwn(special, type?.name ?? '') ? special[type?.name ?? '']?.(select) : undefined
  if (written !== undefined) return { name, ...written }
  if (type?.name === 'numeric') return { name, ...decimal(select, modifier) }
  if (type?.category === 'A') return { name, select: `array_to_json(${select})`, type: scalar('JSON') }
  if (type?.kind === 'c') return { name, select: `row_to_json(${select})`, type: scalar('JSON') }
  return { name, select: `${select}::text`, type: scalar('VARCHAR') }
}

const headerSize = 4
const mostDigits = 38

/** A modifier has the digits in its upper half and those behind the point in its lower eleven bits, signed. */
function decimal(select: string, modifier: number): Written {
  if (modifier < headerSize) return { select, type: { kind: 'unknown' }, isDecimal: true }
  const digits = ((modifier - headerSize) >> 16) & 0xffff
  const fraction = (((modifier - headerSize) & 0x7ff) ^ 1024) - 1024
  if (digits > mostDigits || fraction < 0 || fraction > digits)
    return { select, type: { kind: 'unknown' }, isDecimal: true }
  // NaN is a value of every width.
  const marked = markedWhere(`${select} = 'NaN'`, select)
  return { select: marked, type: scalar(`DECIMAL(${digits},${fraction})`), marksMisfits: true }
}

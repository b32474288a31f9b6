/** The types of PostgreSQL: what each becomes, and how its values are written for the reader. */
import { type DatabaseColumn, scalar } from './database.ts'
import type { Quote } from './relation.ts'

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

/** Types whose text is the value, under the name that the warehouse has for them. */
const plain: Readonly<Record<string, string>> = {
  bool: 'BOOLEAN',
  int2: 'SMALLINT',
  int4: 'INTEGER',
  int8: 'BIGINT',
  oid: 'BIGINT',
  float4: 'FLOAT',
  float8: 'DOUBLE',
  date: 'DATE',
  time: 'TIME',
  timetz: 'TIME WITH TIME ZONE',
  timestamp: 'TIMESTAMP',
  timestamptz: 'TIMESTAMP WITH TIME ZONE',
  interval: 'INTERVAL',
  uuid: 'UUID',
  json: 'JSON',
  jsonb: 'JSON',
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
  if (type?.name === 'numeric') return { name, select, ...decimal(modifier) }
  if (type?.name === 'money') return { name, select: `${select}::numeric`, type: scalar('DECIMAL(18,2)') }
  if (type?.name === 'bytea') {
    return {
      name,
      select: `encode(${select}, 'hex')`,
      type: scalar('BLOB'),
      decode: text => `unhex(${text})`,
    }
  }
  if (type?.category === 'A') return { name, select: `array_to_json(${select})`, type: scalar('JSON') }
  if (type?.kind === 'c') return { name, select: `row_to_json(${select})`, type: scalar('JSON') }
  return { name, select: `${select}::text`, type: scalar('VARCHAR') }
}

const headerSize = 4
const mostDigits = 38

/** A modifier has the digits in its upper half and those behind the point in its lower eleven bits, signed. */
function decimal(modifier: number): Pick<DatabaseColumn, 'type' | 'isDecimal'> {
  if (modifier < headerSize) return { type: { kind: 'unknown' }, isDecimal: true }
  const digits = ((modifier - headerSize) >> 16) & 0xffff
  const fraction = (((modifier - headerSize) & 0x7ff) ^ 1024) - 1024
  if (digits > mostDigits || fraction < 0 || fraction > digits)
    return { type: { kind: 'unknown' }, isDecimal: true }
  return { type: scalar(`DECIMAL(${digits},${fraction})`) }
}

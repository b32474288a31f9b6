/** Adds values of the row that a record was asked for to the record: `{"customers_id": 7, …}`. */
import { createRecordReader, type FoundRecord, type JsonShape } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import type { IngestOf, ParentRow } from '../source.ts'
import type { Spool } from '../spool.ts'
import { valueIn } from './request-template.ts'

export type Carrier = NonNullable<ReturnType<typeof createCarrier>>

export interface CarrierParts {
  /** Gets the shape of the records with what they carry. */
  readonly shape: JsonShape
  readonly spool: Pick<Spool, 'write'>
}

/** Returns undefined where records carry nothing. */
export function createCarrier(
  { forEach, nested, limits }: IngestOf<'rest_api'>,
  { shape, spool }: CarrierParts,
) {
  if (forEach === undefined || forEach.carry.length === 0) return undefined
  // A column that is named twice is one member: JSON has no object with two of a name.
  const carried = [...new Set(forEach.carry)]
  const names = carried.map(column => `${forEach.asset}_${column}`)
  let members = ''
  const reader = createRecordReader({
    place: { kind: 'lines' },
    shape,
    levels: nested.depth + 2,
    onRecord: record => spool.write(record),
    mostBytes: limits.recordBytes,
    mostLevels: limits.depth,
  })
  return {
    /** The row of the records that come next. */
    of(row: ParentRow): void {
      members = carried
        .map((column, index) => `${JSON.stringify(names[index])}:${jsonOf(row, column)}`)
        .join(',')
    },
    write(record: FoundRecord): void {
      refuseSameNames(record, names)
      const { bytes, start, end } = record
      const text = bytes.subarray(start, end)
      reader.push(record.isObject ? withMembers(text, members) : wrapped(text, members))
    },
  }
}

function jsonOf(row: ParentRow, column: string): string {
  const { text, isPlain } = valueIn(row, column)
  return isPlain ? text : JSON.stringify(text)
}

const newline = Buffer.from('\n')

function withMembers(object: Uint8Array, members: string): Buffer {
  const inner = Buffer.from(object).subarray(1)
  const isEmpty = inner.toString('latin1').trim() === '}'
  return Buffer.concat([Buffer.from(`{${members}${isEmpty ? '' : ','}`), inner, newline])
}

function wrapped(value: Uint8Array, members: string): Buffer {
  return Buffer.concat([Buffer.from(`{${members},"value":`), value, Buffer.from('}\n')])
}

/** A cheap look first: hardly any record has such a name anywhere. */
function refuseSameNames({ bytes, start, end, isObject }: FoundRecord, names: readonly string[]): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start)
  const near = names.filter(name => text.includes(JSON.stringify(name)))
  if (near.length === 0 || !isObject) return
  const record = JSON.parse(text.toString('utf8')) as object
  const same = near.find(name => Object.hasOwn(record, name))
  if (same === undefined) return
  throw new SvcError('source-shape', `a record has "${same}" already, the name of what for_each.carry adds`, {
    hint: 'Leave that column out of for_each.carry, if the record says the same.',
  })
}

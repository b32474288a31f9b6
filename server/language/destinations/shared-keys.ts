/** Defines the keys that every kind of destination has. None has a default here: an asset's key wins over `svc.yaml`. */
import { credentialFormat } from '../schema/formats.ts'
import {
  amount,
  choice,
  duration,
  formatted,
  type Key,
  keysOf,
  type ObjectShape,
  oneOrMore,
  rate,
  recordOf,
  text,
  wholeNumber,
} from '../schema/shape.ts'

export const limitKeys = keysOf({
  rate: { doc: 'Batches at most, such as 10/s or 100/m.', shape: rate, property: 'ratePerSecond' },
  concurrency: { doc: 'Batches at the same time.', shape: wholeNumber(1), defaultDoc: '4 over HTTP, else 1' },
  timeout: { doc: 'How long one batch may take.', shape: duration, defaultDoc: '60s', property: 'timeoutMs' },
  retries: {
    doc: 'How often a batch is tried again when the destination cannot be reached.',
    shape: wholeNumber(0),
    defaultDoc: '5',
  },
})

/** Returns the keys of the connection for a kind that passes over some limits. `why` follows "means nothing here". */
export function connectionKeysWith(idle: {
  readonly without: readonly string[]
  readonly why: string
}): readonly Key[] {
  const shape: ObjectShape = {
    kind: 'object',
    keys: limitKeys.filter(({ name }) => !idle.without.includes(name)),
    idle: { names: idle.without, why: idle.why },
  }
  return connectionKeys.map(key => (key.name === 'limits' ? { ...key, shape } : key))
}

/** What belongs to the connection, in the order of the reference. */
export const connectionKeys = keysOf({
  credentials: {
    names: 'secret',
    doc: 'The secret of the destination: env:NAME, so that it is in no file.',
    shape: formatted(credentialFormat),
    defaultDoc: 'env:DESTINATION__<TARGET>__CREDENTIALS',
  },
  environments: {
    names: 'environment',
    doc: 'The environments whose production may be published there.',
    shape: oneOrMore(text),
    defaultDoc: 'prod',
  },
  limits: { doc: 'Limits on requests to the destination.', shape: { kind: 'object', keys: limitKeys } },
})

/** What belongs to the rows, in the order of the reference. */
export const rowKeys = keysOf({
  mode: {
    doc: 'What is done about the rows that differ from what the destination has acknowledged.',
    shape: choice({
      upsert: 'New rows are inserted, changed ones updated; rows that are gone stay there.',
      insert: 'New rows are inserted; nothing is changed.',
      update: 'Rows that are there are updated; none is inserted.',
      mirror: 'As upsert, and rows that were published and are gone are deleted there.',
      replace: 'The whole is written anew; the only mode of files.',
    }),
    defaultDoc: 'upsert; replace for files',
  },
  key: {
    names: 'column',
    doc: 'The column or columns of the asset that identify a row.',
    shape: oneOrMore(text),
    defaultDoc: 'the columns with role: primary_key',
  },
  fields: {
    names: 'column',
    keysName: 'field of a destination',
    doc: 'What is sent: names at the destination, each with its column; all columns when absent.',
    shape: recordOf('field', text),
  },
  where: {
    names: 'text',
    doc: 'A condition in the SQL of the warehouse: only its rows are published.',
    shape: text,
  },
  on_delete: {
    doc: 'What becomes of a row that was published and is gone from production.',
    shape: choice({
      ignore: 'It stays there as it is.',
      delete: 'It is deleted there.',
      mark: 'It stays there, and the field mark gets the time; a row that comes back has none.',
    }),
    defaultDoc: 'ignore; delete with mode: mirror',
  },
  mark: {
    names: 'field of a destination',
    doc: 'The field that on_delete: mark writes, a time in UTC; a table needs a column for it.',
    shape: text,
    defaultDoc: 'deleted_at',
  },
  batch: {
    doc: 'Rows in one batch.',
    shape: wholeNumber(1),
    defaultDoc: '100 over HTTP, thousands for databases',
  },
  max_change: {
    doc: 'How many of the acknowledged rows one publish may change or delete, 10 or 20%; beyond that it is refused.',
    shape: amount,
    defaultDoc: '50%, and 100 rows in any case',
  },
})

/** Defines the keys of `ingest` that every kind of source has. */
import { credentialFormat } from '../schema/formats.ts'
import { fallbackOf } from '../schema/read-value.ts'
import {
  choice,
  duration,
  formatted,
  type Key,
  type KeyParts,
  keysOf,
  type ObjectShape,
  object,
  oneOrMore,
  rate,
  recordOf,
  scalar,
  shorthand,
  size,
  step,
  text,
  wholeNumber,
} from '../schema/shape.ts'
import { usualDepth } from '../source/json-scanner.ts'
import { maskKinds } from '../source/masks.ts'

/** The keys of `ingest.limits`, which `svc.yaml` may set for all sources. */
export const limitKeys = keysOf({
  rate: { doc: 'Requests at most, such as 10/s or 100/m.', shape: rate, property: 'ratePerSecond' },
  concurrency: { doc: 'Requests at the same time.', shape: wholeNumber(1), default: 4 },
  timeout: { doc: 'How long one request may take.', shape: duration, default: '60s', property: 'timeoutMs' },
  retries: { doc: 'How often a failed request is tried again.', shape: wholeNumber(0), default: 5 },
  max_rows: { doc: 'Stop after this many records.', shape: wholeNumber(1) },
  body: {
    doc: 'Size of one response, unpacked; a larger one fails the asset.',
    shape: size,
    default: '1GB',
    property: 'bodyBytes',
  },
  ratio: {
    doc: 'How many times its packed size a response or file may grow beyond 16 MB.',
    shape: wholeNumber(1),
    default: 300,
  },
  record: {
    doc: 'Size of one record of JSON or of a text file; a larger one fails the asset.',
    shape: size,
    default: '64MB',
    property: 'recordBytes',
  },
  depth: {
    doc: 'Levels of nesting of one record of JSON; a deeper one fails the asset. A process reads a few thousand at most.',
    shape: wholeNumber(1),
    default: usualDepth,
  },
  pages: { doc: 'Pages of one fetch; more fail the asset.', shape: wholeNumber(1), default: 100_000 },
  total: {
    doc: 'Size of all responses or packed files of one fetch, unpacked; more fails the asset.',
    shape: size,
    default: '100GB',
    property: 'totalBytes',
  },
  files: { doc: 'Files of one source; more fail the asset.', shape: wholeNumber(1), default: 10_000 },
  names: {
    doc: 'Names of files and folders that a search by pattern may see.',
    shape: wholeNumber(1),
    default: 200_000,
  },
})

const limits: KeyParts = {
  doc: 'Limits on what a source may ask of the machine, and on requests to it.',
  default: {},
  shape: { kind: 'object', keys: limitKeys },
}

/** What decides about the cursor of every kind of source. */
const cursorKeys = keysOf({
  cursor: {
    names: 'cursor column',
    doc: 'A column of the source table: a time, a date, a number or a text that sorts like one.',
    shape: text,
    required: true,
  },
  start: { doc: 'Where the first load begins; without it, it loads everything.', shape: scalar },
  lag: {
    doc: 'How far before the last value each load begins, for records that come late; for a cursor of time.',
    shape: duration,
    property: 'lagMs',
  },
})

/** What decides how a source is asked by its cursor: for kinds that are asked for a part of their records. */
const askingKeys = keysOf({
  order: {
    doc: 'The order of the records that come, by the cursor.',
    shape: choice({
      asc: 'Oldest first: limits.max_rows may end a load, and the next one goes on there.',
      desc: 'Newest first: no page is asked for behind the one that reaches the cursor.',
    }),
  },
  window: {
    doc: 'How much of the cursor one request asks for: a load of years is many short requests, and goes on at the last one.',
    shape: step,
  },
})

const incremental: KeyParts = {
  doc: 'Loads what has changed since the last load, by a column that grows with every change.',
  shape: { kind: 'object', keys: [...cursorKeys, ...askingKeys] },
}

/** For a kind that reads all its records, whatever the cursor. */
function incrementalOfWhole(why: string): ObjectShape {
  return { kind: 'object', keys: cursorKeys, idle: { names: askingKeys.map(({ name }) => name), why } }
}

const nested: KeyParts = {
  doc: 'What becomes of objects and lists inside a record.',
  default: {},
  shape: shorthand(
    ['mode'],
    object({
      mode: {
        doc: 'How nested values are stored.',
        default: 'tables',
        shape: choice({
          tables: 'Objects become columns parent__child, lists of objects child tables.',
          json: 'Every nested value becomes one JSON column.',
          struct: "Objects and lists stay values of the warehouse's own nested types.",
        }),
      },
      depth: { doc: 'Deeper values become JSON.', shape: wholeNumber(0), default: 2 },
    }),
  ),
}

export interface IdleKeys {
  /** The limits that the kind passes over. */
  readonly without: readonly string[]
  /** Why it does, behind "means nothing here". */
  readonly why: string
  /** How its records are read, where all are read whatever the cursor, behind "means nothing here". */
  readonly isRead?: string
}

/** Returns the shared keys of a kind that passes over some: to write one of these is an error, so that nothing is ignored. */
export function sharedKeysWith({ without, why, isRead }: IdleKeys): readonly Key[] {
  const shape: ObjectShape = {
    kind: 'object',
    keys: limitKeys.filter(({ name }) => !without.includes(name)),
    idle: { names: without, why },
    // What no key writes has its usual value: code that several kinds share may ask.
    unwritten: () => usualLimits() as Readonly<Record<string, unknown>>,
  }
  return sharedKeys.map(key => {
    if (key.name === 'limits') return { ...key, shape }
    const isWhole = key.name === 'incremental' && isRead !== undefined
    return isWhole ? { ...key, shape: incrementalOfWhole(isRead) } : key
  })
}

/** The keys in the order of the reference. */
export const sharedKeys = keysOf({
  credentials: {
    names: 'secret',
    doc: 'The secret of the source: env:NAME, so that it is in no file.',
    shape: formatted(credentialFormat),
    defaultDoc: 'env:SOURCE__<ASSET>__CREDENTIALS',
  },
  write: {
    doc: 'How new records join those loaded before.',
    default: 'replace',
    shape: choice({
      replace: 'Every run loads the whole source.',
      append: 'Records beyond the cursor are added to those of the last load.',
      merge: 'Records replace those of the last load with the same primary key.',
      scd2: 'Every version of a record is kept, valid from _svc_valid_from until _svc_valid_to.',
    }),
  },
  primary_key: {
    names: 'source column',
    doc: 'The column or columns that identify a record; a record that comes twice is loaded once, and different ones with one key are an error.',
    shape: oneOrMore(text),
    default: [],
  },
  incremental,
  on_change: {
    doc: 'What becomes of the rows that loads have gathered when the source is defined as another one: another address, query or key, or a write that keeps fewer.',
    default: 'fail',
    shape: choice({
      fail: 'The run is refused with their number (history-lost), unless --full-refresh names the asset.',
      forward: 'They stay, and the new definition counts from now on.',
      rebuild: 'They go, and the source is loaded anew.',
    }),
  },
  include: {
    names: 'source pattern',
    doc: 'Source columns to keep: names of the source or of the table, paths such as a.b, * as wildcard; empty keeps all.',
    shape: oneOrMore(text),
    default: [],
  },
  exclude: {
    names: 'source pattern',
    doc: 'Source columns to leave out; wins over include.',
    shape: oneOrMore(text),
    default: [],
  },
  mask: {
    keysName: 'source pattern',
    doc: 'How values are hidden before they are stored, by column: names as in exclude.',
    default: {},
    shape: recordOf(
      'column',
      choice(Object.fromEntries(Object.entries(maskKinds).map(([value, { doc }]) => [value, doc]))),
    ),
  },
  naming: {
    doc: 'How names of the source become names of columns.',
    default: 'snake',
    shape: choice({
      snake: 'US Gross becomes us_gross, orderID order_id.',
      source: 'Names stay as the source has them.',
    }),
  },
  nested,
  limits,
})

const limitsKey = sharedKeys.find(({ name }) => name === 'limits')

/** Returns the limits of a source that says none. */
export function usualLimits() {
  return limitsKey && fallbackOf(limitsKey)
}

/** The options of `npm run bench`. */
import { parseArgs } from 'node:util'

export const groups = [
  'start',
  'check',
  'build',
  'editor',
  'edits',
  'mass',
  'flights',
  'promotion',
  'parquet',
  'ndjson',
  'rest',
  'sql',
  'postgres',
  'publish',
  'unit',
  'dashboard',
  'hosted',
] as const

export type Group = (typeof groups)[number]

export interface Options {
  readonly only: readonly Group[]
  readonly sizes: readonly number[]
  readonly repeat: number | undefined
  readonly minutes: number | undefined
  readonly scale: number
  readonly peers: boolean
  readonly help: boolean
}

export const usage = `npm run bench -- [options]

  --only <names>   only these, separated by commas: ${groups.join(', ')};
                   with --peers: start (all), check and build (dbt, SQLMesh),
                   parquet, ndjson and rest (dlt);
                   what other calls have measured stays in the report;
                   without --only the report begins anew
  --sizes <list>   numbers of assets of check, build, editor and edits (default 100,1000,10000; with --peers 100,1000)
  --repeat <n>     how often each is measured (default 3, once what takes 20 s, starts 15 times)
  --minutes <m>    begin nothing new after this time; the report says what was skipped
  --scale <part>   part of the rows of parquet, ndjson, rest, sql and publish (default 1: 1,000,000 to 3,000,000)
  --peers          measure dbt, SQLMesh and dlt as well, installed with pip into .bench/peers`

/** Throws with a sentence for the user. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      sizes: { type: 'string' },
      repeat: { type: 'string' },
      minutes: { type: 'string' },
      scale: { type: 'string', default: '1' },
      peers: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const sizes = (values.sizes ?? (values.peers ? '100,1000' : '100,1000,10000')).split(',').map(Number)
  if (sizes.some(size => !Number.isInteger(size) || size < 5))
    throw new Error('--sizes is a list of whole numbers from 5 on, such as 100,1000')
  const scale = Number(values.scale)
  if (!(scale > 0 && scale <= 1)) throw new Error('--scale is above 0 and at most 1')
  return {
    only: values.only === undefined ? groups : values.only.split(',').map(readGroup),
    sizes,
    repeat: readCount('--repeat', values.repeat),
    minutes: readCount('--minutes', values.minutes),
    scale,
    peers: values.peers,
    help: values.help,
  }
}

function readGroup(name: string): Group {
  const found = groups.find(group => group === name)
  if (found === undefined) throw new Error(`--only knows ${groups.join(', ')}; there is no "${name}"`)
  return found
}

function readCount(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1) throw new Error(`${option} is a whole number from 1 on`)
  return count
}

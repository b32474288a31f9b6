/**
 * The limits of the service: option, default and description of each. `serve`, the documentation and the
 * checks all read this table. 0 turns a limit off.
 */

export type LimitUnit = 'count' | 'bytes' | 'seconds'

interface LimitText {
  /** The name without dashes. */
  readonly option: string
  readonly unit: LimitUnit
  readonly standard: number
  readonly summary: string
}

const kibi = 1024
const mebi = 1024 * kibi

const limit =
  (unit: LimitUnit) =>
  (option: string, standard: number, summary: string): LimitText => ({ option, unit, standard, summary })
const [count, bytes, seconds] = [limit('count'), limit('bytes'), limit('seconds')]

export const limitTable = {
  reads: count('rate-limit', 600, 'reading requests a minute and token'),
  writes: count(
    'write-rate-limit',
    120,
    'writing requests a minute and token; every 100 records of a bulk call or an import count as one',
  ),
  uploads: count('upload-rate-limit', 30, 'uploads a minute and token'),
  failures: count('failed-auth-limit', 20, 'requests without a valid token, a minute and address'),
  body: bytes('max-body', mebi, 'a body, compressed and decompressed'),
  upload: bytes('max-upload', 64 * mebi, 'the body of an upload, likewise'),
  import: bytes('max-import', 8 * mebi, 'the body of a glossary import or of test results, likewise'),
  depth: count('max-depth', 64, 'nested lists and objects in a body'),
  members: count(
    'max-members',
    10_000,
    'members of one object and items of one list in a body, which may have fifty times as many values (lists and objects count as five); context packs may have more',
  ),
  url: bytes('max-url', 8 * kibi, 'path and query'),
  connections: count('max-connections', 2000, 'open connections'),
  inFlight: count('max-requests', 256, 'requests at the same moment'),
  tokenInFlight: count('max-requests-per-token', 128, 'requests of one token at the same moment'),
  tokenQuestions: count(
    'max-questions-per-token',
    2,
    'long questions of one token at the same moment; others wait (lineage, policies, manifest, export, search)',
  ),
  tokenBodies: count(
    'max-large-bodies-per-token',
    1,
    'requests of one token with a body of more than 8 KiB or a JSON patch that are worked on at the same moment; others wait (context packs have limits of their own)',
  ),
  parallelUploads: count('max-uploads', 8, 'uploads at the same moment'),
  tokenUploads: count('max-uploads-per-token', 4, 'uploads of one token at the same moment'),
  projectUploads: count('max-uploads-per-project', 4, 'uploads to one project at the same moment'),
  packAssets: count('max-assets', 100_000, 'assets of a context pack'),
  headerTime: seconds('header-timeout', 10, 'until the headers have come'),
  requestTime: seconds('request-timeout', 30, 'until a whole request has come'),
  uploadTime: seconds('upload-timeout', 300, 'until a whole upload has come'),
  idleTime: seconds('idle-timeout', 15, 'without a byte of a body that has not come yet'),
  jobTime: seconds('job-timeout', 120, 'the work on an upload: to read it, and to store it'),
  questionTime: seconds('question-timeout', 20, 'the work on a long question'),
} satisfies Readonly<Record<string, LimitText>>

export type LimitName = keyof typeof limitTable

/** Counts, bytes or seconds, as the table says; 0 means no limit. */
export type Limits = Readonly<Record<LimitName, number>>

export const limitNames = Object.keys(limitTable) as readonly LimitName[]

export const standardLimits = Object.fromEntries(
  limitNames.map(name => [name, limitTable[name].standard]),
) as Limits

/** For tests and measurements. */
export const noLimits = Object.fromEntries(limitNames.map(name => [name, 0])) as Limits

const sizes: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1000,
  mb: 1e6,
  gb: 1e9,
  kib: kibi,
  mib: mebi,
  gib: kibi * mebi,
}
const times: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600 }

/** The largest value of any limit; a timer of Node counts milliseconds in 31 bits. */
const most: Readonly<Record<LimitUnit, number>> = { count: 1e9, bytes: 2 ** 30, seconds: 24 * 3600 }

/** Parses `10`, `64MiB`, `30s` as a number of the unit; undefined if it is not one. */
export function readLimit(unit: LimitUnit, text: string): number | undefined {
  const match = /^(\d{1,15})([a-z]*)$/i.exec(text.trim())
  if (match === null) return undefined
  const factors = unit === 'bytes' ? sizes : unit === 'seconds' ? times : { '': 1 }
  const suffix = (match[2] ?? '').toLowerCase()
  if (!Object.hasOwn(factors, suffix)) return undefined
  const value = Number(match[1]) * (factors[suffix as keyof typeof factors] ?? 1)
  return value <= most[unit] ? value : undefined
}

/** Formats a limit for help and documentation: `64MiB`, `30s`, `600`. */
export function showLimit(name: LimitName): string {
  const { unit, standard } = limitTable[name]
  if (unit === 'seconds') return `${standard}s`
  if (unit === 'bytes') return standard % mebi === 0 ? `${standard / mebi}MiB` : `${standard / kibi}KiB`
  return String(standard)
}

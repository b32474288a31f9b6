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

export const limitTable = {
  reads: {
    option: 'rate-limit',
    unit: 'count',
    standard: 600,
    summary: 'reading requests a minute and token',
  },
  writes: {
    option: 'write-rate-limit',
    unit: 'count',
    standard: 120,
    summary:
      'writing requests a minute and token; every 100 records of a bulk call or an import count as one',
  },
  uploads: {
    option: 'upload-rate-limit',
    unit: 'count',
    standard: 30,
    summary: 'uploads a minute and token',
  },
  failures: {
    option: 'failed-auth-limit',
    unit: 'count',
    standard: 20,
    summary: 'requests without a valid token, a minute and address',
  },
  body: { option: 'max-body', unit: 'bytes', standard: mebi, summary: 'a body, compressed and decompressed' },
  upload: {
    option: 'max-upload',
    unit: 'bytes',
    standard: 64 * mebi,
    summary: 'the body of an upload, likewise',
  },
  import: {
    option: 'max-import',
    unit: 'bytes',
    standard: 8 * mebi,
    summary: 'the body of a glossary import or of test results, likewise',
  },
  depth: { option: 'max-depth', unit: 'count', standard: 64, summary: 'nested lists and objects in a body' },
  members: {
    option: 'max-members',
    unit: 'count',
    standard: 10_000,
    summary:
      'members of one object and items of one list in a body, which may have fifty times as many values (lists and objects count as five); context packs may have more',
  },
  url: { option: 'max-url', unit: 'bytes', standard: 8 * kibi, summary: 'path and query' },
  connections: { option: 'max-connections', unit: 'count', standard: 2000, summary: 'open connections' },
  inFlight: { option: 'max-requests', unit: 'count', standard: 256, summary: 'requests at the same moment' },
  tokenInFlight: {
    option: 'max-requests-per-token',
    unit: 'count',
    standard: 128,
    summary: 'requests of one token at the same moment',
  },
  tokenQuestions: {
    option: 'max-questions-per-token',
    unit: 'count',
    standard: 2,
    summary:
      'long questions of one token at the same moment; others wait (lineage, policies, manifest, export, search)',
  },
  tokenBodies: {
    option: 'max-large-bodies-per-token',
    unit: 'count',
    standard: 1,
    summary:
      'requests of one token with a body of more than 8 KiB or a JSON patch that are worked on at the same moment; others wait (context packs have limits of their own)',
  },
  parallelUploads: {
    option: 'max-uploads',
    unit: 'count',
    standard: 8,
    summary: 'uploads at the same moment',
  },
  tokenUploads: {
    option: 'max-uploads-per-token',
    unit: 'count',
    standard: 4,
    summary: 'uploads of one token at the same moment',
  },
  projectUploads: {
    option: 'max-uploads-per-project',
    unit: 'count',
    standard: 4,
    summary: 'uploads to one project at the same moment',
  },
  packAssets: {
    option: 'max-assets',
    unit: 'count',
    standard: 100_000,
    summary: 'assets of a context pack',
  },
  headerTime: {
    option: 'header-timeout',
    unit: 'seconds',
    standard: 10,
    summary: 'until the headers have come',
  },
  requestTime: {
    option: 'request-timeout',
    unit: 'seconds',
    standard: 30,
    summary: 'until a whole request has come',
  },
  uploadTime: {
    option: 'upload-timeout',
    unit: 'seconds',
    standard: 300,
    summary: 'until a whole upload has come',
  },
  idleTime: {
    option: 'idle-timeout',
    unit: 'seconds',
    standard: 15,
    summary: 'without a byte of a body that has not come yet',
  },
  jobTime: {
    option: 'job-timeout',
    unit: 'seconds',
    standard: 120,
    summary: 'the work on an upload: to read it, and to store it',
  },
  questionTime: {
    option: 'question-timeout',
    unit: 'seconds',
    standard: 20,
    summary: 'the work on a long question',
  },
} as const satisfies Readonly<Record<string, LimitText>>

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

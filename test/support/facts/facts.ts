/** Facts that several answers of the product give, and where two of them differ. */

/** What one answer says: the value of each fact that it gives, by the name of the fact. */
export type Told = ReadonlyMap<string, string>

/** The value of each fact, by the answer that gives it. */
export type Facts = ReadonlyMap<string, ReadonlyMap<string, string>>

/** What several answers said, fact by fact. */
export function factsOf(told: ReadonlyMap<string, Told>): Facts {
  const facts = new Map<string, Map<string, string>>()
  for (const [answer, values] of told)
    for (const [fact, value] of values) {
      const given = facts.get(fact) ?? new Map<string, string>()
      facts.set(fact, given.set(answer, value))
    }
  return facts
}

export interface Compared {
  /** How many values stood beside another one of the same fact. */
  readonly compared: number
  /** One line a fact on which two answers do not agree. */
  readonly differences: readonly string[]
}

export function compare(facts: Facts): Compared {
  let compared = 0
  const differences: string[] = []
  for (const [fact, given] of facts) {
    if (given.size < 2) continue
    compared += given.size
    const sayings = new Map<string, string[]>()
    for (const [answer, value] of given) sayings.set(value, [...(sayings.get(value) ?? []), answer])
    if (sayings.size < 2) continue
    const parts = [...sayings].map(([value, answers]) => `${answers.join(', ')}: ${value}`)
    differences.push(`${fact}: ${parts.join(' | ')}`)
  }
  return { compared, differences }
}

/** How each fact is written, so that answers of different shapes can be compared. */
export class Telling {
  readonly facts = new Map<string, string>()

  /** The first digits of the hash that is live. */
  live(asset: string, hash: string | null | undefined): void {
    this.facts.set(`live version of ${asset}`, shortHash(hash))
  }

  deployedAt(asset: string, time: string | null | undefined): void {
    this.facts.set(`deployment of ${asset}`, instant(time))
  }

  deployedBy(asset: string, run: string | null | undefined): void {
    this.facts.set(`run behind ${asset}`, run ?? 'none')
  }

  versions(asset: string, versions: readonly VersionTold[]): void {
    const texts = versions.map(({ hash, deployed_at, status, run_id }) =>
      [instant(deployed_at), shortHash(hash), status, run_id ?? 'none'].join(' '),
    )
    this.facts.set(`versions of ${asset}`, texts.sort().join('; '))
  }

  /** Newest first, in the order in which they were deployed. */
  orderedVersions(asset: string, versions: readonly VersionTold[]): void {
    this.versions(asset, versions)
    this.shortVersions(asset, versions)
  }

  shortVersions(asset: string, versions: readonly Pick<VersionTold, 'hash' | 'status'>[]): void {
    const texts = versions.map(({ hash, status }) => `${shortHash(hash)} ${status}`)
    this.facts.set(`hashes of ${asset}`, texts.join('; '))
  }

  /** `skipped` is what the table of statuses counts as failed: the last run gave it nothing. */
  status(asset: string, status: string | null | undefined): void {
    this.facts.set(`last outcome of ${asset}`, status === 'skipped' ? 'Failed' : (status ?? 'none'))
  }

  rows(asset: string, rows: number | null | undefined): void {
    if (typeof rows === 'number') this.facts.set(`rows of ${asset}`, String(rows))
  }

  loadedAt(asset: string, time: string | null | undefined): void {
    this.facts.set(`load of ${asset}`, instant(time))
  }

  freshness(asset: string, verdict: string | null | undefined): void {
    if (verdict != null) this.facts.set(`freshness of ${asset}`, verdict.toUpperCase())
  }

  verdicts(asset: string, tests: readonly VerdictTold[]): void {
    const sorted = [...tests].sort((a, b) => (a.name < b.name ? -1 : 1))
    this.facts.set(
      `verdicts on ${asset}`,
      sorted.map(({ name, status }) => `${name} ${status}`).join('; ') || 'none',
    )
    if (sorted.length > 0 && sorted.every(({ at }) => at !== undefined))
      this.facts.set(
        `times of the verdicts on ${asset}`,
        sorted.map(({ name, at }) => `${name} ${instant(at)}`).join('; ') || 'none',
      )
  }

  /** An asset without an entry has no verdict. */
  results(asset: string, entry: ResultsTold | undefined): void {
    this.verdicts(asset, entry?.tests ?? [])
    this.summary(asset, entry?.summary ?? { total: 0, passed: 0 })
  }

  summary(asset: string, { total, passed }: { readonly total: number; readonly passed: number }): void {
    this.facts.set(`passed tests of ${asset}`, `${passed} of ${total}`)
  }

  /** A run that is neither refused nor running, in the words of the state table. */
  run(run: string, kind: string, status: string): void {
    this.facts.set(`run ${run}`, `${kind} ${status}`)
  }
}

export interface VersionTold {
  readonly hash: string
  readonly deployed_at: string
  readonly status: string
  readonly run_id: string | null
}

export interface ResultsTold {
  readonly tests: readonly VerdictTold[]
  readonly summary?: { readonly total: number; readonly passed: number } | undefined
}

export interface VerdictTold {
  readonly name: string
  readonly status: string
  readonly at?: string | undefined
}

function shortHash(hash: string | null | undefined): string {
  return hash?.slice(0, 12) ?? 'none'
}

function instant(time: string | null | undefined): string {
  return time == null ? 'none' : new Date(time).toISOString()
}

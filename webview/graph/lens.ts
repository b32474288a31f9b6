/**
 * The meaning of card colours, with the words and glyphs that say the same without colour. The legend lists
 * the entries of the lens; switching one off hides its cards. Pure.
 */
import type { Freshness } from './freshness.ts'
import type { GraphNode, NodeKind, NodeStatus, ProblemCounts } from './model.ts'

export type Lens = 'kind' | 'status' | 'freshness' | 'tests'
export type ColourRole = NodeKind | 'group' | 'pass' | 'fail' | 'warn' | 'idle' | 'running'

export interface LegendEntry {
  readonly key: string
  readonly word: string
  readonly glyph: string
  readonly role: ColourRole
}

export interface Facts {
  readonly kind: NodeKind
  readonly status: NodeStatus
  readonly freshness: Freshness | null
  readonly tests: GraphNode['tests']
  readonly problems: ProblemCounts
}

const entries: Readonly<Record<Lens, readonly LegendEntry[]>> = {
  kind: [
    { key: 'source', word: 'source', glyph: '▢', role: 'source' },
    { key: 'model', word: 'model', glyph: '▢', role: 'model' },
    { key: 'publish', word: 'publish target', glyph: '▷', role: 'publish' },
    { key: 'exposure', word: 'exposure', glyph: '◯', role: 'exposure' },
  ],
  status: [
    { key: 'ok', word: 'deployed', glyph: '✓', role: 'pass' },
    { key: 'failed', word: 'failed', glyph: '✕', role: 'fail' },
    { key: 'skipped', word: 'skipped', glyph: '–', role: 'idle' },
    { key: 'running', word: 'running', glyph: '◐', role: 'running' },
    { key: 'waiting', word: 'waiting', glyph: '◌', role: 'warn' },
    { key: 'never', word: 'never run', glyph: '○', role: 'idle' },
  ],
  freshness: [
    { key: 'ok', word: 'fresh', glyph: '✓', role: 'pass' },
    { key: 'warn', word: 'getting old', glyph: '!', role: 'warn' },
    { key: 'error', word: 'too old', glyph: '✕', role: 'fail' },
    { key: 'none', word: 'no limit', glyph: '○', role: 'idle' },
  ],
  tests: [
    { key: 'pass', word: 'tests pass', glyph: '✓', role: 'pass' },
    { key: 'warn', word: 'tests warn', glyph: '!', role: 'warn' },
    { key: 'fail', word: 'tests fail', glyph: '✕', role: 'fail' },
    { key: 'none', word: 'no tests', glyph: '○', role: 'idle' },
  ],
}

/** Returns only the kinds that some asset has. */
export function legendOf(lens: Lens, kinds: ReadonlySet<NodeKind>): readonly LegendEntry[] {
  return lens === 'kind' ? entries.kind.filter(entry => kinds.has(entry.key as NodeKind)) : entries[lens]
}

/** Returns the entry that a card belongs to. */
export function entryOf(lens: Lens, facts: Facts): LegendEntry {
  const key = keyOf(lens, facts)
  const entry = entries[lens].find(each => each.key === key)
  if (entry === undefined) throw new Error(`no entry ${key} in the legend of ${lens}`)
  return entry
}

function keyOf(lens: Lens, { kind, status, freshness, tests }: Facts): string {
  switch (lens) {
    case 'kind':
      return kind
    case 'status':
      return statusKeys[status]
    case 'freshness':
      return freshness ?? 'none'
    case 'tests':
      if (tests.total === 0) return 'none'
      return tests.failed > 0 ? 'fail' : tests.warned > 0 ? 'warn' : 'pass'
  }
}

const statusKeys: Readonly<Record<NodeStatus, string>> = {
  deployed: 'ok',
  done: 'ok',
  reused: 'ok',
  failed: 'failed',
  skipped: 'skipped',
  running: 'running',
  waiting: 'waiting',
  never: 'never',
}

const fileErrors: LegendEntry = { key: 'errors', word: 'errors in its file', glyph: '✕', role: 'fail' }

/** Returns the mark in the corner of a card, which shows its worst state. Undefined for an exposure. */
export function markOf(facts: Facts): LegendEntry | undefined {
  if (facts.kind === 'exposure') return undefined
  if (facts.problems.errors > 0 && facts.status !== 'running') return fileErrors
  const status = entryOf('status', facts)
  if (status.key !== 'ok') return status
  const tests = entryOf('tests', facts)
  if (tests.key === 'fail') return tests
  const freshness = entryOf('freshness', facts)
  if (freshness.key === 'error') return freshness
  if (tests.key === 'warn') return tests
  return freshness.key === 'warn' ? freshness : status
}

/** Returns the second line of a card. */
export function detailOf(node: GraphNode, status: NodeStatus): string {
  if (node.kind === 'exposure') return 'exposure'
  if (node.kind === 'publish') return targetDetail(node)
  const { total, failed, warned } = node.tests
  const { errors } = node.problems
  const said =
    errors > 0 && status !== 'running'
      ? `${errors} ${errors === 1 ? 'error' : 'errors'} in its file`
      : status === 'running' || status === 'waiting' || status === 'failed' || status === 'skipped'
        ? status
        : failed > 0
          ? `${failed} ${failed === 1 ? 'test fails' : 'tests fail'}`
          : node.freshness === 'warn' || node.freshness === 'error'
            ? node.freshness.toUpperCase()
            : total > 0
              ? warned > 0
                ? `${warned} ${warned === 1 ? 'test warns' : 'tests warn'}`
                : `${total}/${total} tests`
              : status === 'never'
                ? 'never run'
                : rowsText(node.rows)
  return said === '' ? node.kind : `${node.kind} · ${said}`
}

function targetDetail({ status, rows }: GraphNode): string {
  const said = status === 'failed' ? 'failed' : status === 'never' ? 'never published' : rowsText(rows)
  return said === '' ? 'publish' : `publish · ${said}`
}

/** Returns `3.0 M rows`, short enough for a card. */
function rowsText(rows: number | null): string {
  if (rows === null) return ''
  if (rows >= 1e9) return `${(rows / 1e9).toFixed(1)} G rows`
  if (rows >= 1e6) return `${(rows / 1e6).toFixed(1)} M rows`
  // `toLocaleString` is too slow for thousands of cards.
  const digits = String(rows)
  const grouped = rows < 1000 ? digits : `${digits.slice(0, -3)},${digits.slice(-3)}`
  return `${grouped} ${rows === 1 ? 'row' : 'rows'}`
}

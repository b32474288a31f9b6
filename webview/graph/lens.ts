/**
 * The meaning of card colours, with the words and glyphs that say the same without colour. The legend lists
 * the entries of the lens; switching one off hides its cards. Pure.
 */
import { lookOfNode, stateOfNode } from './asset-state.ts'
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
  readonly warned: number
  readonly gone: boolean
  readonly verdict?: GraphNode['verdict']
}

const entries: Readonly<Record<Lens, readonly LegendEntry[]>> = {
  kind: [
    { key: 'source', word: 'source', glyph: '▢', role: 'source' },
    { key: 'model', word: 'model', glyph: '▢', role: 'model' },
    { key: 'publish', word: 'publish target', glyph: '▷', role: 'publish' },
    { key: 'exposure', word: 'exposure', glyph: '◯', role: 'exposure' },
  ],
  status: [
    { key: 'ok', word: 'Deployed', glyph: '✓', role: 'pass' },
    { key: 'failed', word: 'Failed', glyph: '✕', role: 'fail' },
    { key: 'skipped', word: 'Held back', glyph: '–', role: 'idle' },
    { key: 'running', word: 'Running', glyph: '◐', role: 'running' },
    { key: 'waiting', word: 'Waiting', glyph: '◌', role: 'warn' },
    { key: 'never', word: 'Never run', glyph: '○', role: 'idle' },
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

/** Returns the mark in the corner of a card, which shows its state. Undefined for an exposure. */
export function markOf(facts: Facts): LegendEntry | undefined {
  if (facts.kind === 'exposure') return undefined
  const { word, glyph, role } = lookOfNode(facts)
  return { key: word, word, glyph, role: word === 'Running' ? 'running' : role === 'quiet' ? 'idle' : role }
}

/** Returns the second line of a card: its state, and where all is well what it has. */
export function detailOf(node: GraphNode, status: NodeStatus): string {
  if (node.kind === 'exposure') return 'exposure'
  if (node.kind === 'publish') return targetDetail(node)
  const state = stateOfNode({ ...node, status })
  const said = state === 'Deployed' ? sizeOf(node) : lookOfNode({ ...node, status }).word
  return said === '' ? node.kind : `${node.kind} · ${said}`
}

function sizeOf({ tests: { total }, rows }: GraphNode): string {
  return total > 0 ? `${total}/${total} tests` : rowsText(rows)
}

function targetDetail(node: GraphNode): string {
  const { word } = lookOfNode(node)
  const isWell = ['Deployed', 'Published', 'Nothing to do'].includes(word)
  const said = isWell ? rowsText(node.rows) : word
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

/**
 * The items of the command palette for a typed text: assets by name, then by description, then actions;
 * recently opened assets if nothing is typed. Pure.
 */

export interface PaletteItem {
  readonly id: string
  readonly label: string
  /** The description of an asset, or the effect of an action. */
  readonly detail: string
  readonly kind: 'source' | 'model' | 'publish' | 'exposure' | 'action'
}

export interface PaletteHit {
  readonly item: PaletteItem
  /** The matches in the label, from (inclusive) and to (exclusive), in order and without overlaps. */
  readonly marks: readonly (readonly [number, number])[]
}

const mostHits = 50
const mostRecent = 8

export function paletteHits(
  items: readonly PaletteItem[],
  typed: string,
  recent: readonly string[] = [],
): readonly PaletteHit[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return beforeTyping(items, recent)
  const ranked = items.flatMap(item => {
    const rank = rankOf(item, words)
    return rank === undefined ? [] : [{ item, rank }]
  })
  ranked.sort(
    (a, b) => a.rank - b.rank || a.item.label.length - b.item.label.length || byLabel(a.item, b.item),
  )
  return ranked
    .slice(0, mostHits)
    .map(({ item }) => ({ item, marks: marksOf(item.label.toLowerCase(), words) }))
}

function beforeTyping(items: readonly PaletteItem[], recent: readonly string[]): PaletteHit[] {
  const byId = new Map(items.map(item => [item.id, item]))
  const last = recent.flatMap(id => byId.get(id) ?? []).slice(0, mostRecent)
  const actions = items.filter(item => item.kind === 'action' && !last.includes(item))
  const rest = items.filter(item => item.kind !== 'action' && !last.includes(item))
  return [...last, ...actions, ...rest].slice(0, mostHits).map(item => ({ item, marks: [] }))
}

/** Returns a rank, smaller is better; undefined if a word does not match. The worst word decides. */
function rankOf({ label, detail, kind }: PaletteItem, words: readonly string[]): number | undefined {
  const [name, text] = [label.toLowerCase(), detail.toLowerCase()]
  let worst = 0
  for (const word of words) {
    const rank = wordRank(name, text, word)
    if (rank === undefined) return undefined
    worst = Math.max(worst, rank)
  }
  return worst * 2 + (kind === 'action' ? 1 : 0)
}

function wordRank(name: string, text: string, word: string): number | undefined {
  if (name === word) return 0
  if (name.startsWith(word)) return 1
  if (new RegExp(`[_\\s.-]${escapeRegExp(word)}`).test(name)) return 2
  if (name.includes(word)) return 3
  if (isInitials(name, word)) return 4
  return text.includes(word) ? 5 : undefined
}

/** Matches `dd` with `daily_delays`. */
function isInitials(name: string, word: string): boolean {
  if (word.length < 2) return false
  const initials = name.split(/[_\s.-]+/).map(part => part[0] ?? '')
  return initials.join('').startsWith(word)
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function marksOf(label: string, words: readonly string[]): (readonly [number, number])[] {
  const matches = words.flatMap(word => {
    const at = label.indexOf(word)
    return at < 0 ? [] : [[at, at + word.length] as const]
  })
  matches.sort((a, b) => a[0] - b[0])
  const apart: (readonly [number, number])[] = []
  for (const [from, to] of matches) {
    const last = apart.at(-1)
    if (last === undefined || from > last[1]) apart.push([from, to])
    else if (to > last[1]) apart[apart.length - 1] = [last[0], to]
  }
  return apart
}

function byLabel(a: PaletteItem, b: PaletteItem): number {
  return a.label < b.label ? -1 : a.label > b.label ? 1 : 0
}

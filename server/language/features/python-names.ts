/** Completion and hover for the assets in Python code: `svc.ref("…")`. */
import { nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import { lineStart } from '../text/lines.ts'
import { isWithin } from '../text/range.ts'
import { placeholder } from '../text/snippet.ts'
import { type Completion, type CompletionItem, noCompletion, sortKey } from './completion/completion.ts'
import { assetItems } from './completion/sql/sql-tables.ts'
import { assetCardNamed } from './hover/asset-card.ts'
import type { Hover } from './hover/hover.ts'
import type { Knowledge } from './knowledge.ts'

/** Returns undefined if the offset is not in Python. */
export function completePython(knowledge: Knowledge, path: string, offset: number): Completion | undefined {
  const asset = knowledge.project.assets.get(path)
  if (asset === undefined || !isInPython(asset, offset)) return undefined
  const before = asset.text.slice(lineStart(asset.text, offset), offset)
  const object = asset.python?.scan.transform?.parameter ?? 'svc'
  if (/^\s*#/.test(before)) return noCompletion
  return refNames(knowledge, asset, offset, before, object) ?? members(offset, before, object) ?? noCompletion
}

function isInPython(asset: Asset, offset: number): boolean {
  const node = nodeAt(asset.tree, ['transform', 'python'])
  return node !== undefined && node.range.start < offset && offset <= node.range.end
}

function refNames(
  knowledge: Knowledge,
  asset: Asset,
  offset: number,
  before: string,
  object: string,
): Completion | undefined {
  const match = new RegExp(`\\b${object}\\.ref\\(\\s*(["'])(\\w*)$`).exec(before)
  if (match === null) return undefined
  const [, quote = '"', typed = ''] = match
  const behind = /^\w*/.exec(asset.text.slice(offset))?.[0] ?? ''
  const range = { start: offset - typed.length, end: offset + behind.length }
  // Closing characters that the editor has inserted already are kept.
  const isClosed = asset.text[range.end] === quote
  const { items, isIncomplete } = assetItems(knowledge, asset, typed.toLowerCase(), name =>
    isClosed ? name : `${name}${quote})`,
  )
  return { items: items.map(item => ({ ...item, range })), isIncomplete }
}

interface Member {
  readonly label: string
  readonly detail: string
  readonly insert: string
}

const ofObject: readonly Member[] = [
  { label: 'ref', detail: 'rows of another asset', insert: `ref("${placeholder(1)}")$0` },
  { label: 'source', detail: 'rows of the source', insert: 'source' },
]

/** The methods for reading rows (decisions 1). */
const ofRows: readonly Member[] = [
  { label: 'df', detail: 'as a pandas data frame', insert: 'df()' },
  { label: 'pl', detail: 'as a polars data frame', insert: 'pl()' },
  { label: 'arrow', detail: 'as an Arrow table', insert: 'arrow()' },
  { label: 'rows', detail: 'as dictionaries', insert: 'rows()' },
]

function members(offset: number, before: string, object: string): Completion | undefined {
  const match = new RegExp(`\\b${object}\\.((?:ref\\([^()]*\\)|source)\\.)?(\\w*)$`).exec(before)
  if (match === null) return undefined
  const [, rows, typed = ''] = match
  const range = { start: offset - typed.length, end: offset }
  const items = (rows === undefined ? ofObject : ofRows).map(
    ({ label, detail, insert }, index): CompletionItem => {
      const isSnippet = insert.includes('$')
      const sort = sortKey('a', index)
      return {
        label,
        kind: 'function',
        detail,
        insert,
        range,
        sort,
        ...(isSnippet && { isSnippet, next: 'completion' }),
      }
    },
  )
  return { items, isIncomplete: false }
}

export function pythonHover(knowledge: Knowledge, path: string, offset: number): Hover | undefined {
  const python = knowledge.project.assets.get(path)?.python
  for (const { name, nameRange } of python?.scan.refs ?? []) {
    const range = python?.toFile.rangeToOriginal(nameRange)
    if (range === undefined || !isWithin(range, offset)) continue
    return { range, markdown: assetCardNamed(knowledge, name) }
  }
  return undefined
}

/** Lineage as a call hierarchy: readers call what they read. */
import { type CallHierarchyItem, type Range as LspRange, SymbolKind } from 'vscode-languageserver'
import {
  type HierarchyItem,
  incoming,
  outgoing,
  prepareHierarchy,
} from '../../language/features/call-hierarchy.ts'
import { type Asked, askedOf, type Context, guarded } from '../context.ts'
import { offsetAt, rangeAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'

export const lineageFeature: Feature = {
  capabilities: () => ({ callHierarchyProvider: true }),
  register(context) {
    const { callHierarchy } = context.connection.languages
    callHierarchy.onPrepare(
      guarded(context, 'textDocument/prepareCallHierarchy', ({ textDocument, position }) => {
        const asked = askedOf(context, textDocument.uri)
        const item = asked && prepareHierarchy(asked.knowledge, asked.path, offsetAt(asked.text, position))
        if (asked === undefined || item === undefined) return null
        return [toLspItem(context, asked, item)]
      }),
    )
    callHierarchy.onIncomingCalls(
      guarded(context, 'callHierarchy/incomingCalls', ({ item }) => {
        const asked = askedOf(context, item.uri)
        const from = asked && itemOf(asked, item)
        if (asked === undefined || from === undefined) return []
        return incoming(asked.knowledge, from).map(call => ({
          from: toLspItem(context, asked, call.item),
          fromRanges: rangesIn(asked, call.item.path, call.ranges),
        }))
      }),
    )
    callHierarchy.onOutgoingCalls(
      guarded(context, 'callHierarchy/outgoingCalls', ({ item }) => {
        const asked = askedOf(context, item.uri)
        const from = asked && itemOf(asked, item)
        if (asked === undefined || from === undefined) return []
        return outgoing(asked.knowledge, from).map(call => ({
          to: toLspItem(context, asked, call.item),
          fromRanges: rangesIn(asked, from.path, call.ranges),
        }))
      }),
    )
  },
}

interface ItemData {
  readonly asset: string
  readonly column?: string
}

function toLspItem({ session }: Context, { project }: Asked, item: HierarchyItem): CallHierarchyItem {
  const text = project.textOf(item.path) ?? ''
  const { asset, column } = item
  const data: ItemData = column === undefined ? { asset } : { asset, column }
  return {
    name: column === undefined ? asset : `${asset}.${column}`,
    kind: item.kind === 'column' ? SymbolKind.Field : SymbolKind.Class,
    detail: item.detail,
    uri: session.uriOf(project, item.path),
    range: rangeAt(text, item.range),
    selectionRange: rangeAt(text, item.selection),
    data,
  }
}

/** Reads an item that the client sends back. Its places may be outdated, so the names count. */
function itemOf(
  { path, text }: Asked,
  { data, range, selectionRange, detail }: CallHierarchyItem,
): HierarchyItem | undefined {
  const { asset, column } = (data ?? {}) as Partial<ItemData>
  if (typeof asset !== 'string') return undefined
  const offsets = (at: LspRange) => ({ start: offsetAt(text, at.start), end: offsetAt(text, at.end) })
  return {
    kind: column === undefined ? 'asset' : 'column',
    asset,
    column,
    detail: detail ?? '',
    path,
    range: offsets(range),
    selection: offsets(selectionRange),
  }
}

function rangesIn(
  { project }: Asked,
  path: string,
  ranges: readonly { start: number; end: number }[],
): LspRange[] {
  const text = project.textOf(path) ?? ''
  return ranges.map(range => rangeAt(text, range))
}

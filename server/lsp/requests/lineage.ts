/** Lineage as a call hierarchy: readers call what they read. */
import { type CallHierarchyItem, type Range as LspRange, SymbolKind } from 'vscode-languageserver'
import {
  type HierarchyItem,
  incoming,
  outgoing,
  prepareHierarchy,
} from '../../language/features/call-hierarchy.ts'
import { type Context, documentOf, guarded, type RequestedDocument } from '../context.ts'
import { offsetAt, rangeAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'

export const lineageFeature: Feature = {
  capabilities: () => ({ callHierarchyProvider: true }),
  register(context) {
    const { callHierarchy } = context.connection.languages
    callHierarchy.onPrepare(
      guarded(context, 'textDocument/prepareCallHierarchy', ({ textDocument, position }) => {
        const document = documentOf(context, textDocument.uri)
        const item =
          document && prepareHierarchy(document.knowledge, document.path, offsetAt(document.text, position))
        if (document === undefined || item === undefined) return null
        return [toLspItem(context, document, item)]
      }),
    )
    callHierarchy.onIncomingCalls(
      guarded(context, 'callHierarchy/incomingCalls', ({ item }) => {
        const document = documentOf(context, item.uri)
        const from = document && itemOf(document, item)
        if (document === undefined || from === undefined) return []
        return incoming(document.knowledge, from).map(call => ({
          from: toLspItem(context, document, call.item),
          fromRanges: rangesIn(document, call.item.path, call.ranges),
        }))
      }),
    )
    callHierarchy.onOutgoingCalls(
      guarded(context, 'callHierarchy/outgoingCalls', ({ item }) => {
        const document = documentOf(context, item.uri)
        const from = document && itemOf(document, item)
        if (document === undefined || from === undefined) return []
        return outgoing(document.knowledge, from).map(call => ({
          to: toLspItem(context, document, call.item),
          fromRanges: rangesIn(document, from.path, call.ranges),
        }))
      }),
    )
  },
}

interface ItemData {
  readonly asset: string
  readonly column?: string
}

function toLspItem(
  { session }: Context,
  { project }: RequestedDocument,
  item: HierarchyItem,
): CallHierarchyItem {
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
  { path, text }: RequestedDocument,
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
  { project }: RequestedDocument,
  path: string,
  ranges: readonly { start: number; end: number }[],
): LspRange[] {
  const text = project.textOf(path) ?? ''
  return ranges.map(range => rangeAt(text, range))
}

/** Lineage as a call hierarchy: readers call what they read. */
import { type CallHierarchyItem, type Range as LspRange, SymbolKind } from 'vscode-languageserver'
import {
  type HierarchyCall,
  type HierarchyItem,
  incoming,
  outgoing,
  prepareHierarchy,
} from '../../language/features/call-hierarchy.ts'
import type { Knowledge } from '../../language/features/knowledge.ts'
import { aboutDocument, type Context, documentOf, guarded, type RequestedDocument } from '../context.ts'
import { offsetAt, offsetsOf, rangeAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'

export const lineageFeature: Feature = {
  capabilities: () => ({ callHierarchyProvider: true }),
  register(context) {
    const { callHierarchy } = context.connection.languages
    callHierarchy.onPrepare(
      aboutDocument(context, 'textDocument/prepareCallHierarchy', null, (document, { position }) => {
        const { knowledge, path, text } = document
        const item = prepareHierarchy(knowledge, path, offsetAt(text, position))
        return item === undefined ? null : [toLspItem(context, document, item)]
      }),
    )
    callHierarchy.onIncomingCalls(
      guarded(context, 'callHierarchy/incomingCalls', ({ item }) =>
        callsOf(context, item, incoming, (document, call) => ({
          from: toLspItem(context, document, call.item),
          fromRanges: rangesIn(document, call.item.path, call.ranges),
        })),
      ),
    )
    callHierarchy.onOutgoingCalls(
      guarded(context, 'callHierarchy/outgoingCalls', ({ item }) =>
        callsOf(context, item, outgoing, (document, call) => ({
          to: toLspItem(context, document, call.item),
          fromRanges: rangesIn(document, document.path, call.ranges),
        })),
      ),
    )
  },
}

function callsOf<T>(
  context: Context,
  item: CallHierarchyItem,
  callsFrom: (knowledge: Knowledge, item: HierarchyItem) => readonly HierarchyCall[],
  toLsp: (document: RequestedDocument, call: HierarchyCall) => T,
): T[] {
  const document = documentOf(context, item.uri)
  const from = document && itemOf(document, item)
  if (document === undefined || from === undefined) return []
  return callsFrom(document.knowledge, from).map(call => toLsp(document, call))
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
  return {
    kind: column === undefined ? 'asset' : 'column',
    asset,
    column,
    detail: detail ?? '',
    path,
    range: offsetsOf(text, range),
    selection: offsetsOf(text, selectionRange),
  }
}

function rangesIn({ project }: RequestedDocument, path: string, ranges: HierarchyCall['ranges']): LspRange[] {
  const text = project.textOf(path) ?? ''
  return ranges.map(range => rangeAt(text, range))
}

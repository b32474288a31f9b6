/** Symbols of a document and of the workspace. */
import {
  type DocumentSymbol as LspDocumentSymbol,
  SymbolKind as LspKind,
  type SymbolInformation,
} from 'vscode-languageserver'
import {
  type DocumentSymbol,
  documentSymbols,
  type SymbolKind,
} from '../../language/features/document-symbols.ts'
import { type WorkspaceSymbol, workspaceSymbols } from '../../language/features/workspace-symbols.ts'
import { aboutDocument, guarded, type RequestedDocument } from '../context.ts'
import { locationOf } from '../convert/locations.ts'
import { rangeAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'

const kinds: Readonly<Record<SymbolKind, LspKind>> = {
  asset: LspKind.Class,
  block: LspKind.Namespace,
  column: LspKind.Field,
  test: LspKind.Boolean,
  cte: LspKind.Struct,
  key: LspKind.Property,
  entry: LspKind.Object,
}

export const documentSymbolFeature: Feature = {
  capabilities: () => ({ documentSymbolProvider: { label: 'svc' } }),
  register(context) {
    const nested =
      context.capabilities.textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true
    context.connection.onDocumentSymbol(
      aboutDocument(
        context,
        'textDocument/documentSymbol',
        [],
        (document): LspDocumentSymbol[] | SymbolInformation[] => {
          const symbols = documentSymbols(document.knowledge, document.path)
          return nested
            ? symbols.map(symbol => toLspSymbol(document, symbol))
            : symbols.flatMap(symbol => flat(document, symbol, ''))
        },
      ),
    )
  },
}

function toLspSymbol(document: RequestedDocument, symbol: DocumentSymbol): LspDocumentSymbol {
  const { name, detail, kind, range, selection, children } = symbol
  return {
    // Clients reject the whole list if a name is empty.
    name: name === '' ? '(empty)' : name,
    detail,
    kind: kinds[kind],
    range: rangeAt(document.text, range),
    selectionRange: rangeAt(document.text, selection),
    children: children.map(child => toLspSymbol(document, child)),
  }
}

function flat(
  document: RequestedDocument,
  symbol: DocumentSymbol,
  containerName: string,
): SymbolInformation[] {
  const location = { uri: document.uri, range: rangeAt(document.text, symbol.range) }
  return [
    { name: symbol.name, kind: kinds[symbol.kind], location, containerName },
    ...symbol.children.flatMap(child => flat(document, child, symbol.name)),
  ]
}

// ---------------------------------------------------------------- the workspace

const workspaceKinds: Readonly<Record<WorkspaceSymbol['kind'], LspKind>> = {
  asset: LspKind.Class,
  column: LspKind.Field,
  term: LspKind.Key,
  metric: LspKind.Number,
  dimension: LspKind.Enum,
  policy: LspKind.Event,
}

export const workspaceSymbolFeature: Feature = {
  capabilities: () => ({ workspaceSymbolProvider: true }),
  register(context) {
    context.connection.onWorkspaceSymbol(
      guarded(context, 'workspace/symbol', async ({ query }) => {
        await context.session.ready()
        return context.session.projects().flatMap(project =>
          workspaceSymbols(project.knowledge(), query).flatMap(symbol => {
            const location = locationOf(context, project, symbol)
            const { name, kind, container } = symbol
            return location === undefined
              ? []
              : [{ name, kind: workspaceKinds[kind], containerName: container, location }]
          }),
        )
      }),
    )
  },
}

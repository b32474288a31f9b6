/** Completion; the documentation of an item is made when it is selected. */
import {
  type ClientCapabilities,
  CompletionItemKind,
  InsertTextFormat,
  InsertTextMode,
  type CompletionItem as LspItem,
  type MarkupContent,
  MarkupKind,
} from 'vscode-languageserver'
import { completionsAt } from '../../language/features/completion/complete-at.ts'
import type {
  CompletionItem,
  CompletionKind,
  CompletionSubject,
} from '../../language/features/completion/completion.ts'
import { documentationOf } from '../../language/features/completion/documentation.ts'
import { lineStart } from '../../language/text/lines.ts'
import { aboutDocument, type Context, guarded, type RequestedDocument, withFunctions } from '../context.ts'
import { offsetAt, rangeAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'

const triggerCharacters = ['.', "'", '"', '{', ':', '(', ' ', '-']

/** Matches the text before a space after which the list is opened; otherwise it would open at every word. */
const wantsListAfterBlank =
  /(?::|^\s*-|,|\{\{|\b(?:from|join|on|by|where|select|and|or|having|qualify|using|set|then|else|when)) $/i

export const completionFeature: Feature = {
  capabilities: () => ({ completionProvider: { triggerCharacters, resolveProvider: true } }),
  register(context) {
    const { connection } = context
    connection.onCompletion(
      aboutDocument(context, 'textDocument/completion', null, (document, { position, context: why }) => {
        const offset = offsetAt(document.text, position)
        const before = document.text.slice(lineStart(document.text, offset), offset)
        if (why?.triggerCharacter === ' ' && !wantsListAfterBlank.test(before)) return null
        const { items, isIncomplete } = completionsAt(document.knowledge, document.path, offset)
        // An incomplete list makes the client ask again at the next letter.
        const lacksFunctions = document.knowledge.functions.size === 0
        // Lists that offer functions are incomplete. Others lack at most the types of some columns, which can wait
        // until the user pauses.
        if (lacksFunctions && isIncomplete) void context.functionsRead(document.knowledge.project.engine)
        return {
          isIncomplete: isIncomplete || lacksFunctions || !document.project.isKnown,
          items: items.map(item => toLspItem(context, document, item)),
        }
      }),
    )
    connection.onCompletionResolve(
      guarded(context, 'completionItem/resolve', async item => {
        const data = item.data as ItemData | undefined
        if (data === undefined) return item
        const text = await withFunctions(context, data.uri, ({ knowledge }) =>
          documentationOf(knowledge, data.about),
        )
        return text === undefined ? item : { ...item, documentation: markdown(text) }
      }),
    )
  },
}

/** The data that `toLspItem` attaches to an item. */
interface ItemData {
  readonly uri: string
  readonly about: CompletionSubject
}

function markdown(value: string): MarkupContent {
  return { kind: MarkupKind.Markdown, value }
}

const kinds: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  key: CompletionItemKind.Property,
  value: CompletionItemKind.EnumMember,
  asset: CompletionItemKind.Class,
  source: CompletionItemKind.Struct,
  column: CompletionItemKind.Field,
  alias: CompletionItemKind.Variable,
  cte: CompletionItemKind.Struct,
  function: CompletionItemKind.Function,
  keyword: CompletionItemKind.Keyword,
  type: CompletionItemKind.TypeParameter,
  snippet: CompletionItemKind.Snippet,
  variable: CompletionItemKind.Variable,
  environment: CompletionItemKind.Constant,
  tag: CompletionItemKind.Text,
  owner: CompletionItemKind.Text,
  term: CompletionItemKind.Reference,
}

/** The commands of VS Code. */
const nextCommands = {
  completion: { title: 'Suggest', command: 'editor.action.triggerSuggest' },
  signature: { title: 'Parameters', command: 'editor.action.triggerParameterHints' },
} as const

function toLspItem(context: Context, { text, uri }: RequestedDocument, item: CompletionItem): LspItem {
  const client = context.capabilities.textDocument?.completion?.completionItem
  const isSnippet = item.isSnippet === true && client?.snippetSupport === true
  const newText = item.isSnippet === true && !isSnippet ? withoutPlaceholders(item.insert) : item.insert
  return {
    label: item.label,
    kind: kinds[item.kind],
    sortText: item.sort,
    filterText: item.filter ?? item.label,
    textEdit: { range: rangeAt(text, item.range), newText },
    // Further lines are indented like the line of the cursor.
    ...(newText.includes('\n') && { insertTextMode: InsertTextMode.adjustIndentation }),
    insertTextFormat: isSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    ...detailOf(item, client),
    ...(item.documentation !== undefined && { documentation: markdown(item.documentation) }),
    ...(item.about !== undefined && { data: { uri, about: item.about } }),
    ...(item.next !== undefined && context.isVsCode && { command: nextCommands[item.next] }),
  }
}

type ItemSupport = NonNullable<ClientCapabilities['textDocument']>['completion']

function detailOf(
  { detail }: CompletionItem,
  client: NonNullable<ItemSupport>['completionItem'],
): Partial<LspItem> {
  if (detail === undefined) return {}
  return client?.labelDetailsSupport === true ? { labelDetails: { description: detail } } : { detail }
}

/** Removes placeholders, keeping their text, for clients without snippets. */
function withoutPlaceholders(snippet: string): string {
  return snippet
    .replace(/\$\{\d+(?::((?:\\.|[^\\}])*))?\}/g, (_whole, text: string | undefined) => text ?? '')
    .replace(/(^|[^\\])\$\d+/g, '$1')
    .replace(/\\([\\$}])/g, '$1')
}

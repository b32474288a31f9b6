import assert from 'node:assert/strict'
import {
  type CallHierarchyIncomingCall,
  type CallHierarchyItem,
  type CodeLens,
  type CompletionList,
  type DocumentSymbol,
  type FoldingRange,
  type Hover,
  type InlayHint,
  type Location,
  type LocationLink,
  type MarkdownString,
  Range,
  type SemanticTokens,
  type SemanticTokensLegend,
  type SignatureHelp,
  type SymbolInformation,
} from 'vscode'
import { ask, behind, fileUri, noProblem, open, problem, replace, revert } from './documents.ts'

function textOf(hovers: readonly Hover[]): string {
  return hovers.flatMap(({ contents }) => contents.map(each => (each as MarkdownString).value)).join('\n')
}

function placeOf(found: Location | LocationLink | undefined): { path: string; range: Range } | undefined {
  if (found === undefined) return undefined
  if ('uri' in found) return { path: found.uri.path, range: found.range }
  return { path: found.targetUri.path, range: found.targetSelectionRange ?? found.targetRange }
}

describe('the language server in the editor', () => {
  it('shows a mistake while it is typed, and takes it back', async () => {
    const document = await open('models/orders.svc')
    await replace(document, 'o.status,', 'o.statu,')
    const found = await problem(document, 'statu')
    assert.match(document.getText(found.range), /statu/)
    await replace(document, 'o.statu,', 'o.status,')
    await noProblem(document)
    await revert(document)
  })

  it('tells of a column that is gone to the files that read it, unsaved', async () => {
    const reader = await open('models/daily_revenue.svc')
    const source = await open('models/paid_orders.svc')
    await replace(source, ', amount', '')
    await problem(reader, 'amount')
    await replace(source, 'AS order_day', 'AS order_day, amount')
    await noProblem(reader)
    await revert(source)
  })

  it('hovers over a column with its type and where it comes from', async () => {
    const document = await open('models/daily_revenue.svc')
    const hovers = await ask<Hover[]>('executeHoverProvider', document.uri, behind(document, 'sum(amount', 5))
    assert.match(textOf(hovers), /amount/)
    assert.match(textOf(hovers), /paid_orders/)
  })

  it('hovers over an asset with its columns', async () => {
    const document = await open('models/daily_revenue.svc')
    const hovers = await ask<Hover[]>(
      'executeHoverProvider',
      document.uri,
      behind(document, 'paid_orders', 3),
    )
    for (const name of ['order_id', 'customer_id', 'order_day', 'amount'])
      assert.match(textOf(hovers), new RegExp(name))
  })

  it('completes exactly the columns of an alias', async () => {
    const document = await open('models/customer_value.svc')
    const list = await ask<CompletionList>(
      'executeCompletionItemProvider',
      document.uri,
      behind(document, 'sum(paid.'),
    )
    const labels = list.items.map(({ label }) => (typeof label === 'string' ? label : label.label))
    assert.deepEqual(labels.toSorted(), ['amount', 'customer_id', 'order_day', 'order_id'])
  })

  it('shows the arguments of a function', async () => {
    const document = await open('models/daily_revenue.svc')
    const help = await ask<SignatureHelp>(
      'executeSignatureHelpProvider',
      document.uri,
      behind(document, 'round('),
    )
    assert.match(help.signatures[0]?.label ?? '', /round\(/)
  })

  it('leads from a ref to its asset', async () => {
    const document = await open('models/daily_revenue.svc')
    const found = await ask<(Location | LocationLink)[]>(
      'executeDefinitionProvider',
      document.uri,
      behind(document, 'paid_orders', 3),
    )
    const { path, range } = placeOf(found[0]) ?? {}
    assert.match(path ?? '', /models\/paid_orders\.svc$/)
    const target = await open('models/paid_orders.svc')
    assert.equal(target.getText(range), 'paid_orders')
  })

  it('finds the uses of an asset in all files', async () => {
    const document = await open('models/paid_orders.svc')
    const found = await ask<Location[]>(
      'executeReferenceProvider',
      document.uri,
      behind(document, 'name: ', 7),
    )
    const files = new Set(found.map(({ uri }) => uri.path.split('/').at(-1)))
    assert.ok(files.has('customer_value.svc') && files.has('daily_revenue.svc'), [...files].join())
  })

  it('has lenses above the asset that run it, and none above its tests, which have buttons beside them', async () => {
    const document = await open('models/orders.svc')
    const lenses = await ask<CodeLens[]>('executeCodeLensProvider', document.uri, 100)
    const titles = lenses.flatMap(({ command }) => command?.title ?? [])
    for (const title of ['Run', 'Preview', 'Test'])
      assert.ok(
        titles.some(each => each.includes(title)),
        `${title} in ${titles.join(' | ')}`,
      )
    const testLenses = lenses.filter(({ range }) => range.start.line > behind(document, 'tests:').line)
    assert.deepEqual(testLenses, [])
  })

  it('outlines a file and finds assets and columns by name', async () => {
    const document = await open('models/orders.svc')
    const outline = await ask<DocumentSymbol[]>('executeDocumentSymbolProvider', document.uri)
    const names = outline.flatMap(each => [each.name, ...each.children.map(({ name }) => name)])
    for (const name of ['ingest', 'amount', 'amount_adds_up_the_lines'])
      assert.ok(names.includes(name), `${name} in ${names.join()}`)
    const found = await ask<SymbolInformation[]>('executeWorkspaceSymbolProvider', 'revenue_with_vat')
    assert.ok(
      found.some(({ name }) => name.includes('revenue_with_vat')),
      'a column',
    )
  })

  it('colours names by what they mean', async () => {
    const document = await open('models/orders.svc')
    const legend = await ask<SemanticTokensLegend>('provideDocumentSemanticTokensLegend', document.uri)
    const tokens = await ask<SemanticTokens>('provideDocumentSemanticTokens', document.uri)
    assert.ok(tokens.data.length >= 5 * 10, 'ten tokens at least')
    const kinds = new Set<string | undefined>()
    for (let index = 3; index < tokens.data.length; index += 5)
      kinds.add(legend.tokenTypes[tokens.data[index] ?? -1])
    assert.ok(kinds.size >= 3 && !kinds.has(undefined), [...kinds].join())
  })

  it('shows the lineage as a call hierarchy', async () => {
    const document = await open('models/paid_orders.svc')
    const [item] = await ask<CallHierarchyItem[]>(
      'prepareCallHierarchy',
      document.uri,
      behind(document, 'name: ', 7),
    )
    assert.equal(item?.name, 'paid_orders')
    const readers = await ask<CallHierarchyIncomingCall[]>('provideIncomingCalls', item)
    assert.deepEqual(readers.map(({ from }) => from.name).sort(), ['customer_value', 'daily_revenue'])
  })

  it('folds, and shows types beside what it computes', async () => {
    const document = await open('models/daily_revenue.svc')
    const ranges = await ask<FoldingRange[]>('executeFoldingRangeProvider', document.uri)
    assert.ok(ranges.some(({ start }) => start === behind(document, 'transform').line))
    const whole = new Range(0, 0, document.lineCount, 0)
    const hints = await ask<InlayHint[]>('executeInlayHintProvider', document.uri, whole)
    assert.ok(hints.length > 0, 'hints')
  })

  it('knows the files beside the assets', async () => {
    const document = await open('svc.yaml')
    const hovers = await ask<Hover[]>('executeHoverProvider', document.uri, behind(document, 'vars', 2))
    assert.match(textOf(hovers), /var/)
    assert.equal(document.uri.path, fileUri('svc.yaml').path)
  })
})

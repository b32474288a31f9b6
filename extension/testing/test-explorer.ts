/** Data tests and unit tests in the Test Explorer: found by the language server, run by `svc test --json`. */
import { type TestSummary, type TestsParams, type TestsResult, testsRequest } from '@svc/server/protocol'
import {
  type CancellationToken,
  Range,
  type TestController,
  type TestItem,
  TestRunProfileKind,
  type TestRunRequest,
  TestTag,
  tests,
  Uri,
  workspace,
} from 'vscode'
import type { Services } from '../commands/command.ts'
import { languageId } from '../contributions.ts'
import { showLastResults } from './last-results.ts'
import { runTests } from './run-tests.ts'
import { kindText } from './test-words.ts'

const unitTag = new TestTag('unit')
const dataTag = new TestTag('data')

/** In larger projects, the tests of an asset are loaded when it is expanded. */
const eagerAssets = 300

export interface TestTree {
  readonly controller: TestController
  /** Returns the facts of an asset or of one of its tests. */
  factsOf(item: TestItem): TestFacts | undefined
  resolve(item: TestItem): Promise<void>
  /** When the verdict was made that the item shows; the beginning of time for a test that could not run. */
  readonly shownAt: WeakMap<TestItem, Date>
}

export interface TestFacts {
  /** The URI of the project. */
  readonly root: string
  readonly asset: string
  /** Undefined if the item is the asset. */
  readonly test: TestSummary | undefined
}

export function showTests(services: Services): void {
  const { context, projects, terminals } = services
  const controller = tests.createTestController('svc.tests', 'SVC')
  const tree = createTree(services, controller)
  controller.resolveHandler = item => (item === undefined ? undefined : tree.resolve(item))
  const run = (request: TestRunRequest, token: CancellationToken) => runTests(services, tree, request, token)
  controller.createRunProfile('Run', TestRunProfileKind.Run, run, true)
  controller.createRunProfile('Run Unit Tests (no warehouse)', TestRunProfileKind.Run, run, false, unitTag)
  context.subscriptions.push(
    controller,
    projects.onDidChange(() => tree.refresh()),
    terminals.onDidEnd(({ command }) => void showLastResults(tree, command)),
    workspace.onDidOpenTextDocument(({ languageId: language, uri }) => {
      if (language === languageId) tree.resolveFile(uri.toString())
    }),
  )
  tree.refresh()
}

function createTree({ server, projects, log }: Services, controller: TestController) {
  const facts = new WeakMap<TestItem, TestFacts>()
  /** All assets by id. Only those with tests are shown. */
  let assets = new Map<string, TestItem>()
  const withoutTests = new Set<string>()

  function refresh(): void {
    const items = projects.all.flatMap(project =>
      project.assets.map(asset => {
        const id = `${project.root}#${asset.uri}`
        const item = assets.get(id) ?? controller.createTestItem(id, asset.name, Uri.parse(asset.uri))
        item.label = asset.name
        item.description = projects.all.length > 1 ? project.name : asset.layer
        item.canResolveChildren = true
        facts.set(item, { root: project.root, asset: asset.name, test: undefined })
        return item
      }),
    )
    assets = new Map(items.map(item => [item.id, item]))
    const isSmall = items.length <= eagerAssets
    // Rows that appear and disappear cause wrong clicks, so an asset is shown only when its tests are known.
    controller.items.replace(
      items.filter(({ id, children }) => children.size > 0 || (!isSmall && !withoutTests.has(id))),
    )
    for (const item of items) {
      if (isSmall || item.children.size > 0 || isOpen(item)) void resolve(item)
    }
  }

  async function resolve(item: TestItem): Promise<void> {
    const own = facts.get(item)
    if (own === undefined || own.test !== undefined || item.uri === undefined) return
    try {
      const parameters: TestsParams = { uri: item.uri.toString() }
      const result = await server.request<TestsResult>(testsRequest, parameters)
      item.children.replace(result.map(test => testItem(item, own, test)))
      if (assets.get(item.id) === item) show(item, result.length > 0)
    } catch (error) {
      log.debug(`${testsRequest} ${item.id}: ${String(error)}`)
    }
  }

  function show(item: TestItem, hasTests: boolean): void {
    if (hasTests) {
      withoutTests.delete(item.id)
      if (controller.items.get(item.id) === undefined) controller.items.add(item)
    } else {
      withoutTests.add(item.id)
      controller.items.delete(item.id)
    }
  }

  function testItem(parent: TestItem, own: TestFacts, test: TestSummary): TestItem {
    const id = `${parent.id}#${test.name}`
    const item = parent.children.get(id) ?? controller.createTestItem(id, test.name, parent.uri)
    const { start, end } = test.range
    item.range = new Range(start.line, start.character, end.line, end.character)
    item.description = kindText(test)
    item.tags = [test.kind === 'unit' ? unitTag : dataTag]
    facts.set(item, { ...own, test })
    return item
  }

  function resolveFile(uri: string): void {
    for (const item of assets.values()) if (item.uri?.toString() === uri) void resolve(item)
  }

  const shownAt = new WeakMap<TestItem, Date>()
  return { controller, shownAt, factsOf: (item: TestItem) => facts.get(item), refresh, resolve, resolveFile }
}

function isOpen({ uri }: TestItem): boolean {
  return workspace.textDocuments.some(document => document.uri.toString() === uri?.toString())
}

/** Runs the tests that were chosen in the Test Explorer, and reports results with the failing rows. */
import {
  type CancellationToken,
  DiagnosticSeverity,
  Location,
  languages,
  type TestItem,
  TestMessage,
  type TestRun,
  type TestRunRequest,
  Uri,
  window,
} from 'vscode'
import { Cancelled, SvcRefusal } from '../background.ts'
import type { Services } from '../commands/command.ts'
import { placeOf } from '../runs.ts'
import { failureText, sidesOf, type TestAnswer, type TestOutcome } from './outcomes.ts'
import type { TestFacts, TestTree } from './test-explorer.ts'
import { type ChosenAsset, kindText, testWords } from './test-words.ts'
import { isBlamed, verdictOf } from './verdicts.ts'

interface Chosen {
  readonly item: TestItem
  readonly facts: TestFacts & { readonly test: NonNullable<TestFacts['test']> }
}

export async function runTests(
  services: Services,
  tree: TestTree,
  request: TestRunRequest,
  token: CancellationToken,
): Promise<void> {
  const run = tree.controller.createTestRun(request)
  try {
    const chosen = await chosenTests(tree, request)
    for (const { item } of chosen) run.enqueued(item)
    const roots = [...new Set(chosen.map(({ facts }) => facts.root))]
    for (const root of roots) {
      const own = chosen.filter(({ facts }) => facts.root === root)
      await runProject({ services, run, tree, token }, root, own)
    }
  } finally {
    run.end()
  }
}

/** Returns the chosen tests: all tests of a chosen asset, without the excluded ones. */
async function chosenTests(
  tree: TestTree,
  { include, exclude, profile }: TestRunRequest,
): Promise<readonly Chosen[]> {
  const items = include ?? itemsOf(tree.controller.items)
  const all = await Promise.all(items.map(item => testsOf(tree, item)))
  const without = new Set((exclude ?? []).map(({ id }) => id))
  return all.flat().flatMap(item => {
    const facts = tree.factsOf(item)
    const isTagged = profile?.tag === undefined || item.tags.some(({ id }) => id === profile.tag?.id)
    const isOut = without.has(item.id) || (item.parent !== undefined && without.has(item.parent.id))
    if (facts?.test === undefined || isOut || !isTagged) return []
    return [{ item, facts: { ...facts, test: facts.test } }]
  })
}

async function testsOf(tree: TestTree, item: TestItem): Promise<readonly TestItem[]> {
  if (tree.factsOf(item)?.test !== undefined) return [item]
  if (item.children.size === 0) await tree.resolve(item)
  return itemsOf(item.children)
}

function itemsOf(collection: TestItem['children']): readonly TestItem[] {
  return [...collection].map(([, item]) => item)
}

interface Running {
  readonly services: Services
  readonly run: TestRun
  readonly tree: TestTree
  readonly token: CancellationToken
}

async function runProject(running: Running, root: string, chosen: readonly Chosen[]): Promise<void> {
  const { run, token } = running
  const { background, environments, log } = running.services
  for (const { item } of chosen) run.started(item)
  const words = testWords(assetsOf(chosen), environments.of(root))
  run.appendOutput(`svc ${words.join(' ')}\r\n`)
  try {
    const { tests } = (await background.json(root, words, { token })) as TestAnswer
    for (const each of chosen) tell(running, each, tests)
  } catch (error) {
    if (error instanceof Cancelled) return
    const message = error instanceof SvcRefusal ? [error.message, error.hint ?? ''].join('\n') : String(error)
    log.warn(`svc ${words.join(' ')}: ${message}`)
    const units = chosen.filter(isUnit)
    const isMixed = units.length > 0 && units.length < chosen.length
    const refused = isMixed ? chosen.filter(each => !isUnit(each)) : chosen
    const place = error instanceof SvcRefusal ? error.place : undefined
    tellRefused(running, refused, message.trim(), place)
    // Unit tests need no warehouse, so they run even if data tests cannot.
    if (isMixed) await runProject(running, root, units)
  }
}

/** An error in the file of one asset is its own, and not one of the tests that did not run because of it. */
function tellRefused(
  { run, tree }: Running,
  refused: readonly Chosen[],
  message: string,
  place: string | undefined,
): void {
  const path = place === undefined ? undefined : placeOf(place)?.path
  const hasFailed = ({ facts, item }: Chosen) =>
    isBlamed(
      path,
      item.uri?.toString(),
      file => Uri.joinPath(Uri.parse(facts.root), file).toString(),
      hasErrors,
    )
  const blamed = refused.filter(hasFailed)
  for (const each of refused) {
    if (!blamed.includes(each)) {
      run.skipped(each.item)
      continue
    }
    tree.shownAt.set(each.item, new Date(0))
    run.errored(each.item, new TestMessage(message))
  }
  if (blamed.length === refused.length) return
  const which = blamed.length === 0 ? 'No test ran.' : 'The tests of the other assets did not run.'
  const said = [message, place ?? '', which].filter(Boolean).join('\n')
  run.appendOutput(`${said}\n`.replaceAll('\n', '\r\n'))
  if (blamed.length === 0)
    void window.showWarningMessage(`SVC: no test ran: ${message.split('\n').join('. ')}`)
}

function hasErrors(uri: string): boolean {
  return languages
    .getDiagnostics(Uri.parse(uri))
    .some(({ severity, source }) => severity === DiagnosticSeverity.Error && source === 'svc')
}

function isUnit({ facts }: Chosen): boolean {
  return facts.test.kind === 'unit'
}

function assetsOf(chosen: readonly Chosen[]): readonly ChosenAsset[] {
  const all = chosen.map(({ facts }) => facts)
  const assets = [...new Set(all.map(({ asset }) => asset))]
  return assets.map(asset => ({
    asset,
    tests: all.filter(each => each.asset === asset).map(({ test }) => test),
  }))
}

const marks = { passed: '\u001b[32m✓', warns: '\u001b[33m!', failed: '\u001b[31m✗', unknown: '' } as const

function tell({ run, tree }: Running, { item, facts }: Chosen, outcomes: readonly TestOutcome[]): void {
  const outcome = outcomes.find(each => each.asset === facts.asset && each.name === facts.test.name)
  const verdict = verdictOf(outcome)
  // Without an outcome there is no table to test.
  if (outcome === undefined) {
    run.skipped(item)
    return
  }
  tree.shownAt.set(item, new Date())
  const durationMs = outcome.execution_time * 1000
  const warns = verdict === 'warns'
  run.appendOutput(`${marks[verdict]}\u001b[39m ${outcome.asset}  ${outcome.name}\r\n`, undefined, item)
  item.description = warns
    ? `${outcome.kind}, warns: ${outcome.message ?? 'see the output'}`
    : kindText(facts.test)
  if (warns) run.appendOutput(`${failureText(outcome).replaceAll('\n', '\r\n')}\r\n`, undefined, item)
  // The editor has no state for a warning, and one that stops nothing is no failure.
  if (verdict !== 'failed') run.passed(item, durationMs)
  else run.failed(item, messagesOf(item, outcome), durationMs)
}

function messagesOf(item: TestItem, outcome: TestOutcome): readonly TestMessage[] {
  const { diff } = outcome
  const messages = diff === null ? [new TestMessage(failureText(outcome))] : differencesOf(outcome, diff)
  if (item.uri !== undefined && item.range !== undefined)
    for (const message of messages) message.location = new Location(item.uri, item.range)
  return messages
}

/** Beside a test the editor shows both sides of a difference in one line, and not its words: these come first, as a message. */
function differencesOf(outcome: TestOutcome, diff: NonNullable<TestOutcome['diff']>): TestMessage[] {
  const { expected, actual } = sidesOf(diff)
  const words = outcome.message ?? 'The rows are not as expected.'
  return [new TestMessage(words), TestMessage.diff(words, expected, actual)]
}

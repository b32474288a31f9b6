/** Shows the results of the tests of a run in the Test Explorer, from `.svc/test_results.json`, which every run writes. */
import type { TestResultsFile } from '@svc/server/contract'
import { type TestItem, TestMessage, TestRunRequest, Uri, workspace } from 'vscode'
import type { RunningCommand } from '../terminals/terminals.ts'
import type { TestTree } from './test-explorer.ts'
import { isNews } from './verdicts.ts'

const testing = new Set(['run', 'preview', 'test', 'retry'])

export async function showLastResults(
  tree: TestTree,
  { root, words, startedAt }: RunningCommand,
): Promise<void> {
  if (!testing.has(words[0] ?? '')) return
  const results = await readResults(root)
  const request = new TestRunRequest()
  const found = [...tree.controller.items].flatMap(([, item]) =>
    resultsOf(tree, item, root, results, startedAt),
  )
  if (found.length === 0) return
  const run = tree.controller.createTestRun(request, `svc ${words.join(' ')}`, false)
  for (const each of found) tell(run, tree, each)
  run.end()
}

type Entry = TestResultsFile[string]
type Outcome = Entry['tests'][number]

interface News {
  readonly item: TestItem
  readonly outcome: Outcome
  /** When the test ran. */
  readonly at: Date
}

async function readResults(root: string): Promise<TestResultsFile> {
  try {
    const bytes = await workspace.fs.readFile(Uri.joinPath(Uri.parse(root), '.svc', 'test_results.json'))
    return JSON.parse(new TextDecoder().decode(bytes)) as TestResultsFile
  } catch {
    // The command failed before it could write results.
    return {}
  }
}

/** Only tests that ran since then, or since what is shown of them, have news. */
function resultsOf(
  tree: TestTree,
  item: TestItem,
  root: string,
  results: TestResultsFile,
  since: Date,
): readonly News[] {
  const facts = tree.factsOf(item)
  const entry = facts?.root === root ? results[facts.asset] : undefined
  if (entry === undefined) return []
  return [...item.children].flatMap(([, child]) => {
    const name = tree.factsOf(child)?.test?.name
    const outcome = entry.tests.find(test => test.name === name)
    if (outcome === undefined) return []
    const at = new Date(outcome.at ?? entry.timestamp)
    return isNews(at, since, tree.shownAt.get(child)) ? [{ item: child, outcome, at }] : []
  })
}

function tell(
  run: ReturnType<TestTree['controller']['createTestRun']>,
  tree: TestTree,
  { item, outcome: { status, execution_time }, at }: News,
): void {
  tree.shownAt.set(item, at)
  const isWarning = tree.factsOf(item)?.test?.severity === 'warn'
  const message = new TestMessage('It failed in the run: run the test to see its rows.')
  if (status === 'pass' || isWarning) run.passed(item, execution_time * 1000)
  else run.failed(item, message, execution_time * 1000)
}

/** Shows the results of the tests of a run in the Test Explorer, from `.svc/test_results.json`, which every run writes. */
import type { TestResultsFile } from '@svc/server/contract'
import { type TestItem, TestMessage, TestRunRequest, Uri, workspace } from 'vscode'
import type { RunningCommand } from '../terminals/terminals.ts'
import type { TestTree } from './test-explorer.ts'

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
  for (const { item, outcome } of found) tell(run, tree, item, outcome)
  run.end()
}

type Entry = TestResultsFile[string]
type Outcome = Entry['tests'][number]

async function readResults(root: string): Promise<TestResultsFile> {
  try {
    const bytes = await workspace.fs.readFile(Uri.joinPath(Uri.parse(root), '.svc', 'test_results.json'))
    return JSON.parse(new TextDecoder().decode(bytes)) as TestResultsFile
  } catch {
    // The command failed before it could write results.
    return {}
  }
}

/** Only assets whose tests ran since then have news. */
function resultsOf(tree: TestTree, item: TestItem, root: string, results: TestResultsFile, since: Date) {
  const facts = tree.factsOf(item)
  const entry = facts?.root === root ? results[facts.asset] : undefined
  if (entry === undefined || new Date(entry.timestamp) < since) return []
  return [...item.children].flatMap(([, child]) => {
    const name = tree.factsOf(child)?.test?.name
    const outcome = entry.tests.find(test => test.name === name)
    return outcome === undefined ? [] : [{ item: child, outcome }]
  })
}

function tell(
  run: ReturnType<TestTree['controller']['createTestRun']>,
  tree: TestTree,
  item: TestItem,
  { status, execution_time }: Outcome,
): void {
  const isWarning = tree.factsOf(item)?.test?.severity === 'warn'
  const message = new TestMessage('It failed in the run: run the test to see its rows.')
  if (status === 'pass' || isWarning) run.passed(item, execution_time * 1000)
  else run.failed(item, message, execution_time * 1000)
}

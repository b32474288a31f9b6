/** `svc test`: data tests on what is live, or on the green tables of a run (decisions 3). */
import { hasFailed, renderTests, type TestsReport, testsJson } from '../render/tests.ts'
import { type Command, debugOption, environmentOption, jsonOption, logFormatOption } from './command.ts'
import { tellsEvents, withTelling } from './progress.ts'
import { selectionOptions, selectorArgument, selectorOf } from './selection.ts'

export const testCommand: Command = {
  name: 'test',
  brief: 'run data tests',
  summary: 'Run data tests on what is live, or on the tables of a preview or failed run.',
  arguments: [selectorArgument],
  options: [
    ...selectionOptions,
    environmentOption,
    { name: 'run', value: 'id', summary: 'test the green tables of this run instead of what is live' },
    { name: 'all-tests', summary: 'run unchanged tests too' },
    debugOption,
    logFormatOption,
    jsonOption,
  ],
  examples: [
    { line: 'svc test --all-tests', says: 'every test on dev' },
    { line: 'svc test daily_sales --run 5h1t8zkq2m', says: 'one asset of a preview' },
  ],
  exitCodes: {
    0: 'every test passed or only warned',
    1: 'a test failed',
    2: 'wrong usage, no project, unknown asset or run',
    3: 'warehouse failed',
  },
  async run(context) {
    const started = context.world.now().getTime()
    const workspace = await context.openWorkspace()
    const { testAssets } = await import('../engine/run/test-assets.ts')
    const runId = context.options.text('run')
    const request = { selector: selectorOf(context), runId, allTests: context.options.flag('all-tests') }
    const results = await withTelling(context, emit => testAssets(workspace, request, emit))
    const report: TestsReport = {
      environment: workspace.environment.name,
      runId,
      results,
      seconds: (context.world.now().getTime() - started) / 1000,
    }
    return {
      exitCode: results.some(hasFailed) ? 1 : 0,
      text: style => (tellsEvents(context) ? [] : renderTests(report, style)),
      json: testsJson(report),
    }
  },
}

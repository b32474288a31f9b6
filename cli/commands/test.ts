/**
 * `svc test`: runs unit tests in memory, then data tests on the live builds or on the builds of a run
 * (decisions 3). With `--unit` no warehouse is needed.
 */

import type { TestResult } from '@svc/server/contract'
import { SvcError } from '../engine/errors.ts'
import type { EmitEvent } from '../engine/run/events.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { hasFailed, renderTests, type TestsReport, testsJson } from '../render/tests.ts'
import { type Command, type CommandContext, environmentOption, tellingOptions } from './command.ts'
import { tellsEvents, withTelling } from './progress.ts'
import { selectionOptions, selectorArgument, selectorOf } from './selection.ts'

export const testCommand: Command = {
  name: 'test',
  brief: 'run unit tests and data tests',
  summary:
    'Run unit tests in memory, and data tests on what is live or on the tables of a preview or failed run.',
  arguments: [selectorArgument],
  options: [
    ...selectionOptions,
    environmentOption,
    { name: 'unit', summary: 'unit tests only; needs no warehouse' },
    { name: 'test', value: 'name', summary: 'only tests of this name' },
    {
      name: 'run',
      value: 'id',
      summary: 'data tests on the tables of this run (a preview or a failed run), not on what is live',
    },
    { name: 'all-tests', summary: 'run unchanged tests too' },
    ...tellingOptions,
  ],
  examples: [
    { line: 'svc test --unit', says: 'every unit test, without a warehouse' },
    { line: 'svc test daily_sales --run 5h1t8zkq2m', says: 'one asset of a preview' },
  ],
  exitCodes: {
    0: 'every test passed or only warned',
    1: 'a test failed',
    2: 'wrong usage, no project, unknown asset, test or run',
    3: 'warehouse failed',
  },
  async run(context) {
    const started = context.world.now().getTime()
    const wanted = wantedSides(context)
    const workspace = await context.openWorkspace()
    const seconds = () => (context.world.now().getTime() - started) / 1000
    const results = await withTelling(context, async emit => {
      const { testsFinished } = await import('../engine/run/planned-tests.ts')
      const found = await runBoth(context, workspace, wanted, event => {
        // Both sides are counted together, at the end.
        if (event.type !== 'tests-finished') emit(event)
      })
      emit(testsFinished(found, seconds()))
      return found
    })
    const report: TestsReport = {
      environment: workspace.environment.name,
      runId: context.options.text('run'),
      unitOnly: context.options.flag('unit'),
      results,
      seconds: seconds(),
    }
    const isFailed = results.some(hasFailed)
    const { err } = context.output
    if (tellsEvents(context) && isFailed) err.lines(renderTests(report, err.style))
    return {
      exitCode: isFailed ? 1 : 0,
      text: style => (tellsEvents(context) ? [] : renderTests(report, style)),
      get json() {
        return testsJson(report)
      },
    }
  },
}

type Sides = ReadonlySet<'unit' | 'data'>

/** `--run` is about tables in the warehouse, so it excludes unit tests. */
function wantedSides({ options }: CommandContext): Sides {
  const [unit, run] = [options.flag('unit'), options.text('run')]
  if (unit && run !== undefined) {
    throw new SvcError('wrong-usage', '--unit and --run exclude each other', {
      hint: 'Unit tests run in memory; --run is about tables in the warehouse.',
    })
  }
  return new Set(unit ? ['unit'] : run === undefined ? ['unit', 'data'] : ['data'])
}

async function runBoth(
  context: CommandContext,
  workspace: OpenedWorkspace,
  wanted: Sides,
  emit: EmitEvent,
): Promise<readonly TestResult[]> {
  const { testUnits, sidesOfTest } = await import('../engine/run/test-units.ts')
  const [selector, all] = [selectorOf(context), context.options.flag('all-tests')]
  const test = context.options.text('test')
  const sides = test === undefined ? wanted : both(wanted, sidesOfTest(workspace, test))
  const units = sides.has('unit') ? await testUnits(workspace, { selector, all, test }, emit) : []
  if (!sides.has('data')) return units
  const { testAssets } = await import('../engine/run/test-assets.ts')
  const request = { selector, runId: context.options.text('run'), allTests: all, test }
  return [...units, ...(await testAssets(workspace, request, emit))]
}

function both(one: Sides, other: Sides): Sides {
  return new Set([...one].filter(side => other.has(side)))
}

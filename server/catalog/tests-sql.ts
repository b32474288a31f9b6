/**
 * Binds the SQL of tests (`expression`, `where` and `sql`) against the output of their assets, and parses the statements
 * around their builds.
 */
import type { Asset, ColumnUse, Diagnostic, SqlTemplate } from '../language/index.ts'
import { locate } from '../language/project/locate.ts'
import type { SqlLimits } from '../language/project/project.ts'
import { testConditions } from '../language/tests/index.ts'
import {
  atATime,
  type BindContext,
  badLiteralsOf,
  describe,
  inBatches,
  type Job,
  newJob,
} from './bind-level.ts'
import { boundTogether } from './conditions-together.ts'
import { diagnose } from './diagnose/diagnose.ts'
import { attemptAgain, togetherOrAlone } from './guard.ts'
import { badHooks } from './hooks-sql.ts'
import { noMentions, type PackedMentions, packedMentions, unpackedMentions } from './packed.ts'
import { sideBySide } from './side-by-side.ts'
import { prepareStatement } from './statement.ts'
import { conditionsOf } from './test-conditions.ts'
import { badTestValues, hasTestValues } from './test-values.ts'
import { type Loss, lossDiagnostic } from './too-expensive.ts'
import { firstLine, isTooLarge, tooLarge, tooManyTests } from './too-large.ts'
import { mentionsOf, usesInFile } from './uses.ts'

export interface TestsBound {
  readonly diagnostics: readonly Diagnostic[]
  readonly uses: () => readonly ColumnUse[]
  /** One entry for each piece of SQL, in order. */
  readonly mentions: readonly PackedMentions[]
}

/** Returns whether an asset has SQL beside its transform, or values of tests that the engine must check. */
export function hasTestSql(asset: Asset): boolean {
  return (
    asset.testSql.size > 0 ||
    asset.hooks.length > 0 ||
    asset.definition.tests.some(test => testConditions(test).length > 0) ||
    asset.definition.deploy.indexes.some(({ where }) => where !== undefined) ||
    hasTestValues(asset)
  )
}

/** Returns the results by the name of the asset. */
export async function checkTests(
  context: BindContext,
  assets: readonly Asset[],
): Promise<Map<string, TestsBound>> {
  const found = new Map<string, TestsBound[]>(assets.map(asset => [asset.name, []]))
  const statements = assets.flatMap(asset => statementsOf(context, asset))
  await context.world.engine.loadPatterns(statements.map(({ statement }) => statement.template.text))
  for (const batch of inBatches(statements, context.batchSize)) {
    const bound = await togetherOrAlone(
      context.guard,
      batch,
      some => boundBatch(context, some),
      (test, loss) => lostTest(context, test, loss),
    )
    for (const [name, tests] of bound) found.get(name)?.push(tests)
  }
  const values = await checkedValues(context, assets)
  const hooks = await badHooks(context, assets)
  return new Map(
    assets.map(asset => {
      const { name } = asset
      const others = [...(values.get(name) ?? []), ...(hooks.get(name) ?? [])]
      return [
        name,
        withRefused(together(found.get(name) ?? [], others), refusedTests(asset, context.guard.limits)),
      ]
    }),
  )
}

type NamedTests = readonly [asset: string, tests: TestsBound]

async function boundBatch(context: BindContext, batch: readonly Prepared[]): Promise<NamedTests[]> {
  const jobs = batch.map(({ asset, statement }) => newJob(asset, statement))
  const columns = await describeTests(context, jobs)
  const literals = await badLiteralsOf(context, jobs, columns)
  const found = new Map(literals)
  const broken = jobs.filter((_, index) => columns[index] === undefined)
  await sideBySide(broken, atATime, async job => void found.set(job, await brokenTest(context, job)))
  return jobs.map(job => [job.asset.name, boundTest(job, found.get(job) ?? [])])
}

/** What a condition counts has one column, of which nothing is asked. */
async function describeTests(context: BindContext, jobs: readonly Job[]) {
  const good = await boundTogether(context, jobs)
  const others = jobs.filter(job => !good.has(job))
  const described = new Map(
    (await describe(context, others)).map((columns, index) => [others[index], columns]),
  )
  return jobs.map(job => (good.has(job) ? [] : described.get(job)))
}

function lostTest({ guard }: BindContext, { asset, statement }: Prepared, loss: Loss): NamedTests {
  const range = firstLine(statement.template)
  const diagnostics = [lossDiagnostic(asset, range, loss, guard)]
  return [asset.name, { diagnostics, uses: () => [], mentions: [noMentions] }]
}

/**
 * Checks values, which are literals of a type: only an absurd type exceeds a limit, and then its asset alone
 * gets the error.
 */
async function checkedValues(
  context: BindContext,
  assets: readonly Asset[],
): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
  const { binder, guard, world } = context
  const checked = await attemptAgain(guard, () => badTestValues(binder, assets, world))
  if ('value' in checked) return checked.value
  const [first] = assets
  if (assets.length === 1 && first !== undefined) {
    const range = locate(first, ['tests'])
    if (checked.loss === 'ended') guard.noteEnded()
    return new Map([[first.name, [lossDiagnostic(first, range, checked.loss, guard)]]])
  }
  const found: (readonly [string, readonly Diagnostic[]])[] = []
  for (const asset of assets) found.push(...(await checkedValues(context, [asset])))
  return new Map(found)
}

type Prepared = Pick<Job, 'asset' | 'statement'>

function statementsOf(context: BindContext, asset: Asset): Prepared[] {
  const { limits } = context.guard
  return sqlOf(asset).flatMap((template, index) => {
    if (index >= limits.tests || isTooLarge(template, limits)) return []
    const source = { asset, template, reader: `${asset.name} test ${index}`, allowThis: true }
    return [{ asset, statement: prepareStatement(source, context.world) }]
  })
}

function sqlOf(asset: Asset): SqlTemplate[] {
  return [...asset.testSql.values(), ...conditionsOf(asset)]
}

function refusedTests(asset: Asset, limits: SqlLimits): Diagnostic[] {
  const templates = sqlOf(asset)
  const refused = templates
    .slice(0, limits.tests)
    .filter(each => isTooLarge(each, limits))
    .map(each => tooLarge(asset, each, limits))
  const [next] = templates.slice(limits.tests)
  return next === undefined ? refused : [...refused, tooManyTests(asset, next, templates.length, limits)]
}

/**
 * Adds the diagnostics of tests that were refused. Mentions are dropped as a whole: they are numbered by
 * test, which does not work if some are missing.
 */
function withRefused(tests: TestsBound, refused: readonly Diagnostic[]): TestsBound {
  if (refused.length === 0) return tests
  return { diagnostics: [...tests.diagnostics, ...refused], uses: () => [], mentions: [] }
}

async function brokenTest({ binder, names }: BindContext, job: Job): Promise<readonly Diagnostic[]> {
  return (await diagnose(binder, job, names)).diagnostics
}

function boundTest({ statement, bound }: Job, diagnostics: readonly Diagnostic[]): TestsBound {
  const mentions = packedMentions(mentionsOf(bound))
  return {
    diagnostics,
    uses: () => usesInFile(unpackedMentions(mentions), statement.template),
    mentions: [mentions],
  }
}

function together(tests: readonly TestsBound[], others: readonly Diagnostic[]): TestsBound {
  return {
    diagnostics: [...tests.flatMap(test => test.diagnostics), ...others],
    uses: () => tests.flatMap(test => test.uses()),
    mentions: tests.flatMap(test => test.mentions),
  }
}

/** The SQL of tests, bound against the output of their assets: `expression`, `where` and `sql`. */
import type { Asset, ColumnUse, Diagnostic, SqlTemplate } from '../language/index.ts'
import { loadPatterns } from '../language/engines/duckdb/patterns.ts'
import { type Bench, badLiteralsOf, describe, inBatches, type Job, newJob } from './bind-level.ts'
import { BinderLost } from './binder.ts'
import { diagnose } from './diagnose/diagnose.ts'
import { prepareStatement } from './statement.ts'
import { conditionsOf } from './test-conditions.ts'
import { badTestValues, hasTestValues } from './test-values.ts'
import { isTooLarge, mostTests, tooLarge, tooManyTests } from './too-large.ts'
import { type Mention, mentionsOf, usesInFile } from './uses.ts'

export interface TestsBound {
  readonly diagnostics: readonly Diagnostic[]
  readonly uses: () => readonly ColumnUse[]
  /** One for each piece of SQL, in order. */
  readonly mentions: () => readonly (readonly Mention[])[]
}

/** Or values that the warehouse is to judge. */
export function hasTestSql(asset: Asset): boolean {
  return (
    asset.testSql.size > 0 ||
    asset.definition.tests.some(test => test.kind === 'expression' || test.where !== undefined) ||
    hasTestValues(asset)
  )
}

/** What was found, by asset. */
export async function checkTests(bench: Bench, assets: readonly Asset[]): Promise<Map<string, TestsBound>> {
  const found = new Map<string, TestsBound[]>(assets.map(asset => [asset.name, []]))
  const statements = assets
    .flatMap(asset => statementsOf(bench, asset))
    .filter(({ statement }) => !bench.poison.has(statement.sql))
  await loadPatterns(statements.map(({ statement }) => statement.template.text))
  for (const batch of inBatches(statements, bench.batchSize)) {
    for (const [name, tests] of await boundBatch(bench, batch)) found.get(name)?.push(tests)
  }
  const values = await badTestValues(bench.binder, assets, bench.world.shapeOf)
  return new Map(
    assets.map(asset => [
      asset.name,
      withRefused(together(found.get(asset.name) ?? [], values.get(asset.name) ?? []), refusedTests(asset)),
    ]),
  )
}

async function boundBatch(
  bench: Bench,
  batch: readonly Prepared[],
): Promise<(readonly [string, TestsBound])[]> {
  try {
    const jobs = batch.map(({ asset, statement }) => newJob(asset, statement))
    const columns = await describe(bench, jobs)
    const literals = await badLiteralsOf(bench, jobs, columns)
    const bound: (readonly [string, TestsBound])[] = []
    for (const [index, job] of jobs.entries()) {
      const found = columns[index] === undefined ? await brokenTest(bench, job) : (literals.get(job) ?? [])
      bound.push([job.asset.name, boundTest(job, found)])
    }
    return bound
  } catch (error) {
    if (error instanceof BinderLost && batch.length === 1) error.sql = batch[0]?.statement.sql
    throw error
  }
}

type Prepared = Pick<Job, 'asset' | 'statement'>

function statementsOf(bench: Bench, asset: Asset): Prepared[] {
  return sqlOf(asset).flatMap((template, index) => {
    if (index >= mostTests || isTooLarge(template)) return []
    const source = { asset, template, reader: `${asset.name} test ${index}`, allowThis: true }
    return [{ asset, statement: prepareStatement(source, bench.world) }]
  })
}

function sqlOf(asset: Asset): SqlTemplate[] {
  return [...asset.testSql.values(), ...conditionsOf(asset)]
}

function refusedTests(asset: Asset): Diagnostic[] {
  const templates = sqlOf(asset)
  const refused = templates
    .slice(0, mostTests)
    .filter(isTooLarge)
    .map(each => tooLarge(asset, each))
  const [next] = templates.slice(mostTests)
  return next === undefined ? refused : [...refused, tooManyTests(asset, next, templates.length)]
}

/** Mentions are known by the place of their test among all; where some are left out, none is told. */
function withRefused(tests: TestsBound, refused: readonly Diagnostic[]): TestsBound {
  if (refused.length === 0) return tests
  return { diagnostics: [...tests.diagnostics, ...refused], uses: () => [], mentions: () => [] }
}

async function brokenTest({ binder, names }: Bench, job: Job): Promise<readonly Diagnostic[]> {
  return (await diagnose(binder, job, names)).diagnostics
}

function boundTest({ statement, bound }: Job, diagnostics: readonly Diagnostic[]): TestsBound {
  const mentions = mentionsOf(bound)
  return {
    diagnostics,
    uses: () => usesInFile(mentions, statement.template),
    mentions: () => [mentions],
  }
}

function together(tests: readonly TestsBound[], values: readonly Diagnostic[]): TestsBound {
  return {
    diagnostics: [...tests.flatMap(test => test.diagnostics), ...values],
    uses: () => tests.flatMap(test => test.uses()),
    mentions: () => tests.flatMap(test => test.mentions()),
  }
}

/** Random projects and random edits: plan and run agree, order is kept, and what is reused is what a fresh build gives. */
import { afterEach, expect, test } from 'vitest'
import { stagesOf } from '../../../cli/engine/plan/stages.ts'
import { planRun } from '../../../cli/engine/run/plan-run.ts'
import { seeds } from '../../support/long.ts'
import { type Random, seededRandom } from '../../support/random.ts'
import { outcomes, type TestProject, testProject } from './test-project.ts'

const open: TestProject[] = []
afterEach(async () => {
  for (const project of open.splice(0)) await project.remove()
})

const kinds = ['table', 'table', 'view', 'ephemeral'] as const

/** A model that sums its parents' values and adds its own number. */
function model(parents: readonly string[], own: number, kind: string): string {
  const sum = [`${own}`, ...parents.map(parent => `(SELECT n FROM {{ ref('${parent}') }})`)].join(' + ')
  return `ingest: none\ndeploy: {materialize: ${kind}}\ntransform: SELECT CAST(${sum} AS BIGINT) AS n\ntests: [{not_null: n}]`
}

function randomModel(random: Random, index: number, names: readonly string[]): string {
  const before = names.slice(0, index)
  const parents = new Set(Array.from({ length: random.below(4) }, () => random.pick(before)).filter(Boolean))
  return model(index === 0 ? [] : [...parents], random.below(1000), random.pick(kinds))
}

function edit(random: Random, p: TestProject, names: readonly string[]): void {
  const index = random.below(names.length)
  const name = names[index] ?? ''
  const known = p.files[name]
  if (known !== undefined && random.next() < 0.2 && index > names.length / 2) delete p.files[name]
  else p.files[name] = randomModel(random, index, names)
  // Nobody reads what is not there.
  for (const [reader, text] of Object.entries(p.files)) {
    const missing = [...text.matchAll(/ref\('(\w+)'\)/g)].some(
      ([, parent]) => p.files[parent ?? ''] === undefined,
    )
    if (missing) p.files[reader] = model([], random.below(1000), 'table')
  }
}

async function values(p: TestProject): Promise<unknown> {
  return p.withSession(async session => {
    const views = (await session.relations('analytics')).map(({ name }) => name).sort()
    const found: Record<string, unknown> = {}
    for (const name of views) found[name] = (await session.query(`SELECT n FROM analytics.${name}`))[0]?.['n']
    return found
  })
}

test.each(seeds(1, 8))('seed %s', async seed => {
  const random = seededRandom(seed)
  const names = Array.from({ length: 14 }, (_, n) => `m${n}`)
  const p = testProject({})
  open.push(p)
  names.forEach((name, index) => {
    p.files[name] = randomModel(random, index, names)
  })
  for (let round = 0; round < 6; round++) {
    if (round > 0) edit(random, p, names)
    const workspace = await p.workspace()
    const request = { kind: 'run', selector: undefined, noIngest: false, allTests: false } as const
    const plan = await planRun(workspace, request, () => {})
    const report = await p.run()
    expect(report.failure).toBeUndefined()
    expect(planned(plan)).toEqual(outcomes(report))
    inOrder(p, workspace.project.parents)
    await workspace.close()

    const fresh = testProject({ ...p.files })
    open.push(fresh)
    await fresh.run()
    expect(await values(p)).toEqual(await values(fresh))
  }
})

function planned({ steps }: Awaited<ReturnType<typeof planRun>>): string[] {
  const build = stagesOf(steps).find(stage => stage.kind === 'build')
  if (build?.kind !== 'build') return []
  return [
    ...build.assets.map(name => `${name} built`),
    ...build.reuse.map(name => `${name} unchanged`),
  ].sort()
}

/** Nothing starts before what it reads has ended. */
function inOrder(p: TestProject, parents: (name: string) => readonly string[]): void {
  const ended = new Set(p.events.flatMap(event => (event.type === 'asset-reused' ? [event.asset] : [])))
  for (const event of p.events) {
    if (event.type === 'build-finished') ended.add(event.asset)
    if (event.type !== 'build-started') continue
    for (const parent of parents(event.asset)) expect(ended).toContain(parent)
  }
}

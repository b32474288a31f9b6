/** One case: an act on a settled shop, then runs; what all answers say is compared after each, and the gathered rows are counted. */
import { openOptions, withReadSession } from '../../../cli/engine/run/begin-run.ts'
import { openWorkspace } from '../../../cli/engine/workspace/open-workspace.ts'
import type { Act } from './acts.ts'
import { allTold, worldOf } from './answers.ts'
import { compare, factsOf } from './facts.ts'
import { assets, Ground, gathering } from './ground.ts'
import type { Place } from './place.ts'
import type { FactStore } from './store.ts'

export interface Way {
  readonly name: string
  /** The environments in the order of their runs; the act is about the first. */
  readonly order: readonly string[]
  /** The branch on which the act is made and tried before `main` has it. */
  readonly branch?: string
}

export const ways: readonly Way[] = [
  { name: 'dev first', order: ['dev', 'prod'] },
  { name: 'prod first', order: ['prod', 'dev'] },
  { name: 'from a second branch', order: ['dev', 'prod'], branch: 'feature' },
]

export interface Found {
  compared: number
  readonly differences: string[]
  /** Rows that are lost or doubled without a word. */
  readonly silent: string[]
}

export async function tryAct(act: Act, way: Way, settled: Ground, stores: FactStore): Promise<Found> {
  const ground = new Ground(settled)
  stores.setClock(() => new Date(ground.clock))
  const found: Found = { compared: 0, differences: [], silent: [] }
  try {
    for (const environment of way.order) {
      const store = await stores.project()
      if (store !== undefined) ground.stores.set(environment, store)
    }
    const [first = 'prod', ...others] = way.order
    ground.here = first
    if (way.branch !== undefined) {
      ground.checkOut(way.branch)
      await ground.act('run')
    }
    if (act.isToldBefore === true) {
      await ask(found, ground, way, 'before the act')
      if (way.branch !== undefined) ground.checkOut(way.branch)
    }
    const before = await keysOf(ground, first)
    ground.heard = []
    await act.act(ground)
    const after = await keysOf(ground, first)
    if (act.takesBack !== true) note(found, ground, `${first} after the act`, lacking(before, after))
    await ask(found, ground, way, 'after the act')
    ground.deliver()
    for (const environment of [first, ...others]) {
      if (way.branch !== undefined) ground.checkOut(environment === first ? way.branch : 'main')
      await runAndCount(found, ground, environment)
    }
    await act.end?.(ground)
    await ask(found, ground, way, 'after the runs')
  } catch (error) {
    found.differences.push(`the case broke: ${String(error)}`)
  } finally {
    await ground.dispose()
  }
  return found
}

async function runAndCount(found: Found, ground: Ground, environment: string): Promise<void> {
  const before = await keysOf(ground, environment)
  ground.heard = []
  await ground.svc('run', '--env', environment)
  const after = await keysOf(ground, environment)
  const due = new Map(
    [...before].map(([name, keys]) => [name, [...keys, ...(ground.delivered().get(name) ?? [])]]),
  )
  note(found, ground, `${environment} after its run`, lacking(due, after))
}

/** A person was told when a command failed, or warned. */
function note(found: Found, { heard }: Ground, where: string, wrong: readonly string[]): void {
  const isTold = heard.some(({ code, stdout, stderr }) => code !== 0 || /\bwarning/i.test(stdout + stderr))
  if (!isTold) found.silent.push(...wrong.map(text => `${where}: ${text}`))
}

type Keys = ReadonlyMap<string, readonly number[]>

function lacking(due: Keys, here: Keys): string[] {
  return [...due].flatMap(([name, keys]) => {
    const found = here.get(name) ?? []
    const lost = [...new Set(keys)].filter(key => !found.includes(key))
    const doubled = found.filter((key, place) => found.indexOf(key) !== place)
    return [
      ...(lost.length === 0 ? [] : [`${name} has lost ${lost}`]),
      ...(doubled.length === 0 ? [] : [`${name} has ${doubled} twice`]),
    ]
  })
}

/** The keys that readers of an environment see, of the assets that gather rows and are there. */
async function keysOf(ground: Ground, environment: string): Promise<Keys> {
  const place = ground.place(environment)
  const keys = new Map<string, readonly number[]>()
  const workspace = await opened(place)
  if (workspace === undefined) return keys
  try {
    const { schema } = workspace.environment
    await withReadSession(workspace, openOptions(workspace), async session => {
      const names = new Set((await session?.relations(schema))?.map(({ name }) => name))
      for (const name of gathering) {
        if (session === undefined || !names.has(name)) continue
        const rows = await session.query(`SELECT * FROM "${schema}"."${name}"`).catch(() => [])
        keys.set(
          name,
          rows.map(row => Number(row['id'])),
        )
      }
    })
  } finally {
    await workspace.close()
  }
  return keys
}

/** Undefined of an environment that the files, as they are now, do not have. */
async function opened(place: Place) {
  const { signal } = new AbortController()
  return openWorkspace({ world: worldOf(place), environment: place.environment, signal }).catch(
    () => undefined,
  )
}

/** Each environment is asked about on the branch that it is of. */
async function ask(found: Found, ground: Ground, way: Way, when: string): Promise<void> {
  for (const environment of way.order) {
    if (way.branch !== undefined) ground.checkOut(environment === ground.here ? way.branch : 'main')
    const { compared, differences } = compare(factsOf(await allTold(ground.place(environment), assets)))
    found.compared += compared
    found.differences.push(...differences.map(text => `${environment} ${when}: ${text}`))
  }
}

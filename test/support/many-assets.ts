/** A project of thousands of assets on a PostgreSQL, through the whole life of an environment. */
import { expect } from 'vitest'
import { createProjectHere, type ProjectHere } from './cli-here.ts'
import { askPostgres } from './postgres.ts'

/** Of ten assets six are tables of their own, three are tables that read two of these, and one is a view of those. */
const group = 10

interface Life {
  readonly project: ProjectHere
  readonly database: string
  readonly size: number
  readonly seconds: string[]
}

/**
 * Plans, runs, runs again without a change, previews and promotes a change of every asset, takes it back, removes a third of the
 * assets and collects. Expects each to work, and production to be as it should. Returns what each took, in words.
 */
export async function liveThrough(size: number, database: string): Promise<string> {
  const project = createProjectHere({ ...settingsOf(database, 1), ...assetsOf(size) })
  const life: Life = { project, database, size, seconds: [] }
  try {
    await timed(life, 'plan', 'plan')
    await timed(life, 'run', 'run')
    await expectProduction(life, { views: size, version: 1 })
    expect(await timed(life, 'unchanged', 'run')).toContain('Nothing to do')
    write(project, settingsOf(database, 2))
    const preview = await timed(life, 'preview', 'preview', '--json')
    await expectProduction(life, { views: size, version: 1 })
    await timed(life, 'promotion', 'promote', runIn(preview))
    await expectProduction(life, { views: size, version: 2 })
    await timed(life, 'rollback', 'rollback', '--all')
    await expectProduction(life, { views: size, version: 1 })
    write(project, settingsOf(database, 1))
    const removed = Math.floor(size / group / 3)
    for (const path of Object.keys(assetsOf(removed * group))) project.remove(path)
    await timed(life, 'removal', 'run')
    const left = size - removed * group
    await expectProduction(life, { views: left, version: 1, first: removed })
    await timed(life, 'gc', 'gc')
    await expectProduction(life, { views: left, version: 1, first: removed })
    return `${size} assets ${life.seconds.join(', ')}`
  } finally {
    project.dispose()
  }
}

function settingsOf(database: string, version: number): Readonly<Record<string, string>> {
  return { 'svc.yaml': `name: shop\nwarehouse: ${database}\nvars: {version: ${version}}\n` }
}

function assetsOf(size: number): Readonly<Record<string, string>> {
  const files = Array.from({ length: size }, (_, index): [string, string] => {
    const [at, place] = [Math.floor(index / group), index % group]
    return [`models/g${at}/${nameOf(at, place)}.svc`, assetText(at, place)]
  })
  return Object.fromEntries(files)
}

function nameOf(at: number, place: number): string {
  return `a${at}_${place}`
}

function assetText(at: number, place: number): string {
  const name = nameOf(at, place)
  const ref = (other: number) => `{{ ref('${nameOf(at, other)}') }}`
  const head = `name: ${name}\ningest: none\n`
  if (place < 6)
    return `${head}transform: "SELECT ${place} AS id, {{ var('version') }} AS version, '${name}' AS name"\n`
  const [first, second] = place < 9 ? [(place - 6) * 2, (place - 6) * 2 + 1] : [6, 7]
  const query = `SELECT a.id, a.version, b.name FROM ${ref(first)} AS a CROSS JOIN ${ref(second)} AS b`
  return `${head}transform: "${query}"\n${place < 9 ? '' : 'deploy: {materialize: view}\n'}`
}

function write(project: ProjectHere, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) project.write(path, text)
}

async function timed({ project, seconds }: Life, what: string, ...words: readonly string[]): Promise<string> {
  const beganMs = performance.now()
  const { code, stdout, stderr } = await project.svc([...words, '--env', 'prod'])
  seconds.push(`${what} ${((performance.now() - beganMs) / 1000).toFixed(1)} s`)
  expect({ what, code, told: code === 0 ? '' : (stderr + stdout).slice(-4000) }).toEqual({
    what,
    code: 0,
    told: '',
  })
  return stdout
}

function runIn(output: string): string {
  return (JSON.parse(output) as { readonly run_id: string }).run_id
}

/** Every view is there, and the last one that reads others shows the rows of the version. */
async function expectProduction(
  { database, size }: Life,
  {
    views,
    version,
    first = 0,
  }: { readonly views: number; readonly version: number; readonly first?: number },
): Promise<void> {
  const last = Math.floor(size / group) - 1
  const sql = `SELECT (SELECT count(*) FROM pg_views WHERE schemaname = 'analytics')::int AS views,
    (SELECT version FROM analytics.${nameOf(first, 9)}) AS first, (SELECT version FROM analytics.${nameOf(last, 9)}) AS last`
  expect(await askPostgres(database, sql)).toEqual([{ views, first: version, last: version }])
}

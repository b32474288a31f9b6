/**
 * Edits of sources whose loads gather rows: load 1, the edit, load 2 of a source that has dropped its old rows. What was gathered
 * is kept, or a run counts it and asks. All assets of a warehouse are one project, so that a matrix is two runs.
 */
import { planWithState } from '../../cli/engine/run/plan-run.ts'
import type { TestProject } from '../engine/run/test-project.ts'
import { type Edit, firstRows, placeOf, type Row, secondRows } from './edit-cases.ts'
import { Sources, withHalf } from './edit-sources.ts'

function assetText({ name, kind }: Edit, keys: string, port: number): string {
  if (keys === '=none') return 'ingest: none\ntransform: SELECT 1 AS id'
  const rowsText = (rows: readonly Row[]) => JSON.stringify(rows.map(withHalf))
  const own = keys.startsWith('=')
    ? keys.slice(1)
    : [placeOf[kind]({ name, port }), keys].filter(Boolean).join(', ')
  const ingest = own
    .replace('$port', String(port))
    .replace('$first', () => rowsText(firstRows))
    .replace('$second', () => rowsText(secondRows))
  return `ingest: {${ingest}}\ntransform: ${kind === 'nested' ? withLines : 'SELECT * FROM {{ source }}'}`
}

/** Each record with what its child table holds of it. */
const withLines = `|
  SELECT s.*, (SELECT count(*) FROM {{ source('lines') }} c WHERE c._svc_parent_id = s._svc_id) AS line_count,
    (SELECT max(c.sku) FROM {{ source('lines') }} c WHERE c._svc_parent_id = s._svc_id) AS last_sku
  FROM {{ source }} s`

// ---------------------------------------------------------------- the matrix

/**
 * Runs all edits in one project, and returns what is wrong. `visitor`: an environment in which the edits are run first, as
 * those of a branch are before they come to production.
 */
export async function wrongEdits(
  p: TestProject,
  edits: readonly Edit[],
  environment = 'prod',
  visitor?: string,
): Promise<readonly string[]> {
  const sources = new Sources(p.root)
  try {
    const addresses = await sources.start(edits)
    const settings = [environment, visitor ?? []].flat().map(name => `${name}: {promotion: passed}`)
    p.settings = `environments: {${settings.join(', ')}}`
    p.env = { SVC_MASK_KEY: 'a key of the tests that is long enough', TOKEN: 'a token', ...addresses }
    const write = (which: 'before' | 'after') => {
      for (const each of edits) p.files[each.name] = assetText(each, each[which], sources.port)
    }
    await sources.fill(edits, 1)
    write('before')
    const first = await p.run({}, environment)
    if (first.status !== 'deployed') return [`load 1: ${first.failure?.asset} ${first.failure?.message}`]
    const never = first.assets.filter(({ status }) => status !== 'built').map(({ name }) => name)
    if (never.length > 0) return never.map(name => `${name}: is not built by load 1`)
    await sources.fill(edits, 2)
    write('after')
    const wrong: string[] = []
    if (visitor !== undefined) {
      const failed = (await p.run({}, visitor)).assets.filter(({ status }) => status === 'failed')
      wrong.push(...failed.map(({ name }) => `${name}: fails in ${visitor}, where nothing was gathered`))
    }
    const planned = await plannedRefusals(p, environment)
    const report = await p.run({}, environment)
    for (const each of edits) {
      const status = report.assets.find(({ name }) => name === each.name)?.status
      const found = await wrongOf(p, each, { status, refusal: planned.get(each.name), environment })
      wrong.push(...found.map(text => `${each.name}: ${text}`))
    }
    return wrong
  } finally {
    await sources.stop()
  }
}

async function plannedRefusals(p: TestProject, environment: string): Promise<ReadonlyMap<string, string>> {
  const workspace = await p.workspace(environment)
  try {
    const request = { kind: 'run', selector: undefined, noIngest: false, allTests: false } as const
    const { refusals } = await planWithState(workspace, request, () => undefined)
    return new Map(refusals.map(({ asset, message }) => [asset, message]))
  } finally {
    await workspace.close()
  }
}

async function wrongOf(
  p: TestProject,
  { name, kind, wanted, finds, warns, ids }: Edit,
  found: {
    readonly status: string | undefined
    readonly refusal: string | undefined
    readonly environment: string
  },
): Promise<readonly string[]> {
  const table = `${p.schemaOf(found.environment)}.${name}`
  const mine = p.events.flatMap(event => ('asset' in event && event.asset === name ? [event] : []))
  const failed = mine.find(event => event.type === 'asset-failed')
  const warnings = mine.flatMap(event => (event.type === 'warning' ? [event] : []))
  const lost = warnings.find(({ code }) => code === 'lost-history')
  const here = (await p.query(`SELECT DISTINCT id FROM ${table} ORDER BY 1`)).map(({ id }) => Number(id))
  const meant = wanted === 'asked' ? [1, 2, 3] : (ids ?? [1, 2, 3, 4])
  const wrong: string[] = []
  if (String(here) !== String(meant))
    wrong.push(
      `has ${here}, and ${meant} was meant${failed?.type === 'asset-failed' ? ` (${failed.message})` : ''}`,
    )
  if (wanted === 'asked') {
    if (failed?.type !== 'asset-failed' || failed.code !== 'history-lost')
      wrong.push(`was not refused: ${JSON.stringify(failed)}`)
    else if (!failed.message.includes('the 3 rows')) wrong.push(`does not count: ${failed.message}`)
  } else if (failed !== undefined) wrong.push(`failed: ${JSON.stringify(failed)}`)
  if ((wanted === 'asked') !== (found.refusal?.includes('the 3 rows') === true))
    wrong.push(`the plan says of a refusal: ${found.refusal}`)
  if (wanted === 'told' && lost?.count !== 3) wrong.push(`loses without a word: ${JSON.stringify(warnings)}`)
  if (warns !== undefined && !warnings.some(({ message }) => warns.test(message)))
    wrong.push(`warns of ${JSON.stringify(warnings.map(({ message }) => message))}`)
  if (finds !== undefined && failed === undefined) {
    const rows = (await p.query(finds[0].replace('$t', table))).map(each => JSON.stringify(each, plain))
    if (String(rows) !== String(finds[1].map(each => JSON.stringify(each, plain))))
      wrong.push(`${finds[0]} gives ${rows} (${kind})`)
  }
  return wrong
}

/** Numbers of both engines are compared as texts. */
function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' || typeof value === 'number' ? String(value) : value
}

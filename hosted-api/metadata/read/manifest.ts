/**
 * Builds the manifest of a project (interface.md 2.10) as text, because most of it is stored as JSON and a
 * large project would be tens of megabytes of objects. Reading in pages lets other requests in between.
 */
import type { Pace } from '../../http/pace.ts'
import { columnsOf } from '../../storage/column-text.ts'
import { pages, type Queries, type Row } from '../../storage/index.ts'
import type { PackGit, PackProject, PackSaid } from '../pack/pack.ts'
import { liveHash } from '../store/versions.ts'
import { headOf, jsonOf, textOrNull, visible } from '../store/visible.ts'

export async function manifestText(
  queries: Queries,
  project: number,
  revision: number,
  pace: Pace,
): Promise<Buffer> {
  const head = await headOf(queries, project)
  const assets: string[] = []
  const schemas: string[] = []
  const tests: string[] = []
  for await (const rows of pages(queries, assetQuery, [head, project, head, head])) {
    for (const row of rows) {
      const pause = pace.pause()
      if (pause !== undefined) await pause
      const schema = schemaText(row)
      assets.push(assetText(row, schema))
      if (schema !== undefined) schemas.push(`${json(row['name'])}:${schema}`)
      tests.push(...testTexts(row))
    }
  }
  const lineage: string[] = []
  for await (const rows of pages(queries, edgeQuery, [project, head, head])) {
    lineage.push(...rows.map(edgeText))
    await pace.pause()
  }
  const about = json(await aboutProject(queries, project, head, revision))
  const parts: Buffer[] = []
  for (const part of [
    `{"project":${about},"assets":[`,
    ...joined(assets),
    '],"lineage":[',
    ...joined(lineage),
    '],"schemas":{',
    ...joined(schemas),
    '},"tests":[',
    ...joined(tests),
    ']}',
  ]) {
    parts.push(Buffer.from(part))
    await pace.pause()
  }
  return Buffer.concat(parts)
}

const assetQuery = `select state.id, state.asset_id, asset.identifier, state.name, state.path, state.kind, state.description,
    state.owner, state.definition_hash, state.tags, state.blocks, state.columns, state.tests,
    state.details, (select version.hash from asset_version as version where version.asset_id = state.asset_id
      and version.upload_id <= ? and version.status = 'deployed'
      order by version.deployed_at desc, version.id desc limit 1) as last_hash
  from asset_state as state join asset on asset.id = state.asset_id
  where state.project_id = ? and state.kind not in ('external', 'exposure') and ${visible('state')} and state.id > ?
  order by state.id`

const edgeQuery = `select edge.id, edge.from_asset as from_id, edge.to_asset as to_id, source.name as "from",
    target.name as "to", edge.kind, edge.columns
  from lineage_edge as edge join asset as source on source.id = edge.from_asset
  join asset as target on target.id = edge.to_asset
  where edge.project_id = ? and ${visible('edge')} and edge.id > ? order by edge.id`

async function aboutProject(queries: Queries, project: number, head: number, revision: number) {
  const row = await queries.first('select name, identifier from project where id = ?', [project])
  const upload = await queries.first('select at, scope, about from upload where id = ?', [head])
  const about = upload === undefined ? undefined : jsonOf<About>(upload['about'])
  const told = about?.project
  return {
    id: project,
    identifier: row?.['identifier'] ?? null,
    name: row?.['name'] ?? '',
    warehouse: told?.warehouse ?? null,
    default_schema: told?.default_schema ?? null,
    revision,
    uploaded_at: upload?.['at'] ?? null,
    pack:
      about === undefined
        ? null
        : {
            ...saidBefore,
            ...about.said,
            name: about.project.name,
            scope: upload?.['scope'],
            git: about.git,
          },
  }
}

interface About {
  readonly project: PackProject
  readonly git: PackGit | null
  readonly said?: PackSaid
}

/** Uploads of earlier versions of the store have not kept it. */
const saidBefore: PackSaid = { version: null, environment: null, settings_hash: null }

/** Returns undefined if the columns are unknown. */
function schemaText({ columns }: Row): string | undefined {
  return columns === null ? undefined : json({ columns: columnsOf(String(columns)) })
}

function assetText(row: Row, schema = '{}'): string {
  const { id: _, asset_id, tags, blocks, columns: __, tests: ___, details, last_hash, ...about } = row
  const active_hash = liveHash(jsonOf(details), textOrNull(last_hash))
  const plain = json({ id: asset_id, ...about, active_hash })
  return `${plain.slice(0, -1)},"tags":${tags},"blocks":${blocks},"schema":${schema}}`
}

function testTexts(row: Row): readonly string[] {
  if (row['tests'] === '[]') return []
  const own = { asset_id: row['asset_id'], asset_name: row['name'] }
  return jsonOf<readonly object[]>(row['tests']).map(test => json({ ...own, ...test }))
}

function edgeText({ id: _, columns, ...ends }: Row): string {
  return `${json(ends).slice(0, -1)},"columns":${columns}}`
}

function json(value: unknown): string {
  return JSON.stringify(value)
}

/** Joins in chunks, to avoid both a million small parts and one text that is too long for the engine. */
function* joined(parts: readonly string[]): Generator<string> {
  const lump = 500
  for (let start = 0; start < parts.length; start += lump) {
    yield `${start === 0 ? '' : ','}${parts.slice(start, start + lump).join(',')}`
  }
}

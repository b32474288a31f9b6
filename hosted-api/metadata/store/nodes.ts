/**
 * Reads the current nodes of a project in pages, so that a large project is never in memory twice and other
 * requests run in between.
 */
import { numberRows, pages, type Queries } from '../../storage/index.ts'
import type { KnownNode } from '../pack/compare.ts'
import type { StoredContent } from '../pack/keep-unsaid.ts'
import { visible } from './visible.ts'

const pageSize = 500

/** Yields what `comparePack` needs of each node. */
export async function* knownNodes(
  queries: Queries,
  project: number,
  { head, withContent }: { readonly head: number; readonly withContent: boolean },
): AsyncGenerator<readonly KnownNode[]> {
  const query = `select state.id, state.asset_id as asset, asset.identifier, state.name, state.kind, state.hash,
      state.details_hash as "detailsHash", state.edges_hash as "edgesHash"${withContent ? contentColumns : ''}
    from asset_state as state join asset on asset.id = state.asset_id
    where state.project_id = ? and ${visible('state')} and state.id > ? order by state.id`
  for await (const rows of pages<NodeRow>(queries, query, [project, head, head])) {
    yield withContent ? rows.map(withItsContent) : rows
  }
}

const contentColumns = `, state.path, state.description, state.owner, state.tags, state.blocks, state.columns, state.tests, state.details,
      state.definition_hash as "definitionHash"`

type NodeRow = { readonly [K in Exclude<keyof KnownNode, 'content'>]: KnownNode[K] } & {
  readonly [K in keyof StoredContent]: StoredContent[K]
}

function withItsContent(row: NodeRow): KnownNode {
  const { path, description, owner, tags, blocks, columns, tests, details, definitionHash, ...node } = row
  return {
    ...node,
    content: { path, description, owner, tags, blocks, columns, tests, details, definitionHash },
  }
}

/** Yields the stored columns of the given assets as JSON texts, a page of assets at a time. */
export async function* storedColumns(
  queries: Queries,
  head: number,
  assets: readonly number[],
): AsyncGenerator<readonly (readonly [asset: number, columns: string | null])[]> {
  const query = `select asset_id, columns from asset_state as state
    where state.asset_id in (${numberRows(queries.engine)}) and ${visible('state')}`
  for (let start = 0; start < assets.length; start += pageSize) {
    const page = assets.slice(start, start + pageSize)
    const rows = await queries.all(query, [JSON.stringify(page), head, head])
    yield rows.map(row => [Number(row['asset_id']), row['columns'] === null ? null : String(row['columns'])])
  }
}

export async function namesOf(
  queries: Queries,
  assets: Iterable<number>,
): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(assets)]
  const names = new Map<number, string>()
  for (let start = 0; start < ids.length; start += pageSize) {
    const page = JSON.stringify(ids.slice(start, start + pageSize))
    const rows = await queries.all(`select id, name from asset where id in (${numberRows(queries.engine)})`, [
      page,
    ])
    for (const row of rows) names.set(Number(row['id']), String(row['name']))
  }
  return names
}

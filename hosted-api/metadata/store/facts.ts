/** Reads the facts of assets for policies, page by page. */

import type { NodeKind } from '../../../server/contract/pack.ts'
import { anyOf } from '../../../server/language/glossary/patterns.ts'
import { type Cell, numberRows, pages, type Queries, type Row } from '../../storage/index.ts'
import { type AssetFacts, assetFacts } from '../policies/asset-facts.ts'
import type { PolicyFacts } from '../policies/check-policies.ts'
import { jsonOf, nullableColumns, type Reading, visible } from './visible.ts'

const selected =
  'select state.id, state.asset_id, state.name, state.path, state.kind, state.tags, state.blocks, state.columns from asset_state as state'

/**
 * Returns all assets of a project. Only columns that are marked or named by a policy are kept: a walk needs
 * no others, and a large project has hundreds of thousands.
 */
export async function projectFacts(
  reading: Reading,
  project: number,
  policies: readonly PolicyFacts[],
): Promise<ReadonlyMap<number, AssetFacts>> {
  const isNamed = anyOf(policies.flatMap(policy => policy.piiColumns))
  return readFacts(reading, 'state.project_id = ?', project, all => ({
    ...all,
    columns: all.columns.filter(
      ({ name, mark }) => mark !== undefined || isNamed(name) || isNamed(`${all.name}.${name}`),
    ),
  }))
}

/** Returns the given assets, with all of their columns. */
export async function factsOfAssets(
  reading: Reading,
  assets: readonly number[],
): Promise<ReadonlyMap<number, AssetFacts>> {
  const given = `state.asset_id in (${numberRows(reading.queries.engine)})`
  return readFacts(reading, given, JSON.stringify(assets))
}

/** @param value of the condition */
async function readFacts(
  { queries, head, pace }: Reading,
  condition: string,
  value: Cell,
  shortened = (facts: AssetFacts) => facts,
): Promise<ReadonlyMap<number, AssetFacts>> {
  const schema = await defaultSchemaOf(queries, head)
  const query = `${selected} where ${condition} and ${visible('state')} and state.id > ? order by state.id`
  const facts = new Map<number, AssetFacts>()
  for await (const rows of pages(queries, query, [value, head, head])) {
    for (const row of rows) {
      const pause = pace.pause()
      if (pause !== undefined) await pause
      facts.set(Number(row['asset_id']), shortened(factsOf(row, schema)))
    }
  }
  return facts
}

export async function readPolicies(queries: Queries, project: number): Promise<readonly PolicyFacts[]> {
  const rows = await queries.all(
    `select id, name, rule, pii_columns, applies_to, enforcement, derived from policy
      where project_id = ? and deleted_at is null order by id`,
    [project],
  )
  return rows.map(row => ({
    id: Number(row['id']),
    name: String(row['name']),
    rule: String(row['rule']),
    piiColumns: jsonOf(row['pii_columns']),
    appliesTo: jsonOf(row['applies_to']),
    enforcement: String(row['enforcement']),
    derived: String(row['derived']),
  }))
}

async function defaultSchemaOf(queries: Queries, head: number): Promise<string | null> {
  const row = await queries.first('select about from upload where id = ?', [head])
  if (row === undefined) return null
  return jsonOf<{ readonly project: { readonly default_schema: string | null } }>(row['about']).project
    .default_schema
}

function factsOf(row: Row, defaultSchema: string | null): AssetFacts {
  return assetFacts(
    {
      asset: Number(row['asset_id']),
      name: String(row['name']),
      path: String(row['path']),
      kind: row['kind'] as NodeKind,
      tags: jsonOf(row['tags']),
      blocks: jsonOf(row['blocks']),
      columns: nullableColumns(row['columns']),
    },
    defaultSchema,
  )
}

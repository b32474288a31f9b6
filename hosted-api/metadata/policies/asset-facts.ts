/**
 * The facts of an asset for policies: its names, and what its file and its schema say about personal data.
 */
import type { NodeKind } from '../../../server/contract/pack.ts'
import { memberOf } from '../../http/json-value.ts'
import type { PackAsset, PackColumn } from '../pack/pack.ts'

export interface AssetFacts {
  readonly asset: number
  readonly name: string
  /** All names that `applies_to` may match: `orders`, `analytics.orders`, `marts.orders`. */
  readonly names: readonly string[]
  /** What `tag:<tag>` of `applies_to` matches. */
  readonly tags: readonly string[]
  readonly kind: NodeKind
  readonly columns: readonly ColumnFacts[]
}

export interface ColumnFacts {
  readonly name: string
  /**
   * `file`: the asset's file marks it. `schema`: the tool that made the pack inferred it. `harmless`: the
   * file says no.
   */
  readonly mark: 'file' | 'schema' | 'harmless' | undefined
  /** Whether everything that it is made of is hidden in a hash, a count or a comparison. */
  readonly masked: boolean
}

export type AssetContent = { readonly asset: number } & Pick<
  PackAsset,
  'name' | 'path' | 'kind' | 'tags' | 'blocks' | 'columns'
>

export function assetFacts(content: AssetContent, defaultSchema: string | null): AssetFacts {
  const { asset, name, kind, tags, blocks, columns } = content
  const written = marksOf(blocks)
  return {
    asset,
    name,
    names: namesOf(content, defaultSchema),
    tags,
    kind,
    columns: (columns ?? []).map(column => columnFacts(column, written.get(column.name.toLowerCase()))),
  }
}

function columnFacts({ name, pii, masked }: PackColumn, written: boolean | undefined): ColumnFacts {
  const mark = written === undefined ? (pii === true ? 'schema' : undefined) : written ? 'file' : 'harmless'
  return { name, mark, masked: masked === true }
}

/** Reads `pii` under `columns`, or under `contract` for the raw columns of the asset's own source. */
function marksOf(blocks: AssetContent['blocks']): ReadonlyMap<string, boolean> {
  const marks = new Map<string, boolean>()
  const note = (columns: unknown, counts: (pii: boolean) => boolean) => {
    if (typeof columns !== 'object' || columns === null) return
    for (const [name, column] of Object.entries(columns)) {
      const pii = memberOf(column, 'pii')
      if (typeof pii === 'boolean' && counts(pii)) marks.set(name.toLowerCase(), pii)
    }
  }
  const { contract, columns } = blocks
  for (const table of [contract, ...Object.values(memberOf(contract, 'tables') ?? {})])
    note(memberOf(table, 'columns'), pii => pii)
  note(columns, () => true)
  return marks
}

function namesOf({ name, path, blocks }: AssetContent, defaultSchema: string | null): readonly string[] {
  const own = memberOf(blocks['deploy'], 'schema')
  const schema = typeof own === 'string' ? own : defaultSchema
  // `<schema>.*` also matches a folder below `models/`, and `finance.eu.*` several; if the models folder has another
  // name, any folders of the path.
  const folders = path
    .split('/')
    .slice(0, -1)
    .filter(folder => folder !== '' && folder !== 'models')
  return [
    name,
    ...(schema === null ? [] : [`${schema}.${name}`]),
    ...folders.map(folder => `${folder}.${name}`),
    ...folders.slice(0, -1).map((_, first) => [...folders.slice(first), name].join('.')),
  ]
}

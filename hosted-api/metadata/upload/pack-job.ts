/**
 * The CPU work of an upload, without the database: parsing, checking, comparing, slicing. It runs in a worker
 * thread for large packs; its input and output are small, or complete texts.
 */

import type { Shape } from '../../../server/contract/schema.ts'
import { memberOf } from '../../http/json-value.ts'
import { invalid, mostProblems, Problem } from '../../http/problems.ts'
import { parseJson } from '../../http/read-body.ts'
import { columnsOf } from '../../storage/column-text.ts'
import { type ColumnChange, columnChanges } from '../pack/column-changes.ts'
import { comparePack, type KnownNode, type PackChange, resolvedPack } from '../pack/compare.ts'
import { keepUnsaid } from '../pack/keep-unsaid.ts'
import type { PackGit, PackGlossaryEntry, PackProject, PackSaid, PackWarning } from '../pack/pack.ts'
import { runFacts } from '../pack/pack-schema.ts'
import { type ReadPack, readPack } from '../pack/read-pack.ts'
import { type Slice, slicesOf } from '../pack/rows.ts'
import { type BreachNote, breachNotes, checkPolicies, type PolicyFacts } from '../policies/check-policies.ts'
import { edgesOf, factsById, type PackGraph, packGraph } from '../policies/pack-graph.ts'
import type { UploadCounts } from './upload-shapes.ts'

export interface PackInput {
  readonly bytes: Uint8Array
  /** The header of the request, with its parameters. */
  readonly contentType: string
  /** The maximum depth of nested lists and objects; 0 means any. */
  readonly mostDepth: number
  /** 0 means any number. */
  readonly mostAssets: number
  /** The query parameter. */
  readonly source: string | undefined
}

export interface PackSummary {
  readonly project: PackProject
  readonly scope: 'full' | 'partial'
  readonly source: string
  readonly hash: string
  readonly counts: Shape<typeof UploadCounts>
  readonly git: PackGit | null
  readonly said: PackSaid
  readonly glossary: readonly PackGlossaryEntry[]
  readonly warnings: readonly PackWarning[]
  /** Whether what is stored of the assets has to be known to complete them. */
  readonly leavesOut: boolean
}

export interface ChangeSummary {
  readonly added: readonly string[]
  readonly changed: readonly { readonly asset: number; readonly name: string }[]
  readonly removed: readonly { readonly asset: number; readonly name: string }[]
  /** What was found by the comparison. */
  readonly warnings: readonly PackWarning[]
  /** Whether there is nothing to write. */
  readonly isEmpty: boolean
}

export interface AssetColumnChanges {
  readonly asset: number
  readonly name: string
  readonly changes: readonly ColumnChange[]
}

/** Call each method once, in this order; `know`, `columnChanges` and `slice` as often as needed. */
export interface PackJob {
  /** @throws Problem */
  read(input: PackInput): Promise<PackSummary>
  know(nodes: readonly KnownNode[]): Promise<void>
  compare(): Promise<ChangeSummary>
  /** @param before stored columns of changed assets */
  columnChanges(
    before: readonly (readonly [asset: number, columns: string | null])[],
  ): Promise<readonly AssetColumnChanges[]>
  /** Returns the breaches of each policy in the pack, which has to be full. */
  breaches(policies: readonly PolicyFacts[]): Promise<readonly (readonly BreachNote[])[]>
  graph(): Promise<PackGraph>
  slice(): Promise<Slice | undefined>
  end(): Promise<void>
}

/** The limit of warnings per upload. */
const mostWarnings = 100

export function createPackJob(): PackJob {
  let read: ReadPack | undefined
  let change: PackChange | undefined
  let slices: Iterator<Slice> | undefined
  const known: KnownNode[] = []

  return {
    async read(input) {
      const body = await bodyOf(input)
      requireAssetCount(body, input.mostAssets)
      const outcome = readPack(body, input.source, isPlain(input.bytes))
      if (outcome.kind === 'problems') throw invalid(outcome.problems.slice(0, mostProblems))
      read = outcome
      return summaryOf(outcome)
    },
    async know(nodes) {
      known.push(...nodes)
    },
    async compare() {
      const { pack, warnings } = keepUnsaid(present(read).pack, known)
      read = { ...present(read), pack }
      change = comparePack(pack, known)
      slices = slicesOf(pack, change)
      return changeSummary(change, pack.versions.length + pack.results.length, warnings)
    },
    async columnChanges(before) {
      const changed = new Map(present(change).changed.map(({ asset, node }) => [asset, node]))
      return before.flatMap(([asset, columns]) => {
        const node = changed.get(asset)
        if (node === undefined) return []
        const old = columns === null ? null : columnsOf(columns)
        return [{ asset, name: node.name, changes: columnChanges(old, node.columns) }]
      })
    },
    async breaches(policies) {
      const graph = packGraph(present(read).pack, numbersOf(known))
      const facts = factsById(graph.facts)
      return breachNotes(await checkPolicies(policies, facts, edgesOf(graph.edges)), facts)
    },
    async graph() {
      return packGraph(resolvedPack(present(read).pack, known), numbersOf(known))
    },
    async slice() {
      const next = present(slices).next()
      return next.done === true ? undefined : next.value
    },
    async end() {},
  }
}

/**
 * Valid JSON without escaped code points has no control characters except DEL, so its texts need no check.
 */
function isPlain(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return !text.includes('\\u') && !text.includes(0x7f)
}

function numbersOf(known: readonly KnownNode[]): ReadonlyMap<string, number> {
  return new Map(known.map(node => [node.identifier, node.asset]))
}

/** Returns the JSON body, or the one file of a form (`curl -F file=@manifest.json`). */
async function bodyOf({ bytes, contentType, mostDepth }: PackInput): Promise<unknown> {
  const limits = { depth: mostDepth, members: 0, values: 0 }
  if (!contentType.toLowerCase().startsWith('multipart/')) return parseJson(bytes, limits)
  const form = await new Response(bytes, { headers: { 'Content-Type': contentType } })
    .formData()
    .catch(() => {
      throw new Problem(
        'malformed_json',
        'The form cannot be read: its parts are not what its boundary says.',
      )
    })
  const file = form.get('file')
  if (file === null) throw new Problem('malformed_json', 'The form has no part named "file".')
  const content = typeof file === 'string' ? Buffer.from(file) : Buffer.from(await file.arrayBuffer())
  return parseJson(content, limits)
}

/** Checked before anything is made of them. */
function requireAssetCount(body: unknown, most: number): void {
  const pack = memberOf(body, 'context_pack') ?? body
  const assets = memberOf(pack, 'assets')
  if (most === 0 || !Array.isArray(assets) || assets.length <= most) return
  throw new Problem(
    'too_large',
    `A context pack may have ${most} assets (--max-assets); this one has ${assets.length}.`,
  )
}

function summaryOf({ pack, source, hash }: ReadPack): PackSummary {
  return {
    project: pack.project,
    scope: pack.scope,
    source,
    hash,
    counts: {
      assets_synced: pack.assets.length,
      lineage_edges_synced: pack.edges.length,
      schemas_synced: pack.assets.filter(asset => asset.columns !== null).length,
      tests_synced: pack.assets.reduce((sum, asset) => sum + asset.tests.length, 0),
    },
    git: pack.git,
    said: pack.said,
    glossary: pack.glossary,
    warnings: pack.warnings.slice(0, mostWarnings),
    leavesOut: leavesOut(pack),
  }
}

/** Facts of runs are parts too, which a manifest cannot say. */
function leavesOut({ assets, leftOut }: ReadPack['pack']): boolean {
  return (
    [...leftOut.values()].some(parts => parts.size > 0) ||
    assets.some(({ details }) => runFacts.some(fact => details[fact] === undefined))
  )
}

function changeSummary(change: PackChange, more: number, warnings: readonly PackWarning[]): ChangeSummary {
  const { added, changed, removed, states, closedStates, closedEdges, edges, loose } = change
  return {
    added,
    changed: changed.map(({ asset, node }) => ({ asset, name: node.name })),
    removed,
    warnings,
    isEmpty: [states, closedStates, closedEdges, edges, loose].every(list => list.length === 0) && more === 0,
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a pack is read before anything is asked of it')
  return value
}

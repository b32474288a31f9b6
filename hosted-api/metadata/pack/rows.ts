/**
 * The rows of an upload as JSON texts, each for one statement (`json_each`, `json_to_recordset`). A text has
 * about `sliceBytes`, so that its transaction is short. Pure.
 */

import { columnsText } from '../../storage/column-text.ts'
import { assetText } from './asset-text.ts'
import { ownerOf, type PackChange } from './compare.ts'
import type { Pack } from './pack.ts'

export type SliceKind =
  | 'assets'
  | 'closedStates'
  | 'closedEdges'
  | 'states'
  | 'edges'
  | 'loose'
  | 'versions'
  | 'results'

export interface Slice {
  readonly kind: SliceKind
  /** A JSON list of objects, or of numbers. */
  readonly text: string
}

const sliceBytes = 192 * 1024
/** Limits the number of rows, because short rows cost more than their bytes. */
const sliceRows = 1000

/** Yields slices in the order in which they have to be written. */
export function* slicesOf(pack: Pack, change: PackChange): Generator<Slice> {
  yield* packed('assets', nodeRows(change))
  yield* packed('closedStates', change.closedStates)
  yield* packed('closedEdges', change.closedEdges)
  yield* packed('states', stateRows(change))
  yield* packed('edges', edgeRows(change.edges))
  yield* packed('loose', edgeRows(change.loose))
  yield* packed('versions', pack.versions)
  yield* packed('results', resultRows(pack))
}

function* nodeRows({ states }: PackChange) {
  for (const { node } of states) yield { identifier: node.identifier, name: node.name, path: node.path }
}

function* stateRows({ states }: PackChange) {
  for (const { node, hash, detailsHash, edgesHash } of states) {
    const { title, body } = assetText(node)
    yield {
      identifier: node.identifier,
      name: node.name,
      path: node.path,
      kind: node.kind,
      hash,
      details_hash: detailsHash,
      edges_hash: edgesHash,
      definition_hash: node.definitionHash,
      description: node.description,
      owner: node.owner,
      // Lists and objects are stored as text, because the database does not query them.
      tags: JSON.stringify(node.tags),
      blocks: JSON.stringify(node.blocks),
      columns: node.columns === null ? null : columnsText(node.columns),
      tests: JSON.stringify(node.tests),
      details: JSON.stringify(node.details),
      search_title: title,
      search_body: body,
    }
  }
}

function* edgeRows(edges: PackChange['edges']) {
  for (const edge of edges) {
    yield { ...edge, owner: ownerOf(edge), columns: JSON.stringify(edge.columns) }
  }
}

function* resultRows({ results }: Pack) {
  for (const { identifier, at, tests } of results) yield resultRow(identifier, at, tests)
}

export function resultRow(identifier: string, at: string, tests: Pack['results'][number]['tests']) {
  const passed = tests.filter(test => test.status === 'pass').length
  return {
    identifier,
    at,
    tests: JSON.stringify(tests),
    total: tests.length,
    passed,
    failed: tests.length - passed,
  }
}

function* packed(kind: SliceKind, rows: Iterable<unknown>): Generator<Slice> {
  let parts: string[] = []
  let size = 0
  for (const row of rows) {
    const text = JSON.stringify(row)
    parts.push(text)
    size += text.length
    if (size < sliceBytes && parts.length < sliceRows) continue
    yield { kind, text: `[${parts.join(',')}]` }
    parts = []
    size = 0
  }
  if (parts.length > 0) yield { kind, text: `[${parts.join(',')}]` }
}

/**
 * Reads the lineage of a pack: edges in the forms of different tools, and nodes that only the lineage names.
 */

import type { ContextPack } from '../../../server/contract/pack.ts'
import { isObject, memberOf } from '../../http/json-value.ts'
import { pointerToken } from '../../http/text-rule.ts'
import type { ColumnPair, PackAsset, PackEdge } from './pack.ts'
import type { Names, ReadContext } from './read-pack.ts'

/** Exposures get a prefix, because one may have the same name as an asset. */
function exposureIdentifier(name: string): string {
  return `exposure:${name}`
}

export function readLineage(body: ContextPack, names: Names, context: ReadContext) {
  const outsiders = new Map<string, PackAsset>()
  const edges = new Map<string, PackEdge>()
  const add = (edge: PackEdge) => {
    const key = `${edge.from}\0${edge.to}\0${edge.kind}`
    const before = edges.get(key)
    edges.set(key, before === undefined ? edge : { ...edge, columns: [...before.columns, ...edge.columns] })
  }
  const nodeOf = (written: string, pointer: string): string => {
    const known = names(written)
    if (known !== undefined) return known
    if (!outsiders.has(written)) {
      outsiders.set(written, outsider(written, written, 'external'))
      const detail = `The lineage names "${written}", which is no asset of the pack.`
      if (body.scope !== 'partial') context.warn(pointer, 'external_node', detail)
    }
    return written
  }
  const exposureOf = (name: string): string => {
    const identifier = exposureIdentifier(name)
    if (!outsiders.has(identifier)) outsiders.set(identifier, exposure(identifier, name, body))
    return identifier
  }
  for (const [index, item] of (body.lineage ?? []).entries()) {
    const pointer = `${context.root}/lineage/${index}`
    const read = readItem(item, pointer, context)
    if (read === undefined) continue
    const { from, to, kind, columns } = read
    const end = kind === 'exposure' ? exposureOf(to) : nodeOf(to, pointer)
    add({ from: nodeOf(from, pointer), to: end, kind, columns })
  }
  // A catalogue also lists the readers of each asset; a known edge keeps its columns.
  for (const { asset, name } of body.exposures ?? []) {
    add({
      from: nodeOf(asset, `${context.root}/exposures`),
      to: exposureOf(name),
      kind: 'exposure',
      columns: [],
    })
  }
  return { edges: [...edges.values()], outsiders: [...outsiders.values()] }
}

interface Item {
  readonly from: string
  readonly to: string
  readonly kind: PackEdge['kind']
  readonly columns: readonly ColumnPair[]
}

/** The names of the two ends in the supported forms. */
const ends = [
  ['from', 'to'],
  ['source', 'target'],
  ['upstream', 'downstream'],
  ['parent', 'child'],
] as const

function readItem(item: unknown, pointer: string, context: ReadContext): Item | undefined {
  if (Array.isArray(item)) {
    const [from, to, ...more] = item as readonly unknown[]
    if (isName(from) && isName(to) && more.length === 0) return { from, to, kind: 'ref', columns: [] }
  } else if (isObject(item)) {
    const pair = ends.find(([from, to]) => from in item && to in item)
    const [from, to] = pair === undefined ? [] : [item[pair[0]], item[pair[1]]]
    if (pair !== undefined && isName(from) && isName(to)) {
      // A manifest also says which columns decide about rows, which is no flow of values and not kept.
      refuseOthers(item, [...pair, 'kind', 'columns', 'uses'], pointer, context)
      return {
        from,
        to,
        kind: kindOf(item['kind'], pointer, context),
        columns: readPairs(item['columns'], pointer, context),
      }
    }
  }
  context.problem(
    pointer,
    'no_edge',
    'An edge is {"from": "…", "to": "…"} or ["from", "to"], with names of assets.',
  )
  return undefined
}

/** A publish target is somebody outside who gets an asset, as an exposure is. */
function kindOf(kind: unknown, pointer: string, context: ReadContext): PackEdge['kind'] {
  if (kind === 'publish') return 'exposure'
  if (kind === undefined || kind === 'ref' || kind === 'exposure') return kind ?? 'ref'
  context.problem(`${pointer}/kind`, 'not_allowed', '"kind" has to be one of ref, exposure, publish.')
  return 'ref'
}

function readPairs(columns: unknown, pointer: string, context: ReadContext): readonly ColumnPair[] {
  if (columns === undefined || columns === null) return []
  if (Array.isArray(columns)) {
    return columns.flatMap((pair: unknown, index) => readPair(pair, `${pointer}/columns/${index}`, context))
  }
  context.problem(`${pointer}/columns`, 'wrong_type', '"columns" has to be an array.')
  return []
}

const pairMembers = ['from', 'to', 'transform', 'masking']

function readPair(pair: unknown, pointer: string, context: ReadContext): readonly ColumnPair[] {
  if (isObject(pair)) {
    const { from, to, transform, masking } = pair
    refuseOthers(pair, pairMembers, pointer, context)
    const isText = transform === undefined || transform === null || typeof transform === 'string'
    const isFlag = masking === undefined || typeof masking === 'boolean'
    if (isName(from) && isName(to) && isText && isFlag) {
      return [
        {
          from,
          to,
          ...(typeof transform === 'string' && { transform }),
          ...(masking === true && { masking }),
        },
      ]
    }
  }
  context.problem(
    pointer,
    'no_column_pair',
    'A pair of columns is {"from": "…", "to": "…"}, if need be with "transform" (text) and "masking" (boolean).',
  )
  return []
}

function refuseOthers(value: object, known: readonly string[], pointer: string, context: ReadContext): void {
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue
    const detail = `"${name}" is not known here; known are ${known.join(', ')}.`
    context.problem(`${pointer}/${pointerToken(name)}`, 'unknown_member', detail)
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 255
}

function exposure(identifier: string, name: string, body: ContextPack): PackAsset {
  const told = body.exposures?.find(each => each.name === name) ?? exposureInBlocks(body, name)
  const { type, url, owner, description } = (told ?? {}) as Readonly<Record<string, unknown>>
  const node = outsider(identifier, name, 'exposure')
  return {
    ...node,
    description: typeof description === 'string' ? description : null,
    owner: typeof owner === 'string' ? owner : null,
    blocks: { ...(typeof type === 'string' && { type }), ...(typeof url === 'string' && { url }) },
  }
}

/** Returns the `exposures` block of the asset that has the exposure. */
function exposureInBlocks(body: ContextPack, name: string): object | undefined {
  for (const { blocks } of body.assets) {
    const list = blocks?.['exposures']
    if (!Array.isArray(list)) continue
    const exposure = list.find((each: unknown) => memberOf(each, 'name') === name)
    if (exposure !== undefined) return exposure as object
  }
  return undefined
}

function outsider(identifier: string, name: string, kind: 'external' | 'exposure'): PackAsset {
  return {
    identifier,
    name,
    path: '',
    kind,
    description: null,
    owner: null,
    tags: [],
    definitionHash: null,
    blocks: {},
    columns: null,
    tests: [],
    details: {},
  }
}

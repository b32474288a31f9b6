/** What the SQL of one asset may name, out of what the editor knows: the columns behind its tags. */
import type { Column } from '../../analysis.ts'
import type { Asset } from '../../project/project.ts'
import type { Knowledge } from '../knowledge.ts'
import { noColumns, type SqlColumn, type SqlWorld, type TaggedTable } from './output-columns.ts'

const worlds = new WeakMap<Knowledge, Map<string, SqlWorld>>()

/** The same object for the same knowledge, so that readings of a text are shared. */
export function sqlWorld(knowledge: Knowledge, asset: Asset): SqlWorld {
  const known = worlds.get(knowledge) ?? new Map<string, SqlWorld>()
  worlds.set(knowledge, known)
  const world = known.get(asset.path) ?? {
    table: tag => taggedTable(knowledge, asset, tag),
    returnType: name => returnTypeOf(knowledge, name),
  }
  known.set(asset.path, world)
  return world
}

const tagPattern = /^\{\{\s*([a-z]+)\s*(?:\(\s*(?:'([^']*)|"([^"]*))?)?/
/** Where something was typed too much in a tag, the word that it is about. */
const wordInTag = /^\{\{[^'"]*?\b(ref|source|this|var)\b\s*(?:\(\s*(?:'([^']*)|"([^"]*))?)?/

export interface TagText {
  readonly word: string
  readonly argument: string | undefined
}

/** Reads a tag that may not be finished. */
export function readTagText(tag: string): TagText | undefined {
  const match = wordInTag.exec(tag) ?? tagPattern.exec(tag)
  return match === null ? undefined : { word: match[1] ?? '', argument: match[2] ?? match[3] }
}

function taggedTable(knowledge: Knowledge, asset: Asset, tag: string): TaggedTable {
  const { word, argument } = readTagText(tag) ?? { word: '', argument: undefined }
  if (word === 'ref' && argument !== undefined) return assetTable(knowledge, argument, 'asset')
  if (word === 'this') return assetTable(knowledge, asset.name, 'this')
  if (word === 'source') return sourceTable(knowledge, asset, argument)
  return { ...noColumns, kind: 'unknown', name: '', target: undefined }
}

export function assetTable(knowledge: Knowledge, name: string, kind: 'asset' | 'this'): TaggedTable {
  const analysis = knowledge.analysis.of(name)
  const known =
    analysis === undefined || analysis.columns.length === 0 ? documented(knowledge, name) : analysis.columns
  return {
    kind,
    name,
    target: name,
    columns: known.map(column => ({
      ...bare(column),
      origin: { asset: name, column: column.name },
    })),
    complete: analysis?.complete === true && analysis.columns.length > 0,
  }
}

/** While nothing else is known of an asset, the columns that its file speaks of. */
function documented(knowledge: Knowledge, name: string): readonly Column[] {
  const columns = knowledge.project.byName.get(name)?.definition.columns ?? {}
  return Object.entries(columns).map(([column, doc]) => ({ name: column, type: doc.type }))
}

export function sourceTable(knowledge: Knowledge, asset: Asset, child: string | undefined): TaggedTable {
  const table = knowledge.sources.get(asset.name)?.find(each => each.child === child)
  const columns = table?.columns ?? promised(asset, child)
  return {
    kind: 'source',
    name: child === undefined ? `${asset.name}__raw` : `${asset.name}__raw__${child}`,
    target: child,
    columns: columns.map(column => ({
      ...bare(column),
      origin: { asset: asset.name, column: column.name, source: child ?? '' },
    })),
    complete: table?.complete === true,
  }
}

/** Before anything was loaded: what the contract promises. */
function promised(asset: Asset, child: string | undefined): readonly Column[] {
  if (child !== undefined) return []
  return Object.entries(asset.definition.contract?.columns ?? {}).map(([name, { type }]) => ({ name, type }))
}

function bare({ name, type }: Column): SqlColumn {
  return { name, type, origin: undefined, definedAt: undefined }
}

const openType = /^(ANY|T|K|V|LAMBDA|NULL|INVALID)\b|\bANY\b/

/** Only where every form of the function gives the same. */
export function returnTypeOf(knowledge: Knowledge, name: string): string | undefined {
  const types = new Set(knowledge.functions.get(name)?.overloads.map(each => each.returns))
  const [only] = types
  return types.size === 1 && only !== undefined && !openType.test(only) && only !== 'DECIMAL'
    ? only
    : undefined
}

/**
 * A form that cannot say a part of an asset leaves that part as it was: a catalogue has the SQL of an asset and none of its other
 * blocks, a manifest has no facts of runs. Pure.
 */
import { formatDuration, parseDuration } from '../../../server/language/schema/formats.ts'
import { columnsOf } from '../../storage/column-text.ts'
import { isOutsider, type KnownNode } from './compare.ts'
import type { LeftOut, Pack, PackAsset, PackWarning } from './pack.ts'

/** What is stored of an asset, as the texts of its columns in the database. */
export interface StoredContent {
  readonly path: string
  readonly description: string | null
  readonly owner: string | null
  readonly tags: string
  readonly blocks: string
  readonly columns: string | null
  readonly tests: string
  readonly details: string
  readonly definitionHash: string | null
}

export interface KeptPack {
  readonly pack: Pack
  readonly warnings: readonly PackWarning[]
}

/** Completes the assets of a pack from what is stored of them. */
export function keepUnsaid(pack: Pack, known: readonly KnownNode[]): KeptPack {
  const stored = new Map(known.map(node => [node.identifier, node]))
  const older: string[] = []
  const assets = pack.assets.map(asset => {
    const { kind, content } = stored.get(asset.identifier) ?? {}
    const leftOut = pack.leftOut.get(asset.identifier)
    if (kind === undefined || isOutsider(kind) || content === undefined || leftOut === undefined) return asset
    const isOlder = asset.definitionHash !== null && content.definitionHash !== asset.definitionHash
    if (isOlder && leftOut.has('blocks')) older.push(asset.name)
    const whole = completed(asset, leftOut, content, isOlder)
    return leftOut.has('kind') ? { ...whole, kind } : whole
  })
  return { pack: { ...pack, assets }, warnings: older.length === 0 ? [] : [olderWarning(older)] }
}

function olderWarning(names: readonly string[]): PackWarning {
  const [first, ...more] = names
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  return {
    code: 'older_blocks',
    detail: `The pack has no "blocks" of "${first}"${others}, whose definition has changed: blocks and tests of an earlier upload stay. Upload .svc/manifest.json or a context pack too.`,
  }
}

type Values = Readonly<Record<string, unknown>>

function completed(asset: PackAsset, leftOut: LeftOut, before: StoredContent, isOlder: boolean): PackAsset {
  const kept = <Key extends keyof PackAsset & Parameters<LeftOut['has']>[0]>(
    key: Key,
    read: () => PackAsset[Key],
  ) => (leftOut.has(key) ? read() : asset[key])
  const blocks: Values = JSON.parse(before.blocks)
  const described = {
    ...asset,
    path: kept('path', () => before.path),
    description: kept('description', () => before.description),
    owner: kept('owner', () => before.owner),
    tags: kept('tags', () => JSON.parse(before.tags)),
    columns: kept('columns', () =>
      before.columns === null ? null : (columnsOf(before.columns) as PackAsset['columns']),
    ),
    tests: kept('tests', () => JSON.parse(before.tests)),
  }
  return {
    ...described,
    blocks: leftOut.has('blocks')
      ? blocksBeside(described, blocks, leftOut)
      : { ...compiledOf(blocks, isOlder), ...asset.blocks },
    details: detailsBeside(asset, leftOut, JSON.parse(before.details)),
  }
}

/** The compiled SQL is that of its definition. */
function compiledOf({ compiled }: Values, isOlder: boolean): Values {
  return compiled === undefined || isOlder ? {} : { compiled }
}

/** Blocks that are stored, with what a catalogue says of the same keys. */
function blocksBeside(asset: PackAsset, before: Values, leftOut: LeftOut): Values {
  const blocks: Record<string, unknown> = { ...before, ...asset.blocks }
  for (const key of ['description', 'owner', 'tags'] as const) {
    if (!leftOut.has(key) && blocks[key] !== undefined) blocks[key] = asset[key]
  }
  const limits = asset.details['freshness']
  if (limits !== undefined && blocks['freshness'] !== undefined) {
    blocks['freshness'] = limitsBeside(limits, blocks['freshness'])
  }
  return blocks
}

/** A limit stays as it is written where the catalogue says the same in seconds. */
function limitsBeside(told: unknown, written: unknown): unknown {
  const [seconds, texts] = [told ?? {}, written ?? {}] as [Values, Values]
  const limit = (key: 'warn_after' | 'error_after'): Values => {
    const said = seconds[`${key}_seconds`]
    const text = texts[key]
    if (typeof said !== 'number') return {}
    const isSame = typeof text === 'string' && parseDuration(text) === said * 1000
    return { [key]: isSame ? text : formatDuration(said * 1000) }
  }
  const { warn_after: _warn, error_after: _error, ...others } = texts
  return { ...others, ...limit('warn_after'), ...limit('error_after') }
}

/** Of an asset that is described anew, limits and the text's hash are those of its blocks. */
function detailsBeside(asset: PackAsset, leftOut: LeftOut, before: Values): Values {
  const { freshness, text_hash, columns_complete, ...facts } = before
  return {
    ...facts,
    ...(leftOut.has('blocks') && freshness !== undefined && { freshness }),
    ...(leftOut.has('blocks') && text_hash !== undefined && { text_hash }),
    ...(leftOut.has('columns') && columns_complete !== undefined && { columns_complete }),
    ...asset.details,
  }
}

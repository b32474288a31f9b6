/**
 * Packs origins and mentions into texts: ten thousand statements have half a million of them, and few are
 * asked for.
 */
import type { ColumnOrigin } from '../language/index.ts'
import type { Mention } from './uses.ts'

export type PackedOrigin = readonly [asset: string, column: string, source?: string]

/** JSON: a list of `[start, end, ...origin]`. */
export type PackedMentions = string

type PackedMention = readonly [start: number, end: number, ...origin: PackedOrigin]

export const noMentions: PackedMentions = '[]'

export function packedOrigin({ asset, column, source }: ColumnOrigin): PackedOrigin {
  return source === undefined ? [asset, column] : [asset, column, source]
}

export function unpackedOrigin([asset, column, source]: PackedOrigin): ColumnOrigin {
  return source === undefined ? { asset, column } : { asset, column, source }
}

export function packedMentions(mentions: readonly Mention[]): PackedMentions {
  return JSON.stringify(
    mentions.map(({ start, end, origin }): PackedMention => [start, end, ...packedOrigin(origin)]),
  )
}

export function unpackedMentions(packed: PackedMentions): readonly Mention[] {
  return (JSON.parse(packed) as readonly PackedMention[]).map(([start, end, ...origin]) => ({
    start,
    end,
    origin: unpackedOrigin(origin),
  }))
}

/** What an asset has from `defaults` in `svc.yaml`, beside the blocks of its own file. */
import { type Asset, inheritedKeys, plainValue, type Settings } from '@svc/server/language'

type Blocks = Readonly<Record<string, unknown>>

/** Returns only what the file does not say itself; undefined if that is nothing. */
export function inheritedBlocks(asset: Asset, settings: Settings): Blocks | undefined {
  if (asset.inherited === undefined) return undefined
  const keys = inheritedKeys(asset, settings)
  const nested = keys.map(({ path, node }) =>
    path.reduceRight<unknown>((inner, step) => ({ [step]: inner }), plainValue(node)),
  )
  return keys.length === 0 ? undefined : (nested as Blocks[]).reduce(merged)
}

/** Returns the blocks as the asset is meant, for readers that see no `svc.yaml`. */
export function wholeBlocks(blocks: Blocks, inherited: Blocks | undefined): Blocks {
  return inherited === undefined ? blocks : merged(inherited, blocks)
}

/** `more` wins, key by key, and lists add up. */
function merged(all: Blocks, more: Blocks): Blocks {
  const result: Record<string, unknown> = { ...all }
  for (const [name, value] of Object.entries(more)) result[name] = mergedValue(all[name], value)
  return result
}

function mergedValue(before: unknown, value: unknown): unknown {
  if (isBlocks(before) && isBlocks(value)) return merged(before, value)
  if (!Array.isArray(before) && !Array.isArray(value)) return value
  return before === undefined ? value : [...new Set([before, value].flat())]
}

function isBlocks(value: unknown): value is Blocks {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Caches the hashes of an asset: those of an unchanged file are known from the last start. */
import type { Engine } from '../engines/engine.ts'
import { getOrInsertComputed } from '../get-or-insert.ts'
import { asWritten } from '../macros/expand-asset.ts'
import type { TestDefinition } from '../schema/definition.ts'
import { definitionHash, rawDefinitionHash, testHash, type Vars } from './identity.ts'
import type { Asset, Hash } from './project.ts'
import { type KnownHashes, storedFacts } from './stored-asset.ts'
import { builtTemplates } from './templates.ts'

type Known = { -readonly [Key in keyof KnownHashes]: KnownHashes[Key] }

const known = new WeakMap<Asset, Known>()

/** Returns `definitionHash`, from the cache if possible. */
export function knownDefinitionHash(asset: Asset, engine: Engine, vars: Vars, hash: Hash): string {
  // Variables differ by environment, so such a hash is not cached.
  if (builtTemplates(asset).some(({ tags }) => tags.some(tag => tag.kind === 'var')))
    return definitionHash(asset, engine, vars, hash)
  return (
    knownBefore(asset)?.definition ?? noted(asset, 'definition', definitionHash(asset, engine, vars, hash))
  )
}

/** Returns `rawDefinitionHash`, from the cache if possible. */
export function knownRawHash(given: Asset, hash: Hash): string {
  const asset = asWritten(given)
  return knownBefore(asset)?.raw ?? noted(asset, 'raw', rawDefinitionHash(asset, hash))
}

/** Returns `testHash`, from the cache if possible. */
export function knownTestHash(
  given: Asset,
  test: TestDefinition,
  engine: Engine,
  hash: Hash,
  vars: Vars,
): string {
  const written = asWritten(given)
  const asset = written.testSql.get(test.index) === given.testSql.get(test.index) ? written : given
  const isPlain = !asset.testSql.get(test.index)?.tags.some(tag => tag.kind === 'var')
  const before = isPlain ? knownBefore(asset)?.tests?.[test.index] : undefined
  if (before !== undefined) return before
  const computed = testHash(asset, test, engine, hash, vars)
  const hashes = knownOf(asset)
  if (isPlain) hashes.tests = { ...hashes.tests, [test.index]: computed }
  return computed
}

/** Returns the hashes known so far; undefined if there are none. */
export function hashesOf(asset: Asset): KnownHashes | undefined {
  return known.get(asset)
}

function knownBefore(asset: Asset): KnownHashes | undefined {
  return known.get(asset) ?? storedFacts(asset)?.hashes
}

function noted(asset: Asset, which: 'definition' | 'raw', computed: string): string {
  knownOf(asset)[which] = computed
  return computed
}

/** Returns the mutable cache entry of the asset. */
function knownOf(asset: Asset): Known {
  return getOrInsertComputed(known, asset, () => ({ ...storedFacts(asset)?.hashes }))
}

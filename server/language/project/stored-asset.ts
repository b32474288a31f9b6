/**
 * An asset that stands for an unchanged file without having parsed it: what most commands ask for comes from facts
 * kept since the last time, and only who asks for the tree, the text or a place makes the parser work.
 */
import type { AssetDefinition } from '../schema/definition.ts'
import type { SqlTemplate, Tag } from '../syntax/template.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import type { Asset, Ref } from './project.ts'

/** What is kept of a parsed file. Plain JSON. */
export interface AssetFacts {
  readonly name: string
  readonly definition: AssetDefinition
  /** Tags of the transform; absent where there is no SQL. */
  readonly tags?: readonly Tag[]
  /** Tags of `sql` tests, by index in the file's list. */
  readonly testTags?: readonly (readonly [number, readonly Tag[]])[]
  readonly refs?: readonly (readonly [name: string, from: Ref['from']])[]
  /** What parsing found. */
  readonly diagnostics?: readonly Diagnostic[]
  /** What the checks that look at one file alone found. */
  readonly fileProblems?: readonly Diagnostic[]
  /** Hashes that somebody asked for (`identity.ts`). */
  readonly hashes?: KnownHashes
}

export interface KnownHashes {
  /** Only where the definition uses no variables. */
  readonly definition?: string
  readonly raw?: string
}

export interface StoredFile {
  readonly path: string
  readonly textHash: string
  readonly facts: () => AssetFacts
  /** Reads and parses the file itself. */
  readonly parse: () => Asset
}

const factsByAsset = new WeakMap<Asset, () => AssetFacts>()

/** The facts that an asset was made from; undefined for one that was parsed. */
export function storedFacts(asset: Asset): AssetFacts | undefined {
  return factsByAsset.get(asset)?.()
}

export function storedAsset({ path, textHash, facts: load, parse: parseFile }: StoredFile): Asset {
  const facts = once(load)
  const parsed = once(parseFile)
  const sql = once(() => storedTemplate(facts().tags, () => parsed().sql))
  const testSql = once(() => storedTests(facts().testTags ?? [], parsed))
  const refs = once(() =>
    (facts().refs ?? []).map((ref, index) => storedRef(ref, () => parsed().refs[index])),
  )
  const asset: Asset = {
    path,
    textHash,
    get text() {
      return parsed().text
    },
    get tree() {
      return parsed().tree
    },
    get name() {
      return facts().name
    },
    get definition() {
      return facts().definition
    },
    get sql() {
      return sql()
    },
    get testSql() {
      return testSql()
    },
    get refs() {
      return refs()
    },
    get diagnostics() {
      return facts().diagnostics ?? []
    },
  }
  factsByAsset.set(asset, facts)
  return asset
}

function storedTests(tests: NonNullable<AssetFacts['testTags']>, parsed: () => Asset) {
  const templates = new Map<number, SqlTemplate>()
  for (const [index, tags] of tests) {
    const template = storedTemplate(tags, () => parsed().testSql.get(index))
    if (template !== undefined) templates.set(index, template)
  }
  return templates
}

function storedTemplate(
  tags: readonly Tag[] | undefined,
  parsed: () => SqlTemplate | undefined,
): SqlTemplate | undefined {
  if (tags === undefined) return undefined
  return {
    tags,
    get text() {
      return parsed()?.text ?? ''
    },
    toFile: {
      toOriginal: offset => parsed()?.toFile.toOriginal(offset) ?? 0,
      rangeToOriginal: range => parsed()?.toFile.rangeToOriginal(range) ?? range,
    },
  }
}

function storedRef([name, from]: readonly [string, Ref['from']], parsed: () => Ref | undefined): Ref {
  return {
    name,
    from,
    get range() {
      return parsed()?.range ?? { start: 0, end: 0 }
    },
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

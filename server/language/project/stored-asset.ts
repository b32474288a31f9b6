/**
 * An asset that stands for an unchanged file without having parsed it: what most commands ask for comes from facts
 * kept since the last time, and only who asks for the tree or a place makes the parser work.
 */
import type { AssetDefinition } from '../schema/definition.ts'
import type { SqlTemplate, Tag } from '../syntax/template.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import type { Asset, Hook, Ref } from './project.ts'

/** The stored facts of a parsed file, as plain JSON. */
export interface AssetFacts {
  readonly name: string
  readonly definition: AssetDefinition
  /** The tags of the transform; absent if there is no SQL. */
  readonly tags?: readonly Tag[]
  readonly hasPython?: boolean
  /** The tags of `sql` tests by index in the file's list. */
  readonly testTags?: readonly (readonly [number, readonly Tag[]])[]
  /** The tags of hooks. */
  readonly hookTags?: readonly (readonly [Hook['when'], number, readonly Tag[]])[]
  readonly refs?: readonly (readonly [name: string, from: Ref['from'], isElsewhere?: true])[]
  /** The parser's diagnostics. */
  readonly diagnostics?: readonly Diagnostic[]
  /** The diagnostics of the checks that read one file alone. */
  readonly fileProblems?: readonly Diagnostic[]
  /** The hashes that were computed (`identity.ts`). */
  readonly hashes?: KnownHashes
}

export interface KnownHashes {
  /** Present only if the definition uses no variables. */
  readonly definition?: string
  readonly raw?: string
  /** The hashes of tests that use no variables, by index in the file's list. */
  readonly tests?: Readonly<Record<number, string>>
}

export interface StoredFile {
  readonly path: string
  readonly textHash: string
  readonly inherited?: Asset['inherited']
  readonly readWith?: string | undefined
  readonly facts: () => AssetFacts
  /** Returns the text of the transform's SQL, or '' if it was not stored. */
  readonly sql?: () => string
  /** Reads the file itself. */
  readonly read: () => string
  readonly parse: (text: string) => Asset
}

/** Returns the facts that an asset was made from; undefined for one that was parsed. */
export function storedFacts(asset: Asset): AssetFacts | undefined {
  return asset instanceof StoredAsset ? asset.facts : undefined
}

export function storedAsset(file: StoredFile): Asset {
  return new StoredAsset(file)
}

/** It is a class because ten thousand are made at every start: closures would cost more than they save. */
class StoredAsset implements Asset {
  readonly path: string
  readonly textHash: string
  readonly inherited: Asset['inherited']
  readonly readWith: string | undefined
  readonly #file: StoredFile
  #facts: AssetFacts | undefined
  #text: string | undefined
  #parsed: Asset | undefined
  #sql: SqlTemplate | undefined
  #testSql: ReadonlyMap<number, SqlTemplate> | undefined
  #hooks: readonly Hook[] | undefined
  #refs: readonly Ref[] | undefined

  constructor(file: StoredFile) {
    this.path = file.path
    this.textHash = file.textHash
    this.inherited = file.inherited
    this.readWith = file.readWith
    this.#file = file
  }

  get facts(): AssetFacts {
    this.#facts ??= this.#file.facts()
    return this.#facts
  }

  #parse(): Asset {
    this.#parsed ??= this.#file.parse(this.text)
    return this.#parsed
  }

  get text() {
    this.#text ??= this.#file.read()
    return this.#text
  }

  get tree() {
    return this.#parse().tree
  }

  get name() {
    return this.facts.name
  }

  get definition() {
    return this.facts.definition
  }

  get diagnostics() {
    return this.facts.diagnostics ?? []
  }

  get sql() {
    this.#sql ??= storedTemplate(this.facts.tags, () => this.#parse().sql, this.#file.sql)
    return this.#sql
  }

  get python() {
    return this.hasPython ? this.#parse().python : undefined
  }

  get hasPython() {
    return this.facts.hasPython === true
  }

  get testSql() {
    const { testTags } = this.facts
    if (testTags === undefined) return noTests
    this.#testSql ??= storedTests(testTags, () => this.#parse())
    return this.#testSql
  }

  get hooks() {
    const { hookTags } = this.facts
    if (hookTags === undefined) return noHooks
    this.#hooks ??= storedHooks(hookTags, () => this.#parse())
    return this.#hooks
  }

  get refs() {
    this.#refs ??= (this.facts.refs ?? []).map((ref, index) =>
      storedRef(ref, () => this.#parse().refs[index]),
    )
    return this.#refs
  }
}

const noTests: ReadonlyMap<number, SqlTemplate> = new Map()

function storedTests(tests: NonNullable<AssetFacts['testTags']>, parsed: () => Asset) {
  const templates = new Map<number, SqlTemplate>()
  for (const [index, tags] of tests) {
    const template = storedTemplate(tags, () => parsed().testSql.get(index))
    if (template !== undefined) templates.set(index, template)
  }
  return templates
}

const noHooks: readonly Hook[] = []

function storedHooks(hooks: NonNullable<AssetFacts['hookTags']>, parsed: () => Asset): readonly Hook[] {
  return hooks.flatMap(([when, index, tags], place) => {
    const template = storedTemplate(tags, () => parsed().hooks[place]?.template)
    return template === undefined ? [] : [{ when, index, template }]
  })
}

function storedTemplate(
  tags: readonly Tag[] | undefined,
  parsed: () => SqlTemplate | undefined,
  kept: () => string = () => '',
): SqlTemplate | undefined {
  if (tags === undefined) return undefined
  let text = ''
  return {
    tags,
    get text() {
      if (text === '') text = kept() || (parsed()?.text ?? '')
      return text
    },
    toFile: {
      toOriginal: offset => parsed()?.toFile.toOriginal(offset) ?? 0,
      rangeToOriginal: range => parsed()?.toFile.rangeToOriginal(range) ?? range,
    },
  }
}

function storedRef(
  [name, from, isElsewhere]: readonly [string, Ref['from'], true?],
  parsed: () => Ref | undefined,
): Ref {
  return {
    name,
    from,
    ...(isElsewhere && { isElsewhere }),
    get range() {
      return parsed()?.range ?? { start: 0, end: 0 }
    },
  }
}

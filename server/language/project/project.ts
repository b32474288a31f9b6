import type { Engine } from '../engines/engine.ts'
import type { Glossary } from '../glossary/glossary.ts'
import type { PythonBlock } from '../python/python-block.ts'
import type { AssetDefinition, JsonScalar } from '../schema/definition.ts'
import type { Node } from '../syntax/node.ts'
import type { SqlTemplate } from '../syntax/template.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import type { Range } from '../text/range.ts'

/** Hash of a text as lower-case hex (SHA-256). Comes in as an argument: the language has no crypto of its own. */
export type Hash = (text: string) => string

/** A mention of another asset: `{{ ref('x') }}` in SQL or in a test, `svc.ref("x")` in Python, or the target of a `relationships` test. */
export interface Ref {
  readonly name: string
  /** Of the name itself, in the file. */
  readonly range: Range
  /** A ref of `transform` is a dependency of the build; one of a test only of that test. */
  readonly from: 'transform' | 'test'
}

/** One parsed `.svc` file. Parsing never fails: what is missing has its default, what is wrong is a diagnostic. */
export interface Asset {
  readonly path: string
  readonly text: string
  /** Hash of `text`: the key of every cache. */
  readonly textHash: string
  readonly tree: Node | undefined
  /** `definition.name`, or the file's stem where the file has none. */
  readonly name: string
  readonly definition: AssetDefinition
  /** The SQL of `transform`; undefined where there is none to read. */
  readonly sql: SqlTemplate | undefined
  /** The Python of `transform`, which is checked and not run yet. */
  readonly python?: PythonBlock | undefined
  /** The same without reading it. */
  readonly hasPython?: boolean
  /** The SQL of `sql` tests, by index in the file's `tests` list. */
  readonly testSql: ReadonlyMap<number, SqlTemplate>
  readonly refs: readonly Ref[]
  /** Of syntax and schema, found while parsing. Checks add theirs later. */
  readonly diagnostics: readonly Diagnostic[]
}

/** `svc.yaml`, read (decisions 2). */
export interface Settings {
  readonly name: string
  /** URL or `env:NAME`. */
  readonly warehouse: string
  readonly defaultSchema: string
  /** Folder of the assets, relative to the root, with a trailing slash. */
  readonly models: string
  readonly environments: Readonly<Record<string, EnvironmentSettings>>
  readonly vars: Readonly<Record<string, JsonScalar>>
  readonly extensions: readonly ExtensionSetting[]
  readonly limits: { readonly sql: SqlLimits }
  readonly diagnostics: readonly Diagnostic[]
  /** The file itself, for checks that look at its text; absent where there is none. */
  readonly file?: { readonly text: string; readonly tree: Node | undefined }
}

/** An extension of the engine. */
export interface ExtensionSetting {
  readonly name: string
  /** Of its file, relative to the project's root; absent: one that the engine installs by itself. */
  readonly path?: string
}

/** How much it may take to check one statement, or to run one of a unit test. */
export interface SqlLimits {
  /** Time in which the processor worked for it. */
  readonly timeMs: number
  readonly memoryBytes: number
}

export interface EnvironmentSettings {
  readonly warehouse?: string
  readonly schema?: string
  readonly vars: Readonly<Record<string, JsonScalar>>
}

/**
 * An immutable snapshot of a project. `with` gives a new one that shares every unchanged asset; what is derived
 * (graph, order, columns) is memoised per snapshot and never stored on the assets.
 */
export interface Project {
  readonly settings: Settings
  /** Of its warehouses, which are all of one kind. */
  readonly engine: Engine
  /** `glossary.yaml`; empty where there is none. */
  readonly glossary: Glossary
  /** By path, in path order. */
  readonly assets: ReadonlyMap<string, Asset>
  /** First asset of each name, in path order; duplicates are diagnostics. Disabled assets are not in it. */
  readonly byName: ReadonlyMap<string, Asset>
  /** Names of existing assets that `name`'s transform reads, sorted. */
  parents(name: string): readonly string[]
  /** Names of assets whose transform reads `name`, sorted. */
  children(name: string): readonly string[]
  /** All names, parents before children. Members of cycles come last, in name order. */
  readonly order: readonly string[]
  /** Each cycle once, as its path: first name is repeated at the end. */
  readonly cycles: readonly (readonly string[])[]
  /** `text` undefined removes the file. */
  with(path: string, text: string | undefined): Project
  /** The same for many files at once, which costs one new snapshot and not one for each of them. */
  withFiles(texts: ReadonlyMap<string, string | undefined>): Project
  withSettings(settings: Settings): Project
  withGlossary(glossary: Glossary): Project
}

import type { Engine } from '../engines/engine.ts'
import type { Glossary } from '../glossary/glossary.ts'
import type { Macro, Macros } from '../macros/macro.ts'
import type { OwnTests } from '../own-tests/own-test.ts'
import type { PythonBlock } from '../python/python-block.ts'
import type {
  AssetDefinition,
  Destination,
  JsonScalar,
  Notifier,
  OpenLineage,
  SourceLimits,
} from '../schema/definition.ts'
import type { Node } from '../syntax/node.ts'
import type { SqlTemplate } from '../syntax/template.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import type { Range } from '../text/range.ts'
import type { FolderDefaults, Inherited } from './folder-defaults.ts'

/**
 * Hashes a text with SHA-256 as lower-case hex. It is passed as an argument, because this layer has no access
 * to crypto.
 */
export type Hash = (text: string) => string

/**
 * A reference to another asset: `{{ ref('x') }}` in SQL or in a test, `svc.ref("x")` in Python, the target
 * of a `relationships` test, or the asset of `for_each`.
 */
export interface Ref {
  readonly name: string
  /** The range of the name itself in the file. */
  readonly range: Range
  /**
   * A ref of `transform` is a dependency of the build, one of `source` of the fetch before it, one of a test only of that test.
   */
  readonly from: 'transform' | 'source' | 'test'
  /** The name is written in the file of a test of one's own, and `range` is where the test is used. */
  readonly isElsewhere?: true
}

/** A statement that runs before or after the build of its asset, in the same transaction. */
export interface Hook {
  readonly when: 'before' | 'after'
  /** Its index in the list of the file. */
  readonly index: number
  readonly template: SqlTemplate
}

/** A parsed `.svc` file. Parsing never fails: missing keys get defaults and errors become diagnostics. */
export interface Asset {
  readonly path: string
  readonly text: string
  /** The hash of `text`: with `readWith` the key of every cache. */
  readonly textHash: string
  readonly tree: Node | undefined
  /** `definition.name`, or the stem of the file name if the file has no name. */
  readonly name: string
  readonly definition: AssetDefinition
  /** The SQL of `transform` with its macros expanded; undefined if there is none. */
  readonly sql: SqlTemplate | undefined
  /** The Python of `transform`, which is checked and not run yet. */
  readonly python?: PythonBlock | undefined
  /** Whether there is Python, without parsing it. */
  readonly hasPython?: boolean
  /** The SQL of `sql` tests by index in the file's `tests` list. */
  readonly testSql: ReadonlyMap<number, SqlTemplate>
  /** The statements of `deploy.before` and `deploy.after`, in order. */
  readonly hooks: readonly Hook[]
  readonly refs: readonly Ref[]
  /** What else it was read with (`read-with.ts`); absent if nothing. */
  readonly readWith?: string | undefined
  /** What `definition` has from `defaults` in `svc.yaml`; absent if no pattern fits. */
  readonly inherited?: Inherited | undefined
  /** The diagnostics of syntax and schema. Checks add theirs later. */
  readonly diagnostics: readonly Diagnostic[]
  /** The asset as its file has it; absent if that is this one, because it calls no macros. */
  readonly written?: Asset
  /** The macros that are expanded in its SQL. */
  readonly macros?: readonly Macro[]
  /** A hash of how macros were expanded: whatever is known of the SQL holds as long as it and `textHash` stay. */
  readonly macroHash?: string
}

/** The parsed `svc.yaml` (decisions 2). */
export interface Settings {
  readonly name: string
  /** A URL or `env:NAME`. */
  readonly warehouse: string
  /** The environment whose engine checks and completes the files: `--env`, or what an editor has chosen. */
  readonly environment: string
  /** The engine of that environment. */
  readonly engine: Engine
  /** The engines of the environments that the settings name; undefined where the variable of an address is not set. */
  readonly engines: ReadonlyMap<string, Engine | undefined>
  readonly defaultSchema: string
  /** The folder of the assets, relative to the root, with a trailing slash. */
  readonly models: string
  readonly environments: Readonly<Record<string, EnvironmentSettings>>
  readonly vars: Readonly<Record<string, JsonScalar>>
  /** The keys of assets by patterns of paths, in the order in which they are written. */
  readonly defaults: readonly FolderDefaults[]
  /** The tests of `tests/*.sql`, which are no part of `svc.yaml`, but of what an asset is read with. */
  readonly ownTests: OwnTests
  /** The systems that assets are published to, by name. */
  readonly destinations: Readonly<Record<string, Destination>>
  /** Who is told when a run fails or data are late, by name. */
  readonly notify: Readonly<Record<string, Notifier>>
  /** Where OpenLineage events of runs go; absent if nowhere. */
  readonly openlineage?: OpenLineage
  readonly extensions: readonly ExtensionSetting[]
  readonly limits: {
    readonly sql: SqlLimits
    /** Those that are written, for sources whose asset does not say them itself. */
    readonly ingest: Partial<SourceLimits>
  }
  readonly ai: AiSettings
  readonly diagnostics: readonly Diagnostic[]
  /** The file, for checks that read its text; absent if there is none. */
  readonly file?: { readonly text: string; readonly tree: Node | undefined }
}

/** The language model of `svc ai`, as far as a file names it. */
export interface AiSettings {
  readonly provider?: 'openai' | 'anthropic' | 'gemini' | 'ollama' | 'transformers'
  readonly model?: string
  /** `env:NAME`; in the file of the user's home also a key as it is. */
  readonly apiKey?: string
  readonly endpoint?: string
  readonly timeoutMs?: number
  /** Of a million tokens. */
  readonly price?: { readonly input: number; readonly output: number }
}

/** An extension of the engine. */
export interface ExtensionSetting {
  readonly name: string
  /** The path of its file relative to the project's root; absent for one that the engine installs itself. */
  readonly path?: string
}

/** The limits for checking one statement, or for running one of a unit test. */
export interface SqlLimits {
  /** CPU time in milliseconds. */
  readonly timeMs: number
  readonly memoryBytes: number
  /** Of one SQL text. */
  readonly characters: number
  /** Of an asset that have SQL. */
  readonly tests: number
}

/** How much of a run is promoted if something fails (decisions 8): everything or nothing, or what passed. */
export type PromotionMode = 'whole' | 'passed'

/** How a promotion meets transactions of readers that hold its views, on an engine whose readers do. */
export interface PromotionPatience {
  /** How sessions are treated that do nothing in such a transaction, when the wait is over. */
  readonly blockers: 'wait' | 'cancel'
  readonly waitMs: number
}

export interface PromotionSettings extends PromotionPatience {
  readonly what: PromotionMode
}

/** Whether new warnings are shown, or fail a run before its promotion (decisions 9). */
export type WarningMode = 'show' | 'fail'

export interface EnvironmentSettings {
  readonly promotion?: PromotionSettings
  readonly warnings?: WarningMode
  readonly warehouse?: string
  readonly schema?: string
  readonly vars: Readonly<Record<string, JsonScalar>>
}

/**
 * An immutable snapshot of a project. `with` returns a new one that shares every unchanged asset; derived
 * data (graph, order, columns) is cached per snapshot and never stored on the assets.
 */
export interface Project {
  readonly settings: Settings
  /** The engine of its warehouses, which are all of one kind. */
  readonly engine: Engine
  /** The parsed `glossary.yaml`; empty if there is none. */
  readonly glossary: Glossary
  /** The macros of `macros/`, expanded in the SQL of its assets. */
  readonly macros: Macros
  /** The assets by path, in path order. */
  readonly assets: ReadonlyMap<string, Asset>
  /** The first asset of each name, in path order; duplicates are reported. Disabled assets are left out. */
  readonly byName: ReadonlyMap<string, Asset>
  /** Returns the existing assets that the transform or the source of `name` reads, sorted. */
  parents(name: string): readonly string[]
  /** Returns the assets whose transform or source reads `name`, sorted. */
  children(name: string): readonly string[]
  /** All names, parents before children. Members of cycles come last, in name order. */
  readonly order: readonly string[]
  /** Each cycle once, as a path that repeats its first name at the end. */
  readonly cycles: readonly (readonly string[])[]
  /** Returns a snapshot with the file; `text` undefined removes it. */
  with(path: string, text: string | undefined): Project
  /** Returns a snapshot with several files, which costs one snapshot and not one per file. */
  withFiles(texts: ReadonlyMap<string, string | undefined>): Project
  withSettings(settings: Settings): Project
  withGlossary(glossary: Glossary): Project
  /** Assets that use none of the changed macros stay the same. */
  withMacros(macros: Macros): Project
}

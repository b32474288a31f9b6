/**
 * Turns a catalogue's analyses into texts that outlive the process, and back into entries. The texts are
 * parsed on demand: a start with ten thousand unchanged assets parses almost none.
 */
import type {
  Asset,
  AssetAnalysis,
  Column,
  ColumnLineage,
  ColumnUse,
  Diagnostic,
  Engine,
  RowUse,
  SqlTemplate,
  UnitTestResult,
} from '../language/index.ts'
import { once } from '../language/once.ts'
import type { Bound } from './bound.ts'
import {
  noMentions,
  type PackedMentions,
  type PackedOrigin,
  packedOrigin,
  unpackedMentions,
  unpackedOrigin,
} from './packed.ts'
import { assetShape, openShape } from './shape.ts'
import { conditionsOf } from './test-conditions.ts'
import type { TestsBound } from './tests-sql.ts'
import { usesInFile } from './uses.ts'

/** The stored analysis of one asset. */
export interface KeptAnalysis {
  /** See `cachePath`. */
  readonly path: string
  /** The hash of the file that was analyzed. */
  readonly textHash: string
  /** See `Asset.readWith`; '' if nothing. */
  readonly readWith: string
  /** `outsideSignature` of the asset. */
  readonly outside: string
  /**
   * When it stays valid: 'always' while the asset and its inputs are unchanged, 'unless-others-change' only
   * if nothing in the project changed, or 'never'.
   */
  readonly holds: 'always' | 'unless-others-change' | 'never'
  /** JSON of columns, diagnostics and what is known of the output. */
  readonly head: string
  readonly lineage: string
  readonly uses: string
}

export interface CatalogMemory {
  /** The signature of the variables that SQL may use and of the extensions that were loaded. */
  readonly vars: string
  /** By the name of the asset, or the key of the metric. */
  readonly entries: ReadonlyMap<string, KeptAnalysis>
}

export const emptyMemory: CatalogMemory = { vars: '', entries: new Map() }

interface Head {
  readonly columns: readonly (readonly [name: string, type: string | null])[]
  readonly complete: boolean
  readonly also?: readonly string[]
  /** Names of columns with few distinct values, if their types do not imply it. */
  readonly few?: readonly string[]
  readonly volatile?: true
  readonly own?: readonly string[]
  /** See `AssetAnalysis.namesFrom`. */
  readonly namesFrom?: readonly PackedOrigin[]
  readonly unsure?: true
  readonly diagnostics?: readonly Diagnostic[]
  /** Present if there are tests with SQL. */
  readonly testDiagnostics?: readonly Diagnostic[]
  /** Present if unit tests have run. */
  readonly units?: readonly UnitTestResult[]
  /** True if nothing is known of the output: there is no SQL, or none that can be parsed. */
  readonly open?: true
}

// ---------------------------------------------------------------- to texts

export interface Keepable {
  readonly bound: Bound
  readonly tests: TestsBound | undefined
  readonly units: readonly UnitTestResult[] | undefined
}

/** Returns the text of the head. `withDiagnostics` is false if diagnostics may contain secrets. */
export function keptHead(
  { bound, tests, units }: Keepable,
  withDiagnostics: boolean,
  { binding }: Engine,
): string {
  const { shape, columns, volatile, diagnostics } = bound
  const few = shape.values.flatMap(({ name, value }) => (value.few ? binding.fold(name) : []))
  const head: Head = {
    columns: columns.map(({ name, type }) => [name, type ?? null]),
    complete: shape.complete,
    ...(shape.also.length > 0 && { also: shape.also.map(column => column.name) }),
    ...(volatile && { volatile }),
    ...(bound.ownColumns && { own: bound.ownColumns }),
    ...(bound.namesFrom && { namesFrom: bound.namesFrom.map(packedOrigin) }),
    ...(bound.isUnsure && { unsure: true }),
    ...(withDiagnostics && diagnostics.length > 0 && { diagnostics }),
    ...(tests && { testDiagnostics: withDiagnostics ? tests.diagnostics : [] }),
    ...(units && withDiagnostics && { units }),
    ...(few.length > 0 && { few }),
    ...(shape === openShape && { open: true }),
  }
  return JSON.stringify(head)
}

export function keptLineage({ bound }: Keepable): string {
  return JSON.stringify([bound.lineage.map(packedLineage), bound.rowUses.map(packedRowUse)])
}

type PackedFlow = readonly [lines: readonly PackedLineage[], uses: readonly PackedRowUse[]]

type PackedRowUse = readonly [origin: PackedOrigin, ...clauses: RowUse['clauses']]

function packedRowUse({ origin, clauses }: RowUse): PackedRowUse {
  return [packedOrigin(origin), ...clauses]
}

export function keptUses({ bound, tests }: Keepable): string {
  return `[${[bound.mentions, ...(tests?.mentions ?? [])].join(',')}]`
}

type PackedLineage = readonly [
  column: string,
  isDirect: 0 | 1,
  from: readonly PackedOrigin[],
  hidden?: readonly PackedOrigin[],
  transform?: string,
]

function packedLineage({ column, kind, from, hidden, transform }: ColumnLineage): PackedLineage {
  const isDirect = kind === 'direct' ? 1 : 0
  const origins = from.map(packedOrigin)
  if (transform !== undefined) return [column, isDirect, origins, (hidden ?? []).map(packedOrigin), transform]
  return hidden === undefined
    ? [column, isDirect, origins]
    : [column, isDirect, origins, hidden.map(packedOrigin)]
}

// ---------------------------------------------------------------- from texts

/** It is a class because ten thousand are made at start-up: closures would cost more than they save. */
class Revived implements AssetAnalysis {
  readonly name: string
  readonly #kept: KeptAnalysis
  readonly #asset: Asset | undefined
  #head: Head | undefined
  #columns: readonly Column[] | undefined
  #units: readonly UnitTestResult[] | undefined
  #lineage: readonly ColumnLineage[] | undefined
  #rowUses: readonly RowUse[] | undefined
  #mentions: readonly PackedMentions[] | undefined

  constructor(name: string, kept: KeptAnalysis, asset: Asset | undefined) {
    this.name = name
    this.#kept = kept
    this.#asset = asset
  }

  get head(): Head {
    this.#head ??= JSON.parse(this.#kept.head) as Head
    return this.#head
  }

  get columns() {
    this.#columns ??= this.head.columns.map(unpackedColumn)
    return this.#columns
  }

  get complete() {
    return this.head.complete && this.head.also === undefined && this.head.unsure !== true
  }

  get ownColumns() {
    return this.head.own
  }

  get namesFrom() {
    return this.head.namesFrom?.map(unpackedOrigin)
  }

  get lineage() {
    this.#unpackLineage()
    return this.#lineage ?? []
  }

  get rowUses() {
    this.#unpackLineage()
    return this.#rowUses ?? []
  }

  #unpackLineage(): void {
    if (this.#lineage !== undefined) return
    const [lines, uses] = JSON.parse(this.#kept.lineage) as PackedFlow
    this.#lineage = lines.map(unpackedLineage)
    this.#rowUses = uses.map(([origin, ...clauses]) => ({ origin: unpackedOrigin(origin), clauses }))
  }

  get diagnostics() {
    const { diagnostics = none, testDiagnostics = none, units = [] } = this.head
    if (testDiagnostics.length + units.length === 0) return diagnostics
    return [...diagnostics, ...testDiagnostics, ...units.flatMap(unit => unit.diagnostics)]
  }

  get unitTests() {
    this.#units ??= this.head.units?.map(unit => ({ ...unit, ran: false }))
    return this.#units
  }

  get volatile() {
    // Every asset is asked and almost none is volatile, so the text is searched before it is parsed.
    return this.#kept.head.includes('"volatile":') && this.head.volatile === true
  }

  get uses() {
    return [...this.transformUses(), ...this.testUses()]
  }

  /** Returns the mentions of the transform, then those of each test. */
  get mentions(): readonly PackedMentions[] {
    this.#mentions ??= (JSON.parse(this.#kept.uses) as readonly unknown[]).map(each => JSON.stringify(each))
    return this.#mentions
  }

  transformUses(): ColumnUse[] {
    return this.#asset === undefined ? [] : usesIn(this.#asset.sql, this.mentions[0])
  }

  testUses(): ColumnUse[] {
    const mentions = this.mentions.slice(1)
    if (this.#asset === undefined || mentions.length === 0) return []
    const templates = [...this.#asset.testSql.values(), ...conditionsOf(this.#asset)]
    return templates.flatMap((template, index) => usesIn(template, mentions[index]))
  }
}

const none: readonly Diagnostic[] = []

export function revivedAnalysis(name: string, kept: KeptAnalysis, asset: Asset): AssetAnalysis {
  return new Revived(name, kept, asset)
}

/**
 * Makes an entry from stored texts. `asset` is undefined if its file has changed, so that places would be
 * wrong.
 */
export function revivedEntry(name: string, kept: KeptAnalysis, asset: Asset | undefined, engine: Engine) {
  const analysis = new Revived(name, kept, asset)
  const bound = once(() => revivedBound(analysis, engine))
  return {
    analysis,
    get bound() {
      return bound()
    },
    get tests() {
      return revivedTests(analysis)
    },
    get units() {
      return analysis.unitTests
    },
    get lastGood() {
      const { shape, diagnostics } = bound()
      const isGood = shape !== openShape && diagnostics.every(({ severity }) => severity !== 'error')
      return isGood ? shape : undefined
    },
    ...(asset !== undefined && { kept }),
  }
}

function revivedBound(revived: Revived, engine: Engine): Bound {
  const { head, name, columns } = revived
  const { complete, also } = head
  const output = { columns, complete, also, few: new Set(head.few) }
  return {
    shape: head.open === true ? openShape : assetShape(name, output, engine),
    columns,
    get lineage() {
      return revived.lineage
    },
    get rowUses() {
      return revived.rowUses
    },
    diagnostics: head.diagnostics ?? none,
    volatile: revived.volatile,
    ...(head.own && { ownColumns: head.own }),
    ...(revived.namesFrom && { namesFrom: revived.namesFrom }),
    ...(head.unsure && { isUnsure: true }),
    get mentions() {
      return revived.mentions[0] ?? noMentions
    },
    uses: () => revived.transformUses(),
  }
}

function revivedTests(revived: Revived): TestsBound | undefined {
  const diagnostics = revived.head.testDiagnostics
  if (diagnostics === undefined) return undefined
  return {
    diagnostics,
    uses: () => revived.testUses(),
    get mentions() {
      return revived.mentions.slice(1)
    },
  }
}

function unpackedColumn([name, type]: readonly [string, string | null]): Column {
  return { name, type: type ?? undefined }
}

function unpackedLineage([column, isDirect, from, hidden = [], transform]: PackedLineage): ColumnLineage {
  const kind = isDirect === 1 ? 'direct' : 'derived'
  return {
    column,
    from: from.map(unpackedOrigin),
    kind,
    ...(hidden.length > 0 && { hidden: hidden.map(unpackedOrigin) }),
    ...(transform !== undefined && { transform }),
  }
}

function usesIn(template: SqlTemplate | undefined, mentions: PackedMentions | undefined): ColumnUse[] {
  return template === undefined || mentions === undefined
    ? []
    : usesInFile(unpackedMentions(mentions), template)
}

/**
 * Reads the columns of every source of a project from local facts (decisions 2): the contract, the rows or
 * the local files, and `schemas.lock.json`. It never uses the network and reads only the beginning of files.
 */
import { stat } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import {
  type Asset,
  certainType,
  clashOf,
  clashText,
  columnNamed,
  createRecordReader,
  type Diagnostic,
  type Engine,
  type Facts,
  formatOf,
  type Ingest,
  isDeclared,
  type LocalFiles,
  limitedIngest,
  localFilesOf,
  locate,
  lockedAsDeclared,
  type NodePath,
  newShape,
  ownRecordsOf,
  type Project,
  parseSchemaLock,
  partitionsOf,
  promisedType,
  type RawTable,
  type RawTables,
  rawTables,
  readFileOptions,
  type Settings,
  type SourceType,
  unmatchedMasks,
  withKnownLists,
  withPartitions,
} from '../language/index.ts'
import { once } from '../language/once.ts'
import { widenType } from '../language/source/column-type.ts'
import { toSnakeCase } from '../language/source/snake-case.ts'
import { newNameIndex } from '../language/text/name-index.ts'
import {
  fileReason,
  type GuessedRecordType,
  guessRecordType,
  type LocalReader,
  openLocalReader,
  type RefusedFile,
  TextFileError,
} from './embedded.ts'
import { findFiles, SearchRefused } from './source/find-files.ts'
import type { MayOpen } from './source/stays-inside.ts'

export interface SourceShapeOptions {
  /** The project's root, an absolute path. */
  readonly root: string
  /** The text of `schemas.lock.json`; undefined if there is none. */
  readonly lockText: string | undefined
  /** Earlier results; the caller keeps them between calls. */
  readonly cache?: SourceShapeCache
  /** Default: all may be. */
  readonly mayOpen?: MayOpen
}

export interface SourceShapeCache {
  /** Returns the guess for a key, which names the options, the files and their versions. */
  get(key: string): GuessedRecordType | undefined
  /** Stores a guess. `newestMs` is the latest change time of the files. */
  set(key: string, guess: GuessedRecordType, newestMs: number): void
}

/**
 * Reads the shapes of all sources. It never throws for the content of a file: a file that cannot be read gets
 * a warning on `ingest.resource`.
 * `excluded`: the known source columns that `include` and `exclude` leave out, by asset.
 * `locked`: the assets whose columns are known from `schemas.lock.json` alone, as they were at the last promotion.
 */
export async function readSourceShapes(project: Project, options: SourceShapeOptions) {
  const lock = parseSchemaLock(options.lockText, project.engine)
  const shapes = new Map<string, readonly RawTable[]>()
  const excluded = new Map<string, readonly string[]>()
  const fromLock = new Set<string>()
  const diagnostics: Diagnostic[] = lock.problem === undefined ? [] : [lock.problem]
  const assets = [...project.byName.values()].filter(({ definition }) => definition.ingest.type !== 'none')
  const looks = await lookAtAll(assets, options, project.settings)
  for (const [index, asset] of assets.entries()) {
    const locked = lock.shapes.get(asset.name)
    const source = sourceOf(asset, looks[index] ?? nothing, locked, project.engine)
    if (source.tables !== undefined) shapes.set(asset.name, source.tables)
    if (source.isLocked) fromLock.add(asset.name)
    if (source.excluded.length > 0) excluded.set(asset.name, source.excluded)
    diagnostics.push(...source.diagnostics)
  }
  return { shapes, excluded, diagnostics, locked: fromLock }
}

const looksAtOnce = 4

/**
 * Looks at several sources concurrently: a look mostly waits for DuckDB, which runs in threads of its own.
 */
async function lookAtAll(
  assets: readonly Asset[],
  options: SourceShapeOptions,
  settings: Settings,
): Promise<SourceLook[]> {
  const looks: SourceLook[] = []
  const queue = [...assets.entries()]
  const worker = async (): Promise<void> => {
    const looker = sourceLooker(options)
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [index, asset] = next
        looks[index] = await looker.look(limitedIngest(asset, settings))
      }
    } finally {
      looker.close()
    }
  }
  await Promise.all(Array.from({ length: Math.min(looksAtOnce, assets.length) }, worker))
  return looks
}

// ---------------------------------------------------------------- from a look to tables

/** The known facts of one asset's source. */
export interface AssetSource {
  /** Undefined if nothing is known of its columns. */
  readonly tables: readonly RawTable[] | undefined
  /** The columns that `include` and `exclude` leave out. */
  readonly excluded: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
  /** Whether the columns are known from the lock file alone. */
  readonly isLocked?: true
}

const noSource: AssetSource = { tables: undefined, excluded: [], diagnostics: [] }

/**
 * Combines a look with the lock file, without I/O. `locked` has the tables of `schemas.lock.json` for this
 * asset.
 */
export function sourceOf(
  asset: Asset,
  { guess, findings }: SourceLook,
  locked: readonly RawTable[] | undefined,
  engine: Engine,
): AssetSource {
  const { ingest, contract } = asset.definition
  if (ingest.type === 'none') return noSource
  const looked = findings.map(finding => diagnosticOf(asset, finding))
  // The lock file is preferred to a look: a run has read all records, a look only the first ones.
  if (locked !== undefined && guess?.complete !== true) {
    const tables = lockedAsDeclared(locked, ingest, contract, engine)
    return { tables, excluded: [], diagnostics: looked, isLocked: true }
  }
  const type = guess && withKnownLists(guess.type, locked ?? [], ingest)
  const read = rawTables(ingest, contract, type, engine)
  const problems = read.problems.map(problem => diagnosticOf(asset, { ...problem, severity: 'error' }))
  const unmatched =
    guess?.complete === true
      ? [...unmatchedPatterns(ingest, guess, read), ...lostMasks(asset, guess, read, locked)]
      : []
  const diagnostics = [...looked, ...problems, ...unmatched.map(finding => diagnosticOf(asset, finding))]
  if (guess === undefined && contract === undefined)
    return { tables: undefined, excluded: read.excluded, diagnostics }
  // If no column is left, that is reported above; the table counts as incomplete, so that the SQL gets no
  // errors for it too.
  const tables = withLoadedTypes(asset, read.tables, locked ?? [], engine).map(table => ({
    ...table,
    complete: table.complete && guess?.complete === true && table.columns.length > 0,
  }))
  return { tables, excluded: read.excluded, diagnostics }
}

/** Returns the tables with the types that a load gives their columns: those of earlier loads only widen. */
function withLoadedTypes(
  asset: Asset,
  tables: readonly RawTable[],
  locked: readonly RawTable[],
  engine: Engine,
): readonly RawTable[] {
  const { contract } = asset.definition
  // The tree of a file that has not changed would have to be parsed, and few loads join texts and other values.
  const becomesText = once(() => isDeclared(asset, ['contract', 'evolution']))
  return tables.map(table => {
    const loaded = locked.find(({ child }) => child === table.child)?.columns ?? []
    const columns = table.columns.map(column => {
      const isPromised = promisedType(contract, table.child, column.name) !== undefined
      const known = isPromised || column.system ? undefined : columnNamed(loaded, column.name, engine)
      const before = known?.type
      if (before === undefined || known?.masked !== column.masked) return column
      const wide = widenType(before, column.type, engine.types) ?? before
      // Text that joins values of another type is refused, unless the contract asks for it.
      const type = wide === engine.types.usual.text && wide !== before && !becomesText() ? before : wide
      return { ...column, type }
    })
    return { ...table, columns }
  })
}

/** Returns the patterns of `include`, `exclude` and `mask` that match no column, if all columns are known. */
function unmatchedPatterns(
  ingest: Exclude<Ingest, { type: 'none' }>,
  { type }: GuessedRecordType,
  { unmatched, tables }: RawTables,
): SourceFinding[] {
  const own = type.kind === 'struct' ? type.fields.map(field => field.name) : []
  const names = ingest.naming === 'snake' ? own.map(toSnakeCase) : own
  const isNothingLeft = tables[0]?.columns.some(column => !column.system) !== true
  const masks = Object.keys(ingest.mask).filter(name => name.includes('*'))
  const patterns = [
    ...(['include', 'exclude'] as const).flatMap(key =>
      ingest[key].map((pattern, at) => ({ key, pattern, at })),
    ),
    ...masks.map(name => ({ key: 'mask', pattern: name, at: name })),
  ]
  const index = newNameIndex(names)
  return patterns.flatMap(({ key, pattern, at }) => {
    if (!unmatched.includes(pattern)) return []
    const [nearest] = index.nearest(pattern, 1)
    return {
      code: 'unmatched-column',
      severity: key === 'include' && isNothingLeft ? ('error' as const) : ('warning' as const),
      message: `nothing in the source is called "${pattern}"`,
      hint: nearest === undefined ? `It has: ${listed(names)}.` : `did you mean "${nearest}"?`,
      ...(nearest !== undefined && { facts: { nearest } }),
      at: ['ingest', key, at],
    }
  })
}

/** Returns the masks that hide nothing: a column that was to be hidden may have another name. */
function lostMasks(
  asset: Asset,
  { type }: GuessedRecordType,
  { unmatched }: RawTables,
  locked: readonly RawTable[] | undefined,
): SourceFinding[] {
  return unmatchedMasks(asset.definition, unmatched, type, locked).map(
    ({ name, nearest, message, hint }) => ({
      code: 'mask-without-column',
      severity: 'error',
      message,
      hint,
      ...(nearest !== undefined && { facts: { nearest } }),
      at: ['ingest', 'mask', name],
      part: 'key',
    }),
  )
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}`
}

function diagnosticOf(asset: Asset, finding: SourceFinding): Diagnostic {
  const { code, message, severity, hint, facts, at, part } = finding
  const range = locate(asset, at, part)
  const more = { ...(hint !== '' && { hint }), ...(facts !== undefined && { facts }) }
  return { code, severity, message, path: asset.path, range, ...more }
}

// ---------------------------------------------------------------- a look at files

/**
 * The result of a look at the rows or files. It depends on `ingest` and the files alone, not on places in the
 * asset.
 */
export interface SourceLook {
  readonly guess: GuessedRecordType | undefined
  readonly findings: readonly SourceFinding[]
}

export interface SourceFinding {
  readonly code: string
  readonly message: string
  readonly severity: 'error' | 'warning'
  readonly hint: string
  readonly at: NodePath
  readonly facts?: Facts
  /** Whether it is about the key there; absent for its value. */
  readonly part?: 'key'
}

/** Makes a looker that opens a database when the first file is read. */
export function sourceLooker(options: Pick<SourceShapeOptions, 'root' | 'cache' | 'mayOpen'>) {
  let local: Promise<LocalReader> | undefined
  const look: Look = {
    ...options,
    local() {
      local ??= openLocalReader({ threads: 1 })
      return local
    },
  }
  return {
    /**
     * Looks at a source. It never throws for the content of a file. `typed` has the names of columns whose types are
     * known without a look (`typedColumns`).
     */
    look: (ingest: Ingest, typed: readonly string[] = []) => lookAt(look, ingest, typed),
    close: () =>
      void local?.then(
        opened => opened.close(),
        () => undefined,
      ),
  }
}

/**
 * Returns the names at the source of all columns whose types the contract promises, so that a look need not find them;
 * none if it leaves a type open, or if masks ask for the types.
 */
export function typedColumns({ ingest, contract }: Asset['definition']): readonly string[] {
  if (ingest.type === 'none' || Object.keys(ingest.mask).length > 0) return []
  const columns = Object.entries(contract?.columns ?? {})
  return columns.every(([, { type }]) => type !== undefined)
    ? columns.map(([name, { from }]) => from ?? name)
    : []
}

interface Look extends Pick<SourceShapeOptions, 'root' | 'cache' | 'mayOpen'> {
  local(): Promise<LocalReader>
}

const nothing: SourceLook = { guess: undefined, findings: [] }

async function lookAt(look: Look, ingest: Ingest, typed: readonly string[]): Promise<SourceLook> {
  const records = ownRecordsOf(ingest)
  if (records !== undefined) return { guess: { type: typeOfRecords(records), complete: true }, findings: [] }
  const source = localFilesOf(ingest)
  // A missing key is an error of the file; nothing can be said about files without a name.
  if (source === undefined || source.endpoint === '' || source.resource === '') return nothing
  const { options, problems } = readFileOptions(source)
  const wrong = problems.map(
    ({ message, hint, at }): SourceFinding => ({
      code: 'wrong-option',
      message,
      hint,
      at,
      severity: 'error',
    }),
  )
  // A folder that an environment variable names is known only when the source is loaded.
  if (wrong.length > 0 || source.endpoint.startsWith('env:')) return { guess: undefined, findings: wrong }
  try {
    const files = await filesOf(look, source)
    const format = source.format ?? formatOf(files[0] ?? source.resource)
    const missing = files.length === 0 ? [fileMissing(source)] : []
    if (format === undefined) return { guess: undefined, findings: [...missing, formatUnknown(source)] }
    if (files.length === 0) return { guess: undefined, findings: missing }
    const mostLevels = ingest.type === 'none' ? undefined : ingest.limits.depth
    const guess = await guessOnce(look, { ingest, typed }, files, async () =>
      guessRecordType(await look.local(), files, format, options, { typed: new Set(typed), mostLevels }),
    )
    const { findings, ...found } = withFolders(look, source, files, guess)
    const refused = guess.refused === undefined ? [] : [refusedFile(look.root, guess.refused)]
    return { ...found, findings: [...findings, ...refused] }
  } catch (error) {
    return { guess: undefined, findings: [unreadable(error)] }
  }
}

/** Adds the columns that folders named `key=value` stand for. */
function withFolders(
  { root }: Look,
  { endpoint, partitions: asked }: LocalFiles,
  files: readonly string[],
  guess: GuessedRecordType,
): SourceLook {
  const base = resolve(root, endpoint)
  const partitions =
    asked === 'none' ? [] : partitionsOf(files.map(file => relative(base, file).replaceAll('\\', '/')))
  const clash = clashOf(guess.type, partitions)
  if (clash === undefined)
    return { guess: { ...guess, type: withPartitions(guess.type, partitions) }, findings: [] }
  const finding = { ...clashText(clash), code: 'names-meet', severity: 'error', at: ['ingest'] } as const
  return { guess, findings: [finding] }
}

async function filesOf(look: Look, source: LocalFiles): Promise<readonly string[]> {
  try {
    const { root, mayOpen } = look
    return await findFiles(root, source.endpoint, source.resource, source.limits, mayOpen && { mayOpen })
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** A look without types is kept under a key of its own: whoever wants the types must not find it. */
async function guessOnce(
  look: Look,
  { ingest, typed }: { readonly ingest: Ingest; readonly typed: readonly string[] },
  files: readonly string[],
  guess: () => Promise<GuessedRecordType>,
): Promise<GuessedRecordType> {
  const stamps = await Promise.all(files.map(stampOf))
  const whole = lookKey(ingest, stamps)
  const key = typed.length === 0 ? whole : `${whole}\n${JSON.stringify(typed)}`
  const known = look.cache?.get(whole) ?? look.cache?.get(key)
  if (known !== undefined) return known
  const found = await guess()
  look.cache?.set(key, found, Math.max(...stamps.map(stamp => stamp.newestMs)))
  return found
}

/** Returns the result of an earlier look at these files; undefined if there was none. */
export async function rememberedLook(
  cache: SourceShapeCache,
  ingest: Ingest,
  files: readonly string[],
): Promise<GuessedRecordType | undefined> {
  return cache.get(lookKey(ingest, await Promise.all(files.map(stampOf))))
}

function lookKey(ingest: Ingest, stamps: readonly { readonly text: string }[]): string {
  return [JSON.stringify(ingest), ...stamps.map(stamp => stamp.text)].join('\n')
}

function fileMissing({ endpoint, resource }: LocalFiles): SourceFinding {
  return {
    code: 'source-file-missing',
    message: `no file matches "${resource}" in "${endpoint}"`,
    hint: "The folder is looked for from the project's root.",
    at: ['ingest', 'resource'],
    severity: 'warning',
  }
}

function formatUnknown({ resource }: LocalFiles): SourceFinding {
  return {
    code: 'source-format-unknown',
    message: `the name "${resource}" does not say how the file is written`,
    hint: 'Write ingest.format: csv, json, ndjson or parquet.',
    at: ['ingest', 'resource'],
    severity: 'error',
  }
}

/** The load says the same of the file. */
function refusedFile(root: string, { path, message, hint }: RefusedFile): SourceFinding {
  return {
    code: 'source-file-unreadable',
    message: `"${relative(root, path).replaceAll('\\', '/')}" cannot be read: ${message}`,
    hint,
    at: ['ingest', 'resource'],
    severity: 'warning',
  }
}

function unreadable(error: unknown): SourceFinding {
  if (error instanceof SearchRefused)
    return {
      code: 'source-file-unreadable',
      message: `the source is not looked at: ${error.message} is outside of a project that is not trusted`,
      hint: 'Trust the workspace; editors other than VS Code start the server as svc lsp --stdio --trusted.',
      at: ['ingest', 'resource'],
      severity: 'warning',
    }
  const said = error instanceof Error ? error.message : String(error)
  const todo = error instanceof TextFileError ? error.hint : undefined
  const consequence = 'Its columns stay unknown until it can.'
  return {
    code: 'source-file-unreadable',
    message: `the source cannot be read: ${error instanceof TextFileError ? said : fileReason(said)}`,
    hint: todo === undefined ? consequence : `${consequence} ${todo}`,
    at: ['ingest', 'resource'],
    severity: 'warning',
  }
}

/** Returns the type that holds every one of the records. */
function typeOfRecords(records: readonly unknown[]): SourceType {
  const shape = newShape()
  const reader = createRecordReader({
    place: { kind: 'path', path: [] },
    shape,
    levels: 20,
    onRecord: () => undefined,
  })
  reader.push(Buffer.from(JSON.stringify(records)))
  reader.end()
  return certainType(shape, true)
}

/** Returns a stamp of the file. It uses the change time (ctime), which users cannot set. */
async function stampOf(path: string): Promise<{ text: string; newestMs: number }> {
  const { dev, ino, size, mtimeMs, ctimeMs } = await stat(path)
  return { text: `${path} ${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`, newestMs: Math.max(mtimeMs, ctimeMs) }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/**
 * The columns of every source of a project, from what is at hand (decisions 2): the contract, the rows or the local
 * files themselves, `schemas.lock.json`. Never uses the network, never reads more than the beginning of a file.
 */
import { stat } from 'node:fs/promises'
import {
  type Asset,
  createRecordReader,
  type Diagnostic,
  type FileIngest,
  formatOf,
  type Ingest,
  locate,
  type NodePath,
  newShape,
  type Project,
  parseSchemaLock,
  type RawTable,
  type RowsIngest,
  rawTables,
  readFileOptions,
  recordType,
  type SourceShapes,
  type SourceType,
} from '../language/index.ts'
import { findFiles } from './source/find-files.ts'
import { type GuessedRecordType, guessRecordType } from './source/guess-record-type.ts'
import { type LocalDuckDb, openLocalDuckDb } from './source/local-duckdb.ts'

export interface SourceShapeOptions {
  /** The project's root, absolute. */
  readonly root: string
  /** Text of `schemas.lock.json`; undefined where there is none. */
  readonly lockText: string | undefined
  /** What was read of files before; kept by who asks again. */
  readonly cache?: SourceShapeCache
}

export interface SourceShapeCache {
  /** `key` says what is asked of which files, and that they are the ones that were read. */
  get(key: string): GuessedRecordType | undefined
  /** `newestMs` is the last time that one of the files changed. */
  set(key: string, guess: GuessedRecordType, newestMs: number): void
}

export interface SourceShapesRead {
  readonly shapes: SourceShapes
  /** Source columns left out by `include` and `exclude`, by asset; only what is known. */
  readonly excluded: ReadonlyMap<string, readonly string[]>
  readonly diagnostics: readonly Diagnostic[]
}

/** Never throws for what is in a file: what cannot be read is a warning on `ingest.resource`. */
export async function readSourceShapes(
  project: Project,
  options: SourceShapeOptions,
): Promise<SourceShapesRead> {
  const lock = parseSchemaLock(options.lockText)
  const reading = new SourceReading(options, lock.shapes)
  try {
    for (const asset of project.byName.values()) await reading.read(asset)
  } finally {
    reading.close()
  }
  return reading
}

class SourceReading implements SourceShapesRead {
  readonly shapes = new Map<string, readonly RawTable[]>()
  readonly excluded = new Map<string, readonly string[]>()
  readonly diagnostics: Diagnostic[] = []
  private readonly options: SourceShapeOptions
  private readonly locked: SourceShapes
  private duckdb: LocalDuckDb | undefined

  constructor(options: SourceShapeOptions, locked: SourceShapes) {
    this.options = options
    this.locked = locked
  }

  async read(asset: Asset): Promise<void> {
    const { ingest, contract } = asset.definition
    if (ingest.type === 'none') return
    const guess = await this.guess(asset, ingest)
    const locked = this.locked.get(asset.name)
    // What a run saw of all records is better than a look at the first ones.
    if (locked !== undefined && guess?.complete !== true) {
      this.shapes.set(asset.name, locked)
      return
    }
    const read = rawTables(ingest, contract, guess?.type)
    for (const { code, message, hint, at } of read.problems) {
      this.report(asset, { code, message, hint, at, severity: 'error' })
    }
    if (read.excluded.length > 0) this.excluded.set(asset.name, read.excluded)
    if (guess === undefined && contract === undefined) return
    const complete = guess?.complete ?? false
    this.shapes.set(
      asset.name,
      read.tables.map(table => ({ ...table, complete: table.complete && complete })),
    )
  }

  private async guess(asset: Asset, ingest: Ingest): Promise<GuessedRecordType | undefined> {
    if (ingest.type === 'rows') return { type: typeOfRows(ingest), complete: true }
    if (ingest.type !== 'file') return undefined
    const { options, problems } = readFileOptions(ingest)
    for (const { message, hint, at } of problems) {
      this.report(asset, { code: 'wrong-option', message, hint, at, severity: 'error' })
    }
    // A folder that the environment names is known when the source is fetched.
    if (problems.length > 0 || ingest.endpoint.startsWith('env:')) return undefined
    const files = await this.files(asset, ingest)
    const format = ingest.format ?? formatOf(files[0] ?? ingest.resource)
    if (format === undefined) {
      this.report(asset, {
        code: 'source-format-unknown',
        message: `the name "${ingest.resource}" does not say how the file is written`,
        hint: 'Write ingest.format: csv, json, ndjson or parquet.',
        at: ['ingest', 'resource'],
        severity: 'error',
      })
      return undefined
    }
    if (files.length === 0) return undefined
    return await this.guessOnce(asset, files, async () => {
      this.duckdb ??= await openLocalDuckDb({ threads: 1 })
      return await guessRecordType(this.duckdb, files, format, options)
    })
  }

  private async files(asset: Asset, ingest: FileIngest): Promise<readonly string[]> {
    try {
      const files = await findFiles(this.options.root, ingest.endpoint, ingest.resource)
      if (files.length > 0) return files
    } catch (error) {
      if (!isMissing(error)) {
        this.unreadable(asset, error)
        return []
      }
    }
    this.report(asset, {
      code: 'source-file-missing',
      message: `no file matches "${ingest.resource}" in "${ingest.endpoint}"`,
      hint: "The folder is looked for from the project's root.",
      at: ['ingest', 'resource'],
      severity: 'warning',
    })
    return []
  }

  private async guessOnce(
    asset: Asset,
    files: readonly string[],
    look: () => Promise<GuessedRecordType>,
  ): Promise<GuessedRecordType | undefined> {
    try {
      const stamps = await Promise.all(files.map(stampOf))
      const key = [JSON.stringify(asset.definition.ingest), ...stamps.map(stamp => stamp.text)].join('\n')
      const known = this.options.cache?.get(key)
      if (known !== undefined) return known
      const guess = await look()
      this.options.cache?.set(key, guess, Math.max(...stamps.map(stamp => stamp.newestMs)))
      return guess
    } catch (error) {
      this.unreadable(asset, error)
      return undefined
    }
  }

  private unreadable(asset: Asset, error: unknown): void {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    this.report(asset, {
      code: 'source-file-unreadable',
      message: `the source cannot be read: ${reason}`,
      hint: 'Its columns stay unknown until it can.',
      at: ['ingest', 'resource'],
      severity: 'warning',
    })
  }

  private report(
    asset: Asset,
    found: Pick<Diagnostic, 'code' | 'message' | 'severity'> & { hint: string; at: NodePath },
  ): void {
    const { code, message, severity, hint, at } = found
    const range = locate(asset, at)
    this.diagnostics.push({
      code,
      severity,
      message,
      path: asset.path,
      range,
      ...(hint === '' ? {} : { hint }),
    })
  }

  close(): void {
    this.duckdb?.close()
  }
}

/** The type of inline rows; every one of them counts. */
export function typeOfRows(ingest: RowsIngest): SourceType {
  const shape = newShape()
  const reader = createRecordReader({
    place: { kind: 'path', path: [] },
    shape,
    levels: 20,
    onRecord: () => undefined,
  })
  reader.push(Buffer.from(JSON.stringify(ingest.rows)))
  reader.end()
  return recordType(shape)
}

/** The time of change cannot be set by hand. */
async function stampOf(path: string): Promise<{ text: string; newestMs: number }> {
  const { dev, ino, size, mtimeMs, ctimeMs } = await stat(path)
  return { text: `${path} ${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`, newestMs: Math.max(mtimeMs, ctimeMs) }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/** Fetches from the text of an asset file and loads the result into the warehouse under test. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openLocalReader } from '@svc/server/catalog'
import { parseAsset, type RawTable } from '@svc/server/language'
import { expect } from 'vitest'
import {
  type FetchContext,
  type FetchedSource,
  nothingPersonal,
  type SourceWarning,
} from '../../../cli/engine/ingest/source.ts'
import { sourceFor } from '../../../cli/engine/ingest/source-for.ts'
import { engineOf } from '../../../server/language/engines/index.ts'
import { reading as readingWithDuckdb } from '../../support/engine.ts'
import { urlUnderTest } from '../../support/warehouse-under-test.ts'
import { loadTables, type Row } from './loaded-tables.ts'

export interface Project {
  readonly root: string
  write(path: string, content: string | Uint8Array): void
  path(path: string): string
  remove(): void
}

export function temporaryProject(): Project {
  const root = mkdtempSync(join(tmpdir(), 'svc-ingest-'))
  return {
    root,
    path: path => join(root, path),
    write(path, content) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

export interface Loaded {
  readonly fetched: FetchedSource
  readonly notes: readonly string[]
  readonly warnings: readonly SourceWarning[]
  /** Rows by child name; '' is the table of the source. */
  readonly rows: Readonly<Record<string, readonly Row[]>>
  /** `name TYPE` by child name, in the words of DuckDB. */
  readonly columns: Readonly<Record<string, readonly string[]>>
  /** What the load left out, in the order of the records. */
  readonly rejects: readonly Row[]
}

export type ContextChanges = Partial<
  Pick<
    FetchContext,
    | 'engine'
    | 'hosts'
    | 'spoolFolder'
    | 'previous'
    | 'known'
    | 'onRefused'
    | 'env'
    | 'signal'
    | 'onProgress'
    | 'onWarning'
    | 'onRequest'
    | 'now'
  >
>

let spools = 0
const engineUnderTest = engineOf(urlUnderTest)

export function contextFor(project: Project, body: string, changes: ContextChanges = {}): FetchContext {
  const { engine = engineUnderTest } = changes
  const reading = { ...readingWithDuckdb, engine }
  const text = `name: orders\n${body}\ntransform: SELECT * FROM {{ source }}\n`
  const asset = parseAsset('models/orders.svc', text, reading, input =>
    createHash('sha256').update(input).digest('hex'),
  )
  expect(asset.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  const spoolFolder = project.path(`.spool/${++spools}`)
  mkdirSync(spoolFolder, { recursive: true, mode: 0o700 })
  return {
    asset,
    engine,
    personal: nothingPersonal,
    root: project.root,
    spoolFolder,
    previous: undefined,
    env: {},
    now: () => new Date('2026-01-02T03:04:05Z'),
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...changes,
  }
}

export async function fetchOnly(
  project: Project,
  body: string,
  changes?: ContextChanges,
): Promise<FetchedSource> {
  const context = contextFor(project, body, changes)
  return await (await sourceFor(context.asset.definition.ingest)).fetch(context)
}

export async function peek(
  project: Project,
  body: string,
  changes?: ContextChanges,
): Promise<readonly RawTable[]> {
  const context = contextFor(project, body, changes)
  return await (await sourceFor(context.asset.definition.ingest)).peek(context)
}

export async function load(project: Project, body: string, changes: ContextChanges = {}): Promise<Loaded> {
  const notes: string[] = []
  const warnings: SourceWarning[] = []
  const fetched = await fetchOnly(project, body, {
    ...changes,
    onWarning: warning => {
      warnings.push(warning)
      changes.onWarning?.(warning)
    },
    onProgress: progress => {
      if (progress.note !== undefined) notes.push(progress.note)
      changes.onProgress?.(progress)
    },
  })
  const tables = await loadTables(fetched.tables, project.root)
  const rows: Record<string, readonly Row[]> = {}
  const columns: Record<string, readonly string[]> = {}
  for (const [index, table] of fetched.tables.entries()) {
    const child = table.shape.child ?? ''
    rows[child] = tables[index]?.rows ?? []
    columns[child] = tables[index]?.columns ?? []
    expect(table.shape.columns.map(({ name }) => name)).toEqual(table.columns.map(({ name }) => name))
  }
  return { fetched, notes, warnings, rows, columns, rejects: await rejectsOf(fetched) }
}

/** Rejects lie in the files of the fetch until a run takes them along. */
async function rejectsOf({ rejects }: FetchedSource): Promise<readonly Row[]> {
  if (rejects === undefined) return []
  const local = await openLocalReader({ threads: 4 })
  try {
    return await local.rows(`SELECT * FROM (${rejects.sql}) ORDER BY record_number, kind, column_name`)
  } finally {
    local.close()
  }
}

/**
 * Reads and writes `schemas.lock.json`, the schemas of the sources at the last run (decisions 2). It is
 * committed, so it is written for small diffs: assets and children sorted, columns in the source's order, one
 * line per column, and one per layout of its text files.
 */

import type { Engine } from '../engines/engine.ts'
import { engines, usualEngine } from '../engines/index.ts'
import { typeNameOfSource } from '../engines/portable-types.ts'
import { compareTexts } from '../text/compare.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { type MaskKind, maskKinds } from './masks.ts'
import type { RawColumn, RawTable, SourceShapes } from './source-shape.ts'
import { type FileLayout, layoutEntry, readLayout } from './text-layout.ts'

export interface SchemaLock {
  readonly shapes: SourceShapes
  /** How the text files of sources are written, by asset; none where a lock was written without. */
  readonly layouts: SourceLayouts
  /** Why the text cannot be used. Nothing is then known from it. */
  readonly problem: Diagnostic | undefined
}

export type SourceLayouts = ReadonlyMap<string, readonly FileLayout[]>

export const schemaLockPath = 'schemas.lock.json'

/**
 * Parses the lock and never throws: if it cannot be read, that is its problem. Types that were written for another engine
 * become those of `engine`, because a project may change its warehouse and somebody may use two.
 */
export function parseSchemaLock(text: string | undefined, engine: Engine = usualEngine): SchemaLock {
  const shapes = new Map<string, readonly RawTable[]>()
  const layouts = new Map<string, readonly FileLayout[]>()
  const nothing = { shapes, layouts }
  if (text === undefined || text.trim() === '') return { ...nothing, problem: undefined }
  const lock = parseObject(text)
  if (lock === undefined) return { ...nothing, problem: invalidLock(text) }
  if (lock['version'] !== 1) return { ...nothing, problem: problemAt(0, text.length, otherVersion) }
  const typeOf = typesFrom(lock['engine'], engine)
  for (const [asset, tables] of Object.entries(asObject(lock['sources']) ?? {})) {
    const read = readTables(tables, typeOf)
    if (read !== undefined) shapes.set(asset, read)
  }
  for (const [asset, entries] of Object.entries(asObject(lock['layouts']) ?? {})) {
    const read = readLayouts(entries)
    if (read.length > 0) layouts.set(asset, read)
  }
  return { shapes, layouts, problem: undefined }
}

const otherVersion = {
  message: 'schemas.lock.json was written by another version of svc',
  hint: 'Update svc, or delete the file: the next run that is promoted writes it again.',
}

/** Two branches that both changed a source leave a conflict here, and git its markers. */
function invalidLock(text: string): Diagnostic {
  const marker = /^(?:<{7}|={7}|>{7}|\|{7})(?: .*)?$/m.exec(text)
  if (marker === null) {
    const hint = 'Restore it from git, or delete it: the next run that is promoted writes it again.'
    return problemAt(0, text.length, { message: 'schemas.lock.json is not valid JSON', hint })
  }
  return problemAt(marker.index, marker.index + marker[0].length, {
    message: `schemas.lock.json has conflict markers of git: ${marker[0]}`,
    hint: 'Keep either side, or delete the file: the next run that is promoted writes it again.',
  })
}

function problemAt(
  start: number,
  end: number,
  words: { readonly message: string; readonly hint: string },
): Diagnostic {
  return { code: 'invalid-lock', severity: 'error', path: schemaLockPath, range: { start, end }, ...words }
}

/** Returns what a type of the lock is in `engine`. The engine of the lock is named there unless it is the usual one. */
function typesFrom(kind: unknown, engine: Engine): (type: string) => string {
  const from = engines.find(each => each.kind === kind) ?? usualEngine
  if (from === engine) return type => type
  return type => (from.types.problem(type) === undefined ? typeNameOfSource(type, from, engine) : type)
}

/** Formats the lock, whose types are those of `engine`; equal shapes give equal texts. */
export function formatSchemaLock(
  shapes: SourceShapes,
  engine: Engine = usualEngine,
  layouts: SourceLayouts = new Map(),
): string {
  const assets = [...shapes.keys()].sort(compareTexts)
  const blocks = assets.map(asset => `    ${quote(asset)}: ${formatTables(shapes.get(asset) ?? [])}`)
  const sources = blocks.length === 0 ? '{}' : `{\n${blocks.join(',\n')}\n  }`
  const named = engine === usualEngine ? '' : `  "engine": ${quote(engine.kind)},\n`
  return `{\n  "version": 1,\n${named}  "sources": ${sources}${formatLayouts(layouts)}\n}\n`
}

/** Nothing where no source has text files. */
function formatLayouts(layouts: SourceLayouts): string {
  const assets = [...layouts.keys()].sort(compareTexts)
  if (assets.length === 0) return ''
  const blocks = assets.map(asset => {
    const lines = (layouts.get(asset) ?? []).map(layout => `      ${JSON.stringify(layoutEntry(layout))}`)
    return `    ${quote(asset)}: [\n${lines.join(',\n')}\n    ]`
  })
  return `,\n  "layouts": {\n${blocks.join(',\n')}\n  }`
}

function formatTables(tables: readonly RawTable[]): string {
  const sorted = [...tables].sort((a, b) => compareTexts(a.child ?? '', b.child ?? ''))
  const blocks = sorted.map(table => `      ${quote(table.child ?? '')}: ${formatColumns(table.columns)}`)
  return `{\n${blocks.join(',\n')}\n    }`
}

function formatColumns(columns: readonly RawColumn[]): string {
  if (columns.length === 0) return '{}'
  const lines = columns.map(column => `        ${quote(column.name)}: ${JSON.stringify(columnEntry(column))}`)
  return `{\n${lines.join(',\n')}\n      }`
}

/** Returns the short form, which is the type alone; `null` for an unknown type. */
function columnEntry(column: RawColumn): unknown {
  const plainPath = column.path.length === 1 && column.path[0] === column.name
  const isPlain = plainPath && !column.system && !column.pii && column.nullable
  if (isPlain && column.absent !== true && column.masked === undefined) return column.type ?? null
  return {
    type: column.type ?? null,
    ...(plainPath || column.path.length === 0 ? {} : { path: column.path }),
    ...(column.system ? { system: true } : {}),
    ...(column.pii ? { pii: true } : {}),
    ...(column.nullable ? {} : { nullable: false }),
    ...(column.absent === true ? { absent: true } : {}),
    ...(column.masked === undefined ? {} : { masked: column.masked }),
  }
}

function readTables(value: unknown, typeOf: (type: string) => string): readonly RawTable[] | undefined {
  const tables = asObject(value)
  if (tables === undefined) return undefined
  return Object.entries(tables).map(([child, columns]) => ({
    child: child === '' ? undefined : child,
    columns: Object.entries(asObject(columns) ?? {}).map(([name, entry]) => readColumn(name, entry, typeOf)),
    complete: true,
  }))
}

function readColumn(name: string, entry: unknown, typeOf: (type: string) => string): RawColumn {
  const full = asObject(entry)
  const type = full === undefined ? entry : full['type']
  const path = full?.['path']
  const system = full?.['system'] === true
  const masked = full?.['masked']
  return {
    name,
    type: typeof type === 'string' ? typeOf(type) : undefined,
    path: Array.isArray(path) ? path.filter(step => typeof step === 'string') : system ? [] : [name],
    system,
    pii: full?.['pii'] === true,
    nullable: full?.['nullable'] !== false,
    ...(full?.['absent'] === true ? { absent: true } : {}),
    ...(typeof masked === 'string' && masked in maskKinds ? { masked: masked as MaskKind } : {}),
  }
}

function readLayouts(value: unknown): readonly FileLayout[] {
  const entries = Array.isArray(value) ? value : []
  return entries.flatMap(entry => readLayout(asObject(entry) ?? {}) ?? [])
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

function quote(text: string): string {
  return JSON.stringify(text)
}

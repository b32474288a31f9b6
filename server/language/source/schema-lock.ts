/**
 * Reads and writes `schemas.lock.json`, the schemas of the sources at the last run (decisions 2). It is
 * committed, so it is written for small diffs: assets and children sorted, columns in the source's order, one
 * line per column, and one per layout of its text files.
 */

import type { Engine } from '../engines/engine.ts'
import { engines, usualEngine } from '../engines/index.ts'
import { compareTexts } from '../text/compare.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { type LockedType, lockedType, typeFor } from './locked-types.ts'
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
 * Parses the lock and never throws: if it cannot be read, that is its problem. Types in the words of another engine become
 * those of `engine`.
 */
export function parseSchemaLock(text: string | undefined, engine: Engine = usualEngine): SchemaLock {
  const shapes = new Map<string, readonly RawTable[]>()
  const layouts = new Map<string, readonly FileLayout[]>()
  const nothing = { shapes, layouts }
  if (text === undefined || text.trim() === '') return { ...nothing, problem: undefined }
  const lock = parseObject(text)
  if (lock === undefined) return { ...nothing, problem: invalidLock(text) }
  if (lock['version'] !== 1) return { ...nothing, problem: problemAt(0, text.length, otherVersion) }
  const words = wordsOf(lock)
  const typeOf = (entry: LockedType) => typeFor(engine, entry, words)
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

/** Returns the engine in whose words the types are: it is named there unless it is the usual one. */
function wordsOf(lock: Record<string, unknown>): Engine {
  return engines.find(({ kind }) => kind === lock['engine']) ?? usualEngine
}

export interface LockFormat {
  /** The engine whose types the shapes have. */
  readonly engine?: Engine
  readonly layouts?: SourceLayouts
  /** All engines that the project's environments have; undefined for one that is not known here. Default: that engine. */
  readonly engines?: Iterable<Engine | undefined>
  /** The file as it is, whose words are kept where they say the same; undefined if there is none. */
  readonly before?: string | undefined
}

/** Formats the lock; equal shapes give equal texts. */
export function formatSchemaLock(
  shapes: SourceShapes,
  { engine = usualEngine, layouts = new Map(), engines: all = [engine], before }: LockFormat = {},
): string {
  const last = before === undefined ? undefined : parseObject(before)
  const lastWords = last && wordsOf(last)
  const [first, ...others] = new Set(all)
  const isOnly = first === engine && others.length === 0
  const words = isOnly ? engine : (lastWords ?? usualEngine)
  const sources = lastWords === words ? asObject(last?.['sources']) : undefined
  const assets = [...shapes.keys()].sort(compareTexts)
  const blocks = assets.map(asset => {
    const entries = asObject(sources?.[asset])
    const typeOf: TypeOf = (child, { name, type }) => {
      const entry = asObject(entries?.[child])?.[name]
      return lockedType(type, engine, words, entry === undefined ? undefined : readType(entry))
    }
    return `    ${quote(asset)}: ${formatTables(shapes.get(asset) ?? [], typeOf)}`
  })
  const written = blocks.length === 0 ? '{}' : `{\n${blocks.join(',\n')}\n  }`
  const named = words === usualEngine ? '' : `  "engine": ${quote(words.kind)},\n`
  return `{\n  "version": 1,\n${named}  "sources": ${written}${formatLayouts(layouts)}\n}\n`
}

type TypeOf = (child: string, column: RawColumn) => LockedType

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

function formatTables(tables: readonly RawTable[], typeOf: TypeOf): string {
  const sorted = [...tables].sort((a, b) => compareTexts(a.child ?? '', b.child ?? ''))
  const blocks = sorted.map(({ child = '', columns }) => {
    const lines = columns.map(
      column =>
        `        ${quote(column.name)}: ${JSON.stringify(columnEntry(column, typeOf(child, column)))}`,
    )
    return `      ${quote(child)}: ${lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n      }`}`
  })
  return `{\n${blocks.join(',\n')}\n    }`
}

/** Returns the short form, which is the type alone; `null` for an unknown type. */
function columnEntry(column: RawColumn, { type, types }: LockedType): unknown {
  const hasOthers = Object.keys(types).length > 0
  const plainPath = column.path.length === 1 && column.path[0] === column.name
  const isPlain = plainPath && !column.system && !column.pii && column.nullable && !hasOthers
  if (isPlain && column.absent !== true && column.masked === undefined) return type ?? null
  return {
    type: type ?? null,
    ...(hasOthers ? { types } : {}),
    ...(plainPath || column.path.length === 0 ? {} : { path: column.path }),
    ...(column.system ? { system: true } : {}),
    ...(column.pii ? { pii: true } : {}),
    ...(column.nullable ? {} : { nullable: false }),
    ...(column.absent === true ? { absent: true } : {}),
    ...(column.masked === undefined ? {} : { masked: column.masked }),
  }
}

function readType(entry: unknown): LockedType {
  const full = asObject(entry)
  const type = full === undefined ? entry : full['type']
  const types = Object.entries(asObject(full?.['types']) ?? {}).filter(
    (each): each is [string, string] => typeof each[1] === 'string',
  )
  return { type: typeof type === 'string' ? type : undefined, types: Object.fromEntries(types) }
}

type ReadTypeOf = (entry: LockedType) => string | undefined

function readTables(value: unknown, typeOf: ReadTypeOf): readonly RawTable[] | undefined {
  const tables = asObject(value)
  if (tables === undefined) return undefined
  return Object.entries(tables).map(([child, columns]) => ({
    child: child === '' ? undefined : child,
    columns: Object.entries(asObject(columns) ?? {}).map(([name, entry]) => readColumn(name, entry, typeOf)),
    complete: true,
  }))
}

function readColumn(name: string, entry: unknown, typeOf: ReadTypeOf): RawColumn {
  const full = asObject(entry)
  const path = full?.['path']
  const system = full?.['system'] === true
  const masked = full?.['masked']
  return {
    name,
    type: typeOf(readType(entry)),
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
    // Editors of Windows begin a file with a mark that is none of its text.
    return asObject(JSON.parse(text.replace(/^\uFEFF/, '')))
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

/**
 * Reads the columns of a project's sources for a long-running program: results are cached, and a new snapshot
 * costs a look only where an `ingest` block or files have changed (`refresh`).
 */
import {
  type AssetSource,
  type MayOpen,
  type SourceLook,
  type SourceShapeCache,
  sourceLooker,
  sourceOf,
  typedColumns,
} from '../catalog/index.ts'
import { getOrInsertComputed } from '../language/get-or-insert.ts'
import {
  type Asset,
  type Diagnostic,
  type Engine,
  limitedIngest,
  mayDiffer,
  type Project,
  parseSchemaLock,
  type RawTable,
  type SchemaLock,
  type Settings,
  type SourceShapes,
} from '../language/index.ts'

export const schemaLockFile = 'schemas.lock.json'

export interface SourcesRead {
  readonly shapes: SourceShapes
  readonly diagnostics: readonly Diagnostic[]
}

export interface SourceReader {
  /** Reads the sources of all assets. Unchanged shapes and diagnostics are the same objects as before. */
  read(project: Project): Promise<SourcesRead>
  /** Starts a look in the background for a later `read`, which also reports its errors. */
  begin(asset: Asset, settings: Settings): void
  /**
   * Marks all sources for a new look when they are next read, because other files than assets have changed.
   */
  refresh(): void
  /** Sets the text of `schemas.lock.json`; undefined if there is none. */
  setLock(text: string | undefined): void
  close(): void
}

interface Known {
  readonly asset: Asset
  readonly engine: Engine
  readonly locked: readonly RawTable[] | undefined
  readonly look: SourceLook
  readonly source: AssetSource
}

export function sourceReader(options: {
  readonly root: string
  readonly cache?: SourceShapeCache
  readonly mayOpen?: MayOpen
}): SourceReader {
  const looker = sourceLooker(options)
  const looks = new Map<string, Promise<SourceLook>>()
  let known = new Map<string, Known>()
  const locks = schemaLocks()
  let lastLock: SchemaLock | undefined
  const background = oneAtATime()
  let last: SourcesRead = { shapes: new Map(), diagnostics: [] }
  /** The last project that was read, as long as its results are valid. */
  let lastProject: Project | undefined
  let refreshes = 0
  const forget = (): void => {
    lastProject = undefined
    refreshes += 1
  }

  function lookAt(asset: Asset, settings: Settings): Promise<SourceLook> {
    const ingest = limitedIngest(asset, settings)
    const typed = typedColumns(asset.definition)
    return getOrInsertComputed(looks, JSON.stringify([ingest, typed]), () => looker.look(ingest, typed))
  }

  async function readOne(asset: Asset, { engine, settings }: Project): Promise<Known> {
    const look = await lookAt(asset, settings)
    const locked = locks.of(engine).shapes.get(asset.name)
    return knownOf({ asset, engine, look, locked }, known.get(asset.name))
  }

  return {
    async read(project) {
      // An editor asks at every keystroke, and few of them change a source.
      if (hasSameSources(lastProject, project)) {
        lastProject = project
        return last
      }
      lastProject = undefined
      const asOf = refreshes
      const fresh = new Map<string, Known>()
      for (const asset of project.byName.values())
        if (hasSource(asset)) fresh.set(asset.name, await readOne(asset, project))
      const isSame = fresh.size === known.size && [...fresh].every(([name, each]) => known.get(name) === each)
      known = fresh
      const lock = locks.of(project.engine)
      if (!isSame || lastLock !== lock) last = collected(fresh, last, lock.problem)
      lastLock = lock
      if (asOf === refreshes) lastProject = project
      return last
    },
    begin(asset, settings) {
      if (!hasSource(asset)) return
      background.begin(() => lookAt(asset, settings))
    },
    refresh() {
      looks.clear()
      forget()
    },
    setLock(text) {
      if (locks.set(text)) forget()
    },
    close() {
      background.end()
      looker.close()
    },
  }
}

/** The lock file, whose types are those of the engine that asks. */
function schemaLocks() {
  let text: string | undefined
  let read: { readonly engine: Engine; readonly lock: SchemaLock } | undefined
  return {
    /** Returns whether the text is another one. */
    set(next: string | undefined): boolean {
      if (next === text) return false
      text = next
      read = undefined
      return true
    },
    of(engine: Engine): SchemaLock {
      if (read?.engine !== engine) read = { engine, lock: parseSchemaLock(text, engine) }
      return read.lock
    },
  }
}

function hasSameSources(last: Project | undefined, now: Project): boolean {
  if (last?.engine !== now.engine) return false
  if (JSON.stringify(last.settings.limits) !== JSON.stringify(now.settings.limits)) return false
  return !mayDiffer(last, now, hasSource)
}

/** Looks run one at a time, because each that waits for DuckDB occupies a thread. */
function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve()
  let hasEnded = false
  return {
    begin(work: () => Promise<unknown>): void {
      last = last.then(() => (hasEnded ? undefined : work())).catch(() => undefined)
    },
    end(): void {
      hasEnded = true
    },
  }
}

/** Returns `before` if its inputs are unchanged, and new results otherwise. */
function knownOf(basis: Omit<Known, 'source'>, before: Known | undefined): Known {
  const { asset, engine, look, locked } = basis
  const isSame =
    before?.asset === asset && before.engine === engine && before.look === look && before.locked === locked
  if (isSame) return before
  const source = sourceOf(asset, look, locked, engine)
  const hasSameTables = before !== undefined && sameTables(before.source.tables, source.tables)
  return { ...basis, source: hasSameTables ? { ...source, tables: before.source.tables } : source }
}

function hasSource({ definition }: Asset): boolean {
  return definition.ingest.type !== 'none'
}

function sameTables(a: readonly RawTable[] | undefined, b: readonly RawTable[] | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && JSON.stringify(a) === JSON.stringify(b))
}

function collected(
  fresh: ReadonlyMap<string, Known>,
  last: SourcesRead,
  ofLock: Diagnostic | undefined,
): SourcesRead {
  const shapes = new Map<string, readonly RawTable[]>()
  for (const [name, { source }] of fresh) if (source.tables !== undefined) shapes.set(name, source.tables)
  const ofSources = [...fresh.values()].flatMap(({ source }) => source.diagnostics)
  const diagnostics = ofLock === undefined ? ofSources : [ofLock, ...ofSources]
  const sameShapes =
    shapes.size === last.shapes.size && [...shapes].every(([name, each]) => last.shapes.get(name) === each)
  return { shapes: sameShapes ? last.shapes : shapes, diagnostics }
}

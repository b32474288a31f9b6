/**
 * A DuckDB file as a warehouse. Creating this object opens nothing and loads no native module; `open` does.
 * DuckDB allows one writer, which locks out readers, so the lease is a file beside the database and sessions
 * are short.
 */
import { existsSync, readlinkSync, realpathSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { availableParallelism, hostname } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { SvcError } from '../../errors.ts'
import { freeDeadLeases, leaseOfProcess, readLeaseHolder, takeLease } from '../lease/lease-file.ts'
import { programOf } from '../lease/process-identity.ts'
import { sqlStateStore } from '../sql-state/sql-state-store.ts'
import type { OpenOptions, Warehouse } from '../warehouse.ts'
import { duckdbCapabilities } from './capabilities.ts'
import { catalogueOf, duckdbDialectIn } from './dialect.ts'
import { fileVersion } from './file-version.ts'
import { wholeFile } from './whole-file.ts'

export interface DuckdbOptions {
  /** The path as in the URL; relative to `root`. */
  readonly path: string
  /** The absolute path of the project's root. */
  readonly root: string
  /** The project whose state is read and written. */
  readonly project: string
  /** Whether the process ends soon after it has closed the warehouse; false by default. */
  readonly endsSoon?: boolean
  /** Returns statements that load extensions; none by default. */
  readonly extensions?: (mode: 'read' | 'write') => Promise<readonly string[]>
}

/**
 * The library is loaded once, also where that fails for want of memory: the second time a bundle returns modules that never
 * ran, and the reason would be lost.
 */
let library: Promise<typeof import('./instance.ts')> | undefined

function loadInstance() {
  library ??= import('./instance.ts')
  return library
}

async function loadSession() {
  await loadInstance()
  return import('./session.ts')
}

export function duckdbWarehouse(made: DuckdbOptions): Warehouse {
  const { path, root, project, extensions, endsSoon = false } = made
  const file = resolve(root, path)
  const dialect = duckdbDialectIn(catalogueOf(file))
  const shortLabel = labelOf(file, root)
  const capabilities = duckdbCapabilities()
  const lease = (environment: string) => leasePath(file, project, environment)
  const whole = wholeFile({ file, label: shortLabel, openSession: sessionOn })

  async function open(mode: 'read' | 'write', options: OpenOptions = {}) {
    if (!(await isFile(file, shortLabel, mode))) return undefined
    return mode === 'read' ? whole.open(options) : sessionOn(file, mode, options)
  }

  async function sessionOn(path: string, mode: 'read' | 'write', options: OpenOptions) {
    const { openSession } = await loadSession()
    const request = await requestOf(mode, options)
    return openSession({ ...request, file: path, project, capabilities, dialect })
  }

  async function requestOf(mode: 'read' | 'write', options: OpenOptions) {
    return {
      file,
      label: shortLabel,
      mode,
      threads: availableParallelism(),
      load: (await extensions?.(mode)) ?? [],
      options,
      endsSoon,
      describeHolder: (pid: number | undefined, program: string) => describeHolder(file, pid, program),
    }
  }

  async function openAhead(): Promise<() => void> {
    if (!(await isFile(file, shortLabel, 'read'))) return () => {}
    const { openAhead } = await loadInstance()
    return openAhead(await requestOf('write', {}))
  }

  return {
    dialect,
    capabilities,
    project,
    label: `duckdb: ${shortLabel}`,
    shortLabel,
    acquireLease: (environment, holder) => takeLease(lease(environment), environment, holder),
    freeDeadLeases: holder => freeDeadLeases(leasePrefix(file, project), holder),
    leaseHolder: environment => readLeaseHolder(lease(environment), hostname()),
    version: () => fileVersion(file),
    ofProject: name => duckdbWarehouse({ ...made, project: name }),
    stateOf: access => sqlStateStore({ dialect, project }, access),
    async backup(target, options = {}) {
      if (!(await isFile(file, shortLabel, 'read'))) throw nothingToCopy(shortLabel)
      return whole.backup(target, options)
    },
    obstacle: () => folderProblem(file, shortLabel),
    open: open as Warehouse['open'],
    openAhead,
  }
}

/**
 * Returns false if there is no file, which `read` does not create. Throws errors that are clearer than
 * DuckDB's own.
 */
async function isFile(file: string, label: string, mode: 'read' | 'write'): Promise<boolean> {
  const found = await stat(file).catch(error => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw new SvcError('file-failed', `cannot look at ${label} (${error.code})`, {
      hint: 'Check the permissions of the file and of its folder.',
      cause: error,
    })
  })
  if (found?.isDirectory()) {
    throw new SvcError('warehouse-not-a-database', `${label} is a folder, not a DuckDB file`, {
      hint: `Name a file in it as warehouse in svc.yaml: duckdb:${label}/warehouse.duckdb.`,
    })
  }
  if (found !== undefined) return true
  if (mode === 'read') return false
  const obstacle = await folderProblem(file, label)
  if (obstacle !== undefined) throw obstacle
  return true
}

function nothingToCopy(label: string): SvcError {
  return new SvcError('file-failed', `${label} is not there, so there is nothing to copy`, {
    hint: svc => `${svc('run')} makes it; the address of another warehouse is in svc.yaml.`,
  })
}

async function folderProblem(file: string, label: string): Promise<SvcError | undefined> {
  const folder = await stat(dirname(file)).catch(() => undefined)
  if (folder?.isDirectory()) return undefined
  return new SvcError('file-failed', `the folder of ${label} does not exist`, {
    hint: 'Create it, or name another warehouse in svc.yaml.',
  })
}

/** Returns the relative path inside the project, and only the file's name elsewhere. */
function labelOf(file: string, root: string): string {
  const path = relative(root, file)
  return path.startsWith('..') || isAbsolute(path) ? basename(file) : path
}

/** Returns a valid file name that is unique for the project and environment. */
function leasePath(file: string, project: string, environment: string): string {
  return `${leasePrefix(file, project)}${encodeURIComponent(environment)}.lease`
}

function leasePrefix(file: string, project: string): string {
  // A dot ends the name of the project, so dots in it are encoded.
  return `${realFile(file)}.${encodeURIComponent(project).replaceAll('.', '%2E')}.`
}

/** Returns the path behind links: whoever uses another name of the file must find the same lease. */
function realFile(file: string): string {
  try {
    return realpathSync(file)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? beforeItExists(file) : file
  }
}

/** The file is made by the first run, also where a link already names it. */
function beforeItExists(file: string): string {
  try {
    return realFile(resolve(dirname(file), readlinkSync(file)))
  } catch {
    return existsSync(dirname(file)) ? join(realpathSync(dirname(file)), basename(file)) : file
  }
}

/** Returns the run if the process is an svc run on this file, otherwise the program. */
async function describeHolder(file: string, pid: number | undefined, program: string): Promise<string> {
  if (pid === undefined) return basename(program)
  if (pid === process.pid) return `this process (${pid})`
  const holder = await leaseOfProcess(`${realFile(file)}.`, pid)
  if (holder !== undefined) {
    return `svc ${holder.command} (run ${holder.runId} of ${holder.user}, process ${pid})`
  }
  return `${programOf(pid) ?? basename(program)} (process ${pid})`
}

/**
 * Returns what a shell may complete: names of assets, labels, runs, environments. They come from file names,
 * `svc.yaml` and `.svc/`, because a key press cannot wait until a project is parsed. Never throws, and never
 * opens the warehouse.
 */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { once, parseSettings, type Settings, usualEnvironment } from '@svc/server/language'
import { isStateOfDev } from '@svc/server/workspace'
import { wholeBlocks } from '../artifacts/inherited-blocks.ts'
import { historyFile } from '../artifacts/write-history.ts'
import { findProjectOrNothing, settingsFile } from '../config/find-project.ts'
import { listLogs } from '../log/log-files.ts'

export type CompletionFacts = ReturnType<typeof completionFacts>

export function completionFacts(cwd: string) {
  const root = findProjectOrNothing(cwd)
  const settings = once(() =>
    parseSettings(root === undefined ? undefined : textOf(join(root, settingsFile))),
  )
  const manifest = once(() => (root === undefined ? [] : manifestEntries(root)))
  const paths = once(() => (root === undefined ? [] : assetPaths(root, settings().models)))
  return {
    assets: () => namesOf(paths(), manifest()),
    /** Returns the values of a selector's method in the project: tags, owners, exposures. */
    labels: (method: string) => [...new Set(manifest().flatMap(entry => labelsOf(entry, method)))].sort(),
    paths,
    environments: () => [
      ...new Set([
        'dev',
        'prod',
        ...Object.keys(settings().environments),
        ...builtEnvironments(root, settings()),
      ]),
    ],
    /** Returns run ids, newest first. */
    runs: () => (root === undefined ? [] : listLogs(root).map(({ runId }) => runId)),
  }
}

/** A folder or file that cannot be read, or is none of svc, has nothing to offer. */
function orElse<T>(otherwise: T, read: () => T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

function textOf(path: string): string | undefined {
  return orElse(undefined, () => readFileSync(path, 'utf8'))
}

function assetPaths(root: string, models: string): string[] {
  return orElse([], () =>
    readdirSync(join(root, models), { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.svc') && !/(^|[/\\])(\.|node_modules)/.test(path))
      .map(path => `${models}${path.replaceAll('\\', '/')}`)
      .sort(),
  )
}

interface Entry {
  readonly name: string
  readonly path: string
  readonly blocks: Readonly<Record<string, unknown>>
  readonly inherited?: Readonly<Record<string, unknown>>
}

/** Larger manifests take too long to read. */
const largestManifest = 8_000_000

function manifestEntries(root: string): readonly Entry[] {
  const path = join(root, '.svc', 'manifest.json')
  return orElse([], () => {
    if (statSync(path).size > largestManifest) return []
    const value = JSON.parse(readFileSync(path, 'utf8')) as { readonly assets: readonly Entry[] }
    return value.assets.filter(entry => typeof entry.name === 'string' && typeof entry.path === 'string')
  })
}

/** Assumes for a file that is not in the manifest that it is named like its asset. */
function namesOf(paths: readonly string[], entries: readonly Entry[]): string[] {
  const known = new Map(entries.map(({ path, name }) => [path, name]))
  return [...new Set(paths.map(path => known.get(path) ?? basename(path, '.svc')))].sort()
}

function labelsOf(entry: Entry, method: string): string[] {
  const blocks = wholeBlocks(entry.blocks, entry.inherited)
  if (method === 'tag') return [blocks['tags']].flat().filter(each => typeof each === 'string')
  if (method === 'owner') return typeof blocks['owner'] === 'string' ? [blocks['owner']] : []
  if (method !== 'exposure') return []
  return [blocks['exposures']].flat().flatMap(each => {
    const name = typeof each === 'object' && each !== null && 'name' in each ? each.name : undefined
    return typeof name === 'string' ? [name] : []
  })
}

/** Environments that had a run have a folder, of `dev` each branch. */
function builtEnvironments(root: string | undefined, settings: Settings): string[] {
  if (root === undefined) return []
  // Beside the folders of environments there are those of logs and caches.
  return orElse([], () =>
    readdirSync(join(root, '.svc'))
      .filter(name => existsSync(join(root, '.svc', name, historyFile)))
      .map(name => (isStateOfDev(name, settings) ? usualEnvironment : name)),
  )
}

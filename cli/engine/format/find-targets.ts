/**
 * Finds the files that `svc fmt` formats: those of the project, or those that were named. It does not read
 * them.
 */
import { existsSync, statSync } from 'node:fs'
import { basename, isAbsolute, join, relative, resolve } from 'node:path'
import { type Engine, engineOf, usualWarehouse, type Variables } from '@svc/server/language'
import { listAssets, readSettings, settingsFile } from '@svc/server/workspace'
import { findProject, findProjectOrNothing } from '../config/find-project.ts'
import { SvcError } from '../errors.ts'

export interface FormatTargets {
  /** The root of the files' project; undefined outside of a project. */
  readonly root: string | undefined
  /** The engine of that project; the default one outside of a project. */
  readonly engine: Engine
  /** Whether these are all files of the project, so that cached results of others are obsolete. */
  readonly isWhole: boolean
  readonly files: readonly FormatTarget[]
}

export interface FormatTarget {
  /** The path for messages, relative to the working directory. */
  readonly path: string
  readonly absolute: string
}

/** The YAML files beside assets that people write. */
const ownFiles = [settingsFile, 'glossary.yaml']

/** Throws SvcError `no-project`, `wrong-usage`, `file-failed`. */
export function findTargets(cwd: string, paths: readonly string[], env: Variables): FormatTargets {
  if (paths.length === 0) return projectTargets(cwd, env)
  const targets = new Map<string, FormatTarget>()
  const root = findProjectOrNothing(cwd)
  for (const path of paths) {
    const here = resolve(cwd, path)
    const place = existsSync(here) ? here : (fileOfAsset(root, path, env) ?? here)
    for (const absolute of expand(place, path)) targets.set(absolute, target(cwd, absolute))
  }
  return { root, engine: engineIn(root, env), isWhole: false, files: [...targets.values()] }
}

/** The name of an asset means its file: that of `models/` that is called so. */
function fileOfAsset(root: string | undefined, name: string, env: Variables): string | undefined {
  if (root === undefined || !/^[A-Za-z_]\w*$/.test(name)) return undefined
  const { settings } = readSettings(root, env)
  const found = listAssets(root, settings.models).filter(path => basename(path) === `${name}.svc`)
  return found.length === 1 ? join(root, found[0] ?? '') : undefined
}

function projectTargets(cwd: string, env: Variables): FormatTargets {
  const root = findProject(cwd)
  const { settings } = readSettings(root, env)
  const paths = [...ownFilesOf(root), ...listAssets(root, settings.models).map(path => join(root, path))]
  return { root, engine: settings.engine, isWhole: true, files: paths.map(path => target(cwd, path)) }
}

/** Returns the engine of the project around a folder. Throws SvcError `file-failed`. */
export function engineAround(cwd: string, env: Variables): Engine {
  return engineIn(findProjectOrNothing(cwd), env)
}

function engineIn(root: string | undefined, env: Variables): Engine {
  return root === undefined ? engineOf(usualWarehouse) : readSettings(root, env).settings.engine
}

function ownFilesOf(folder: string): string[] {
  return ownFiles.map(name => join(folder, name)).filter(path => existsSync(path))
}

function target(cwd: string, absolute: string): FormatTarget {
  const path = relative(cwd, absolute)
  return { path: path === '' || isAbsolute(path) ? absolute : path.replaceAll('\\', '/'), absolute }
}

function expand(absolute: string, given: string): string[] {
  if (given.trim() === '') {
    throw new SvcError('wrong-usage', 'the path is empty', { hint: 'Leave it out for all files.' })
  }
  const stat = statSync(absolute, { throwIfNoEntry: false })
  if (stat === undefined) {
    throw new SvcError('wrong-usage', `there is no file or folder "${given}"`, {
      hint: 'svc fmt without a path formats all files of the project.',
    })
  }
  if (stat.isDirectory()) {
    return [...ownFilesOf(absolute), ...listAssets(absolute, '').map(path => join(absolute, path))]
  }
  if (isFormattable(absolute)) return [absolute]
  throw new SvcError('wrong-usage', `svc fmt does not know how to format "${given}"`, {
    hint: `It formats .svc files, ${ownFiles.join(' and ')}.`,
  })
}

export function isFormattable(path: string): boolean {
  return path.endsWith('.svc') || ownFiles.includes(basename(path))
}

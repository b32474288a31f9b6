/**
 * Finds the `svc` that a project has of its own: one that npm has installed for it, or the one on PATH. It reads files and
 * starts nothing. Independent of the editor.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'

export interface SvcBuild {
  /** Its launcher. */
  readonly cli: string
  readonly version: string
  /** Undefined before builds had names. */
  readonly build: string | undefined
}

const packageName = 'svc-cli'

/** Returns undefined if there is none. */
export function ownSvc(root: string, searchPath: string): SvcBuild | undefined {
  return installedFor(root) ?? onPath(searchPath)
}

/** Returns what a launcher belongs to; undefined if it is not that of a package of svc. */
export function buildOf(cli: string): SvcBuild | undefined {
  const folder = dirname(dirname(cli))
  const version = versionOf(join(folder, 'package.json'))
  if (version === undefined || !existsSync(cli)) return undefined
  const build = join(folder, 'dist', 'build-id')
  return { cli, version, build: existsSync(build) ? readFileSync(build, 'utf8').trim() : undefined }
}

export function isSameBuild(one: SvcBuild, other: SvcBuild): boolean {
  return one.version === other.version && one.build === other.build
}

/** Returns the name as `svc --version` prints it. */
export function nameOf({ version, build }: SvcBuild): string {
  return build === undefined ? `svc ${version}` : `svc ${version} (${build})`
}

/** Looks where Node looks: beside the project, and in the folders above it. */
function installedFor(root: string): SvcBuild | undefined {
  const found = installedIn(root)
  return found !== undefined || dirname(root) === root ? found : installedFor(dirname(root))
}

function installedIn(folder: string): SvcBuild | undefined {
  return buildOf(join(folder, 'node_modules', packageName, 'bin', 'svc.cjs'))
}

/** A shell takes the first one, whatever it is. */
function onPath(searchPath: string): SvcBuild | undefined {
  const isWindows = process.platform === 'win32'
  const name = isWindows ? 'svc.cmd' : 'svc'
  const folder = searchPath.split(delimiter).find(each => isAbsolute(each) && existsSync(join(each, name)))
  if (folder === undefined) return undefined
  // npm makes a link, and on Windows a script beside the folder of its packages.
  if (isWindows) return installedIn(folder)
  const launcher = realpathSync(join(folder, name))
  return basename(launcher) === 'svc.cjs' ? buildOf(launcher) : undefined
}

function versionOf(path: string): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, unknown>>
    const isOurs = name === packageName || name === '@svc/cli'
    return isOurs && typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}

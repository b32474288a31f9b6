/** The dbt project and the packages that are installed in it: their settings and the folders of their files. */
import { posix } from 'node:path'
import { SvcError } from '../../errors.ts'
import type { Site } from '../jinja/problem.ts'
import { placeOf } from './place.ts'
import type { ProjectFiles } from './project-files.ts'
import { type Part, parseYamlFile } from './yaml-part.ts'

export interface DbtPackage {
  readonly name: string
  /** Relative to the dbt project; '' for the project itself. */
  readonly folder: string
  readonly settings: Part
  readonly isRoot: boolean
}

/** The kinds of folders, with the names that older versions of dbt gave the setting, and the usual folder. */
const folderKeys = {
  models: { keys: ['model-paths', 'source-paths'], usual: ['models'] },
  seeds: { keys: ['seed-paths', 'data-paths'], usual: ['seeds'] },
  tests: { keys: ['test-paths'], usual: ['tests'] },
  macros: { keys: ['macro-paths'], usual: ['macros'] },
  snapshots: { keys: ['snapshot-paths'], usual: ['snapshots'] },
  analyses: { keys: ['analysis-paths'], usual: ['analyses', 'analysis'] },
  docs: { keys: ['docs-paths'], usual: [] },
  functions: { keys: ['function-paths'], usual: ['functions'] },
} as const

export type FolderKind = keyof typeof folderKeys

/** Returns the project first, then its packages in order of name. */
export function readPackages(files: ProjectFiles): readonly DbtPackage[] {
  const root = readPackage(files, '')
  const written = root.settings.get('packages-install-path')?.text
  const folders = written === undefined ? ['dbt_packages', 'dbt_modules'] : [written]
  const installed = folders.flatMap(folder =>
    files
      .list(folder, ['dbt_project.yml'])
      .filter(path => posix.dirname(posix.dirname(path)) === posix.normalize(folder)),
  )
  return [root, ...installed.map(path => readPackage(files, posix.dirname(path)))]
}

function readPackage(files: ProjectFiles, folder: string): DbtPackage {
  const settings = parseYamlFile(files.read(posix.join(folder, 'dbt_project.yml')))
  const name = settings.get('name')?.text
  if (name === undefined) {
    throw new SvcError('invalid-project', `${settings.template.path} has no name`, {
      place: placeOf(settings.site),
      hint: 'dbt needs "name:" in it, too. Nothing was written.',
    })
  }
  return { name, folder, settings, isRoot: folder === '' }
}

function foldersOf({ settings, folder }: DbtPackage, kind: FolderKind): readonly string[] {
  const { keys, usual } = folderKeys[kind]
  const written = keys.flatMap(key => settings.get(key)?.items() ?? []).flatMap(part => part.text ?? [])
  return (written.length > 0 ? written : usual).map(each =>
    posix.isAbsolute(each) ? each : posix.join(folder, each),
  )
}

/** Returns the files of a kind, in the order of their folders. */
export function filesOf(
  files: ProjectFiles,
  of: DbtPackage,
  kind: FolderKind,
  endings: readonly string[],
): readonly string[] {
  return [...new Set(foldersOf(of, kind).flatMap(folder => files.list(folder, endings)))]
}

/** Returns the folders between the folder of the kind and the file, as the settings of dbt name them. */
export function folderPath(of: DbtPackage, kind: FolderKind, path: string): readonly string[] {
  const folder = foldersOf(of, kind).find(each => path.startsWith(`${posix.normalize(each)}/`))
  const below = folder === undefined ? path : posix.relative(posix.normalize(folder), path)
  return posix
    .dirname(below)
    .split('/')
    .filter(each => each !== '.' && each !== '')
}

/** A package that the project asks for, as its list of packages has it. */
export interface AskedPackage {
  readonly name: string
  readonly site: Site
}

/**
 * Returns the packages that the project lists and that are not installed. The name of one from a repository is known once it is there:
 * beside others that are installed it is taken for installed, too.
 */
export function missingPackages(
  files: ProjectFiles,
  packages: readonly DbtPackage[],
): readonly AskedPackage[] {
  const installed = packages.filter(({ isRoot }) => !isRoot)
  const names = new Set(installed.flatMap(({ name, folder }) => [name, posix.basename(folder)]))
  const lists = ['packages.yml', 'dependencies.yml'].filter(path => files.has(path))
  return lists.flatMap(path =>
    (parseYamlFile(files.read(path)).get('packages')?.items() ?? []).flatMap((entry): AskedPackage[] => {
      const address = ['package', 'git', 'local', 'tarball', 'private'].map(key => entry.get(key)?.text)
      const text = address.find(each => each !== undefined) ?? ''
      const name = posix.basename(text.replace(/\.(git|tar\.gz)$/, '')).replaceAll('-', '_')
      const isHub = address[0] !== undefined
      const isThere = isHub ? names.has(name) : installed.length > 0
      return name === '' || isThere ? [] : [{ name, site: entry.site }]
    }),
  )
}

/**
 * Makes a small project of the open files and what they read, before all files are read: in a project of ten
 * thousand files the first diagnostics must not wait for all of them. Files are found by the names of assets,
 * which most files share.
 */
import type { MayOpen } from '../../catalog/index.ts'
import {
  type Asset,
  createProject,
  expandAsset,
  type Glossary,
  type Macros,
  once,
  type Project,
  parseAsset,
  type Settings,
} from '../../language/index.ts'
import { listAssets, sha256 } from '../../workspace/index.ts'
import type { Log } from '../log.ts'
import { listedOrNone, readProjectFile } from './project-files.ts'

export interface EarlyProject {
  readonly project: Project
  /** Assets that were read from disk, by path, so that they need not be read again. */
  readonly read: ReadonlyMap<string, Asset>
}

/** Makes the project. `open` has the texts of the open assets, by path. */
export function earlyProject(options: {
  readonly root: string
  readonly settings: Settings
  readonly glossary: Glossary
  readonly macros: Macros
  readonly open: ReadonlyMap<string, string>
  readonly log: Log
  readonly mayOpen: MayOpen
}): EarlyProject {
  const { root, settings, glossary, macros, open } = options
  const found = new Map<string, Asset>()
  const read = new Map<string, Asset>()
  const waiting: string[] = []
  const add = (asset: Asset): void => {
    found.set(asset.path, asset)
    for (const { name } of asset.refs) waiting.push(name)
  }
  const parsed = (path: string, text: string): Asset =>
    expandAsset(parseAsset(path, text, settings, sha256), macros, settings, sha256)
  for (const [path, text] of open) add(parsed(path, text))
  const pathOf = once(() => pathsByStem(root, settings.models, options))
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const path = pathOf().get(name)
    if (path === undefined || found.has(path)) continue
    const file = readProjectFile(root, path, options)
    if (file === undefined) continue
    const asset = parsed(path, file.text)
    read.set(path, asset)
    add(asset)
  }
  return { project: createProject({ settings, glossary, macros, files: found.values(), hash: sha256 }), read }
}

function pathsByStem(
  root: string,
  models: string,
  { log, mayOpen }: { readonly log: Log; readonly mayOpen: MayOpen },
): ReadonlyMap<string, string> {
  const paths = new Map<string, string>()
  for (const path of listedOrNone(log, () => listAssets(root, models, mayOpen))) {
    const stem = path.slice(path.lastIndexOf('/') + 1, -'.svc'.length)
    if (!paths.has(stem)) paths.set(stem, path)
  }
  return paths
}

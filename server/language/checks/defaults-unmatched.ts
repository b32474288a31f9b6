/** Finds patterns of `defaults` in `svc.yaml` that fit no asset: their keys would be passed over in silence. */
import { pathMatcher } from '../project/folder-defaults.ts'
import { nodeAt } from '../project/locate.ts'
import { settingsPath } from '../project/parse-settings.ts'
import type { Project, Settings } from '../project/project.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { nearestNames } from '../text/nearest-names.ts'

/** By pattern the path that was found to fit, which mostly still does at the next keystroke. */
const witnesses = new WeakMap<Settings['defaults'], Map<string, string>>()

export function unmatchedDefaults({ settings, assets }: Project): readonly Diagnostic[] {
  const { defaults, file } = settings
  const known = witnesses.get(defaults) ?? new Map<string, string>()
  witnesses.set(defaults, known)
  return defaults.flatMap(({ pattern }) => {
    const before = known.get(pattern)
    if (before !== undefined && assets.has(before)) return []
    const path = [...assets.keys()].find(pathMatcher(pattern))
    if (path !== undefined) known.set(pattern, path)
    return path === undefined ? [unmatched(pattern, file, [...assets.keys()])] : []
  })
}

function unmatched(pattern: string, file: Settings['file'], paths: readonly string[]): Diagnostic {
  const defaults = nodeAt(file?.tree, ['defaults'])
  const entries = defaults?.kind === 'map' ? defaults.entries : []
  const range = entries.find(({ key }) => key.value === pattern)?.key.bodyRange ?? { start: 0, end: 0 }
  const meant = likelyPatterns(pattern, paths)
  const [first] = meant
  return {
    code: 'defaults-unmatched',
    severity: 'warning',
    path: settingsPath,
    range,
    message: `"${pattern}" fits no asset`,
    hint:
      first === undefined
        ? "Patterns are relative to the project's root: * stands for a part of a name, ** for any folders."
        : `did you mean "${first}"?`,
    suggestions: meant,
    fixes: meant.map(newText => ({
      title: `Change to "${newText}"`,
      edits: [{ path: settingsPath, range, newText }],
    })),
  }
}

/** Returns patterns that fit something: with what is missing before or behind this one, or similar ones. */
function likelyPatterns(pattern: string, paths: readonly string[]): readonly string[] {
  const bare = pattern.replace(/\/+$/, '')
  const folder = (paths[0] ?? '').replace(/\/.*/, '')
  const completed = [`${bare}/**`, `${folder}/${bare}`, `${folder}/${bare}/**`]
  const fitting = completed.filter(each => paths.some(pathMatcher(each)))
  return fitting.length > 0 ? fitting.slice(0, 1) : nearestNames(pattern, folderPatterns(paths)).slice(0, 3)
}

/** Returns `folder/**` for each folder that has assets, also in folders below. */
export function folderPatterns(paths: Iterable<string>): readonly string[] {
  const folders = new Set<string>()
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
      folders.add(path.slice(0, at))
  }
  return [...folders].sort().map(folder => `${folder}/**`)
}

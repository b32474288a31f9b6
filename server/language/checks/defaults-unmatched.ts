/** Finds patterns of `defaults` in `svc.yaml` that fit no asset: their keys would be passed over in silence. */
import { once } from '../once.ts'
import { pathMatcher, plainStart } from '../project/folder-defaults.ts'
import { nodeAt } from '../project/locate.ts'
import { settingsPath } from '../project/parse-settings.ts'
import type { Project, Settings } from '../project/project.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { firstIndex } from '../text/first-index.ts'
import { type NameIndex, newNameIndex } from '../text/name-index.ts'
import type { Range } from '../text/range.ts'

/** By pattern the path that was found to fit, which mostly still does at the next keystroke. */
const witnesses = new WeakMap<Settings['defaults'], Map<string, string>>()

export function unmatchedDefaults({ settings, assets }: Project): readonly Diagnostic[] {
  const { defaults, file } = settings
  const known = witnesses.get(defaults) ?? new Map<string, string>()
  witnesses.set(defaults, known)
  const paths = once(() => pathsOf(assets.keys()))
  const places = once(() => placesOf(file))
  return defaults.flatMap(({ pattern }) => {
    const before = known.get(pattern)
    if (before !== undefined && assets.has(before)) return []
    const path = paths().oneLike(pattern)
    if (path !== undefined) known.set(pattern, path)
    return path === undefined
      ? [unmatched(pattern, places().get(pattern) ?? { start: 0, end: 0 }, paths())]
      : []
  })
}

/** The paths of assets, listed once for all patterns. */
interface Paths {
  /** The first folder. */
  readonly folder: string
  /** A path that the pattern fits. Only those that begin as it does are looked at. */
  oneLike(pattern: string): string | undefined
  readonly folders: () => NameIndex
}

function pathsOf(paths: Iterable<string>): Paths {
  const all = [...paths]
  const sorted = all.toSorted()
  return {
    folder: (all[0] ?? '').replace(/\/.*/, ''),
    oneLike(pattern) {
      const [start, fits] = [plainStart(pattern), pathMatcher(pattern)]
      for (let at = firstIndex(sorted, path => path >= start); at < sorted.length; at++) {
        const path = sorted[at] ?? ''
        if (!path.startsWith(start)) return undefined
        if (fits(path)) return path
      }
      return undefined
    },
    folders: once(() => newNameIndex(folderPatterns(all))),
  }
}

function placesOf(file: Settings['file']): ReadonlyMap<unknown, Range> {
  const defaults = nodeAt(file?.tree, ['defaults'])
  const entries = defaults?.kind === 'map' ? defaults.entries : []
  // The first of two that are alike counts.
  return new Map(entries.toReversed().map(({ key }) => [key.value, key.bodyRange]))
}

function unmatched(pattern: string, range: Range, paths: Paths): Diagnostic {
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
function likelyPatterns(pattern: string, paths: Paths): readonly string[] {
  const bare = pattern.replace(/\/+$/, '')
  const { folder } = paths
  const completed = [`${bare}/**`, `${folder}/${bare}`, `${folder}/${bare}/**`]
  const fitting = completed.filter(each => paths.oneLike(each) !== undefined)
  return fitting.length > 0 ? fitting.slice(0, 1) : paths.folders().nearest(pattern)
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

/**
 * Records which assets have no problems and what that depends on, so that the next command can skip their
 * checks while it stays the same. Only assets that ask little of others are recorded: the few that ask more
 * are checked at every start.
 */
import { asWritten } from '../macros/expand-asset.ts'
import type { Asset, Project } from '../project/project.ts'
import { storedFacts } from '../project/stored-asset.ts'
import type { SourceShapes } from '../source/source-shape.ts'
import { type CheckResult, lastState } from './check-state.ts'
import type { Dependencies } from './dependency-recorder.ts'
import { assetsWithUnknownSource } from './source-columns-unknown.ts'

/** With more names than this it is not worth recording. */
const manyNames = 20

/**
 * Returns what any clean asset depends on besides files, sources and analyses of named assets: the settings,
 * the glossary, the names of assets. Returns undefined if there is a cycle, because its members are reported
 * each time.
 */
export function sharedInputs(project: Project, sources: SourceShapes): string | undefined {
  if (project.cycles.length > 0) return undefined
  const assets = [...project.assets.values()].map(
    ({ path, name, definition }) => `${path}\n${name}\n${definition.deploy.enabled}`,
  )
  const unknown = assetsWithUnknownSource(project, sources).map(({ name }) => name)
  return JSON.stringify([project.settings.file?.text, project.glossary.file?.text, unknown, assets])
}

/**
 * Returns what the clean result of an asset depends on in the snapshot that was checked last: the names of
 * other assets whose files and analyses it used. Returns undefined if it was not checked, has problems, or
 * depends on more.
 */
export function cleanResult(project: Project, asset: Asset): readonly string[] | undefined {
  const state = lastState(project)
  const result = state?.analysis === undefined ? undefined : state.results.get(asset)
  return result && isPlain(asset, result) ? namesAsked(result.asked) : undefined
}

/** Returns whether an asset was restored from the cache, in which case its file is unchanged. */
export function isUnread(asset: Asset): boolean {
  return storedFacts(asWritten(asset)) !== undefined
}

function isPlain(asset: Asset, { diagnostics, isFirst, analysis, hasReaders }: CheckResult): boolean {
  return (
    diagnostics.length === 0 &&
    isFirst &&
    analysis !== undefined &&
    // Readers of the asset and equal exposures of other assets are not recorded by name.
    hasReaders === undefined &&
    asset.definition.exposures.length === 0
  )
}

/**
 * Returns the names of the other assets that were asked about; whether a name exists is covered by
 * `sharedInputs`.
 */
function namesAsked(asked: Dependencies): readonly string[] | undefined {
  const names = new Set<string>()
  for (const answer of asked) {
    if (answer[0] === 'exists' || answer[0] === 'nearest') continue
    if (answer[0] !== 'analysis' && answer[0] !== 'asset') return undefined
    names.add(answer[1])
  }
  return names.size > manyNames ? undefined : [...names]
}

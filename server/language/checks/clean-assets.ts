/**
 * Which assets the checks found nothing about and what that rests on, so that the next command can pass them over as
 * long as it stays. Only of assets that ask little of others: the few that ask more are checked at every start.
 */
import type { Asset, Project } from '../project/project.ts'
import { storedFacts } from '../project/stored-asset.ts'
import type { SourceShapes } from '../source/source-shape.ts'
import { type CheckResult, lastState } from './check-state.ts'
import { assetsWithUnknownSource } from './source-columns-unknown.ts'
import type { Asked } from './witness.ts'

/** More names are not worth keeping. */
const manyNames = 20

/**
 * All that a clean asset rests on besides files, sources and analyses of named assets: settings, glossary, which assets
 * there are. Undefined: assets read one another in a circle, and who is in it is told each time.
 */
export function checkGround(project: Project, sources: SourceShapes): string | undefined {
  if (project.cycles.length > 0) return undefined
  const assets = [...project.assets.values()].map(
    ({ path, name, definition }) => `${path}\n${name}\n${definition.deploy.enabled}`,
  )
  const unknown = assetsWithUnknownSource(project, sources).map(({ name }) => name)
  return JSON.stringify([project.settings.file?.text, project.glossary.file?.text, unknown, assets])
}

/**
 * What the clean result of an asset in the snapshot that was checked last rests on: names of other assets whose files
 * and analyses are as they are. Undefined: it was not checked, or it has problems, or it rests on more.
 */
export function cleanResult(project: Project, asset: Asset): readonly string[] | undefined {
  const state = lastState(project)
  const result = state?.analysis === undefined ? undefined : state.results.get(asset)
  return result && isPlain(asset, result) ? namesAsked(result.asked) : undefined
}

/** Whether an asset is made of what was kept, so that its file is as it was. */
export function isUnread(asset: Asset): boolean {
  return storedFacts(asset) !== undefined
}

function isPlain(asset: Asset, { found, isFirst, analysis, hasReaders }: CheckResult): boolean {
  return (
    found.length === 0 &&
    isFirst &&
    analysis !== undefined &&
    // Who reads it, and what other assets say of the same exposure, is not written down by name.
    hasReaders === undefined &&
    asset.definition.exposures.length === 0
  )
}

/** Which names there are is part of the ground. */
function namesAsked(asked: Asked): readonly string[] | undefined {
  const names = new Set<string>()
  for (const answer of asked) {
    if (answer[0] === 'exists' || answer[0] === 'nearest') continue
    if (answer[0] !== 'analysis' && answer[0] !== 'asset') return undefined
    names.add(answer[1])
  }
  return names.size > manyNames ? undefined : [...names]
}

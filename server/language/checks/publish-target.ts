import { readTarget, targetNames } from '../destinations/target.ts'
import { locate, nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { Range } from '../text/range.ts'
import type { ProjectCheck } from './check.ts'

export const publishTarget: ProjectCheck = {
  code: 'publish-target',
  doc: 'A target under `publish` lacks what svc needs to send rows there, here and under `destinations` in `svc.yaml`.',
  *run(asset, { project }) {
    for (const name of targetNames(asset)) {
      const { problem } = readTarget(asset, name, project.settings)
      if (problem === undefined || hasWrongType(asset, name)) continue
      const { at, message, hint, suggestions } = problem
      const range = placeOf(asset, name, at)
      const [best] = suggestions ?? []
      const edits = [{ path: asset.path, range, newText: best ?? '' }]
      yield {
        range,
        message,
        hint,
        ...(best !== undefined && { suggestions, fixes: [{ title: `Change to "${best}"`, edits }] }),
      }
    }
  },
}

/** A type that is none is reported where it stands, and what it lacks is not known. */
function hasWrongType({ tree, definition }: Asset, name: string): boolean {
  return definition.publish[name]?.type === undefined && nodeAt(tree, ['publish', name, 'type']) !== undefined
}

/** A key that stands in `svc.yaml` is reported where the asset names the target. */
function placeOf(asset: Asset, name: string, at: readonly string[]): Range {
  const path = ['publish', name, ...at]
  const isHere = at.length > 0 && nodeAt(asset.tree, path) !== undefined
  return isHere ? locate(asset, path) : locate(asset, ['publish', name], 'key')
}

/** How the personal data in live builds differs from what the files say: a mark holds for a build until a run replaces it. */
import { type Grade, projectFlow, wholeMarking } from '@svc/server/language'
import { openOptions, withReadSession } from '../run/begin-run.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { readBuildMarks } from './build-marks.ts'

export interface BuildDifference {
  readonly asset: string
  readonly column: string
  readonly build: Grade | 'none'
  readonly files: Grade | 'none'
  /** Nothing is known of how the build was made, so that all of it counts as personal. */
  readonly isUnknown: boolean
}

/** Returns undefined if the environment has no warehouse yet. */
export async function personalInBuilds(
  workspace: Workspace,
): Promise<readonly BuildDifference[] | undefined> {
  return withReadSession(workspace, openOptions(workspace), async session => {
    if (session === undefined) return undefined
    const state = await session.state.read(workspace.environment.stateName)
    const keys = [...state.live.values()].map(({ build_key }) => build_key)
    const marks = await readBuildMarks(session.state, workspace, { state, keys })
    if (!marks.any) return []
    const { project } = workspace
    const marking = wholeMarking(project.glossary.policies)
    const inFiles = projectFlow(project, await workspace.analysis(), marking)
    const inBuilds = marks.flow(marking)
    return [...state.live].flatMap(([asset, { build_key: key }]) => {
      const isUnknown = marks.unknownIn(key) !== undefined
      return (state.builds.get(key)?.columns ?? []).flatMap(
        ({ name: column }): readonly BuildDifference[] => {
          const build = inBuilds.of(key, column)?.grade ?? 'none'
          const files = project.byName.has(asset) ? (inFiles.of(asset, column)?.grade ?? 'none') : 'none'
          return build === files ? [] : [{ asset, column, build, files, isUnknown }]
        },
      )
    })
  })
}

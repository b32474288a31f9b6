import type { Asset, Project } from '../project/project.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import type { ProjectCheck } from './check.ts'

export const cycle: ProjectCheck = {
  code: 'cycle',
  doc: 'Assets read one another in a circle, so none of them can be built first.',
  *run(asset, { project, facts }) {
    const path = facts.cycleOf(asset.name)
    // A cycle of one asset is reported by `self-ref`, a second file of the same name by `duplicate-name`.
    if (path === undefined || path.length < 3 || project.byName.get(asset.name) !== asset) return
    const turned = startAt(path, asset.name)
    const ref = refTo(asset, turned[1])
    if (ref === undefined) return
    yield {
      range: ref.range,
      message: `assets read one another in a circle: ${turned.join(' -> ')}`,
      hint: 'Take one of these refs out.',
      related: otherRefs(project, turned.slice(1)),
    }
  },
}

/** Rotates the cycle `b -> c -> a -> b` so that it starts and ends with `name`. */
function startAt(path: readonly string[], name: string): readonly string[] {
  const round = path.slice(0, -1)
  const start = Math.max(round.indexOf(name), 0)
  return [...round.slice(start), ...round.slice(0, start), name]
}

function refTo(asset: Asset, name: string | undefined) {
  return asset.refs.find(ref => ref.from !== 'test' && ref.name === name)
}

function otherRefs(project: Project, path: readonly string[]): NonNullable<Diagnostic['related']> {
  return path.slice(0, -1).flatMap((name, i) => {
    const asset = project.byName.get(name)
    const ref = asset && refTo(asset, path[i + 1])
    if (asset === undefined || ref === undefined) return []
    return [{ path: asset.path, range: ref.range, message: `"${name}" reads "${ref.name}" here` }]
  })
}

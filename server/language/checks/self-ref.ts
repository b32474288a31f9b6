import type { ProjectCheck } from './check.ts'

export const selfRef: ProjectCheck = {
  code: 'self-ref',
  doc: 'The transform or the source of an asset reads the asset itself.',
  *run(asset, { project }) {
    if (!project.byName.has(asset.name)) return
    for (const ref of asset.refs) {
      if (ref.from === 'test' || ref.name !== asset.name) continue
      yield {
        range: ref.range,
        message: `"${asset.name}" reads itself`,
        hint: 'An asset is built from its source and from other assets; name one of those.',
      }
    }
  },
}

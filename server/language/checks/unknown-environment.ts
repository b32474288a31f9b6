/** Finds environments that no project of this file has: what is to happen in them would never happen. */
import { writtenNames } from '../names/written-names.ts'
import { settingsPath } from '../project/parse-settings.ts'
import type { Settings } from '../project/project.ts'
import { assetShape } from '../schema/asset-schema.ts'
import { settingsShape } from '../schema/settings-schema.ts'
import type { ObjectShape } from '../schema/shape.ts'
import type { Node } from '../syntax/node.ts'
import { nameIndexOf } from '../text/name-index.ts'
import type { Finding, ProjectCheck } from './check.ts'
import { nameList, suggestOneOf } from './suggestion.ts'

export const unknownEnvironment: ProjectCheck = {
  code: 'unknown-environment',
  doc: 'A key names an environment that is neither `dev` nor `prod` and not under `environments` in `svc.yaml`; a warning where nothing has nearly its name.',
  *run(asset, { project: { settings } }) {
    if (Object.keys(asset.definition.publish).length === 0) return
    yield* unknownIn(assetShape, asset.tree, asset.path, settings)
  },
}

export function environmentsInSettings(settings: Settings): readonly Finding[] {
  return unknownIn(settingsShape, settings.file?.tree, settingsPath, settings)
}

function unknownIn(
  shape: ObjectShape,
  tree: Node | undefined,
  path: string,
  { environments }: Settings,
): readonly Finding[] {
  const known = [...new Set(['dev', 'prod', ...Object.keys(environments)])]
  const seen = new Set<string>()
  return writtenNames(shape, tree, 'environment').flatMap(({ name, range, path: at }) => {
    const place = { path, range }
    const list = JSON.stringify([at.slice(0, -1), name])
    const isTwice = seen.has(list) && typeof at.at(-1) === 'number'
    seen.add(list)
    if (isTwice) return { range, severity: 'warning', message: `the environment "${name}" stands here twice` }
    // What is empty is said by the schema.
    if (name === '' || known.includes(name)) return []
    const near = nameIndexOf(known).nearest(name.toLowerCase())
    const rest =
      near.length > 0 ? nameList('There are', known) : `Declare it: environments: {${name}: {}} in svc.yaml.`
    return {
      range,
      ...(near.length === 0 && { severity: 'warning' as const }),
      message: `no environment is called "${name}"`,
      ...suggestOneOf(near, place, rest),
    }
  })
}

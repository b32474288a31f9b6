/** Finds the variables that `svc.yaml` defines. */
import { nodeAt } from '../../project/locate.ts'
import type { Settings } from '../../project/project.ts'
import type { MapNode, Node } from '../../syntax/node.ts'
import { defines, type Occurrence } from './subjects.ts'

export function settingsOccurrences({ file }: Settings): readonly Occurrence[] {
  const environments = nodeAt(file?.tree, ['environments'])
  const inEnvironments =
    environments?.kind === 'map' ? environments.entries.map(({ value }) => nodeAt(value, ['vars'])) : []
  return [nodeAt(file?.tree, ['vars']), ...inEnvironments].filter(isMap).flatMap(variablesIn)
}

function isMap(node: Node | undefined): node is MapNode {
  return node?.kind === 'map'
}

function variablesIn({ entries }: MapNode): readonly Occurrence[] {
  return entries.map(({ key }) => defines(key.bodyRange, { kind: 'var', name: String(key.value) }))
}

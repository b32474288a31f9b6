/** Completes at an offset of a file. It never waits; what is not known yet is not offered. */
import { fileText } from '../file-text.ts'
import type { Knowledge } from '../knowledge.ts'
import { completePython } from '../python-names.ts'
import { blockOfScalar, offsetInSql } from '../sql/sql-blocks.ts'
import { placeIn, sqlPlaceAt } from '../sql/sql-place.ts'
import { outlineSpot } from '../yaml/outline-spot.ts'
import { shapeAt, shortOf } from '../yaml/shape-at.ts'
import { type Completion, noCompletion } from './completion.ts'
import { completeSql } from './sql/complete-sql.ts'
import { completeYaml } from './yaml/complete-yaml.ts'
import { type YamlAsk, yamlAsk } from './yaml/yaml-offer.ts'

export function completionsAt(knowledge: Knowledge, path: string, offset: number): Completion {
  const place = sqlPlaceAt(knowledge, path, offset)
  if (place !== undefined) return completeSql(knowledge, place)
  const python = completePython(knowledge, path, offset)
  if (python !== undefined) return python
  const file = fileText(knowledge, path)
  const spot = file && outlineSpot(file.text, offset)
  if (file === undefined || spot === undefined) return noCompletion
  const ask = yamlAsk(knowledge, path, file.shape, spot)
  return sqlInBrokenFile(ask, offset) ?? completeYaml(ask)
}

/** Completes SQL in broken YAML, where the tree may lack the SQL that the outline still has. */
function sqlInBrokenFile(ask: YamlAsk, offset: number): Completion | undefined {
  const { knowledge, asset, spot, root, typeAt } = ask
  if (asset === undefined || spot.role !== 'value' || spot.scalar === undefined) return undefined
  const place = shapeAt(root, spot.path, typeAt)
  const shape = place === undefined ? undefined : shortOf(place.shape)
  if (shape?.kind !== 'text' || shape.sql === undefined) return undefined
  const kind = shape.sql === 'template' ? 'query' : 'expression'
  const block = blockOfScalar(spot.text, spot.scalar, spot.path, kind, offset)
  return completeSql(knowledge, placeIn(knowledge, asset, block, offsetInSql(block, offset), offset))
}

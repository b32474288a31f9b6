/** Completes at an offset of a file. It never waits; what is not known yet is not offered. */
import type { MacroFile } from '../../macros/macro.ts'
import { fileText } from '../file-text.ts'
import type { Knowledge } from '../knowledge.ts'
import { completePython } from '../python-names.ts'
import { macroAt } from '../sql/macro-place.ts'
import { blockOfScalar, offsetInSql } from '../sql/sql-blocks.ts'
import { placeIn, type SqlPlace, sqlPlaceAt } from '../sql/sql-place.ts'
import { outlineSpot } from '../yaml/outline-spot.ts'
import { shapeAt, shortOf } from '../yaml/shape-at.ts'
import { type Completion, type CompletionItem, noCompletion, sortKey } from './completion.ts'
import { completeSql } from './sql/complete-sql.ts'
import { completeYaml } from './yaml/complete-yaml.ts'
import { type YamlAsk, yamlAsk } from './yaml/yaml-offer.ts'

export function completionsAt(knowledge: Knowledge, path: string, offset: number): Completion {
  const place = sqlPlaceAt(knowledge, path, offset)
  const macros = knowledge.project.macros.files.get(path)
  if (place !== undefined)
    return macros === undefined ? completeSql(knowledge, place) : completeMacro(knowledge, place, macros)
  const python = completePython(knowledge, path, offset)
  if (python !== undefined) return python
  const file = fileText(knowledge, path)
  const spot = file && outlineSpot(file.text, offset)
  if (file === undefined || spot === undefined) return noCompletion
  const ask = yamlAsk(knowledge, path, file.shape, spot)
  return sqlInBrokenFile(ask, offset) ?? completeYaml(ask)
}

/** Completes the body of a macro: the SQL, and its parameters first. */
function completeMacro(knowledge: Knowledge, place: SqlPlace, file: MacroFile): Completion {
  const { items, isIncomplete } = completeSql(knowledge, place)
  const { fileOffset: offset } = place
  const before = file.text.slice(0, offset)
  const typed = /\w*$/.exec(before)?.[0] ?? ''
  const isTag = /\{\{\s*\w*(?:\(\s*['"][^'"]*)?$/.test(before)
  const range = { start: offset - typed.length, end: offset }
  const parameters = isTag ? [] : (macroAt(file, offset)?.parameters ?? [])
  const own = parameters.map(({ name }, index): CompletionItem => {
    const sort = sortKey(' ', index)
    return { label: name, kind: 'variable', detail: 'parameter', insert: name, range, sort }
  })
  return { items: [...own, ...items], isIncomplete }
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

/** Makes statements of conditions over the asset's own table: of tests (`expression`, `where`) and of indexes (`where`). */
import type { Asset, NodePath, PositionMap, SqlTemplate } from '../language/index.ts'
import { nodeAt } from '../language/project/locate.ts'
import { scalarPositions } from '../language/syntax/scalar-positions.ts'
import { testConditions } from '../language/tests/index.ts'

export function conditionsOf(asset: Asset): SqlTemplate[] {
  const found = new Map<string, SqlTemplate>()
  for (const path of [...testPaths(asset), ...indexPaths(asset)]) {
    const template = conditionAt(asset, path)
    if (template) found.set(path.join('.'), template)
  }
  return [...found.values()]
}

function testPaths({ definition }: Asset): NodePath[] {
  return definition.tests.flatMap(test =>
    testConditions(test).map(({ key }): NodePath => ['tests', test.index, key]),
  )
}

function indexPaths({ definition }: Asset): NodePath[] {
  return definition.deploy.indexes.flatMap(({ where }, index): NodePath[] =>
    where === undefined ? [] : [['deploy', 'indexes', index, 'where']],
  )
}

const before = 'SELECT count(*) FROM '
const between = ' WHERE (\n'
const after = '\n)'

/**
 * Returns the condition as a query over the asset. The SQL around the condition has no place in the file, so
 * it maps to the condition's start.
 */
function conditionAt(asset: Asset, path: NodePath): SqlTemplate | undefined {
  const node = nodeAt(asset.tree, path)
  if (node?.kind !== 'scalar' || typeof node.value !== 'string') return undefined
  const tag = '{{ this }}'
  const text = before + tag + between + node.value + after
  const shift = before.length + tag.length + between.length
  const range = { start: before.length, end: before.length + tag.length }
  return {
    text,
    tags: [{ kind: 'this', range }],
    toFile: shifted(scalarPositions(asset.text, node), shift, node.value.length),
  }
}

/**
 * Returns the relation and the condition in the SQL that was made of a template of `conditionsOf`; undefined for another
 * template.
 */
export function conditionIn(
  template: SqlTemplate,
  sql: string,
): { readonly relation: string; readonly condition: string } | undefined {
  const start = sql.indexOf(between)
  const isCondition =
    template.text.startsWith(`${before}{{ this }}${between}`) &&
    sql.startsWith(before) &&
    start >= 0 &&
    sql.endsWith(after)
  if (!isCondition) return undefined
  const condition = sql.slice(start + between.length - 1, sql.length - after.length + 1)
  return { relation: sql.slice(before.length, start), condition }
}

function shifted(map: PositionMap, shift: number, length: number): PositionMap {
  const inside = (offset: number): number => Math.min(Math.max(offset - shift, 0), length)
  return {
    toOriginal: offset => map.toOriginal(inside(offset)),
    rangeToOriginal: range => map.rangeToOriginal({ start: inside(range.start), end: inside(range.end) }),
  }
}

/** Finds where the parameters of a macro stand in its SQL: as a value, or as a table in FROM. */
import type { Engine } from '../engines/engine.ts'
import { readExpression, readSql } from '../sql/reader/read-sql.ts'
import type { SyntaxProblem } from '../sql/tree.ts'
import { type SqlNode, walk } from '../sql/walk.ts'
import type { Tag } from '../syntax/template.ts'
import type { Range } from '../text/range.ts'
import type { ParameterPlace } from './macro.ts'

export interface PlacesRead {
  readonly places: readonly ParameterPlace[]
  /** What the reader could not read, with offsets in `text`. */
  readonly problems: readonly SyntaxProblem[]
}

/** `parameters` are the folded names. */
export function parameterPlaces(
  text: string,
  range: Range,
  kind: 'expression' | 'table',
  tags: readonly Tag[],
  parameters: readonly string[],
  engine: Engine,
): PlacesRead {
  const sql = text.slice(range.start, range.end)
  const { roots, problems } = readRoots(sql, kind, engine)
  const places = roots.flatMap(root => placesBelow(root, parameters, engine))
  const inTags = tags.flatMap(tag =>
    tag.kind === 'macro'
      ? tag.arguments.map(each =>
          parameterPlaces(text, each.range, 'expression', each.tags, parameters, engine),
        )
      : [],
  )
  const byOffset = ({ start, end }: Range) => ({ start: start + range.start, end: end + range.start })
  return {
    places: [
      ...places.map(place => ({ ...place, ...byOffset(place) })),
      ...inTags.flatMap(each => each.places),
    ].sort((a, b) => a.start - b.start),
    problems: [
      ...problems.map(problem => ({ ...problem, ...byOffset(problem) })),
      ...inTags.flatMap(each => each.problems),
    ],
  }
}

function readRoots(sql: string, kind: 'expression' | 'table', { grammar }: Engine) {
  if (kind === 'table') {
    const { statements, problems } = readSql(sql, grammar)
    return { roots: statements as readonly SqlNode[], problems }
  }
  const { expression, problems } = readExpression(sql, grammar)
  return { roots: [expression] as readonly SqlNode[], problems }
}

function placesBelow(root: SqlNode, parameters: readonly string[], engine: Engine): ParameterPlace[] {
  const places: ParameterPlace[] = []
  /** The names that lambdas around a node give to their own parameters. */
  const hidden: string[] = []
  const namesOf = (node: SqlNode) =>
    node.kind === 'lambda' ? node.parameters : node.kind === 'comprehension' ? node.variables : []
  walk(root, {
    enter(node) {
      hidden.push(...namesOf(node).map(({ text }) => engine.fold(text)))
      const parameter = parameterAt(node, parameters, engine)
      const name = parameters[parameter]
      if (name !== undefined && !hidden.includes(name)) places.push({ ...spanOf(node), parameter })
      return undefined
    },
    leave(node) {
      hidden.length -= namesOf(node).length
    },
  })
  return places
}

/** A table with an alias is replaced without its alias. */
function spanOf(node: SqlNode): Range {
  const name = node.kind === 'named-table' ? node.path[0] : undefined
  return name === undefined ? { start: node.start, end: node.end } : { start: name.start, end: name.end }
}

function parameterAt(node: SqlNode, parameters: readonly string[], engine: Engine): number {
  const isName = node.kind === 'reference' ? node.tag === undefined : node.kind === 'named-table'
  if (!isName || !('path' in node) || node.path.length !== 1) return -1
  return parameters.indexOf(engine.fold(node.path[0]?.text ?? ''))
}

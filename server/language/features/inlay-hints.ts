/**
 * What the editor shows between the letters: types of the columns that an asset has, how many a star stands for, what a
 * variable is worth. Little by default; the rest is a hover away.
 */
import { sameName } from '../checks/columns.ts'
import type { Asset } from '../project/project.ts'
import type { Range } from '../text/range.ts'
import type { Knowledge } from './knowledge.ts'
import { counted } from './markdown.ts'
import { expandStar } from './sql/output-columns.ts'
import type { Core, Query } from './sql/query-tree.ts'
import { queriesIn, scopeAt } from './sql/scope-at.ts'
import { type SqlBlock, sqlBlocks } from './sql/sql-blocks.ts'
import { placeIn, type SqlPlace } from './sql/sql-place.ts'
import { readTagText } from './sql/sql-world.ts'
import { tolerantTokens } from './sql/tolerant-tokens.ts'
import { shownValue } from './variables.ts'

export interface InlayHint {
  /** In the file. */
  readonly offset: number
  readonly label: string
  readonly kind: 'type' | 'value'
  /** Plain text. */
  readonly tooltip?: string
}

/** `range`: the part of the file that is on the screen. */
export function inlayHintsIn(knowledge: Knowledge, path: string, range: Range): readonly InlayHint[] {
  const asset = knowledge.project.assets.get(path)
  if (asset === undefined) return []
  return sqlBlocks(asset)
    .filter(
      block => block.kind === 'query' && block.range.start <= range.end && range.start <= block.range.end,
    )
    .flatMap(block => hintsOf(knowledge, asset, block, range))
    .filter(({ offset }) => range.start <= offset && offset <= range.end)
    .sort((a, b) => a.offset - b.offset)
}

/** `seen`: the part of the file that hints are wanted for; a query may have thousands of columns elsewhere. */
function hintsOf(knowledge: Knowledge, asset: Asset, block: SqlBlock, seen: Range): readonly InlayHint[] {
  const place = placeIn(knowledge, asset, block, 0)
  const isTransform = block.path[0] === 'transform'
  const [statement] = place.reading.statements
  const isSeen: IsSeen = range => {
    const { start, end } = place.toFile(range)
    return start <= seen.end && seen.start <= end
  }
  return [
    ...(isTransform && statement !== undefined ? typeHints(knowledge, place, statement, isSeen) : []),
    ...place.reading.statements.flatMap(query => starHints(place, query, isSeen)),
    ...variableHints(knowledge, place, isSeen),
  ]
}

/** Whether a range of the SQL is in the part of the file that hints are wanted for. */
type IsSeen = (range: Range) => boolean

function behind(place: SqlPlace, range: Range): number {
  return place.toFile(range).end
}

/** Behind each item of the outermost select list that names a column of the asset. */
function typeHints(
  knowledge: Knowledge,
  place: SqlPlace,
  statement: Query,
  isSeen: IsSeen,
): readonly InlayHint[] {
  const columns = knowledge.analysis.of(place.asset.name)?.columns ?? []
  const items = (statement.cores[0]?.items ?? []).filter(({ range }) => isSeen(range))
  return items.flatMap((item): readonly InlayHint[] => {
    if (item.kind !== 'value' || item.name === undefined || isWrittenType(item.expression.kind)) return []
    const type = columns.find(column => sameName(column.name, item.name ?? ''))?.type
    return type === undefined
      ? []
      : [{ offset: behind(place, item.range), label: `: ${shortType(type)}`, kind: 'type', tooltip: type }]
  })
}

/** A cast says its type itself. */
function isWrittenType(kind: string): boolean {
  return kind === 'cast'
}

/** A type with many fields would push everything else off the line. */
function shortType(type: string): string {
  return type.length <= 24
    ? type
    : `${/^[A-Z]+/.exec(type)?.[0] ?? type.slice(0, 20)}(…)${type.endsWith('[]') ? '[]' : ''}`
}

function starHints(place: SqlPlace, query: Query, isSeen: IsSeen): readonly InlayHint[] {
  return [
    ...query.cores.flatMap(core => starsOf(place, core, isSeen)),
    ...queriesIn(query).flatMap(inner => starHints(place, inner, isSeen)),
  ]
}

function starsOf(place: SqlPlace, core: Core, isSeen: IsSeen): readonly InlayHint[] {
  return core.items.flatMap((item): readonly InlayHint[] => {
    if (item.kind !== 'star' || !isSeen(item.range)) return []
    const { ownRelations } = scopeAt(place.reading, item.starRange.start)
    const { columns, complete } = expandStar(item, core, ownRelations, () => undefined)
    if (columns.length === 0 || !complete) return []
    const tooltip = columns.map(({ name }) => name).join(', ')
    return [
      { offset: behind(place, item.range), label: counted(columns.length, 'column'), kind: 'value', tooltip },
    ]
  })
}

/** The value that holds where no environment has its own. */
function variableHints({ project }: Knowledge, place: SqlPlace, isSeen: IsSeen): readonly InlayHint[] {
  const { text } = place.block
  const { vars, environments } = project.settings
  return tolerantTokens(text).flatMap((token): readonly InlayHint[] => {
    if (token.kind !== 'tag' || !token.closed || !isSeen(token)) return []
    const tag = readTagText(text.slice(token.start, token.end))
    const name = tag?.word === 'var' ? tag.argument : undefined
    if (name === undefined || !Object.hasOwn(vars, name)) return []
    const others = Object.entries(environments).filter(([, environment]) =>
      Object.hasOwn(environment.vars, name),
    )
    const tooltip = others
      .map(([environment, own]) => `${environment}: ${shownValue(own.vars[name])}`)
      .join(', ')
    return [
      {
        offset: behind(place, token),
        label: `= ${shownValue(vars[name])}`,
        kind: 'value',
        ...(tooltip !== '' && { tooltip }),
      },
    ]
  })
}

/**
 * Inlay hints: types of the output columns, the number of columns of a star, the value of a variable. Few by
 * default; hover shows the rest.
 */

import { columnCalled } from '../names/called.ts'
import type { SelectItem } from '../sql/tree.ts'
import { isWithin, type Range, touches } from '../text/range.ts'
import type { Knowledge } from './knowledge.ts'
import { counted } from './markdown.ts'
import { firstSelect } from './sql/scope-at.ts'
import { sqlBlocks } from './sql/sql-blocks.ts'
import { placeIn, type SqlPlace } from './sql/sql-place.ts'
import { readTagText } from './sql/sql-world.ts'
import { shownValue, variableByEnvironment } from './variables.ts'

export interface InlayHint {
  /** The offset in the file. */
  readonly offset: number
  readonly label: string
  readonly kind: 'type' | 'value'
  /** A tooltip in plain text. */
  readonly tooltip?: string
}

/** Returns the hints in `range`, the visible part of the file. */
export function inlayHintsIn(knowledge: Knowledge, path: string, range: Range): readonly InlayHint[] {
  const asset = knowledge.project.assets.get(path)
  if (asset === undefined) return []
  return sqlBlocks(asset)
    .filter(block => block.kind === 'query' && touches(block.range, range))
    .flatMap(block => hintsOf(knowledge, placeIn(knowledge, asset, block, 0), range))
    .filter(({ offset }) => isWithin(range, offset))
    .sort((a, b) => a.offset - b.offset)
}

/**
 * Returns the hints in `seen`, the visible part of the file: a query may have thousands of columns elsewhere.
 */
function hintsOf(knowledge: Knowledge, place: SqlPlace, seen: Range): readonly InlayHint[] {
  const isSeen: IsSeen = ({ start, end }) => touches(place.toFile({ start, end }), seen)
  const isTransform = place.block.path[0] === 'transform'
  return [
    ...(isTransform ? typeHints(knowledge, place, isSeen) : []),
    ...starHints(place, isSeen),
    ...variableHints(knowledge, place, isSeen),
  ]
}

/** Returns whether a range of the SQL is in the visible part of the file. */
type IsSeen = (range: Range) => boolean

function behind(place: SqlPlace, { start, end }: Range): number {
  return place.toFile({ start, end }).end
}

/** Shows types after the items of the outermost select list that are output columns. */
function typeHints(knowledge: Knowledge, place: SqlPlace, isSeen: IsSeen): readonly InlayHint[] {
  const columns = knowledge.analysis.of(place.asset.name)?.columns ?? []
  const { query } = place.bound
  const select = query && firstSelect(query.body)
  return (select?.items ?? []).flatMap((item): readonly InlayHint[] => {
    // A cast shows its type itself.
    const name = item.expression.kind === 'cast' ? undefined : nameOf(item)
    if (name === undefined || !isSeen(item)) return []
    const type = columnCalled(columns, name, place.engine)?.type
    return type === undefined
      ? []
      : [{ offset: behind(place, item), label: `: ${shortType(type)}`, kind: 'type', tooltip: type }]
  })
}

function nameOf({ alias, expression }: SelectItem): string | undefined {
  return alias?.text ?? (expression.kind === 'reference' ? expression.path.at(-1)?.text : undefined)
}

/** Shortens a type with many fields, which would push everything else off the line. */
function shortType(type: string): string {
  return type.length <= 24
    ? type
    : `${/^[A-Z]+/.exec(type)?.[0] ?? type.slice(0, 20)}(…)${type.endsWith('[]') ? '[]' : ''}`
}

function starHints(place: SqlPlace, isSeen: IsSeen): readonly InlayHint[] {
  return place.bound.selects.flatMap(({ items, tables }) =>
    items.flatMap(({ item, columns }): readonly InlayHint[] => {
      if (item.expression.kind !== 'star' && item.expression.kind !== 'columns') return []
      const isOpen = tables.some(table => table.open !== undefined) || columns.some(each => each.spread)
      if (columns.length === 0 || isOpen || !isSeen(item)) return []
      const tooltip = columns.map(({ name }) => name).join(', ')
      return [
        { offset: behind(place, item), label: counted(columns.length, 'column'), kind: 'value', tooltip },
      ]
    }),
  )
}

/** Shows the default value, without the overrides of environments. */
function variableHints({ project }: Knowledge, place: SqlPlace, isSeen: IsSeen): readonly InlayHint[] {
  const { text } = place.block
  const { vars } = project.settings
  return place.tokens.flatMap((token): readonly InlayHint[] => {
    if (token.kind !== 'tag' || !token.closed || !isSeen(token)) return []
    const tag = readTagText(text.slice(token.start, token.end))
    const name = tag?.word === 'var' ? tag.argument : undefined
    if (name === undefined || !Object.hasOwn(vars, name)) return []
    const others = variableByEnvironment(project.settings, name)
    const tooltip = others.map(([environment, value]) => `${environment}: ${value}`).join(', ')
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

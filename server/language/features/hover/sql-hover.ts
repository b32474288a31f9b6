/** Hover in SQL: tags, columns, fields, tables, CTEs, windows, parameters, stars, functions. */
import type { BoundTable } from '../../sql/binder/model.ts'
import type { Range } from '../../text/range.ts'
import { functionDocumentation } from '../functions/function-text.ts'
import type { Knowledge } from '../knowledge.ts'
import { counted } from '../markdown.ts'
import { identifier, type SqlCursor, sqlCursor, textOf } from '../sql/sql-cursor.ts'
import { type SqlPlace, sqlPlaceAt } from '../sql/sql-place.ts'
import { readTagText } from '../sql/sql-world.ts'
import { namedColumns } from '../sql/tables-in-sight.ts'
import { assetCard, assetCardNamed } from './asset-card.ts'
import type { Hover } from './hover.ts'
import { sourceCard, variableCard } from './source-card.ts'
import { columnsTable, type SqlAround, targetCard, whyOpen } from './target-card.ts'

export function sqlHover(knowledge: Knowledge, path: string, offset: number): Hover | undefined {
  const place = sqlPlaceAt(knowledge, path, offset)
  if (place === undefined) return undefined
  const cursor = sqlCursor(place.block.code, place.offset, place.tokens, place.engine)
  const at = pointedAt(cursor, place.offset)
  const token = cursor.tokens[at]
  if (token === undefined) return undefined
  const spot = { knowledge, place, cursor, at }
  if (token.kind === 'tag') return tagHover(spot, token)
  // A definition comes before a use.
  const mention = place.bound.mentions.find(({ span }) => span.start === token.start)
  if (mention !== undefined) {
    const card = targetCard(around(spot), mention)
    return card === undefined ? undefined : hover(spot, mention.span, card)
  }
  if (textOf(cursor, token) === '*') return starHover(spot, token)
  const name = identifier(cursor, token)
  return name === undefined ? undefined : functionHover(spot, name, token)
}

/** Returns the index of the name at the offset or ending there, or else of the token there. */
function pointedAt({ tokens }: SqlCursor, offset: number): number {
  const index = tokens.findIndex(({ start, end }) => start <= offset && offset < end)
  const isName = ['word', 'quoted', 'tag'].includes(tokens[index]?.kind ?? '')
  if (isName) return index
  const behind = tokens.findIndex(({ end, kind }) => end === offset && (kind === 'word' || kind === 'quoted'))
  return behind < 0 ? index : behind
}

interface HoverPlace {
  readonly knowledge: Knowledge
  readonly place: SqlPlace
  readonly cursor: SqlCursor
  /** The index of the token under the cursor. */
  readonly at: number
}

function hover({ place }: HoverPlace, { start, end }: Range, markdown: string): Hover {
  return { range: place.toFile({ start, end }), markdown }
}

// ---------------------------------------------------------------- tags

function tagHover(spot: HoverPlace, token: Range): Hover | undefined {
  const { knowledge, place, cursor } = spot
  const tag = readTagText(cursor.text.slice(token.start, token.end))
  switch (tag?.word) {
    case 'ref':
      return hover(spot, token, assetCardNamed(knowledge, tag.argument ?? ''))
    case 'this':
      return hover(spot, token, `The asset itself.\n\n${assetCard(knowledge, place.asset)}`)
    case 'source':
      return hover(spot, token, sourceCard(knowledge, place.asset, tag.argument))
    case 'var':
      return hover(spot, token, variableCard(knowledge, tag.argument ?? ''))
    default:
      return undefined
  }
}

// ---------------------------------------------------------------- names

function around({ knowledge, place }: HoverPlace): SqlAround {
  const isTransform = place.block.path[0] === 'transform'
  const output = isTransform ? (knowledge.analysis.of(place.asset.name)?.columns ?? []) : []
  return { knowledge, asset: place.asset, bound: place.bound, isTransform, output }
}

function functionHover(spot: HoverPlace, name: string, token: Range): Hover | undefined {
  const { knowledge, cursor, at } = spot
  const known = knowledge.functions.get(name.toLowerCase())
  const isCall = textOf(cursor, cursor.tokens[at + 1]) === '('
  const isWord = /^current_(date|time|timestamp)$/i.test(name)
  return known !== undefined && (isCall || isWord)
    ? hover(spot, token, functionDocumentation(known))
    : undefined
}

// ---------------------------------------------------------------- stars

function starHover(spot: HoverPlace, token: Range): Hover | undefined {
  for (const { items, tables } of spot.place.bound.selects) {
    for (const { item, columns } of items) {
      const star = item.expression
      if (star.kind !== 'star' || star.mark.start !== token.start) continue
      const known = namedColumns(columns)
      const head =
        known.length === 0 ? 'Its columns are not known yet' : `Stands for ${counted(known.length, 'column')}`
      const body = known.length === 0 ? '' : `\n\n${columnsTable(around(spot), known)}`
      const start = star.qualifier.length === 0 ? star.mark.start : star.start
      return hover(spot, { start, end: star.mark.end }, `${head}${body}${openText(tables)}`)
    }
  }
  return undefined
}

function openText(tables: readonly BoundTable[]): string {
  const why = whyOpen(tables)
  return why === '' ? '' : `\n\n*There may be more: ${why}.*`
}

/** Writes the values that an asset gives into the query of a test of one's own. */
import type { Engine } from '../engines/engine.ts'
import type { Value } from '../schema/inherited-values.ts'
import { pieceList } from '../text/position-map.ts'
import type { PositionMap, Range } from '../text/range.ts'
import type { OwnTest, Parameter } from './own-test.ts'

export interface Expanded {
  readonly text: string
  /** To the file of the test; a value maps to the parameter that it stands for. */
  readonly toOrigin: PositionMap
  /** To the file that uses it: `use`, or where a value is written. */
  readonly toUse: PositionMap
}

const nowhere: Range = { start: 0, end: 0 }

export function expandedText(
  { text, body, places }: Pick<OwnTest, 'text' | 'body' | 'places'>,
  given: (parameter: Parameter) => Value,
  engine: Engine,
  use: Range = nowhere,
  placeOf: (parameter: Parameter) => Range | undefined = () => undefined,
): Expanded {
  const [toOrigin, toUse] = [pieceList(), pieceList()]
  let sql = ''
  const add = (piece: string, original: Range, written: Range, whole: boolean): void => {
    const range = { start: sql.length, end: sql.length + piece.length }
    toOrigin.add(range, original, whole)
    toUse.add(range, written, true)
    sql += piece
  }
  let end = body.start
  for (const { range, parameter } of places) {
    add(text.slice(end, range.start), { start: end, end: range.start }, use, false)
    const value = given(parameter)
    add(value === null ? 'NULL' : parameter.type.sql(value, engine), range, placeOf(parameter) ?? use, true)
    end = range.end
  }
  add(text.slice(end, body.end), { start: end, end: body.end }, use, false)
  return { text: sql, toOrigin: toOrigin.build(), toUse: toUse.build() }
}

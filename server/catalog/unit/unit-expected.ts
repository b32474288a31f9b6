/**
 * Converts expected values to the form in which the engine prints them, so that they can be compared with the
 * actual ones.
 */
import type { PortableName } from '../../language/engines/portable-types.ts'
import type { Diagnostic, EngineTypes } from '../../language/index.ts'
import { unknownName, valueProblem, wrongValue } from '../../language/unit/check-case.ts'
import type { ExpectedRow } from '../../language/unit/compare-rows.ts'
import type { UnitCell, UnitTable, UnitValue } from '../../language/unit/unit-rows.ts'
import { decimalScale } from '../../language/unit/unit-types.ts'
import type { UnitContext } from './unit-context.ts'
import { isEnd, isFailure, type UnitFailure } from './unit-failure.ts'
import { unitSqlOf } from './unit-sql.ts'
import { valueSql } from './unit-tables.ts'

interface ActualColumn {
  readonly name: string
  readonly type: string
}

export interface Expectation {
  readonly rows: readonly ExpectedRow[]
  /** Positions of the columns that are compared, in the order of the file; all columns if none is named. */
  readonly shown: readonly number[]
}

type Context = Pick<UnitContext, 'open' | 'world'>

/** Returns the expectation, or a failure if the expected values could not be read. */
export async function expectationOf(
  context: Context,
  path: string,
  table: UnitTable,
  columns: readonly ActualColumn[],
  what: string,
): Promise<Expectation | readonly Diagnostic[] | UnitFailure> {
  const { types, fold } = context.world.engine
  const positions = new Map(columns.map(({ name }, index) => [fold(name), index]))
  const names = columns.map(({ name }) => name)
  const unknown = table.columns
    .filter(({ name }) => !positions.has(fold(name)))
    .map(({ name, range }) => unknownName(path, range, `${what} has no column "${name}"`, name, names))
  if (unknown.length > 0) return unknown
  const positionOf = (cell: UnitCell): number => positions.get(fold(cell.column)) ?? 0
  const cells = table.rows.flatMap(row => row.cells)
  const typeOf = (cell: UnitCell): string => columns[positionOf(cell)]?.type ?? types.usual.text
  const texts = await canonicalTexts(context, cells, typeOf)
  if (isFailure(texts)) return texts
  const wrong = cells.flatMap(cell => {
    const type = typeOf(cell)
    if (texts.get(cell) === undefined) return [wrongValue(path, cell, type)]
    return valueProblem(path, cell, type, types) ?? []
  })
  if (wrong.length > 0) return wrong
  const looked = table.columns.map(({ name }) => positions.get(fold(name)) ?? 0)
  return {
    shown: looked.length === 0 ? columns.map((_, index) => index) : looked,
    rows: table.rows.map(row => {
      const values: (string | null | undefined)[] = columns.map(() => undefined)
      for (const cell of row.cells) values[positionOf(cell)] = texts.get(cell)
      return values
    }),
  }
}

/** Returns the canonical texts; a value without an entry is not of its type. */
async function canonicalTexts(
  { open, world: { engine } }: Context,
  cells: readonly UnitCell[],
  typeOf: (cell: UnitCell) => string,
): Promise<Map<UnitCell, string | null> | UnitFailure> {
  const texts = new Map<UnitCell, string | null>()
  const asked: UnitCell[] = []
  for (const cell of cells) {
    const known = knownText(cell.value, typeOf(cell), engine.types)
    if (known === undefined) asked.push(cell)
    else texts.set(cell, known)
  }
  if (asked.length === 0) return texts
  const { database } = open()
  const sqlOf = (cell: UnitCell) => {
    const type = typeOf(cell)
    return unitSqlOf(engine).text(valueSql(cell.value, type, engine), type)
  }
  const found = await database.texts(`VALUES ${asked.map(cell => `(${sqlOf(cell)})`).join(', ')}`)
  if (!isFailure(found)) {
    for (const [index, cell] of asked.entries()) keep(texts, cell, found[index]?.[0])
    return texts
  }
  if (isEnd(found)) return found
  // Together they failed, so each is tried alone: one value that is no JSON or no list makes the query fail
  // for all.
  for (const cell of asked) {
    const alone = await database.texts(`SELECT ${sqlOf(cell)}`)
    if (!isFailure(alone)) keep(texts, cell, alone[0]?.[0])
    else if (isEnd(alone)) return alone
  }
  return texts
}

function keep(texts: Map<UnitCell, string | null>, cell: UnitCell, text: string | null | undefined): void {
  if (typeof text === 'string') texts.set(cell, text)
}

/**
 * Returns the canonical text of a value that is written in it already, as most are. Returns undefined if the
 * engine must convert the value.
 */
function knownText(value: UnitValue, type: string, types: EngineTypes): string | null | undefined {
  if (value.kind === 'null') return null
  if (value.kind === 'json') return undefined
  const { text } = value
  if (type === types.usual.text) return text
  const parsed = types.parse(type)
  const scale = decimalScale(parsed, types)
  if (scale !== undefined) return decimalText(text, type, scale)
  const meaning = parsed.kind === 'scalar' ? types.portable.meaning(parsed.name) : undefined
  return meaning !== undefined && ownForms[meaning]?.test(text) === true ? text : undefined
}

const wholeNumber = /^(0|-?[1-9]\d{0,8})$/
const fraction = /^-?\d{1,15}(\.\d{1,15})?$/

/** How engines print these values; days up to 28 exist in every month. */
const ownForms: Readonly<Partial<Record<PortableName, RegExp>>> = {
  boolean: /^(true|false)$/,
  int32: wholeNumber,
  int64: wholeNumber,
  int128: wholeNumber,
  float32: fraction,
  float64: fraction,
  date: /^[12]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])$/,
  timestamp: /^[12]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8]) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/,
}

/** Returns the number with as many decimal places as its type has. */
function decimalText(text: string, type: string, scale: number): string | undefined {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? []
  const width = Number(/\d+/.exec(type)?.[0] ?? 0)
  if (whole === '' || fraction.length > scale || whole.length > width - scale) return undefined
  if (sign === '-' && /^[0]*$/.test(whole + fraction)) return undefined
  return scale === 0 ? `${sign}${whole}` : `${sign}${whole}.${fraction.padEnd(scale, '0')}`
}

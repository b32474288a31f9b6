/** The path of a column, which the dashboard asks for, and the part of it that a plan has. */
import { always, flag, list, object, optional, type Shape, text } from './schema.ts'

const columnName = { asset: text, column: text }
export const ColumnName = object(columnName)
export type ColumnName = Shape<typeof ColumnName>

/** Where columns end beside other columns. */
const columnEnds = {
  /** Columns that decide about the rows of an asset, with the clauses that name them. */
  uses: list(object({ from: ColumnName, asset: text, clauses: list(text) })),
  /** The publish targets that get the column, or one that it flows into, and under which names. */
  targets: list(object({ target: text, asset: text, sends: list(object({ column: text, field: text })) })),
  /** The exposures of the assets that have something of it. */
  exposures: list(object({ exposure: text, asset: text })),
}

/** All that has something of a column, nearest columns first. */
export const ColumnReach = object({ columns: list(ColumnName), ...columnEnds })

export const ColumnPath = object({
  /**
   * The column that was asked for, then the columns it comes from, then those it flows into, nearest first. Last those
   * that are `beside` its values: they decide about rows on its way, or are where such a column comes from.
   */
  columns: list(object({ ...columnName, pii: flag, beside: optional(always(true)) })),
  /**
   * In the direction of the data: `to` reads `from`. `transform`: what is done to the values, absent where they are
   * passed on. `hidden`: no value of `from` can be read in a column of the path.
   */
  edges: list(
    object({ from: ColumnName, to: ColumnName, transform: optional(text), hidden: optional(always(true)) }),
  ),
  ...columnEnds,
})
export type ColumnPath = Shape<typeof ColumnPath>

/** What the catalogue of a database says of a table, one row a column. */
import type { TableFacts } from './database.ts'

export interface ColumnFact {
  readonly name: string
  readonly isRequired: boolean
  readonly description: string | null | undefined
  /** The place in the primary key from 1 on; null outside of it. */
  readonly keyPlace: number | null
}

export function factsOf(columns: readonly ColumnFact[], description: string | null | undefined): TableFacts {
  const key = columns.filter(({ keyPlace }) => keyPlace !== null)
  const place = ({ keyPlace }: ColumnFact) => keyPlace ?? 0
  return {
    description: description === '' || description === null ? undefined : description,
    primaryKey: key.sort((a, b) => place(a) - place(b)).map(({ name }) => name),
    required: columns.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    descriptions: new Map(
      columns.flatMap(({ name, description: text }) =>
        text === null || text === undefined || text === '' ? [] : [[name, text] as const],
      ),
    ),
  }
}

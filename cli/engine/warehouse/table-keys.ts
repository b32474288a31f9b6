/** What a table has besides its rows: keys, which hold before it is promoted, and how the engine stores it. */
import type { Column } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { Dialect } from './dialect.ts'
import type { Relation } from './warehouse.ts'

export interface TableKey {
  readonly list: 'primary_key' | 'unique' | 'foreign_keys'
  /** Its place in that list of the file. */
  readonly index: number
  readonly columns: readonly string[]
  /** Of a foreign key: the rows that it names. */
  readonly references?: {
    readonly asset: string
    readonly relation: Relation
    readonly columns: readonly string[]
  }
}

/** What engines without such things pass over; `svc validate` says so. */
export interface TableOptions {
  readonly unlogged: boolean
  readonly tablespace?: string
  readonly settings: readonly (readonly [name: string, value: string])[]
}

/** Returns the columns as the table spells them; one that it does not have is left for the engine to name. */
export function columnsOfKey(
  names: readonly string[],
  columns: readonly Pick<Column, 'name'>[],
  { engine }: Dialect,
): readonly string[] {
  return names.map(name => {
    const found =
      columns.find(column => column.name === name) ?? columns.find(each => engine.sameName(each.name, name))
    return found?.name ?? name
  })
}

const words: Readonly<Record<TableKey['list'], string>> = {
  primary_key: 'the primary key',
  unique: 'the unique key',
  foreign_keys: 'the foreign key',
}

/** The error of rows that break a key. `how` has no values, `detail` may have. */
export function brokenKey({ list, columns }: TableKey, how: string, detail = '', cause?: unknown): SvcError {
  const message = `${words[list]} of ${columns.join(', ')} does not hold: ${how}`
  return new SvcError('build-failed', detail === '' ? message : `${message}: ${detail}`, {
    hint: 'Nothing is promoted: take such rows out in the query, or the key out of contract.constraints.',
    withoutValues: message,
    ...(cause !== undefined && { cause }),
  })
}

/**
 * The columns of an asset as they are stored. Names of members would be most of the text, so each column is a list:
 * `[["id","integer",false],["email","text",0,"Where we write to",true]]`.
 */
export interface StoredColumn {
  readonly name: string
  readonly type: string | null
  readonly nullable?: boolean | undefined
  readonly description?: string | null | undefined
  readonly pii?: boolean | undefined
  readonly masked?: boolean | undefined
}

/** The members in the order of the list; those that a column lacks at its end are left out. */
const members = [
  'name',
  'type',
  'nullable',
  'description',
  'pii',
  'masked',
] as const satisfies readonly (keyof StoredColumn)[]

/** Stands for a member that a column lacks; null is a value of some. */
const absent = 0

type Stored = readonly (string | boolean | null | typeof absent)[]

export function columnsText(columns: readonly StoredColumn[]): string {
  return JSON.stringify(columns.map(listOf))
}

function listOf(column: StoredColumn): Stored {
  const list: Stored[number][] = []
  for (const member of members) list.push(column[member] === undefined ? absent : column[member])
  while (list.at(-1) === absent) list.pop()
  return list
}

/** Before `0010_column_lists` the members had names. */
export function columnsOf(text: string): readonly StoredColumn[] {
  const columns = JSON.parse(text) as readonly (Stored | StoredColumn)[]
  return columns.map(column => (isList(column) ? columnOf(column) : column))
}

function isList(column: Stored | StoredColumn): column is Stored {
  return Array.isArray(column)
}

function columnOf(list: Stored): StoredColumn {
  const column: Record<string, unknown> = {}
  for (const [index, value] of list.entries()) {
    const member = members[index]
    if (member !== undefined && value !== absent) column[member] = value
  }
  return column as unknown as StoredColumn
}

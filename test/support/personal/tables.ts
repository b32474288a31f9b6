/** The project that personal data is followed through: customers `c`, orders `o`, products `p`, odd names `u`. */

/** How the values of a column are made, see marked-values.ts. */
export type ValueKind =
  | 'key'
  | 'word'
  | 'mail'
  | 'full name'
  | 'phone'
  | 'few'
  | 'enum'
  | 'boolean'
  | 'date'
  | 'time'
  | 'number'
  | 'fraction'
  | 'amount'
  | 'struct'
  | 'list'
  | 'map'
  | 'json'

export interface TableColumn {
  readonly name: string
  readonly type: string
  readonly kind: ValueKind
  readonly isPersonal: boolean
}

export interface Table {
  readonly name: string
  readonly columns: readonly TableColumn[]
  readonly rows: number
}

type Spec = readonly [name: string, type: string, kind: ValueKind]

export const fewValues = ['f', 'm', 'x'] as const
export const enumValues = ['A', 'B', 'AB'] as const

const customers: readonly Spec[] = [
  ['id', 'INTEGER', 'key'],
  ['email', 'VARCHAR', 'mail'],
  ['name', 'VARCHAR', 'full name'],
  ['phone', 'VARCHAR', 'phone'],
  ['gender', 'VARCHAR', 'few'],
  ['birth', 'DATE', 'date'],
  ['seen', 'TIMESTAMP', 'time'],
  ['salary', 'INTEGER', 'number'],
  ['score', 'DOUBLE', 'fraction'],
  ['is_ill', 'BOOLEAN', 'boolean'],
  ['blood', `ENUM(${enumValues.map(value => `'${value}'`).join(', ')})`, 'enum'],
  ['profile', 'STRUCT(mail VARCHAR, city VARCHAR, zip INTEGER)', 'struct'],
  ['tags', 'VARCHAR[]', 'list'],
  ['attrs', 'MAP(VARCHAR, VARCHAR)', 'map'],
  ['notes', 'JSON', 'json'],
]
const customersInPublic: readonly Spec[] = [
  ['country', 'VARCHAR', 'word'],
  ['signup', 'DATE', 'date'],
]
const orders: readonly Spec[] = [
  ['id', 'INTEGER', 'key'],
  ['customer_id', 'INTEGER', 'key'],
  ['total', 'DECIMAL(12,2)', 'amount'],
  ['status', 'VARCHAR', 'word'],
  ['day', 'DATE', 'date'],
  ['qty', 'INTEGER', 'number'],
  ['country', 'VARCHAR', 'word'],
  ['coupons', 'VARCHAR[]', 'list'],
]
const products: readonly Spec[] = [
  ['id', 'INTEGER', 'key'],
  ['name', 'VARCHAR', 'word'],
  ['price', 'DOUBLE', 'fraction'],
  ['category', 'VARCHAR', 'word'],
  ['details', 'STRUCT(mail VARCHAR, city VARCHAR, zip INTEGER)', 'struct'],
]
const oddPersonal: readonly Spec[] = [
  ['É', 'VARCHAR', 'word'],
  ['Order', 'VARCHAR', 'word'],
  ['user "x"', 'VARCHAR', 'word'],
]
const oddInPublic: readonly Spec[] = [
  ['é', 'VARCHAR', 'word'],
  ['order id', 'INTEGER', 'key'],
]

function column(isPersonal: boolean): (spec: Spec) => TableColumn {
  return ([name, type, kind]) => ({ name, type, kind, isPersonal: isPersonal && kind !== 'key' })
}

export const tables: readonly Table[] = [
  {
    name: 'c',
    columns: [...customers.map(column(true)), ...customersInPublic.map(column(false))],
    rows: 5,
  },
  { name: 'o', columns: orders.map(column(false)), rows: 6 },
  { name: 'p', columns: products.map(column(false)), rows: 4 },
  { name: 'u', columns: [...oddPersonal.map(column(true)), ...oddInPublic.map(column(false))], rows: 3 },
]

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** The file of a table as an asset of a project: its columns, which of them are personal, which have few values. */
export function tableFile({ name, columns }: Table): { readonly path: string; readonly text: string } {
  const select = columns.map(each => `NULL::${each.type} AS ${quoted(each.name)}`).join(',\n    ')
  const marks = columns
    .filter(each => each.isPersonal)
    .map(each => `  ${JSON.stringify(each.name)}: {pii: true}\n`)
  const few = columns
    .filter(each => each.kind === 'few')
    .map(each => `  - accepted_values: {${each.name}: [${fewValues.join(', ')}]}\n`)
  const text = [
    `name: ${name}\ningest: none\ntransform: |\n  SELECT\n    ${select}\n`,
    marks.length > 0 ? `columns:\n${marks.join('')}` : '',
    few.length > 0 ? `tests:\n${few.join('')}` : '',
  ]
  return { path: `models/${name}.svc`, text: text.join('') }
}

/** Origins are written `c.email`. */
export function originKey(table: string, column: string): string {
  return `${table}.${column}`
}

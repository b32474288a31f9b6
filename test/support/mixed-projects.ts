/** Projects whose dev is a file of DuckDB and whose prod is a server of PostgreSQL. */
import { join } from 'node:path'

export interface MixedProject {
  readonly name: string
  /** A folder that is copied over `files`. */
  readonly folder?: string
  readonly files: Readonly<Record<string, string>>
  /** Turns the folder's `svc.yaml` into one of two environments. */
  readonly settings?: (text: string) => string
  /** Those whose rows are compared. */
  readonly tables: readonly string[]
}

const settings = (name: string, more = '') =>
  `name: ${name}\nwarehouse: duckdb:./dev.duckdb\n${more}environments:\n  prod: {warehouse: env:PROD}\n`
const lines = (records: readonly object[]) => records.map(record => JSON.stringify(record)).join('\n')
const numbered = <T>(length: number, make: (index: number) => T) =>
  Array.from({ length }, (_, index) => make(index))

/** `examples`: the folder of the examples. */
export function mixedProjects(examples: string): readonly MixedProject[] {
  return [library(examples), shop, sensors, ledger]
}

function library(examples: string): MixedProject {
  return {
    name: 'library',
    folder: join(examples, 'library'),
    files: {},
    settings: text =>
      `${text.replace('env:WAREHOUSE', 'duckdb:./dev.duckdb')}\nenvironments:\n  prod: {warehouse: env:PROD}\n`,
    tables: ['books', 'readers', 'loans', 'book_use', 'cities'],
  }
}

/** Files of two kinds, a list inside of records, macros for one engine alone, a view, an ephemeral model, tests. */
const shop: MixedProject = {
  name: 'shop',
  files: {
    'svc.yaml': settings('shop', 'vars: {least: 20}\n'),
    'data/customers.csv': `id,name,since,vip\n${numbered(40, id => `${id},Name ${id},2024-0${1 + (id % 9)}-15,${id % 5 === 0}`).join('\n')}\n`,
    'data/orders.jsonl': lines(
      numbered(300, id => ({
        id,
        customer: id % 43,
        placed: `2024-0${1 + (id % 9)}-1${id % 10}T0${id % 10}:30:00`,
        price: ((id * 37) % 500) / 4,
        lines: numbered(id % 4, line => ({ sku: `s${(id + line) % 7}`, pieces: 1 + line })),
      })),
    ),
    'macros/months.sql': "CREATE MACRO month_of(day) AS strftime(day, '%Y-%m');\n",
    'macros/months.postgres.sql': "CREATE MACRO month_of(day) AS to_char(day, 'YYYY-MM');\n",
    'models/customers.svc':
      'name: customers\ningest: {type: file, endpoint: data, resource: customers.csv}\ntransform: SELECT id, name, since, vip FROM {{ source }}\ntests: [{unique: id}, {not_null: name}]\n',
    'models/orders.svc':
      'name: orders\ningest: {type: file, endpoint: data, resource: orders.jsonl}\ncontract: {columns: {price: {type: "decimal(12,2)"}}}\ntransform: SELECT id, customer, placed, price FROM {{ source }}\ntests: [{unique: id}]\n',
    'models/known_orders.svc':
      "name: known_orders\ningest: none\ntransform: SELECT o.* FROM {{ ref('orders') }} AS o JOIN {{ ref('customers') }} AS c ON c.id = o.customer\ndeploy: {materialize: ephemeral}\n",
    'models/months.svc':
      "name: months\ningest: none\ntransform: SELECT {{ month_of(placed) }} AS month, count(*) AS orders, sum(price) AS price FROM {{ ref('known_orders') }} GROUP BY 1\ndeploy: {materialize: view}\n",
    'models/large.svc':
      "name: large\ningest: none\ntransform: SELECT id, customer, price, rank() OVER (PARTITION BY customer ORDER BY price DESC, id) AS place FROM {{ ref('known_orders') }} WHERE price > {{ var('least') }}\n",
  },
  tables: ['customers', 'orders', 'months', 'large'],
}

/** Times with and without zones, numbers at their edges, NULLs, texts of all kinds. */
const sensors: MixedProject = {
  name: 'sensors',
  files: {
    'svc.yaml': settings('sensors'),
    'data/readings.csv': `taken,sensor,value,note\n${numbered(200, id => `2024-03-${String(1 + (id % 28)).padStart(2, '0')} ${String(id % 24).padStart(2, '0')}:00:00,${['north', 'süd', "o'st"][id % 3]},${id % 11 === 0 ? '' : id / 8},"${id % 7 === 0 ? 'a ""word"", ä' : ''}"`).join('\n')}\n`,
    'models/places.svc':
      'name: places\ningest:\n  type: rows\n  rows:\n    - {sensor: north, height: 12, open: true, big: 9007199254740993}\n    - {sensor: süd, height: null, open: false, big: -9007199254740993}\n    - {sensor: "o\'st", height: 0, open: null, big: 0}\ntransform: SELECT sensor, height, open, big FROM {{ source }}\n',
    'models/readings.svc':
      'name: readings\ningest: {type: file, endpoint: data, resource: readings.csv}\ntransform: SELECT taken, sensor, value, note FROM {{ source }}\n',
    'models/days.svc':
      "name: days\ningest: none\ntransform: |\n  SELECT r.sensor, CAST(r.taken AS date) AS day, count(*) AS n, count(r.value) AS valued, min(r.value) AS least, max(r.value) AS most,\n    max(coalesce(p.height, -1)) AS height\n  FROM {{ ref('readings') }} AS r LEFT JOIN {{ ref('places') }} AS p USING (sensor)\n  GROUP BY r.sensor, CAST(r.taken AS date)\n",
    'models/changes.svc':
      "name: changes\ningest: none\ntransform: SELECT taken, sensor, value - lag(value) OVER (PARTITION BY sensor ORDER BY taken, value) AS change FROM {{ ref('readings') }}\n",
  },
  tables: ['places', 'readings', 'days', 'changes'],
}

/** Loads that gather rows: by a cursor, by a key, and every version of a row. */
const ledger: MixedProject = {
  name: 'ledger',
  files: {
    'svc.yaml': settings('ledger'),
    'data/entries.jsonl': lines(
      numbered(120, id => ({
        id,
        account: `a${id % 6}`,
        amount: (id % 17) * 12.25,
        booked: `2024-05-${String(1 + (id % 30)).padStart(2, '0')}`,
      })),
    ),
    'data/accounts.csv': `account,owner,active\n${numbered(6, id => `a${id},Owner ${id},${id % 2 === 0}`).join('\n')}\n`,
    'models/entries.svc':
      'name: entries\ningest: {type: file, endpoint: data, resource: entries.jsonl, write: merge, primary_key: id, incremental: {cursor: booked}}\ntransform: SELECT id, account, amount, booked FROM {{ source }}\n',
    'models/accounts.svc':
      'name: accounts\ningest: {type: file, endpoint: data, resource: accounts.csv, write: scd2, primary_key: account}\ntransform: SELECT account, owner, active FROM {{ source }}\ntests: [{unique: account}]\n',
    'models/balances.svc':
      "name: balances\ningest: none\ntransform: |\n  SELECT a.account, a.owner, coalesce(sum(e.amount), 0) AS balance, count(e.id) AS entries\n  FROM {{ ref('accounts') }} AS a LEFT JOIN {{ ref('entries') }} AS e ON e.account = a.account\n  WHERE a.active GROUP BY a.account, a.owner\n",
  },
  tables: ['entries', 'accounts', 'balances'],
}

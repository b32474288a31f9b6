// The projects of scripts/mornings.mjs: what is deployed on a good day, the bad thing that happens in the night, and what
// the nightly run must come to.

/**
 * @typedef {object} World what a morning may look at and change
 * @property {string} folder
 * @property {(path: string, answer: unknown) => void} serve what the web service answers from now on
 * @property {(path: string, text: string) => void} write
 * @property {(query: string) => Promise<readonly unknown[][]>} query over the warehouse, when no command has it
 */

/**
 * @typedef {object} Morning
 * @property {string} title
 * @property {(origin: string) => Record<string, string>} files
 * @property {(world: World) => void} goodDay
 * @property {(world: World) => void | Promise<void>} night
 * @property {number} exitCode of the nightly run
 * @property {readonly RegExp[]} says what its output must have
 * @property {string} production a query of what its readers see
 * @property {(before: readonly unknown[][], after: readonly unknown[][]) => boolean} isRight
 * @property {{ name: string, file: string }} asset what the user of the morning opens
 * @property {readonly string[]} [looks] what he asks the command line next
 */

const orders = (column, days) =>
  days.flatMap((day, index) => [
    { id: index * 2 + 1, customer: 'Ana', [column]: 10.5, ordered_on: day },
    { id: index * 2 + 2, customer: 'Bo', [column]: 20, ordered_on: day },
  ])
const days = ['2026-01-01', '2026-01-02', '2026-01-03']

const shop = origin => ({
  'svc.yaml': 'name: shop\n',
  'models/orders.svc': `name: orders
description: Orders of the web shop, from the vendor of its software.
owner: sales@example.com
ingest: {type: rest_api, endpoint: ${origin}, resource: orders, limits: {retries: 0}}
contract:
  required_columns: [id, amount]
  columns: {id: bigint, customer: varchar, amount: double, ordered_on: date}
transform: |
  SELECT id, customer, amount, ordered_on
  FROM {{ source }}
tests:
  - unique: id
  - not_null: [id, amount]
`,
  'models/daily_sales.svc': `name: daily_sales
description: What was sold each day.
owner: sales@example.com
ingest: none
transform: |
  SELECT ordered_on, count(*) AS orders, sum(amount) AS revenue
  FROM {{ ref('orders') }}
  GROUP BY ordered_on
tests:
  - unique: ordered_on
exposures:
  - {name: Sales board, type: dashboard, url: 'https://bi.example.com/sales'}
`,
  'models/best_customers.svc': `name: best_customers
description: Who bought the most.
ingest: none
transform: |
  SELECT customer, sum(amount) AS total
  FROM {{ ref('orders') }}
  GROUP BY customer
`,
})
const sold = 'SELECT ordered_on, orders, revenue FROM analytics.daily_sales ORDER BY ALL'
const asBefore = (before, after) => JSON.stringify(before) === JSON.stringify(after)

const teams = Array.from({ length: 10 }, (_, index) => `team_${String(index + 1).padStart(2, '0')}`)
const teamFiles = team => ({
  [`models/${team}/${team}_tickets.svc`]: `name: ${team}_tickets
description: Tickets of ${team}, exported each evening.
owner: ${team}@example.com
ingest: {type: file, endpoint: ./data, resource: ${team}.csv}
transform: SELECT id, state, hours FROM {{ source }}
tests:
  - unique: id
  - accepted_values: {state: [open, closed]}
`,
  [`models/${team}/${team}_load.svc`]: `name: ${team}_load
description: Open hours of ${team}.
owner: ${team}@example.com
ingest: none
transform: |
  SELECT state, sum(hours) AS hours
  FROM {{ ref('${team}_tickets') }}
  GROUP BY state
`,
})
const tickets = hours => `id,state,hours\n1,open,${hours}\n2,closed,3\n3,open,1\n`
const hoursOf = teams
  .map(team => `SELECT '${team}' AS team, sum(hours) AS hours FROM analytics.${team}_load`)
  .join(' UNION ALL ')

/** @type {Record<string, Morning>} */
export const mornings = {
  'renamed-column': {
    title: 'A vendor renames a column on Friday night',
    files: shop,
    goodDay: ({ serve }) => serve('/orders', orders('amount', days.slice(0, 2))),
    night: ({ serve }) => serve('/orders', orders('total_amount', days)),
    exitCode: 1,
    says: [/amount/, /orders/],
    production: sold,
    isRight: asBefore,
    asset: { name: 'orders', file: 'models/orders.svc' },
  },
  'failed-test': {
    title: 'A test fails in one of ten teams',
    files: () => ({
      'svc.yaml': 'name: helpdesk\nenvironments: {prod: {promotion: passed}}\n',
      ...Object.assign({}, ...teams.map(teamFiles)),
    }),
    goodDay({ write }) {
      for (const team of teams) write(`data/${team}.csv`, tickets(5))
    },
    night({ write }) {
      for (const team of teams) write(`data/${team}.csv`, tickets(8))
      write('data/team_07.csv', tickets(8).replace('closed', 'clsoed'))
    },
    exitCode: 1,
    says: [/team_07_tickets/, /clsoed/],
    production: `SELECT team, hours FROM (${hoursOf}) ORDER BY ALL`,
    // Nine teams have the new day, the tenth has the old one.
    isRight: (before, after) =>
      after.every(([team, hours], index) =>
        team === 'team_07' ? hours === '9' : hours === '12' && before[index]?.[1] === '9',
      ),
    asset: { name: 'team_07_tickets', file: 'models/team_07/team_07_tickets.svc' },
  },
  'empty-api': {
    title: 'The API is empty',
    files: shop,
    goodDay: ({ serve }) => serve('/orders', orders('amount', days)),
    night: ({ serve }) => serve('/orders', []),
    exitCode: 1,
    says: [/orders/, /no records now, and had 6/],
    production: sold,
    isRight: asBefore,
    asset: { name: 'orders', file: 'models/orders.svc' },
  },
  'dropped-table': {
    title: 'Somebody drops a table by hand',
    files: shop,
    goodDay: ({ serve }) => serve('/orders', orders('amount', days)),
    async night({ query }) {
      const [row] = await query(
        "SELECT sql FROM duckdb_views() WHERE schema_name = 'analytics' AND view_name = 'orders'",
      )
      const [, table] = /FROM\s+([^\s;]+)/.exec(String(row?.[0])) ?? []
      await query(`DROP TABLE ${table}`)
    },
    exitCode: 0,
    says: [/orders +gone/, /dropped from the warehouse/],
    production: sold,
    isRight: asBefore,
    asset: { name: 'orders', file: 'models/orders.svc' },
  },
}

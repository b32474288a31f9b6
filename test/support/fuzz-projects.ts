/** Ten projects to type into: of both engines, with and without sources, macros, tests, tags and habits of other databases. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { habits } from '../../server/language/engines/habits/index.ts'
import { mixedProjects } from './mixed-projects.ts'
import { seeded } from './mutations.ts'
import { pathOf, randomAsset, size } from './random-assets.ts'

export interface FuzzProject {
  readonly name: string
  write(folder: string): void
}

export function fuzzProjects(root: string): readonly FuzzProject[] {
  const examples = join(root, 'examples')
  const flights: FuzzProject = {
    name: 'flights',
    write: folder => cpSync(join(examples, 'flights'), folder, { recursive: true }),
  }
  const mixed = mixedProjects(examples).map(
    ({ name, folder: copied, files, settings }): FuzzProject => ({
      name,
      write(folder) {
        if (copied !== undefined) cpSync(copied, folder, { recursive: true })
        writeAll(folder, files)
        const path = join(folder, 'svc.yaml')
        if (settings !== undefined) writeFileSync(path, settings(readFileSync(path, 'utf8')))
      },
    }),
  )
  const made = Object.entries({ untagged, onServer, chain, random, foreign }).map(([name, files]) => ({
    name,
    write: (folder: string) => writeAll(folder, files),
  }))
  return [flights, ...mixed, ...made]
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const model = (name: string, sql: string) => `name: ${name}\ningest: none\ntransform: |\n  ${sql}\n`
const models = (sqls: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(sqls).map(([name, sql]) => [`models/${name}.svc`, model(name, sql)]))

/** What others read is named without tags, as in a fresh clone of somebody who is new. */
const untagged = {
  'svc.yaml': 'name: untagged\n',
  ...models({
    orders: 'SELECT 1 AS id, 2.5 AS amount, true AS paid',
    paid: 'SELECT id, amount FROM orders WHERE paid',
    total: 'SELECT sum(amount) AS total FROM paid',
    report: "SELECT id FROM paid JOIN {{ ref('orders') }} AS o USING (id)",
    late: "SELECT total FROM {{ ref('total') }}",
  }),
}

const onServer = {
  'svc.yaml': 'name: on_server\nwarehouse: postgres://localhost/shop\n',
  'macros/money.sql': 'CREATE MACRO cents(amount) AS CAST(round(amount * 100) AS bigint);\n',
  ...models({
    orders: "SELECT 1 AS id, CAST(2.5 AS numeric(12, 2)) AS amount, DATE '2024-01-01' AS placed",
    days: "SELECT placed, count(*) AS n, sum({{ cents(amount) }}) AS cents FROM {{ ref('orders') }} GROUP BY placed",
    months: "SELECT date_trunc('month', placed) AS month, sum(n) AS n FROM {{ ref('days') }} GROUP BY 1",
    open_days: "SELECT placed FROM {{ ref('days') }} WHERE n > 0 ORDER BY placed",
  }),
}

const chain = {
  'svc.yaml': 'name: chain\n',
  ...models(
    Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `step_${index}`,
        index === 0
          ? "SELECT 1 AS id, 'a' AS name"
          : `SELECT id, name, ${index} AS depth FROM {{ ref('step_${index - 1}') }}`,
      ]),
    ),
  ),
}

const draw = seeded(42)
const random = {
  'svc.yaml': 'name: random\nvars: {v: 3}\n',
  ...Object.fromEntries(
    Array.from({ length: size }, (_, index) => [pathOf(index), randomAsset(index, draw)]),
  ),
}

const foreign = {
  'svc.yaml': 'name: foreign\n',
  ...models(
    Object.fromEntries(
      habits
        .filter((_, index) => index % 12 === 0)
        .map(({ example }, index) => {
          const sql = example.replaceAll(/[‹›]/g, '').replaceAll('@t', "(SELECT 3 AS id, 'ab' AS name) AS t")
          return [`habit_${index}`, /^SELECT/.test(sql) ? sql : `SELECT ${sql} AS v`]
        }),
    ),
  ),
}

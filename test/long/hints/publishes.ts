/** Hints of `svc publish`: the target, what it takes, what an earlier publish left. */
import { model, orders } from '../../support/hints/projects.ts'
import type { ErrorTable, Scenario, Stage, WarningTable } from '../../support/hints/stage.ts'
import { type RestHandler, sendJson } from '../../support/rest-server.ts'

/** `orders` with the target `out`; `keys`: its keys behind the environments. */
const asset = (keys: string, sql = 'SELECT 1 AS id', more = '') => ({
  [orders]: model('orders', sql, `${more}publish: {out: {environments: [dev, prod], ${keys}}}\n`),
})
const file = (more = '') => `type: file, endpoint: ./out, resource: orders.csv${more}`
const other = (more = '') =>
  `type: duckdb, endpoint: "duckdb:./other.duckdb", resource: people, key: id${more}`
const web = (more = '') =>
  `type: http, endpoint: "<origin>", resource: taken, key: id, limits: {retries: 0}${more}`
const act = 'publish orders --to out'
const ran = (p: Stage) => p.works('run')
const edit = (from: string, to: string) => (p: Stage) => p.edit(orders, from, to)
const rerun = (from: string, to: string) => async (p: Stage) => {
  p.edit(orders, from, to)
  await p.works('run')
}
const taken: RestHandler = (_request, response) => sendJson(response, {})
const refused: RestHandler = (_request, response) => sendJson(response, { message: 'no' }, 400)
/** The service hangs up, so that nobody knows whether it took the rows. */
const hangsUp: RestHandler = (_request, response) => void response.destroy()

/** A target that was published to with the columns of before. */
const published = (keys: string, change: (p: Stage) => unknown) => ({
  files: asset(keys, 'SELECT 1 AS id, 2 AS v'),
  before: async (p: Stage) => {
    await p.works('run')
    await p.works(act)
    await change(p)
  },
})

const shapes: readonly Scenario[] = [
  {
    hint: 'It has id, v. Add the column there, or say with publish fields what is sent.',
    ...published(other(), rerun('2 AS v', '2 AS v, 3 AS w')),
    act,
    follow: edit('key: id', 'key: id, fields: {id: id, v: v}'),
  },
  {
    hint: 'Rows are recognised by it: make one there (CREATE UNIQUE INDEX), or name other columns in publish key.',
    ...published(other(), edit('key: id', 'key: v')),
    act,
    follow: edit('key: v', 'key: id'),
  },
  {
    hint: 'Name another file: what is in the warehouse is made by runs.',
    files: asset(other().replace('other', 'warehouse')),
    before: ran,
    act,
    follow: edit('./warehouse.duckdb', './other.duckdb'),
  },
  {
    hint: 'Write the folder as endpoint, and a name below it as resource.',
    files: asset(file().replace('orders.csv', '../orders.csv')),
    before: ran,
    act,
    follow: edit('endpoint: ./out, resource: ../orders.csv', 'endpoint: ., resource: orders.csv'),
  },
  {
    hint: 'Name another field in publish mark, or leave the column out with publish fields.',
    files: asset(other(', on_delete: mark, mark: v'), 'SELECT 1 AS id, 2 AS v'),
    before: ran,
    act,
    follow: edit('mark: v', 'mark: gone'),
  },
]

export const errors: ErrorTable = {
  'destination-shape': shapes,
  'unknown-destination': [
    {
      hint: 'Did you mean "out"? …',
      files: asset(file()),
      before: ran,
      act: 'publish orders --to outt',
      follow: () => undefined,
      works: act,
    },
    {
      hint: '…For a secret alone, describe the destination under publish in models/orders.svc, or under destinations in svc.yaml.',
      files: asset(file()),
      env: { DESTINATION__CRM__CREDENTIALS: 'a-secret-of-the-shop' },
      before: ran,
      act: 'publish orders --to crm',
      follow: edit(
        'publish: {',
        `publish: {crm: {environments: [dev], ${file().replace('orders.csv', 'crm.csv')}}, `,
      ),
    },
  ],
  'unknown-column': [
    {
      hint: 'It has id. Was the asset run since its file changed?',
      files: asset(file(), 'SELECT 1 AS id'),
      before: async p => {
        await p.works('run')
        p.edit(orders, '1 AS id', '1 AS id, 2 AS v')
        p.edit(orders, 'orders.csv', 'orders.csv, fields: {id: id, v: v}')
      },
      act,
      follow: ran,
    },
  ],
  'invalid-project': [
    {
      hint: 'Nothing was sent. svc validate shows every error at its place.',
      files: asset(file(', fields: [id]'), 'SELECT 1 AS id, 2 AS v'),
      before: async p => {
        p.edit(orders, ', fields: [id]', '')
        await p.works('run')
        p.edit(orders, 'orders.csv', 'orders.csv, fields: [id]')
      },
      act,
      follow: async p => {
        if (!(await p.svc('validate')).stdout.includes('publish.out.fields'))
          throw new Error('it is not shown')
        p.edit(orders, 'fields: [id]', 'fields: {id: id}')
      },
    },
  ],
  'mass-change': [
    {
      hint: 'Look with --dry-run whether that is meant; --allow-mass-change does it once.',
      ...published(other(', max_change: 10%'), rerun('2 AS v', '3 AS v')),
      act,
      follow: p => p.works(`${act} --dry-run`),
      works: `${act} --allow-mass-change`,
    },
  ],
  'rows-refused': [
    {
      hint: 'Something is wrong with all of them: check resource, fields and types, and publish again.',
      files: asset(web().replace('taken', 'tkaen'), 'SELECT unnest(range(200)) AS id'),
      answers: { '/taken': taken, '/tkaen': refused },
      before: ran,
      act,
      follow: edit('tkaen', 'taken'),
    },
  ],
  'new-warnings': [
    {
      hint: 'Nothing was sent. See to its cause; or publish without --strict (in svc.yaml: warnings: show), and the warning counts as known from then on.',
      files: asset(file(), 'SELECT 1 AS id', 'tests: [{range: {id: {min: 5}}, severity: warn}]\n'),
      before: ran,
      act: `${act} --strict`,
      follow: p => p.works(act),
      isToldAgain: true,
    },
  ],
  'missing-credentials': [
    {
      hint: 'Set DESTINATION__OUT__CREDENTIALS, or write credentials: env:NAME for a variable of another name.',
      files: asset(web(', auth: {type: bearer}')),
      answers: { '/taken': taken },
      before: ran,
      act,
      follow: p => {
        p.env['DESTINATION__OUT__CREDENTIALS'] = 'of-today'
      },
    },
  ],
  'not-deployed': [
    {
      hint: 'What is published comes from production: svc run +orders',
      files: asset(file()),
      act,
      follow: p => p.works('run +orders'),
    },
    {
      hint: 'Publish an asset with deploy: {materialize: table} or view.',
      files: asset(file(), 'SELECT 1 AS id', 'deploy: {materialize: ephemeral}\n'),
      before: ran,
      act,
      follow: rerun('ephemeral', 'table'),
    },
  ],
  'policy-breach': [
    {
      hint: 'Nothing was sent. Leave the column out with publish.out.fields, or say pii: false under columns where it is harmless, and run again.',
      files: {
        [orders]: `name: orders\ningest: {type: rows, rows: [{id: 1, email: a@example.com}]}\npublish: {out: {environments: [dev], ${file()}}}\ntransform: SELECT id, email FROM {{ source }}\n`,
      },
      before: async p => {
        await p.works('run')
        p.write(
          'glossary.yaml',
          'policies:\n  - {name: None outside, rule: No mail leaves., applies_to: [publish.out], pii_columns: [email], enforcement: strict}\n',
        )
      },
      act,
      follow: edit('orders.csv', 'orders.csv, fields: {id: id}'),
    },
  ],
  'wrong-usage': [
    {
      hint: 'To publish from dev, too, name it in environments of the target: environments: [prod, dev].',
      files: { [orders]: model('orders', 'SELECT 1 AS id', `publish: {out: {${file()}}}\n`) },
      before: ran,
      act,
      follow: edit('{out: {', '{out: {environments: [prod, dev], '),
    },
  ],
}

const inDoubt = (keys: string, change: (p: Stage) => unknown, sql?: string) => ({
  files: asset(keys, sql),
  before: async (p: Stage) => {
    p.answer('/taken', hangsUp)
    await p.works('run')
    const said = await p.svc(act)
    if (said.code === 0) throw new Error('the publish was to break')
    p.answer('/taken', taken)
    p.answer('/others', taken)
    await change(p)
  },
  act,
})

export const warnings: WarningTable = {
  'mass-change': [
    {
      hint: 'Look with --dry-run whether that is meant; --allow-mass-change does it once.',
      ...published(other(', max_change: 10%'), rerun('2 AS v', '3 AS v')),
      act: `${act} --dry-run`,
      follow: () => undefined,
      works: `${act} --allow-mass-change`,
    },
  ],
  'failed-test': [
    {
      hint: 'svc test orders shows its rows.',
      files: asset(file(), 'SELECT 1 AS id', 'tests: [{range: {id: {min: 5}}, severity: warn}]\n'),
      before: ran,
      act,
      follow: () => undefined,
      works: 'test orders',
      shows: '"id": 1',
    },
  ],
  'stale-build': [
    {
      hint: 'svc run orders shows why; what it then deploys is published next.',
      files: asset(file(), 'SELECT 1 AS id'),
      before: async p => {
        await p.works('run')
        p.edit(orders, '1 AS id', "error('no') AS id")
        await p.svc('run')
      },
      act,
      follow: rerun("error('no') AS id", '2 AS id'),
    },
  ],
  'target-replaced': [
    {
      hint: 'It was made anew, or is gone, or the destination leads elsewhere; what the other one has is left as it is.',
      ...published(other(), edit('resource: people', 'resource: persons')),
      act,
      follow: () => undefined,
    },
  ],
  'sent-again': [
    {
      hint: 'Look there for rows that came twice; with mode: upsert it tells them apart by their key.',
      ...inDoubt(web(', mode: insert'), rerun('[1, 2]', '[1, 3]'), 'SELECT unnest([1, 2]) AS id'),
      follow: edit('mode: insert', 'mode: upsert'),
    },
  ],
  'left-at-target': [
    {
      hint: 'To settle them there, let the target name that place again and publish.',
      ...inDoubt(web(), edit('resource: taken', 'resource: others')),
      follow: edit('resource: others', 'resource: taken'),
    },
  ],
}

/** What people do: slips on the command line, changes that break others, keys pressed at the wrong moment. */
import { sendJson } from '../support/rest-server.ts'
import type { Day, Group } from './day.ts'
import { patient, project } from './shop.ts'

const files = project('<origin>')
const sql = (from: string, to: string) => ({
  'models/orders.svc': (files['models/orders.svc'] ?? '').replace(from, to),
})

const slip = (command: string, name: string, code = 2, todo = 'Correct the command.'): Day => ({
  name,
  command,
  code,
  todo,
})

const slips: readonly Day[] = [
  slip('rn', 'A command is misspelt'),
  slip('run --evn prod', 'An option is misspelt'),
  slip('run --env "pr od"', 'An environment has an impossible name'),
  slip('run ordesr --env prod', 'An asset is misspelt'),
  slip('run tag:nothing --env prod', 'A selector matches nothing'),
  slip(
    'run orders --exclude orders --env prod',
    'Everything selected is excluded',
    0,
    'Correct the selection.',
  ),
  slip('run --env prod --json --log-format json', 'Two formats are asked for at once'),
  slip('sample orders --limit many --env prod', 'A number is not a number'),
  slip('sample orders --source table --env prod', 'A value is none of those that are possible'),
  slip('promote --env prod', 'A word is missing'),
  slip('promote 0123456789 --env prod', 'A run that nobody made is promoted'),
  slip('rollback --to 0123456789 --env prod', 'Production shall return to a run that nobody made'),
  slip('logs 0123456789', 'The log of a run that nobody made'),
  slip('inspect nothing', 'An asset that does not exist is inspected'),
  slip('create asset orders', 'A new asset has the name of one that exists', 1, 'Choose another name.'),
  slip('glossary add-term Customer', 'A new term has the name of one that exists', 1, 'Choose another name.'),
  slip('glossary link-term Nobody --asset customers --column id', 'A link to a term that does not exist'),
  slip(
    'glossary link-term Customer --asset customers --column nobody',
    'A link to a column that does not exist',
  ),
  slip('upload --env prod', 'An upload without an address', 2, 'Give the address.'),
  slip('freshness nothing --env prod', 'The freshness of an asset that does not exist'),
  {
    ...slip(
      'rollback --env prod',
      'A rollback after the first deployment',
      1,
      'Nothing: there is no earlier state.',
    ),
  },
  {
    ...slip('retry --env prod', 'A retry when nothing has failed', 0, '`svc run`.'),
  },
  {
    ...slip('init', 'A second `init`', 0, 'Nothing.'),
  },
  {
    ...slip(
      'sample orders --env staging',
      'An environment that nobody has deployed to',
      1,
      '`svc run --env staging`.',
    ),
  },
  {
    ...slip(
      'run --env prdo',
      'The environment is misspelt, and the name is possible',
      0,
      'Drop the schema `analytics_prdo`; run again.',
    ),
  },
]

const change = (name: string, changed: Day['files'], todo: string, code = 1): Day => ({
  name,
  files: changed ?? {},
  code,
  todo,
})
const fix = 'Fix it; `svc validate` shows the place.'

const changes: readonly Day[] = [
  change('A column is misspelt in the SQL', sql('SELECT id, customer_id', 'SELECT id, custmer_id'), fix),
  change(
    'A column that others read is renamed',
    sql('amount, day\n', 'amount AS total, day\n'),
    'Change the readers too.',
  ),
  change('A function is misspelt', sql('SELECT id,', 'SELECT lowr(id) AS id,'), fix),
  change('A bracket is not closed', sql('SELECT id,', 'SELECT (id,'), fix),
  change(
    'Two statements are written',
    sql('FROM {{ source }}', 'FROM {{ source }}; DROP TABLE x'),
    'Write one SELECT.',
  ),
  change(
    'A statement that deletes is written',
    sql('SELECT id, customer_id, amount, day\n', 'DELETE\n'),
    'Write a SELECT.',
  ),
  change(
    'Assets read each other in a circle',
    {
      'models/marts/daily_sales.svc': (files['models/marts/daily_sales.svc'] ?? '').replace(
        "ref('orders')",
        "ref('best_customers')",
      ),
      'models/marts/best_customers.svc': (files['models/marts/best_customers.svc'] ?? '').replace(
        "ref('orders')",
        "ref('daily_sales')",
      ),
    },
    'Break the circle.',
  ),
  change('An asset is named that does not exist', sql('{{ source }}', "{{ ref('ordres') }}"), fix),
  change('A key is misspelt', sql('contract:', 'contrakt:'), fix),
  change('A type does not exist', sql('amount: double', 'amount: dubble'), fix),
  change('A test names a column that does not exist', sql('unique: id', 'unique: order_id'), fix),
  change('A test can never pass', sql('min: 0}', 'min: 5, max: 1}'), fix),
  change(
    'Personal data reach a report that a policy protects',
    {
      'glossary.yaml':
        'policies:\n  - {name: No people, rule: No names in reports., pii_columns: [name], applies_to: [marts.*]}\n',
    },
    'Leave the column out, or change the policy.',
  ),
  change(
    'A join multiplies rows, and a test says so',
    {
      'models/marts/best_customers.svc': `${(files['models/marts/best_customers.svc'] ?? '').replace(/ {2}WHERE r.*\n {2}GROUP BY c.name\n/, '  GROUP BY c.name, r.currency\n')}tests:\n  - unique: name\n`,
    },
    'Correct the join.',
  ),
  {
    name: 'The file of an asset that nobody reads is deleted',
    files: { 'models/marts/best_customers.svc': null },
    code: 0,
    production: {
      says: 'the new rows, without the view of that asset',
      like: 'day 2',
      but: { best_customers: null },
    },
    todo: '`svc plan` shows it before; restore the file and run, or `svc rollback`.',
  },
  {
    name: 'A wrong number is deployed and rolled back',
    files: sql('amount, day\n', 'amount * 100 AS amount, day\n'),
    before: place => place.line(['run', '--env', 'prod']),
    command: 'rollback --env prod',
    code: 0,
    production: { says: 'the rows before that run', like: 'day 1', but: {} },
    todo: 'Correct the SQL and run.',
  },
]

/** An answer that comes when the test is over: the run stands still in its fetch. */
const still: Day['answer'] = () => undefined
const keys: readonly Day[] = [
  {
    name: 'Ctrl-C during a fetch',
    files: patient,
    answer: still,
    run: (place, words) => place.interrupted(words, 'SIGINT', 'fetching'),
    code: 130,
    todo: '`svc retry` or `svc run`.',
  },
  {
    name: 'The scheduler ends the run with SIGTERM',
    files: patient,
    answer: still,
    run: (place, words) => place.interrupted(words, 'SIGTERM', 'fetching'),
    code: 130,
    todo: '`svc retry` or `svc run`.',
  },
  {
    name: 'A second run begins while one is at work',
    files: patient,
    run: async (place, words) => {
      let release = () => {}
      const asked = new Promise<void>(resolve => {
        place.answer((_request, response) => {
          release = () => sendJson(response, {}, 500)
          resolve()
        })
      })
      const first = place.line(['run', '--env', 'prod'])
      await asked
      try {
        return await place.line(words)
      } finally {
        release()
        await first
      }
    },
    code: 3,
    todo: 'Wait for the first one.',
  },
]

export const users: Group = { title: 'Users', days: [...slips, ...changes, ...keys] }

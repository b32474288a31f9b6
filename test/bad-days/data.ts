/** Data that arrive well and are wrong. */
import { sendJson } from '../support/rest-server.ts'
import type { Day, Group } from './day.ts'
import { customersOf, dataOf, project, rowsOf } from './shop.ts'

const files = project('<origin>')
const day2 = customersOf['day 2']
const orders = dataOf['day 2']['data/orders-2.csv'] ?? ''
const path = 'data/orders-2.csv'
const fix = 'Have it corrected at the source, or relax the test or the contract.'

const customers = (name: string, records: readonly unknown[], code = 1): Day => ({
  name,
  answer: (_request, response) => sendJson(response, records),
  code,
  todo: fix,
})
const csv = (name: string, lines: string, code = 1): Day => ({
  name,
  files: { [path]: `${orders}${lines}` },
  code,
  todo: fix,
})
const rates = (name: string, text: string, code = 1): Day => ({
  name,
  files: { 'data/rates.json': text },
  code,
  todo: fix,
})

const wrong: readonly Day[] = [
  customers('A key occurs twice', [...day2, { id: 3, name: 'Di', since: '2026-01-03' }]),
  customers('A record arrives twice', [...day2, day2[2]]),
  customers('A name is NULL', [...day2, { id: 4, name: null, since: '2026-01-03' }]),
  customers('A required column is missing in one record', [...day2, { name: 'Di', since: '2026-01-03' }]),
  customers(
    'A required column has another name now',
    day2.map(({ id, ...rest }) => ({ identifier: id, ...rest })),
  ),
  customers(
    'A column that the SQL reads is gone',
    day2.map(({ id, since }) => ({ id, since })),
  ),
  customers('A date that does not exist', [...day2, { id: 4, name: 'Di', since: '2026-02-30' }]),
  customers('Text arrives as a number', [...day2, { id: 'four', name: 'Di', since: '2026-01-03' }]),
  customers('A number is too large', [...day2, { id: 9223372036854776000, name: 'Di', since: '2026-01-03' }]),
  customers('A number has a fraction', [...day2, { id: 4.5, name: 'Di', since: '2026-01-03' }]),
  customers('Values arrive instead of records', [1, 2, 3]),
  customers('A list of NULL arrives', [null, null]),
  customers('All but one customer are gone', day2.slice(0, 1)),
  csv('A key occurs twice in a file', '4,1,1,2026-01-03\n'),
  csv('A value is below its least', '5,1,-1,2026-01-03\n'),
  csv('A reference leads to nothing', '5,99,1,2026-01-03\n'),
  csv('A number has a decimal comma', '5,1,"1,5",2026-01-03\n'),
  csv('Text in a column of numbers', '5,1,n/a,2026-01-03\n'),
  csv('A day is written in another order', '5,1,1,31.12.2026\n'),
  csv('A whole number of 41 digits', `${'9'.repeat(41)},1,1,2026-01-03\n`),
  {
    name: 'All amounts are empty',
    files: { 'data/orders-1.csv': 'id,customer_id,amount,day\n1,1,,2026-01-01\n', [path]: null },
    code: 1,
    todo: 'Add a test `not_null` for what must not be empty.',
  },
  rates('A column without a contract becomes text', '[{"currency": "USD", "rate": "n/a"}]'),
  rates('A column without a contract is gone', '[{"currency": "USD"}]'),
  rates('A JSON file has an empty list', '[]'),
  rates('Two keys differ in case alone', '[{"currency": "USD", "rate": 1.5, "Rate": 2}]'),
]

/** As text, because that is what the contract promises. */
const asText = (name: string, value: unknown, text: string): Day => ({
  name,
  answer: (_request, response) => sendJson(response, [...day2, { id: 4, name: value, since: '2026-01-03' }]),
  code: 0,
  production: {
    says: 'the new rows, with that value as text',
    like: 'day 2',
    but: { customers: [...day2, { id: 4, name: text, since: '2026-01-03' }] },
  },
  todo: 'Add a test `matches` if the text must have a form.',
})

const passing: readonly Day[] = [
  asText('An object arrives instead of a text', { first: 'Di' }, '{"first":"Di"}'),
  asText('A list arrives instead of a text', ['Di'], '["Di"]'),
  {
    name: 'A new column arrives',
    answer: (_request, response) =>
      sendJson(
        response,
        day2.map(each => ({ ...each, city: 'Bern' })),
      ),
    code: 0,
    production: 'day 2',
    todo: 'Add it to the SQL if you need it.',
  },
  {
    name: 'The columns of a file are in another order',
    files: { [path]: 'day,amount,customer_id,id\n2026-01-03,5,3,3\n2026-01-03,7.5,1,4\n' },
    code: 0,
    production: 'day 2',
    todo: 'Nothing.',
  },
  {
    name: 'A file brings no new records',
    files: { [path]: 'id,customer_id,amount,day\n' },
    code: 0,
    production: {
      says: 'the new rows of the other files',
      like: 'day 2',
      but: {
        orders: rowsOf['day 1']['orders'] ?? [],
        daily_sales: rowsOf['day 1']['daily_sales'] ?? [],
        best_customers: [
          { name: 'Ana', spent: 15.75 },
          { name: 'Bo', spent: 30 },
        ],
      },
    },
    todo: 'Add a test `row_count` or `fresh` if that must not be.',
  },
  {
    name: 'A value that every row of a report needs is missing',
    files: { 'data/rates.json': '[{"currency": "EUR", "rate": 1}]' },
    code: 0,
    production: {
      says: 'the new rows; the report is empty',
      like: 'day 2',
      but: { rates: [{ currency: 'EUR', rate: 1 }], best_customers: [] },
    },
    todo: 'Add a test `row_count: {min: 1}` to the report.',
  },
  {
    name: 'Wrong records are rejected, as many as `max_rejects` allows',
    files: {
      'models/orders.svc': (files['models/orders.svc'] ?? '').replace(
        '  enforce_types: true\n',
        '  enforce_types: true\n  max_rejects: 1\n',
      ),
      [path]: `${orders}5,1,n/a,2026-01-03\n`,
    },
    code: 0,
    production: 'day 2',
    todo: 'Look at them with `svc rejects orders --env prod`.',
  },
  {
    name: 'More records are wrong than `max_rejects` allows',
    files: {
      'models/orders.svc': (files['models/orders.svc'] ?? '').replace(
        '  enforce_types: true\n',
        '  enforce_types: true\n  max_rejects: 1\n',
      ),
      [path]: `${orders}5,1,n/a,2026-01-03\n6,1,n/a,2026-01-03\n`,
    },
    code: 1,
    todo: fix,
  },
  {
    name: 'A wrong value makes a test fail that only warns',
    files: {
      'models/orders.svc': `${files['models/orders.svc']}  - accepted_values: {amount: [5]}\n    severity: warn\n`,
    },
    code: 0,
    production: 'day 2',
    todo: 'Look at the rows.',
  },
  {
    name: 'A value that the SQL cannot convert arrives',
    files: {
      'models/rates.svc': (files['models/rates.svc'] ?? '').replace(
        'currency, rate',
        'currency, CAST(rate AS DOUBLE) AS rate',
      ),
      'data/rates.json': '[{"currency": "USD", "rate": "n/a"}]',
    },
    code: 1,
    todo: 'Declare the type in the contract, so that the record is named; or use TRY_CAST.',
  },
]

export const data: Group = { title: 'Data', days: [...wrong, ...passing] }

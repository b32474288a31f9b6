/** Clocks that are wrong, and work that is taken up late. */
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { sendJson } from '../support/rest-server.ts'
import type { Day, Group, Place } from './day.ts'
import { dataOf, project, rowsOf } from './shop.ts'

const files = project('<origin>')
const year = 365 * 24

/** Runs at another time than now. */
const at = (place: Place, words: string, hours: number) =>
  place.line(words.split(' '), { now: () => new Date(Date.now() + hours * 3_600_000) })

const ahead = (name: string, clock: number): Day => ({
  name,
  clock,
  code: 0,
  production: 'day 2',
  todo: 'Set the clock right.',
})

const touched = (name: string, hours: number): Day => ({
  name,
  before: place => {
    const time = new Date(Date.now() + hours * 3_600_000)
    for (const path of Object.keys(dataOf['day 2'])) utimesSync(join(place.root, path), time, time)
  },
  code: 0,
  production: 'day 2',
  todo: 'Nothing.',
})

const withFreshness = {
  'models/rates.svc': `${files['models/rates.svc']}freshness: {warn_after: 12h, error_after: 24h}\n`,
}

/** A preview of the second day; returns its run. */
async function preview(place: Place): Promise<string> {
  const said = await place.line(['preview', '--env', 'prod', '--json'])
  return (JSON.parse(said.stdout) as { run_id: string }).run_id
}

const runs: readonly Day[] = [
  ahead('The clock is a minute behind the last run', -1 / 60),
  ahead('The clock is a year behind', -year),
  ahead('The clock is a year ahead, and right again the next day', year),
  ahead('The clock shows 1970', -(Date.now() / 3_600_000)),
  ahead('The clock shows the year 2100', 75 * year),
  touched('The files are dated in the future', 48),
  touched('The files are dated before the last load', -48),
  touched('The files are dated 1970', -(Date.now() / 3_600_000)),
  {
    name: 'The last run was made with a clock that was a year ahead',
    before: place => at(place, 'run --env prod', year),
    command: 'rollback --env prod',
    code: 0,
    production: { says: 'the rows before that run', like: 'day 1', but: {} },
    todo: 'Nothing.',
  },
  {
    name: 'The last run was made with a clock that was a year behind',
    before: place => at(place, 'run --env prod', -year),
    command: 'rollback --env prod',
    code: 0,
    production: { says: 'the rows before that run', like: 'day 1', but: {} },
    todo: 'Nothing.',
  },
  {
    name: 'The machine is in another time zone',
    run: (place, words) => place.process(words, { env: { TZ: 'Pacific/Kiritimati' } }),
    code: 0,
    production: 'day 2',
    todo: 'Nothing.',
  },
]

const late: readonly Day[] = [
  {
    name: 'Nobody has run anything for two days',
    files: withFreshness,
    before: place => place.line(['run', '--env', 'prod']),
    clock: 48,
    command: 'freshness --env prod',
    code: 1,
    production: 'day 2',
    todo: 'Find out why nothing ran; run.',
  },
  {
    name: 'The last load is in the future',
    files: withFreshness,
    before: place => at(place, 'run --env prod', 48),
    command: 'freshness --env prod',
    code: 0,
    production: 'day 2',
    todo: 'Set the clock right, and run.',
  },
  {
    name: 'The newest row is too old for its test',
    files: {
      'models/orders.svc': `${files['models/orders.svc']}  - fresh: {column: day, within: 2d}\n`,
    },
    code: 1,
    todo: 'Find out why the source delivers nothing new.',
  },
  {
    name: 'The newest row is in the future',
    files: {
      'models/orders.svc': `${files['models/orders.svc']}  - fresh: {column: day, within: 2d}\n`,
      'data/orders-2.csv': `${dataOf['day 2']['data/orders-2.csv']}5,1,1,2999-01-01\n`,
    },
    code: 0,
    production: {
      says: 'the new rows, with that row',
      like: 'day 2',
      but: {
        orders: [
          ...(rowsOf['day 2']['orders'] ?? []),
          { id: 5, customer_id: 1, amount: 1, day: '2999-01-01' },
        ],
        daily_sales: [...(rowsOf['day 2']['daily_sales'] ?? []), { day: '2999-01-01', total: 1 }],
        best_customers: [
          { name: 'Ana', spent: 28.5 },
          { name: 'Bo', spent: 30 },
          { name: 'Cy', spent: 7.5 },
        ],
      },
    },
    todo: 'Correct the date at the source; a `range` test finds such rows.',
  },
  {
    name: 'A failed run is repeated a week later',
    before: async place => {
      place.answer((_request, response) => sendJson(response, {}, 500))
      await place.line(['run', '--env', 'prod'])
      place.answer((_request, response) => sendJson(response, []))
    },
    clock: 7 * 24,
    command: 'retry --env prod',
    code: 1,
    todo: 'See the row about empty lists.',
  },
  {
    name: 'A preview is promoted after nine days and a collection',
    before: async place => {
      const run = await preview(place)
      await at(place, 'gc --env prod', 9 * 24)
      return run
    },
    clock: 9 * 24,
    command: 'promote <run> --env prod',
    code: 1,
    todo: 'Preview again.',
  },
  {
    name: 'Production has changed since the preview',
    files: {
      'models/rates.svc': (files['models/rates.svc'] ?? '').replace(
        'currency, rate',
        'currency, rate + 0 AS rate',
      ),
    },
    before: async place => {
      const run = await preview(place)
      place.write('models/rates.svc', files['models/rates.svc'] ?? '')
      await place.line(['run', '--env', 'prod'])
      return run
    },
    command: 'promote <run> --env prod',
    code: 1,
    production: 'day 2',
    todo: 'Preview again.',
  },
  {
    name: 'The collection runs with a clock that is two months ahead',
    clock: 60 * 24,
    command: 'gc --env prod',
    code: 0,
    todo: 'Nothing: what is live stays.',
  },
  {
    name: 'The server asks to wait until the year 2099',
    answer: (_request, response) =>
      sendJson(response, {}, 429, { 'retry-after': 'Wed, 21 Oct 2099 07:28:00 GMT' }),
    code: 3,
    todo: 'Run later, or set `limits.rate`.',
  },
  {
    name: 'The server asks to wait until last year',
    files: {
      'models/customers.svc': (files['models/customers.svc'] ?? '').replace('retries: 0', 'retries: 1'),
    },
    before: place => {
      let calls = 0
      place.answer((_request, response) =>
        calls++ === 0
          ? sendJson(response, {}, 429, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' })
          : sendJson(response, []),
      )
    },
    code: 1,
    todo: 'See the row about empty lists.',
  },
]

export const clocks: Group = { title: 'Clocks', days: [...runs, ...late] }

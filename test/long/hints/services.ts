/** Hints about web services: how they are asked, what they answer, where they lead. */

import { freePort } from '../../support/free-port.ts'
import { fromService, model, orders } from '../../support/hints/projects.ts'
import type { ErrorTable, Scenario, Stage, WarningTable } from '../../support/hints/stage.ts'
import { type RestHandler, sendJson, startRestServer } from '../../support/rest-server.ts'

const one = [{ id: 1 }]
const two = [{ id: 1 }, { id: 2 }]
const ids = 'SELECT id FROM {{ source }}'
const noRetry = 'limits: {retries: 0}'
const asks = (ingest = '', sql = ids, more = '') => ({
  [orders]: fromService(ingest === '' ? noRetry : `${ingest}, ${noRetry}`, sql, more),
})
const edit = (from: string, to: string) => (p: Stage) => p.edit(orders, from, to)
const answering =
  (answer: unknown, path = '/orders') =>
  (p: Stage) =>
    p.answer(path, answer)
const status =
  (code: number): RestHandler =>
  (_request, response) =>
    sendJson(response, { message: 'no' }, code)
const html: RestHandler = (_request, response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>log in</html>')
/** Pages of one record, by their numbers; `page` is the parameter. */
const pages =
  (more: (number: number) => object, param = 'page'): RestHandler =>
  (request, response) => {
    const number = Number(request.query.get(param) ?? '1')
    sendJson(response, { data: number > 2 ? [] : [{ id: number }], ...more(number) })
  }

const statuses: readonly Scenario[] = [
  {
    hint: 'Check ingest.endpoint and ingest.resource.',
    files: asks('resource: /ordres'),
    answers: { '/orders': one },
    follow: edit('/ordres', '/orders'),
    rows: { orders: one },
  },
  {
    hint: 'Check ingest.auth and the credentials in the environment.',
    files: asks('auth: {type: bearer, token: env:SHOP_TOKEN}'),
    env: { SHOP_TOKEN: 'of yesterday' },
    answers: {
      '/orders': ((request, response) =>
        sendJson(
          response,
          one,
          request.headers['authorization'] === 'Bearer of-today' ? 200 : 401,
        )) satisfies RestHandler,
    },
    follow: p => {
      p.env['SHOP_TOKEN'] = 'of-today'
    },
    rows: { orders: one },
  },
  {
    hint: 'The server failed: run again later, or say with ingest.on_status what to do about it.',
    files: asks(),
    answers: { '/orders': status(500) },
    follow: answering(one),
    rows: { orders: one },
  },
  {
    hint: 'Say with ingest.on_status what to do about it: retry, skip, end or fail.',
    files: asks('paginate: {type: page, param: page}'),
    answers: {
      '/orders': ((request, response) =>
        request.query.get('page') === '3'
          ? sendJson(response, { message: 'no such page' }, 410)
          : sendJson(response, [{ id: Number(request.query.get('page') ?? 1) }])) satisfies RestHandler,
    },
    follow: edit(noRetry, `on_status: {"410": end}, ${noRetry}`),
    rows: { orders: two },
  },
  {
    hint: 'Lower limits.rate, or raise limits.retries.',
    files: asks(),
    before: p => {
      let asked = 0
      p.answer('/orders', ((_request, response) =>
        sendJson(response, one, asked++ % 2 === 0 ? 429 : 200, { 'retry-after': '0' })) satisfies RestHandler)
    },
    follow: edit('retries: 0', 'retries: 2'),
    rows: { orders: one },
  },
]

const bodies: readonly Scenario[] = [
  {
    hint: 'If "error" is data, say where the records are with ingest.records.',
    files: asks('', 'SELECT error FROM {{ source }}'),
    answers: { '/orders': { error: 'none today' } },
    follow: edit(noRetry, `records: ".", ${noRetry}`),
    rows: { orders: [{ error: 'none today' }] },
  },
  {
    hint: 'The server names the same next page again: check ingest.paginate.',
    files: asks('paginate: {type: next_url, path: self}'),
    answers: {
      '/orders': ((request, response) =>
        sendJson(response, {
          data: request.query.has('p') ? [{ id: 2 }] : one,
          self: request.path,
          ...(!request.query.has('p') && { next: '/orders?p=2' }),
        })) satisfies RestHandler,
    },
    follow: edit('path: self', 'path: next'),
    rows: { orders: two },
  },
  {
    hint: 'The server seems not to know the parameter that asks for a page: check ingest.paginate.param.',
    files: asks('paginate: {type: page, param: pg}'),
    answers: {
      '/orders': ((request, response) => {
        const page = Number(request.query.get('page') ?? 1)
        sendJson(response, page > 2 ? [] : [{ id: page }])
      }) satisfies RestHandler,
    },
    follow: edit('param: pg', 'param: page'),
    rows: { orders: two },
  },
  {
    hint: 'Check ingest.paginate; if the source is that large, raise the limit in ingest.limits.',
    files: { [orders]: fromService('paginate: {type: page, param: page}, limits: {pages: 1}', ids) },
    answers: {
      '/orders': ((request, response) => {
        const page = Number(request.query.get('page') ?? 1)
        sendJson(response, page > 2 ? [] : [{ id: page }])
      }) satisfies RestHandler,
    },
    follow: edit('pages: 1', 'pages: 10'),
    rows: { orders: two },
  },
  {
    hint: 'Say with ingest.paginate.key which value of a record the next request sends.',
    files: asks('paginate: {type: keyset, key: number, param: after}'),
    answers: {
      '/orders': ((request, response) =>
        sendJson(response, {
          data: two.filter(({ id }) => id > Number(request.query.get('after') ?? 0)).slice(0, 1),
        })) satisfies RestHandler,
    },
    follow: edit('key: number', 'key: id'),
    rows: { orders: two },
  },
  {
    hint: 'Check ingest.paginate.path; a token is sent by type: cursor with its param.',
    files: asks('paginate: {type: next_url, path: next}'),
    answers: {
      '/orders': ((request, response) =>
        sendJson(
          response,
          request.query.has('after') ? { data: [{ id: 2 }], next: null } : { data: one, next: 'http://' },
        )) satisfies RestHandler,
    },
    follow: edit('{type: next_url, path: next}', '{type: cursor, path: next, param: after}'),
    rows: { orders: two },
  },
  {
    hint: 'Check ingest.auth.token_path. The answer has: token.',
    files: asks('auth: {type: session, login_url: "<origin>/login", token_path: tokn}'),
    answers: {
      '/login': { token: 'of-today' },
      '/orders': ((request, response) =>
        sendJson(
          response,
          one,
          request.headers['authorization'] === 'Bearer of-today' ? 200 : 401,
        )) satisfies RestHandler,
    },
    follow: edit('tokn', 'token'),
    rows: { orders: one },
  },
  {
    hint: 'If the token is in the body of the answer, say where with ingest.auth.token_path.',
    files: asks('auth: {type: session, login_url: "<origin>/login"}'),
    answers: {
      '/login': { token: 'of-today' },
      '/orders': ((request, response) =>
        sendJson(
          response,
          one,
          request.headers['authorization'] === 'Bearer of-today' ? 200 : 401,
        )) satisfies RestHandler,
    },
    follow: edit('/login"', '/login", token_path: token'),
    rows: { orders: one },
  },
  {
    hint: 'Check ingest.auth.token_url: it is the address that gives tokens, not the one where people log in.',
    files: asks(
      'auth: {type: oauth2, token_url: "<origin>/login", client_id: shop, client_secret: env:SECRET}',
    ),
    env: { SECRET: 'a-secret-of-the-shop' },
    answers: { '/login': { hello: 'you' }, '/token': { access_token: 'of-today' }, '/orders': one },
    follow: p => p.edit(orders, '/login', '/token'),
    rows: { orders: one },
  },
  {
    hint: 'Check the query in ingest.body.',
    files: asks('method: POST, body: {query: "{ orders { id, nmae } }"}'),
    answers: {
      '/orders': ((request, response) =>
        sendJson(response, {
          data: { orders: one },
          ...(request.body.includes('nmae') && { errors: [{ message: 'no field nmae' }] }),
        })) satisfies RestHandler,
    },
    follow: edit(', nmae', ''),
    rows: { orders: one },
  },
]

const reaching: ErrorTable = {
  'http-failed': [
    {
      hint: 'Check ingest.endpoint, and that the server runs.',
      before: async p =>
        p.write(orders, fromService(`endpoint: "http://127.0.0.1:${await freePort()}", ${noRetry}`, ids)),
      answers: { '/orders': one },
      follow: p => p.write(orders, fromService(noRetry, ids)),
      rows: { orders: one },
    },
    {
      hint: 'Try again, or raise limits.timeout or limits.retries.',
      files: asks(),
      before: p => {
        let asked = 0
        p.answer('/orders', ((_request, response) => {
          if (asked++ === 0) response.destroy()
          else sendJson(response, one)
        }) satisfies RestHandler)
      },
      follow: () => undefined,
      rows: { orders: one },
    },
    {
      hint: 'Look at the address with curl -iL, and write the one that answers as ingest.endpoint and ingest.resource.',
      files: asks('resource: /circle'),
      answers: {
        '/circle': ((_request, response) =>
          void response.writeHead(302, { location: '/circle' }).end()) satisfies RestHandler,
        '/orders': one,
      },
      follow: edit('/circle', '/orders'),
      rows: { orders: one },
    },
    {
      hint: 'Check whether ingest.endpoint begins with http: or https:.',
      files: asks(),
      before: p => p.edit(orders, 'http://', 'https://'),
      answers: { '/orders': one },
      follow: edit('https://', 'http://'),
      rows: { orders: one },
    },
  ],
  'host-not-allowed': [
    {
      hint: 'If that is right, write ingest.allow_hosts: [127.0.0.1:…]; credentials are not sent there.',
      files: asks(),
      before: async p => {
        const other = await startRestServer()
        other.route('/more', (_request, response) => {
          sendJson(response, { data: [{ id: 2 }], next: null })
        })
        p.atEnd(() => other.close())
        p.notes['host'] = new URL(other.origin).host
        p.answer('/orders', { data: one, next: `${other.origin}/more` })
      },
      follow: p => p.edit(orders, noRetry, `allow_hosts: ["${p.notes['host']}"], ${noRetry}`),
      rows: { orders: two },
    },
    {
      hint: 'Write the address of the other host as ingest.endpoint.',
      files: asks(),
      before: p => {
        p.edit(orders, '"<origin>"', '"http://127.0.0.1:1"')
        p.edit(orders, '/orders', '"<origin>/orders"')
      },
      answers: { '/orders': one },
      follow: p => {
        p.edit(orders, '"<origin>/orders"', '/orders')
        p.edit(orders, 'http://127.0.0.1:1', '<origin>')
      },
      rows: { orders: one },
    },
  ],
  'missing-credentials': [
    {
      hint: 'Set SHOP_TOKEN and run again.',
      files: asks('auth: {type: bearer, token: env:SHOP_TOKEN}'),
      answers: { '/orders': one },
      follow: p => {
        p.env['SHOP_TOKEN'] = 'of-today'
      },
      rows: { orders: one },
    },
    {
      hint: 'Set SOURCE__ORDERS__CREDENTIALS, or write ingest.credentials: env:NAME for a variable of another name.',
      files: asks('auth: {type: bearer}'),
      env: { OTHER: 'of-today' },
      answers: { '/orders': one },
      follow: edit(noRetry, `credentials: env:OTHER, ${noRetry}`),
      rows: { orders: one },
    },
    {
      hint: 'Take 16 characters or more, such as those of: openssl rand -hex 32',
      files: asks('mask: {email: hash}'),
      env: { SVC_MASK_KEY: 'short' },
      answers: { '/orders': [{ id: 1, email: 'a@example.com' }] },
      follow: p => {
        p.env['SVC_MASK_KEY'] = '0123456789abcdef0123456789abcdef'
      },
      rows: { orders: one },
    },
  ],
}

const paged: ErrorTable = {
  'paginate-missing': [
    {
      hint: 'Correct it, or take it out. …',
      files: asks('paginate: {type: cursor, path: nxt, param: cursor}'),
      answers: {
        '/orders': ((request, response) =>
          sendJson(
            response,
            request.query.has('cursor') ? { data: [{ id: 2 }], next: null } : { data: one, next: 'c2' },
          )) satisfies RestHandler,
      },
      follow: edit('path: nxt', 'path: next'),
      rows: { orders: two },
    },
    {
      hint: 'Correct it, or take it out.',
      files: asks('paginate: {type: page, param: page, total: pgs}'),
      answers: { '/orders': pages(() => ({ total_pages: 2 })) },
      follow: edit('total: pgs', 'total: total_pages'),
      rows: { orders: two },
    },
  ],
  'for-each-rows': [
    {
      hint: 'Ask for fewer with for_each.where, or raise the limit in ingest.limits.',
      files: {
        'models/shops.svc': model('shops', 'SELECT unnest([1, 2]) AS id'),
        [orders]: fromService(
          'resource: "/orders/{{ parent.id }}", for_each: {asset: shops}, limits: {pages: 1}',
          ids,
        ),
      },
      answers: { '/orders/1': one, '/orders/2': [{ id: 2 }] },
      follow: edit('{asset: shops}', '{asset: shops, where: id = 1}'),
      rows: { orders: one },
    },
    {
      hint: 'or raise the limit in ingest.limits.',
      files: {
        'models/shops.svc': model('shops', 'SELECT unnest([1, 2]) AS id'),
        [orders]: fromService(
          'resource: "/orders/{{ parent.id }}", for_each: {asset: shops}, limits: {pages: 1}',
          ids,
        ),
      },
      answers: { '/orders/1': one, '/orders/2': [{ id: 2 }] },
      follow: edit('pages: 1', 'pages: 10'),
      rows: { orders: two },
    },
  ],
}

export const errors: ErrorTable = {
  'http-status': statuses,
  'http-body': [
    ...bodies,
    {
      hint: 'Look at the address with curl -i: ingest.endpoint and ingest.resource have to lead to JSON with the records.',
      files: asks('resource: /log-in'),
      answers: { '/log-in': html, '/orders': one },
      follow: edit('/log-in', '/orders'),
      rows: { orders: one },
    },
  ],
  ...reaching,
  ...paged,
}

export const warnings: WarningTable = {
  'limited-pages': [
    {
      hint: 'The table has the records of these pages alone. Raise paginate.max_pages, or take it out, to load all.',
      files: asks('paginate: {type: page, param: page, max_pages: 1}'),
      answers: { '/orders': pages(number => ({ has_more: number < 2 })) },
      follow: edit(', max_pages: 1', ''),
      rows: { orders: two },
    },
  ],
  'more-pages': [
    {
      hint: 'Say with ingest.paginate how the next page is asked for.',
      files: asks('paginate: {type: none}'),
      answers: { '/orders': pages(number => ({ total: 2, next_page: number < 2 ? 2 : null })) },
      follow: edit('paginate: {type: none}', 'paginate: {type: cursor, path: next_page, param: page}'),
      rows: { orders: two },
    },
    {
      hint: 'If the table has all that it should have, write claims: ignore in ingest.paginate.',
      files: asks('paginate: {type: none}'),
      answers: { '/orders': { data: one, total: 7 } },
      follow: edit('{type: none}', '{type: none, claims: ignore}'),
      rows: { orders: one },
    },
  ],
  'skipped-responses': [
    {
      hint: 'What these responses should have brought is not in the table.',
      files: {
        'models/shops.svc': model('shops', 'SELECT unnest([1, 2]) AS id'),
        [orders]: fromService(
          `resource: "/orders/{{ parent.id }}", for_each: {asset: shops}, on_status: {"404": skip}, ${noRetry}`,
          ids,
        ),
      },
      answers: { '/orders/1': one, '/orders/2': status(404) },
      follow: answering([{ id: 2 }], '/orders/2'),
      rows: { orders: two },
    },
  ],
  'limited-rows': [
    {
      hint: 'The table has these records alone. Raise limits.max_rows, or take it out, to load all.',
      files: { [orders]: fromService('limits: {max_rows: 1}', ids) },
      answers: { '/orders': two },
      follow: edit(', limits: {max_rows: 1}', ''),
      rows: { orders: two },
    },
    {
      hint: 'The table has all records up to there. Raise limits.max_rows, or run again, for the rest.',
      files: {
        [orders]: fromService(
          'params: {since: "{{ cursor }}"}, write: append, incremental: {cursor: id, order: asc}, limits: {max_rows: 1}',
          ids,
        ),
      },
      answers: {
        '/orders': ((request, response) =>
          sendJson(
            response,
            two.filter(({ id }) => id >= Number(request.query.get('since') ?? 0)),
          )) satisfies RestHandler,
      },
      follow: edit('max_rows: 1', 'max_rows: 10'),
      rows: { orders: two },
    },
  ],
}

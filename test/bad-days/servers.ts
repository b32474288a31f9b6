/** What web services do to people. */
import { gzipSync } from 'node:zlib'
import { type RestHandler, sendJson } from '../support/rest-server.ts'
import type { Day, Group } from './day.ts'
import { customersOf, project, rowsOf } from './shop.ts'

const whole = JSON.stringify(customersOf['day 2'])
const model = project('<origin>')['models/customers.svc'] ?? ''
const withIngest = (line: string) => ({ 'models/customers.svc': model.replace('resource: customers', line) })

export const raw =
  (body: string | Uint8Array, headers: Record<string, string> = {}, status = 200): RestHandler =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body)
  }

const html = { 'content-type': 'text/html' }

const silent: readonly Day[] = [
  {
    name: 'The server never answers',
    answer: () => undefined,
    code: 3,
    todo: 'Run again later; raise `limits.timeout` if the service is slow.',
  },
  {
    name: 'The server stops in the middle of its answer',
    answer: (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write(whole.slice(0, 20))
    },
    code: 3,
    todo: 'Run again later; raise `limits.timeout` if the service is slow.',
  },
  {
    name: 'The server hangs up in the middle of its answer',
    answer: (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
      response.write(whole.slice(0, 20), () => response.destroy())
    },
    code: 3,
    todo: 'Run again later; set `limits.retries`.',
  },
  {
    name: 'The server hangs up at once',
    answer: (_request, response) => void response.destroy(),
    code: 3,
    todo: 'Run again later; set `limits.retries`.',
  },
  {
    name: 'Nobody listens at the address',
    files: { 'models/customers.svc': model.replace('<origin>', 'http://127.0.0.1:1') },
    code: 3,
    todo: 'Start the service, or correct `ingest.endpoint`.',
  },
  {
    name: 'The name of the server is unknown',
    files: { 'models/customers.svc': model.replace('<origin>', 'http://nowhere.invalid') },
    code: 3,
    todo: 'Correct `ingest.endpoint`, or check the network.',
  },
  {
    name: 'The server does not speak TLS',
    files: withIngest('resource: customers'),
    before: place =>
      place.write('models/customers.svc', model.replace('<origin>', place.origin.replace('http:', 'https:'))),
    code: 3,
    todo: 'Check the scheme and the certificate of `ingest.endpoint`.',
  },
]

const status = (code: number, what: string, todo: string, handler: RestHandler): Day => ({
  name: `The server answers ${code}${what}`,
  answer: handler,
  code: 3,
  todo,
})

const statuses: readonly Day[] = [
  status(400, '', 'Correct the request: `resource`, `params`.', raw('{"message": "bad request"}', {}, 400)),
  status(401, '', 'Give the source its credentials.', raw('{"message": "who are you?"}', {}, 401)),
  status(403, '', 'Ask for access.', raw('no', { 'content-type': 'text/plain' }, 403)),
  status(404, '', 'Correct `ingest.resource`.', raw('{}', {}, 404)),
  status(410, ': the API is gone', 'Move to the new API.', raw('', {}, 410)),
  status(
    429,
    ': come back in two hours',
    'Run later, or set `limits.rate`.',
    raw('{}', { 'retry-after': '7200' }, 429),
  ),
  status(500, '', 'Run again later.', raw('{"error": "oh"}', {}, 500)),
  status(
    503,
    ' with a page about maintenance',
    'Run again later.',
    raw('<html><title>Maintenance</title></html>', html, 503),
  ),
  {
    name: 'The server answers 500 once, and the source has `retries: 1`',
    files: { 'models/customers.svc': model.replace('retries: 0', 'retries: 1') },
    before: place => {
      let calls = 0
      place.answer((request, response) => (calls++ === 0 ? raw('', {}, 500) : raw(whole))(request, response))
    },
    code: 0,
    production: 'day 2',
    todo: 'Nothing.',
  },
  {
    name: 'The second page answers 500',
    answer: (request, response) =>
      request.query.has('p')
        ? sendJson(response, {}, 500)
        : sendJson(response, { results: customersOf['day 1'], next: '/customers?p=2' }),
    code: 3,
    todo: 'Run again later: the pages so far are kept.',
  },
]

const body = (name: string, handler: RestHandler, todo: string, code = 3): Day => ({
  name,
  answer: handler,
  code,
  todo,
})

const look = 'Look at the address in a browser; tell the owner of the service.'
const bodies: readonly Day[] = [
  body(
    'A page to log in arrives with status 200',
    raw('<!doctype html><title>Please log in</title>', html),
    look,
  ),
  body('A page calls itself JSON', raw('<html><body>Oops</body></html>'), look),
  body('The JSON ends too early', raw(whole.slice(0, -10)), look),
  body('The JSON is malformed', raw('[{"id": 1,, "name": "x"}]'), look),
  body('Two JSON values arrive at once', raw(`${whole}${whole}`), look),
  body('The body is empty', raw(''), look),
  body('The body is `null`', raw('null'), look, 1),
  body('The body is a number', raw('42'), look),
  body(
    'The list is empty',
    raw('[]'),
    'Check the source; write `allow_empty: true` if no records are right.',
    1,
  ),
  body(
    'The server answers 204',
    raw('', {}, 204),
    'Check the source; write `allow_empty: true` if no records are right.',
    1,
  ),
  body('An error message arrives with status 200', raw('{"error": "quota exceeded"}'), look),
  body('CSV arrives instead of JSON', raw('id,name\n1,Ana\n', { 'content-type': 'text/csv' }), look),
  body('The text is not UTF-8', raw(Buffer.from('[{"id": 1, "name": "Z\xfcrich"}]', 'latin1')), look),
  body('Brackets without end', raw('['.repeat(200_000)), look),
  body('The body is not compressed as it says', raw('not gzip', { 'content-encoding': 'gzip' }), look),
  body(
    'Half of a compressed body arrives',
    raw(gzipSync(whole).subarray(0, 30), { 'content-encoding': 'gzip' }),
    look,
  ),
  {
    name: 'The body begins with a byte order mark',
    answer: raw(`\ufeff${whole}`),
    code: 0,
    production: 'day 2',
    todo: 'Nothing.',
  },
  {
    name: 'The list has moved below another key',
    answer: raw(JSON.stringify({ data: { items: customersOf['day 2'] } })),
    code: 0,
    production: 'day 2',
    todo: 'Nothing.',
  },
  {
    name: 'The list is not where `records` says',
    files: withIngest('resource: customers\n  records: data.items'),
    code: 3,
    todo: 'Correct `ingest.records`.',
  },
]

const away: readonly Day[] = [
  body(
    'It redirects to another host',
    raw('', { location: 'http://elsewhere.invalid/x' }, 302),
    'List the host in `allow_hosts` if that is right.',
  ),
  body('It redirects in a circle', raw('', { location: '/customers' }, 302), look),
  body('It redirects to a file', raw('', { location: 'file:///etc/passwd' }, 302), look),
  body(
    'The next page is on another host',
    raw(JSON.stringify({ results: customersOf['day 2'], next: 'http://elsewhere.invalid/?p=2' })),
    'List the host in `allow_hosts` if that is right.',
  ),
  {
    ...body(
      'The next page is the same page',
      raw(JSON.stringify({ results: customersOf['day 2'], next: '/customers' })),
      look,
    ),
    alone: true,
  },
  {
    name: 'The variable with the token is not set',
    files: withIngest('resource: customers\n  auth: {type: bearer, token: env:SHOP_TOKEN}'),
    code: 3,
    todo: 'Set the variable wherever runs are started.',
  },
  {
    name: 'The token has expired',
    files: withIngest('resource: customers\n  auth: {type: bearer, token: env:SHOP_TOKEN}'),
    env: { SHOP_TOKEN: 'tok-5f2b8c1d9e' },
    answer: raw('{"message": "expired token tok-5f2b8c1d9e"}', {}, 401),
    code: 3,
    todo: 'Get a new token.',
  },
  {
    name: 'The API is down, and only the files are run',
    answer: raw('', {}, 503),
    command: 'run rates --env prod',
    code: 0,
    production: {
      says: 'new rates, the rest as before',
      like: 'day 1',
      but: { rates: rowsOf['day 2']['rates'] ?? [] },
    },
    todo: 'Run the rest when the API is back.',
  },
  {
    name: 'The API is down, and the last data are enough',
    answer: raw('', {}, 503),
    command: 'run --no-ingest --env prod',
    code: 0,
    todo: 'Run again when the API is back.',
  },
]

export const servers: Group = { title: 'Servers', days: [...silent, ...statuses, ...bodies, ...away] }

/** Publishing to a web service: batches, outcomes, refusals, patience, secrets, and that a kill doubles nothing unmarked. */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { showsDestination } from '../../support/features/shows.ts'
import { sample } from '../../support/long.ts'
import { assetWith, type Customer, customer, customers, type Ground, publishGround } from './ground.ts'
import { type Request, type Service, startService, take } from './service.ts'

let service: Service
let ground: Ground

beforeEach(async () => {
  service = await startService()
  ground = publishGround(target())
})
afterEach(async () => {
  ground.dispose()
  await service.close()
})

function target(more = ', batch: 10'): string {
  const limits = more.includes('limits:') ? '' : ', limits: {retries: 3}'
  return `{type: http, endpoint: "${service.address}/api", resource: people, key: id${limits}${more}}`
}

function changeTarget(more: string, rest = ''): void {
  ground.write('models/customers.svc', assetWith(target(more), rest))
}

/** The body of the first request. */
function bodyOf<T>(): T {
  return service.requests[0]?.body as T
}

function rowsOf({ body }: Request): Customer[] {
  return body as Customer[]
}

function there(): unknown[] {
  return [...service.rows.values()].toSorted((a, b) => Number(a['id']) - Number(b['id']))
}

describe('OAuth 2', () => {
  it('asks for a token once, and for another when the service does not take it any more', async () => {
    const forms: string[] = []
    const tokens = createServer((incoming, response) => {
      incoming.setEncoding('utf8').on('data', (form: string) => forms.push(form))
      incoming.on('end', () =>
        response.end(JSON.stringify({ access_token: `token-${forms.length}`, expires_in: 3600 })),
      )
    })
    await new Promise<void>(resolve => tokens.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = tokens.address() as AddressInfo
      const url = `http://127.0.0.1:${port}/token`
      changeTarget(
        `, batch: 10, auth: {type: oauth2, token_url: "${url}", client_id: shop, scope: rows.write}`,
      )
      service.behave(({ headers }, number) =>
        headers.authorization === 'Bearer token-1' && number > 2 ? { status: 401 } : undefined,
      )
      await ground.production(customers(40))
      const published = await ground.publish([], { DESTINATION__THERE__CREDENTIALS: 'hush-hush-secret' })
      expect(published).toMatchObject({ code: 0, value: { done: { inserts: 40, refused: 0 } } })
      expect(there()).toEqual(customers(40))
      expect(forms).toEqual([
        'grant_type=client_credentials&scope=rows.write',
        'grant_type=client_credentials&scope=rows.write',
      ])
      expect(JSON.stringify(published)).not.toMatch(/hush|token-/)
    } finally {
      tokens.closeAllConnections()
      tokens.close()
    }
  })

  it('says what the token server says, and sends nothing', async () => {
    changeTarget(`, auth: {type: oauth2, token_url: "${service.address}/token", client_id: shop}`)
    service.behave(() => ({ status: 400, body: { error: 'invalid_client' } }))
    await ground.production(customers(1))
    const { code, value } = await ground.publish([], { DESTINATION__THERE__CREDENTIALS: 'hush' })
    expect(code).not.toBe(0)
    expect(value.error?.message).toContain('/token): status 400, it says')
    expect(service.rows.size).toBe(0)
  })
})

describe('rows that are gone', () => {
  it('are marked with one time under on_delete: mark, by the request that writes', async () => {
    showsDestination(['http'], ['mark'])
    changeTarget(', on_delete: mark, max_change: 100%')
    await ground.production(customers(3))
    await ground.publish()
    await ground.production(customers(1))
    expect((await ground.publish()).value.done).toMatchObject({ deletes: 2, unchanged: 1 })
    const last = service.requests.at(-1)
    expect(last).toMatchObject({ method: 'POST', path: '/api/people' })
    const marked = (last?.body ?? []) as { id: number; deleted_at: string }[]
    expect(marked.map(({ id }) => id).toSorted()).toEqual([2, 3])
    expect(new Set(marked.map(row => row.deleted_at)).size).toBe(1)
    expect(marked[0]?.deleted_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    await ground.production(customers(2))
    await ground.publish()
    expect(service.rows.get(2)).toEqual({ ...customer(2), deleted_at: null })
  })
})

describe('batches', () => {
  it('have so many rows, a key each, and only what has changed since', async () => {
    showsDestination(['http'], ['upsert', 'difference', 'dry_run'])
    await ground.production(customers(25))
    expect((await ground.publish(['--dry-run'])).value).toMatchObject({ planned: { inserts: 25 } })
    expect(service.requests).toEqual([])
    expect(await ground.publish()).toMatchObject({ code: 0, value: { done: { inserts: 25 } } })
    expect(
      service.requests
        .map(rowsOf)
        .map(({ length }) => length)
        .toSorted(),
    ).toEqual([10, 10, 5])
    expect(new Set(service.requests.map(({ key }) => key)).size).toBe(3)
    expect(service.requests[0]).toMatchObject({ method: 'POST', path: '/api/people' })
    expect(there()).toEqual(customers(25))
    service.requests.length = 0
    await ground.production([...customers(24), customer(25, 'other')])
    expect((await ground.publish()).value.done).toMatchObject({ updates: 1, unchanged: 24 })
    expect(service.requests.map(rowsOf)).toEqual([[customer(25, 'other')]])
  })

  it('of a row that comes back to what it was have another key than then', async () => {
    for (const name of ['one', 'two', 'one']) {
      await ground.production([customer(1, name)])
      expect(await ground.publish()).toMatchObject({ code: 0 })
    }
    expect(new Set(service.requests.map(({ key }) => key)).size).toBe(3)
    expect(there()).toEqual([customer(1, 'one')])
  })

  it.each(['mode: mirror', 'on_delete: delete'])(
    'of rows that are gone go where remove says under %s, with their keys alone',
    async keys => {
      showsDestination(['http'], ['mirror', 'delete'])
      changeTarget(`, ${keys}, max_change: 100%, remove: {method: DELETE, resource: people/remove}`)
      await ground.production(customers(3))
      await ground.publish()
      await ground.production(customers(1))
      expect((await ground.publish()).value.done).toMatchObject({ deletes: 2 })
      const last = service.requests.at(-1)
      expect(last).toMatchObject({ method: 'DELETE', path: '/api/people/remove' })
      expect(last && rowsOf(last).toSorted((a, b) => Number(a.id) - Number(b.id))).toEqual([
        { id: 2 },
        { id: 3 },
      ])
      expect(there()).toEqual(customers(1))
    },
  )

  it('of mode: insert have the new rows alone, and those of mode: update the changed ones', async () => {
    showsDestination(['http'], ['insert', 'update'])
    changeTarget(', mode: insert, max_change: 100%')
    await ground.production(customers(1))
    await ground.publish()
    await ground.production([customer(1, 'other'), customer(2)])
    expect((await ground.publish()).value.done).toMatchObject({ inserts: 1, updates: 0 })
    expect(there()).toEqual(customers(2))
    changeTarget(', mode: update, max_change: 100%')
    await ground.production([customer(1, 'other'), customer(2)])
    expect((await ground.publish()).value.done).toMatchObject({ inserts: 0, updates: 1 })
    expect(there()).toEqual([customer(1, 'other'), customer(2)])
  })

  it('name fields as the target does, and lists as it wants them', async () => {
    changeTarget(', records: inputs, fields: {mail: email, who: name}')
    await ground.production(customers(1))
    await ground.publish()
    expect(service.requests[0]?.body).toEqual({ inputs: [{ id: 1, mail: 'c1@example.com', who: 'name 1' }] })
  })
})

describe('outcomes', () => {
  it('a batch that is refused is halved until the wrong rows are alone', async () => {
    service.behave(request => {
      const bad = rowsOf(request).some(({ id }) => id === 7 || id === 31)
      return bad ? { status: 422, body: { error: 'no such person' } } : undefined
    })
    await ground.production(customers(40))
    const report = await ground.publish()
    expect(report).toMatchObject({ code: 1, value: { done: { inserts: 38, refused: 2 } } })
    expect(report.value.rejects.map(({ key }) => key).toSorted()).toEqual(['{"id":31}', '{"id":7}'])
    expect(report.value.rejects[0]?.reason).toBe('status 422, it says "{\\"error\\":\\"no such person\\"}"')
    expect(service.rows.size).toBe(38)
    service.behave(() => undefined)
    expect(await ground.publish()).toMatchObject({ code: 0, value: { done: { inserts: 2, unchanged: 38 } } })
  })

  it('of each row are read from the answer', async () => {
    showsDestination(['http'], ['outcomes'])
    changeTarget(', batch: 10, results: data.results, error_path: error.message, id_path: id')
    service.behave(request => {
      take(request, service.rows)
      const results = rowsOf(request).map(({ id }) =>
        id === 2 ? { error: { message: `c${id}@example.com is no address` } } : { id: `x${id}` },
      )
      return { status: 200, body: { data: { results } } }
    })
    await ground.production(customers(3))
    const report = await ground.publish()
    expect(report).toMatchObject({ code: 1, value: { done: { inserts: 2, refused: 1 } } })
    expect(report.value.rejects).toMatchObject([
      {
        key: '{"id":2}',
        reason: 'c2@example.com is no address',
        raw: '{"id":2,"email":"c2@example.com","name":"name 2","amount":3.0}',
      },
    ])
  })

  it('when everything is refused, it stops after the first hundred rows and says why', async () => {
    service.behave(() => ({ status: 400, body: 'the field "nmae" is unknown' }))
    await ground.production(customers(500))
    const { code, value } = await ground.publish()
    expect({ code, error: value.error?.code }).toEqual({ code: 1, error: 'rows-refused' })
    expect(value.error?.message).toContain('nmae')
    expect(service.requests.length).toBeLessThan(500)
  })

  it.each([
    [401, 'DESTINATION__<TARGET>__CREDENTIALS'],
    [404, 'Check publish endpoint, resource and method.'],
    [302, 'Write the address that it leads to as endpoint.'],
  ])('status %i stops it at once', async (status, hint) => {
    service.behave(() => ({ status, headers: { location: 'http://elsewhere.example' } }))
    await ground.production(customers(20))
    const { code, value } = await ground.publish()
    expect({ code, error: value.error?.code }).toEqual({ code: 3, error: 'http-status' })
    expect(value.error?.hint).toContain(hint)
    expect(service.requests.length).toBeLessThanOrEqual(2)
  })
})

describe('patience', () => {
  it('a batch that fails is sent again, the same, under the same key', async () => {
    const answers = [503, 429, 200]
    service.behave((_, number) => {
      const status = answers[number - 1] ?? 200
      return status === 200 ? undefined : { status, headers: { 'retry-after': '0' } }
    })
    await ground.production(customers(5))
    expect(await ground.publish()).toMatchObject({ code: 0, value: { done: { inserts: 5 } } })
    expect(service.requests).toHaveLength(3)
    expect(new Set(service.requests.map(({ key, body }) => key + JSON.stringify(body))).size).toBe(1)
  })

  it('ends after so many tries; what was acknowledged is kept, and the rest goes under its keys the next time', async () => {
    changeTarget(', batch: 10, limits: {retries: 0, concurrency: 1}')
    await ground.production(customers(30))
    service.behave((request, number) => {
      if (number < 2) return undefined
      take(request, service.rows)
      return { status: 500, body: 'taken, and then it fell' }
    })
    const failed = await ground.publish()
    expect(failed).toMatchObject({ code: 3, value: { error: { code: 'http-status' } } })
    service.behave(() => undefined)
    const next = await ground.publish()
    expect(next).toMatchObject({ code: 0, value: { resumed: { acknowledged: 10, in_doubt: 10 } } })
    expect(service.requests[2]).toMatchObject({
      key: service.requests[1]?.key,
      body: service.requests[1]?.body,
    })
    expect(there()).toEqual(customers(30))
    expect(next.value.done).toMatchObject({ inserts: 20, unchanged: 10 })
  })

  it('sends no more at a time than the limit, and no more in a second', async () => {
    changeTarget(', batch: 1, limits: {concurrency: 2, rate: 20/s}')
    let running = 0
    let most = 0
    service.behave(async () => {
      most = Math.max(most, ++running)
      await new Promise(resolve => setTimeout(resolve, 120))
      running--
      return undefined
    })
    await ground.production(customers(8))
    await ground.publish()
    expect(most).toBe(2)
  })
})

describe('a kill', () => {
  it('sends no row twice without its key, and the service has production in the end', {
    timeout: 180_000,
  }, async () => {
    showsDestination(['http'], ['killed'])
    changeTarget(
      ', batch: 5, limits: {concurrency: 3}, mode: mirror, max_change: 100%, remove: {resource: people/remove}',
    )
    await ground.production(customers(300))
    for (const at of sample([4, 1, 9, 15], 4)) await killedAt(at)
    // What the journal of a dead process has, and the state has not, a look knows too.
    const look = await ground.publish(['--dry-run'])
    const { code, value } = await ground.publish()
    expect(code).toBe(0)
    expect(look.value.planned).toEqual(value.done)
    expect(look.value.planned.unchanged).toBeGreaterThan(0)
    expect(there()).toEqual(customers(300))
    await ground.production([...customers(60), customer(61, 'changed')])
    for (const at of sample([2, 6], 2)) await killedAt(at)
    expect((await ground.publish()).code).toBe(0)
    expect(there()).toEqual([...customers(60), customer(61, 'changed')])
    expect(unmarkedDoubles()).toEqual([])
    expect((await ground.publish()).value.done).toMatchObject({
      inserts: 0,
      updates: 0,
      deletes: 0,
      unchanged: 61,
    })
  })

  /** Kills the process while the service has this request of it, half of the times after it has taken it. */
  async function killedAt(number: number): Promise<void> {
    const before = service.requests.length
    let kill = () => {}
    service.behave(async (request, count) => {
      if (count - before < number) return undefined
      if (count % 2 === 0) take(request, service.rows)
      kill()
      return new Promise(() => {})
    })
    const { code } = await ground.alone(['publish', 'customers', '--to', 'there'], {
      onStart: child => {
        kill = () => child.kill('SIGKILL')
      },
    })
    service.behave(() => undefined)
    expect(code).toBe(null)
    // The rows were in a file without a name, which ends with its process.
    for (const path of filesBelow(join(ground.root, '.svc', 'dev', 'publish')))
      expect(readFileSync(path, 'latin1'), path).not.toMatch(/example\.com|name \d/)
  }

  /** Rows that were sent more than once as they are, under different keys, without having been something else in between. */
  function unmarkedDoubles(): string[] {
    const last = new Map<string, { readonly text: string; readonly key: string }>()
    return service.requests.flatMap(request =>
      rowsOf(request).flatMap(row => {
        const text = `${request.path} ${JSON.stringify(row)}`
        const known = last.get(String(row.id))
        last.set(String(row.id), { text, key: request.key })
        return known !== undefined && known.text === text && known.key !== request.key ? [text] : []
      }),
    )
  }
})

describe('secrets', () => {
  it('are in no output, log, state or file', async () => {
    const secret = 'verysecretword'
    changeTarget(', batch: 10, auth: {type: api_key, name: X-Key}, headers: {X-Other: "env:OTHER"}')
    service.behave(({ headers }) => ({
      status: 400,
      body: `your key ${headers['x-key']} and ${headers['x-other']}`,
    }))
    await ground.production(customers(2))
    const env = { DESTINATION__THERE__CREDENTIALS: secret, OTHER: 'anothersecret' }
    const said = await ground.svc(['publish', 'customers', '--to', 'there', '--debug'], { env })
    expect(service.requests[0]?.headers).toMatchObject({ 'x-key': secret, 'x-other': 'anothersecret' })
    expect(said.stdout).toContain('your key ***')
    const untaken = await ground.svc(['rejects', 'customers', '--to', 'there', '--json'])
    const files = filesBelow(join(ground.root, '.svc')).map(path => readFileSync(path, 'latin1'))
    const database = readFileSync(join(ground.root, 'warehouse.duckdb'), 'latin1')
    for (const text of [said.stdout, said.stderr, untaken.stdout, database, ...files]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain('anothersecret')
    }
  })

  it('that are missing are named', async () => {
    changeTarget(', auth: {type: bearer}')
    await ground.production(customers(1))
    const { code, value } = await ground.publish()
    expect({ code, error: value.error?.code }).toEqual({ code: 3, error: 'missing-credentials' })
    expect(value.error?.message).toContain('DESTINATION__THERE__CREDENTIALS')
  })

  it('a token of the variable alone is sent as a bearer', async () => {
    await ground.production(customers(1))
    await ground.publish([], { DESTINATION__THERE__CREDENTIALS: 'abcdefgh' })
    expect(service.requests[0]?.headers.authorization).toBe('Bearer abcdefgh')
  })
})

describe('recipes', () => {
  it('HubSpot: inputs with an id property, and errors by id', async () => {
    changeTarget(', recipe: hubspot, key: email'.replace(', key: email', ''))
    ground.write(
      'models/customers.svc',
      assetWith(target(', recipe: hubspot').replace('key: id', 'key: email')),
    )
    service.behave(() => ({
      status: 207,
      body: {
        status: 'COMPLETE',
        results: [{ id: '11', properties: { email: 'c1@example.com' } }],
        numErrors: 1,
        errors: [
          {
            status: 'error',
            category: 'VALIDATION_ERROR',
            message: 'bad',
            context: { ids: ['c2@example.com'] },
          },
        ],
      },
    }))
    await ground.production(customers(2))
    const report = await ground.publish()
    const inputs = bodyOf<{ inputs: { id: string }[] }>().inputs
    expect(inputs.toSorted((a, b) => (a.id < b.id ? -1 : 1))[0]).toEqual({
      idProperty: 'email',
      id: 'c1@example.com',
      properties: customer(1),
    })
    expect(report).toMatchObject({ code: 1, value: { done: { inserts: 1, refused: 1 } } })
    expect(report.value.rejects).toMatchObject([{ key: '{"email":"c2@example.com"}', reason: 'bad' }])
  })

  it('Salesforce: records with the type of their object, and outcomes in order', async () => {
    ground.write(
      'models/customers.svc',
      assetWith(
        target(', recipe: salesforce').replace(
          'resource: people',
          'resource: services/data/v61.0/composite/sobjects/Contact/Email__c',
        ),
      ),
    )
    service.behave(request => ({
      status: 200,
      body: (request.body as { records: Customer[] }).records.map(({ id }) =>
        id === 2
          ? {
              success: false,
              errors: [{ statusCode: 'REQUIRED_FIELD_MISSING', message: 'LastName', fields: [] }],
            }
          : { id: `003${id}`, success: true, created: true, errors: [] },
      ),
    }))
    await ground.production(customers(3))
    const report = await ground.publish()
    expect(service.requests[0]).toMatchObject({ method: 'PATCH', body: { allOrNone: false } })
    const { records } = bodyOf<{ records: unknown[] }>()
    expect(records).toContainEqual({ attributes: { type: 'Contact' }, ...customer(1) })
    expect(report.value.done).toMatchObject({ inserts: 2, refused: 1 })
    expect(report.value.rejects).toMatchObject([{ key: '{"id":2}', reason: 'LastName' }])
  })

  it('Google Sheets: values of new rows are appended', async () => {
    ground.write(
      'models/customers.svc',
      assetWith(
        target(', recipe: sheets').replace(
          'resource: people',
          'resource: "values/A1:append?valueInputOption=RAW"',
        ),
      ),
    )
    await ground.production(customers(1))
    expect(await ground.publish()).toMatchObject({ code: 0, value: { done: { inserts: 1 } } })
    expect(service.requests[0]).toMatchObject({
      path: '/api/values/A1:append?valueInputOption=RAW',
      body: { majorDimension: 'ROWS', values: [[1, 'c1@example.com', 'name 1', 1.5]] },
    })
    const years = assetWith(target(', recipe: sheets')).replace(', amount FROM', ', amount AS "2024" FROM')
    ground.write('models/customers.svc', years)
    await ground.production(customers(1))
    expect(await ground.publish()).toMatchObject({ code: 0 })
    expect(service.requests[1]).toMatchObject({ body: { values: [[1, 'c1@example.com', 'name 1', 1.5]] } })
  })
})

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
}

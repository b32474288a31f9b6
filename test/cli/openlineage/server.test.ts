/** OpenLineage events to a real server: what it gets, and what it may do without harm to the run. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LineageEvent, RunLineage } from '../../../cli/engine/openlineage/events.ts'
import { postEvents } from '../../../cli/engine/openlineage/post-events.ts'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'
import { type RestServer, startRestServer } from '../../support/rest-server.ts'
import { slipsIn } from './schemas.ts'

let server: RestServer
let project: ProjectHere

beforeEach(async () => {
  project = createProjectHere({
    'svc.yaml':
      'name: shop\nopenlineage: {type: http, endpoint: env:LINEAGE_URL, credentials: env:LINEAGE_TOKEN}\n',
    'models/one.svc': 'name: one\ningest: none\ntransform: SELECT 1 AS id\ntests:\n  - not_null: id\n',
    'models/two.svc': "name: two\ningest: none\ntransform: SELECT id FROM {{ ref('one') }}\n",
  })
  server = await startRestServer()
  server.route('/lineage', (_, response) => void response.writeHead(201).end())
})
afterEach(() => server.close())

/** The address and the token come from variables, as they should. */
async function run(endpoint = `${server.origin}/lineage?tenant=t-e-n-a-n-t`, words = ['run']) {
  const env = { LINEAGE_URL: endpoint, LINEAGE_TOKEN: 'sesame-sesame' }
  const { code, stderr } = await project.svc(words, { env })
  return { code, stderr: stderr.replace(/\s+/g, ' ') }
}

const told = () => server.requests.map(({ body }) => JSON.parse(body) as LineageEvent)
const notTold = (sentence: string) => ({ code: 0, stderr: expect.stringContaining(sentence) })

it('gets each event once, what begins before what ends, with its token', async () => {
  expect(await run()).toMatchObject({ code: 0 })
  const brief = told().map(({ eventType, job }) => `${eventType} ${job.name}`)
  expect([brief[0], brief.at(-1)]).toEqual(['START svc run', 'COMPLETE svc run'])
  for (const name of ['one', 'two', 'svc test one'])
    expect(brief.filter(each => /^\w+ (.*)$/.exec(each)?.[1] === name)).toEqual([
      `START ${name}`,
      `COMPLETE ${name}`,
    ])
  expect(brief).toHaveLength(8)
  expect(slipsIn(told())).toEqual([])
  const [request] = server.requests
  expect(request?.headers['authorization']).toBe('Bearer sesame-sesame')
  expect(request?.query.get('tenant')).toBe('t-e-n-a-n-t')
  expect(server.requests.map(({ body }) => body).join()).not.toMatch(/sesame|tenant/)
})

it('gets the events of a replay of rejected records too, which is a run', async () => {
  expect(await run(undefined, ['rejects', 'one', '--replay'])).toMatchObject({ code: 0 })
  const brief = told().map(({ eventType, job }) => `${eventType} ${job.name}`)
  expect([brief[0], brief.at(-1)]).toEqual(['START svc run', 'COMPLETE svc run'])
})

describe('a server that is not well', () => {
  it('is tried again where that can help', async () => {
    const statuses = [503, 429]
    server.refuse(() => statuses.shift())
    const { code, stderr } = await run()
    expect({ code, isSaid: stderr.includes('OpenLineage') }).toEqual({ code: 0, isSaid: false })
    expect(told()).toHaveLength(10)
  })

  it('that refuses the first event is not asked for the others', async () => {
    server.refuse(() => 401)
    expect(await run()).toEqual(
      notTold('OpenLineage was not told 8 of the 8 events of this run: status 401.'),
    )
    expect(told()).toHaveLength(1)
  })

  it('that refuses one event gets all others', async () => {
    server.refuse(({ body }) => (body.includes('svc test one') ? 422 : undefined))
    expect(await run()).toEqual(
      notTold('OpenLineage was not told 2 of the 8 events of this run: status 422.'),
    )
    expect(told()).toHaveLength(8)
  })

  it('that answers without end keeps no connection from the rest', async () => {
    server.route('/lineage', (_, response) => {
      const more = () => {
        while (response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    })
    const { code, stderr } = await run()
    expect({ code, isSaid: stderr.includes('OpenLineage') }).toEqual({ code: 0, isSaid: false })
    expect(told()).toHaveLength(8)
  })

  it('may be gone, or its address none, and no secret of it is said', async () => {
    const gone = await run('http://user:opensesame@127.0.0.1:9/lineage?key=k-e-y-s')
    expect(gone).toEqual(notTold('8 of the 8 events of this run:'))
    expect(gone.stderr).toContain('ECONNREFUSED')
    expect(gone.stderr).not.toMatch(/opensesame|k-e-y-s/)
    expect(await run('')).toEqual(notTold('LINEAGE_URL is not set (openlineage.endpoint)'))
    expect(await run('ftp://opensesame.example')).toEqual(notTold('its endpoint is no address'))
  })

  it('that does not answer holds nobody who interrupts', async () => {
    const asked = new AbortController()
    server.route('/lineage', () => asked.abort())
    const event = { eventType: 'START', job: { name: 'svc run' } } as LineageEvent
    const lineage: RunLineage = { whole: [event, event], parts: [] }
    const settings = { type: 'http', endpoint: `${server.origin}/lineage` } as const
    const world = { env: {}, now: () => new Date() } as Parameters<typeof postEvents>[2]['world']
    const said = await postEvents(settings, lineage, { world, signal: asked.signal })
    expect(said).toContain('OpenLineage was not told 2 of the 2 events of this run: no answer in time.')
  })
})

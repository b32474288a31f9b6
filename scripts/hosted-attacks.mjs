// What one token of each scope can do against the hosted service, as fast as it may: scripts/hosted-attack.mjs starts
// this as a process of its own, so that the work of the attack is not measured.
//   node scripts/hosted-attacks.mjs <url> <scope> <token>
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'

const [url = '', scope = '', token = ''] = process.argv.slice(2)
const parallel = 16
const api = '/api/svc'
const project = `${api}/metadata/projects/1`

async function ask(method, path, body, type = 'application/json', more = {}) {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'Content-Type': type }),
    ...more,
  }
  const response = await fetch(url + path, { method, headers, body })
  const text = await response.text()
  count(response.status)
  // Who is told to wait waits a little, as an attacker who reads answers would.
  if (response.status === 429 || response.status === 503) await new Promise(next => setTimeout(next, 50))
  return text
}

const statuses = {}
function count(status) {
  statuses[status] = (statuses[status] ?? 0) + 1
}

const json = value => JSON.stringify(value)
const many = (length, make) => Array.from({ length }, (_, index) => make(index))
let number = 0

/** A body that is sent but for its last byte. */
function stall(path) {
  const { hostname, port } = new URL(url)
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${head}Content-Length: 100000\r\n\r\n{`),
    )
    socket
      .on('error', () => {})
      .on('close', resolve)
      .resume()
    setTimeout(() => socket.destroy(), 20_000)
  })
}

const pack = (assets, more = {}) =>
  json({ context_pack: { project: { id: 'shop' }, assets, ...more }, source: 'cli' })
const largePack = () =>
  pack(many(60_000, index => ({ id: `t${index}`, columns: [{ name: 'a' }, { name: `b${number}` }] })))
const jsonPatch = 'application/json-patch+json'

const attacks = {
  'glossary:write': [
    async () => {
      const made = JSON.parse(
        await ask(
          'POST',
          `${api}/glossary/terms`,
          json({ project: 1, name: `p${number++}`, metadata: { text: 'x'.repeat(900) } }),
        ),
      )
      const copies = many(26, index => ({ op: 'copy', from: '/metadata', path: `/metadata/k${index}` }))
      if (made.term !== undefined)
        await ask('PATCH', `${api}/glossary/terms/${made.term.id}`, json(copies), jsonPatch)
    },
    () =>
      ask(
        'POST',
        `${api}/glossary/terms`,
        json({ project: 1, name: 'a', ...Object.fromEntries(many(70_000, index => [`nmae${index}`, 1])) }),
      ),
    () =>
      ask(
        'POST',
        `${api}/glossary/terms/bulk`,
        json({
          project: 1,
          items: many(1000, index => ({
            name: `b${index}`,
            id: `term.b${index}`,
            description: `${number++}`,
          })),
        }),
      ),
    () =>
      ask(
        'POST',
        `${api}/glossary/projects/1/import?mode=best_effort`,
        json({ terms: many(10_000, () => ({ name: 7, description: 'x'.repeat(1000) })) }),
      ),
    () =>
      ask(
        'POST',
        `${api}/glossary/policies`,
        json({
          project: 1,
          name: `q${number++}`,
          rule: 'x',
          applies_to: many(1000, index => `*${index}*a*`),
        }),
      ),
  ],
  'glossary:read': [
    () => ask('GET', `${api}/search?q=a${number++ % 9}`),
    () =>
      ask('GET', `${api}/search?q=${many(10, index => 'abcdefghij'[index]).join('+')}&limit=200&project=1`),
    () => ask('GET', `${api}/glossary/terms?q=x${number++}`),
    () => ask('GET', `${api}/glossary/projects/1/export`),
  ],
  'metadata:read': [
    () => ask('GET', `${project}/manifest`),
    () => ask('GET', `${api}/metadata/assets/${1 + (number++ % 6)}/lineage?level=column&depth=all`),
    () => ask('GET', `${api}/metadata/assets/1/impact`),
    () => ask('GET', `${api}/policies/check?project=1`),
    () => ask('GET', `${project}/assets?sort=-name&limit=1000&identifier=${number++}`),
  ],
  'metadata:upload': [
    () => stall(`${project}/upload`),
    () => ask('POST', `${project}/upload?dry_run=true`, largePack()),
    () =>
      ask('POST', `${project}/upload`, gzipSync(Buffer.alloc(60_000_000, '[')), 'application/json', {
        'Content-Encoding': 'gzip',
      }),
    () => ask('POST', `${project}/upload`, `{"assets":[${'{},'.repeat(15_000_000)}{}]}`),
    () =>
      ask(
        'POST',
        `${project}/test-results`,
        `{${many(100_000, index => `"a${index}":{"asset_name":"x","timestamp":"2026-11-01T00:00:00Z","tests":[]}`).join(',')}}`,
      ),
  ],
  'projects:admin': [
    () =>
      ask('POST', `${api}/projects`, json({ name: `project ${number++}`, description: 'x'.repeat(60_000) })),
    () => ask('GET', `${api}/projects`),
  ],
  'tokens:admin': [
    () =>
      ask('POST', `${api}/tokens`, json({ name: `t${number++}`, scopes: ['tokens:admin'], projects: 'all' })),
    () => ask('GET', `${api}/tokens`),
  ],
  'audit:read': [
    () => ask('GET', `${api}/audit?limit=1000&target=${number++}`),
    () => ask('GET', `${api}/audit?limit=1000`),
  ],
}

let stopping = false
process.on('SIGTERM', () => {
  stopping = true
  console.log(json(statuses))
  process.exit(0)
})

await Promise.all(
  many(parallel, async worker => {
    const ways = attacks[scope]
    for (let turn = worker; !stopping; turn++) {
      await ways[turn % ways.length]().catch(() => new Promise(next => setTimeout(next, 100)))
    }
  }),
)

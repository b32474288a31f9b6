/** A project in which a personal value is, the servers around it, and everything that was heard of it outside. */
import { mkdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Result, RunOptions } from '../cli.ts'
import { createProjectHere, type ProjectHere } from '../cli-here.ts'
import { askPostgres, type PostgresServer, startPostgres } from '../postgres.ts'
import { type Hit, hitIn, hitsBelow, hitsInState } from './search.ts'
import type { Way } from './ways.ts'

/** What the asset `people` has beside what its way says. */
export interface More {
  readonly ingest?: string
  readonly contract?: string
  /** Its `who`, where a case wants another type. */
  readonly mark?: string
  readonly tail?: string
}

export interface Answer {
  readonly status: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What the service answers to a request; undefined: what it has. Never resolved: it hangs. */
export type Behaviour = (request: {
  readonly path: string
  readonly body: string
}) => Answer | undefined | Promise<never>

export interface Stage {
  readonly way: Way
  readonly project: ProjectHere
  /** The service that has the records, and takes published rows. */
  readonly origin: string
  /** Everybody else: who is notified, catalogues, stores. */
  readonly elsewhere: string
  behave(behaviour: Behaviour): void
  people(more?: More): void
  asset(name: string, sql: string, tail?: string): void
  /** Keeps what was said. */
  svc(words: readonly string[], options?: RunOptions): Promise<Result>
  /** In a process of its own, which is killed by what `onStart` gets. */
  alone(words: readonly string[], options?: RunOptions): Promise<Result>
  /** Something else that was shown. */
  saw(where: string, text: string): void
  /** `leaves`: files that do not count. */
  hits(leaves?: RegExp): Promise<readonly Hit[]>
  /** The address of a new database of PostgreSQL in which the SQL has run. */
  database(sql: string): Promise<string>
  dispose(): void
}

export interface Servers {
  readonly origin: string
  readonly elsewhere: string
  readonly heardElsewhere: string[]
  /** What was published. */
  readonly heardHere: string[]
  behave(behaviour: Behaviour): void
  serve(records: readonly object[]): void
  database(sql: string): Promise<string>
  close(): Promise<void>
}

export async function startServers(): Promise<Servers> {
  let behaviour: Behaviour = () => undefined
  let records: readonly object[] = []
  let postgres: PostgresServer | undefined
  const heardElsewhere: string[] = []
  const heardHere: string[] = []
  const service = createServer((incoming, response) => {
    let body = ''
    incoming.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    incoming.on('end', async () => {
      const path = incoming.url ?? ''
      heardHere.push(path + body)
      const own = await behaviour({ path, body })
      const {
        status,
        headers = {},
        body: text = '',
      } = own ?? {
        status: 200,
        body: incoming.method === 'GET' ? JSON.stringify(records) : '{"ok":true}',
      }
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
    })
  })
  const others = createServer((incoming, response) => {
    let body = incoming.url ?? ''
    incoming.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    incoming.on('end', () => {
      heardElsewhere.push(body)
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"success":true}')
    })
  })
  return {
    ...{ origin: await listen(service), elsewhere: await listen(others), heardElsewhere, heardHere },
    behave(next) {
      behaviour = next
    },
    serve(next) {
      records = next
    },
    async database(sql) {
      postgres ??= await startPostgres()
      const address = await postgres.createDatabase()
      await askPostgres(address, sql)
      return address
    },
    async close() {
      await postgres?.stop()
      for (const server of [service, others]) {
        server.closeAllConnections()
        await new Promise(resolve => server.close(resolve))
      }
    },
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export async function openStage(way: Way, servers: Servers): Promise<Stage> {
  const project = createProjectHere({
    'svc.yaml': 'name: shop\n',
    ...way.files,
    ...(way.policies !== undefined && { 'glossary.yaml': `policies:\n${way.policies}` }),
  })
  mkdirSync(join(project.root, 'data'), { recursive: true })
  await way.make?.(project.root)
  servers.behave(() => undefined)
  servers.serve(way.records ?? [])
  servers.heardElsewhere.length = 0
  servers.heardHere.length = 0
  const said: [string, string][] = []
  const kept = (words: readonly string[], result: Result) => {
    // Wrong usage shows nothing, and a bug of ours is none of these cases.
    if (result.code === 2 || result.code === 70)
      throw new Error(`svc ${words.join(' ')}: ${result.stdout}${result.stderr}`)
    said.push([`svc ${words.join(' ')}`, result.stdout + result.stderr])
    return result
  }
  const stage: Stage = {
    ...{ way, project, origin: servers.origin, elsewhere: servers.elsewhere, behave: servers.behave },
    people: more => project.write('models/people.svc', peopleText(way, servers.origin, more)),
    asset: (name, sql, tail = '') =>
      project.write(`models/${name}.svc`, `name: ${name}\ningest: none\ntransform: |\n  ${sql}\n${tail}`),
    svc: async (words, options) => kept(words, await project.svc(words, options)),
    alone: async (words, options) => kept(words, await project.alone(words, options)),
    saw: (where, text) => void said.push([where, text]),
    hits: async leaves => [
      ...said.flatMap(([where, text]) => hitIn(where, unwrapped(text), way.seen)),
      ...servers.heardElsewhere.flatMap(text => hitIn('heard elsewhere', text, way.seen)),
      ...(way.isMasked === true ? servers.heardHere : []).flatMap(text => hitIn('published', text, way.seen)),
      ...(await hitsBelow(project.root, way, leaves)),
      ...(await hitsInState(project.root, way)),
    ],
    database: servers.database,
    dispose: project.dispose,
  }
  stage.people()
  return stage
}

/** What a terminal's width breaks is still one value. */
function unwrapped(text: string): string {
  return `${text}\n${text.replace(/\n\s*/g, '')}`
}

function peopleText(way: Way, origin: string, more: More = {}): string {
  const { ingest, contract, mark = way.mark, tail = '' } = more
  const keys = [way.ingest.replace('<origin>', origin), ingest].filter(each => each !== undefined)
  const rules = [contract, `columns: {${mark}}`].filter(each => each !== undefined)
  return `name: people
ingest: {${keys.join(', ')}}
contract: {${rules.join(', ')}}
transform: |
  ${way.select ?? 'SELECT id, who, note FROM {{ source }}'}
${way.more ?? ''}${tail}`
}

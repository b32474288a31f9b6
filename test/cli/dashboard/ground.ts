/** A dashboard over a real project, and requests to it that are exactly what a test says: no header is added. */
import { request } from 'node:http'
import { realWorld } from '../../../cli/commands/world.ts'
import { type Dashboard, serveDashboard } from '../../../cli/dashboard/serve.ts'
import { projectCatalog } from '../../../cli/engine/artifacts/project-catalog.ts'
import { openWorkspace } from '../../../cli/engine/workspace/open-workspace.ts'
import { createProject, readJson, svcLauncher, type TestProject } from '../../support/cli.ts'
import { engine } from '../../support/engine.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

export type Headers = Readonly<Record<string, string>>

export interface Ask {
  readonly method?: string
  readonly headers?: Headers
  readonly body?: string
}

export interface Streamed {
  readonly id: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface Stream {
  readonly status: number
  /** So far. */
  readonly events: readonly Streamed[]
  /** Until an event fits, or the stream ends. */
  until(fits: (event: Streamed) => boolean): Promise<void>
  readonly ended: Promise<void>
  /** As when the network goes away. */
  cut(): void
}

export interface Ground {
  readonly project: TestProject
  readonly dashboard: Dashboard
  readonly host: string
  /** Of a program that has read `.svc/ui.json`. */
  readonly bearer: Headers
  /** Of the page, once it was opened with the token. */
  page(): Promise<Headers>
  ask(path: string, ask?: Ask): Promise<Answer>
  json(path: string, ask?: Ask): Promise<unknown>
  stream(path: string, headers: Headers): Promise<Stream>
  dispose(): Promise<void>
}

export interface GroundOptions {
  readonly readOnly?: boolean
  readonly page?: string
}

export async function createDashboard(
  files: Readonly<Record<string, string>>,
  options: GroundOptions = {},
): Promise<Ground> {
  const project = createProject(files)
  const { root } = project
  const dashboard = await serveDashboard({
    root,
    environment: 'dev',
    models: 'models',
    engine,
    outline: () => outlineOf(root),
    command: [process.execPath, svcLauncher],
    env: { PATH: process.env['PATH'], HOME: root },
    now: () => new Date(),
    port: 0,
    readOnly: options.readOnly ?? false,
    page: options.page,
    pid: process.pid,
  })
  const host = `127.0.0.1:${dashboard.port}`
  const { token } = readJson(project, '.svc/ui.json') as { readonly token: string }
  const ask = (path: string, { method = 'GET', headers = {}, body }: Ask = {}) =>
    send(dashboard.port, path, method, { host, ...headers }, body)
  return {
    project,
    dashboard,
    host,
    bearer: { authorization: `Bearer ${token}` },
    async page() {
      const { headers } = await ask(new URL(dashboard.address).search.replace(/^/, '/'))
      const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
      return { cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }
    },
    ask,
    async json(path, options) {
      const answer = await ask(path, options)
      if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`)
      return JSON.parse(answer.text) as unknown
    },
    stream: (path, headers) => openStream(dashboard.port, path, { host, ...headers }),
    async dispose() {
      await dashboard.close()
      project.dispose()
    },
  }
}

async function outlineOf(root: string) {
  const world = { ...realWorld(), cwd: root, env: {} }
  const workspace = await openWorkspace({ world, environment: 'dev', signal: new AbortController().signal })
  try {
    return await projectCatalog(workspace)
  } finally {
    await workspace.close()
  }
}

function send(port: number, path: string, method: string, headers: Headers, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers, setHost: false }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        // A stream that should not have been opened has no end.
        if (response.headers['content-type']?.startsWith('text/event-stream') === true) response.destroy()
      })
      response.on('close', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

function openStream(port: number, path: string, headers: Headers): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, headers, setHost: false }, response => {
      const events: Streamed[] = []
      let rest = ''
      let wake = () => {}
      let closed = false
      const ended = new Promise<void>(done => {
        response.on('close', () => {
          closed = true
          done()
          wake()
        })
      })
      response.on('error', () => {})
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const blocks = (rest + chunk).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) events.push(...eventOf(block))
        wake()
      })
      resolve({
        status: response.statusCode ?? 0,
        events,
        ended,
        cut: () => response.destroy(),
        async until(fits) {
          while (!closed && !events.some(fits)) {
            await new Promise<void>(go => {
              wake = go
            })
          }
          if (!events.some(fits)) throw new Error(`the stream ended before: ${JSON.stringify(events)}`)
        },
      })
    })
    asked.on('error', reject)
    asked.end()
  })
}

function eventOf(block: string): Streamed[] {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
  const type = field('event')
  const data = field('data')
  return type === undefined || data === undefined
    ? []
    : [{ id: field('id') ?? '', type, data: JSON.parse(data) as Streamed['data'] }]
}

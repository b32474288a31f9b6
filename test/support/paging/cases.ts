/** Fetches from services that page in every shape, with and without `paginate`, and says of each case what became of the records. */
import { mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { restSource } from '../../../cli/engine/ingest/rest/rest-source.ts'
import type { IngestOf, SourceWarning } from '../../../cli/engine/ingest/source.ts'
import { contextFor, type Project } from '../../engine/ingest/fetching.ts'
import type { PagingRecord, PagingService } from './ask.ts'

/** `whole`: every record, and no warning. `told`: `more-pages`, or an error. */
export type Outcome = 'whole' | 'told' | 'silent' | 'false alarm'

export interface PagingCase {
  readonly service: PagingService
  /** What of `paginate` the asset says. */
  readonly written: string | undefined
  /** How many records the service has, of which a page has ten. */
  readonly records: number
}

export interface PagingServer {
  readonly origin: string
  close(): Promise<void>
}

export const pageSize = 10
const name = (service: PagingService) => service.name.replace(/\W+/g, '-')

/** Serves each service at `/<records>/<name>`, and all its records at once at `/<records>/all`. */
export async function servePaging(services: readonly PagingService[]): Promise<PagingServer> {
  const byName = new Map(services.map(service => [name(service), service]))
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const [, count = '0', which = ''] = url.pathname.split('/')
    const records = recordsOf(Number(count))
    const text = Buffer.concat(chunks).toString()
    const service = byName.get(which)
    const answer = service?.answer({
      query: url.searchParams,
      headers: request.headers as Readonly<Record<string, string>>,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      here: `${url.origin}${url.pathname}`,
      records,
      size: pageSize,
    }) ?? { body: records }
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
    response.end(JSON.stringify(answer.body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function recordsOf(count: number): readonly PagingRecord[] {
  return Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `n${index + 1}` }))
}

/** Returns all cases of a service: found by itself, said to be one page, as a person would write it, and of one page. */
export function casesOf(service: PagingService): readonly PagingCase[] {
  const { explicit } = service
  return [
    { service, written: undefined, records: 34 },
    { service, written: 'none', records: 34 },
    { service, written: '{type: page, param: nobody_knows}', records: 34 },
    { service, written: undefined, records: 7 },
    { service, written: undefined, records: pageSize },
    { service, written: 'none', records: 7 },
    ...(explicit === undefined
      ? []
      : [
          { service, written: explicit, records: 34 },
          { service, written: explicit, records: 7 },
          { service, written: misspelt(explicit), records: 34 },
        ]),
  ].filter(({ written }) => written !== '')
}

/** Returns the same with another name of a member or header; empty where it names none. */
function misspelt(explicit: string): string {
  const wrong = explicit.replace(/\b(path|header|total|last|more): ("?)([^,}"]+)/, '$1: $2$3_misspelt')
  return wrong === explicit ? '' : wrong
}

export interface Judged {
  readonly outcome: Outcome
  readonly said: string
}

export async function judgeCase(
  { service, written, records }: PagingCase,
  { server, project }: { readonly server: PagingServer; readonly project: Project },
): Promise<Judged> {
  const lines = [...(service.lines ?? []), ...(written === undefined ? [] : [`paginate: ${written}`])]
  const whole = await fetched([], `/${records}/all`, server, project)
  const one = await fetched(lines, `/${records}/${name(service)}`, server, project)
  const isWhole = one.loadId === whole.loadId
  const isTold = one.warnings.length > 0 || one.error !== undefined
  const said = one.error ?? one.warnings.map(({ code, message }) => `${code}: ${message}`).join('; ')
  if (isWhole) return { outcome: isTold ? 'false alarm' : 'whole', said }
  return {
    outcome: isTold ? 'told' : 'silent',
    said: said === '' ? `${one.rows} of ${records} records` : said,
  }
}

/** Returns what is wrong about a case; undefined if nothing is. */
export function problemIn(one: PagingCase, { outcome, said }: Judged): string | undefined {
  const { service, written, records } = one
  const shown = `${written ?? 'auto'} with ${records} records: ${outcome} (${said})`
  if (outcome === 'silent' || said.startsWith('crash')) return shown
  if (outcome === 'whole') return undefined
  // A next page that is named where none is looks like one that was not asked for.
  if (outcome === 'false alarm')
    return service.namesNextAlways === true && written === 'none' ? undefined : shown
  // What a person wrote right, and what svc can find by itself, is loaded whole.
  const isRightlyTold =
    written === undefined ? service.cannotBeFollowed === true : written !== service.explicit
  return isRightlyTold ? undefined : shown
}

interface Fetched {
  readonly rows: number
  readonly loadId: string
  readonly warnings: readonly SourceWarning[]
  readonly error: string | undefined
}

async function fetched(
  lines: readonly string[],
  resource: string,
  { origin }: PagingServer,
  project: Project,
): Promise<Fetched> {
  const text = [
    'ingest:',
    '  type: rest_api',
    `  endpoint: ${origin}`,
    `  resource: ${resource}`,
    ...lines.map(line => `  ${line}`),
  ]
  const warnings: SourceWarning[] = []
  const context = contextFor(project, text.join('\n'), { onWarning: warning => void warnings.push(warning) })
  const ingest = context.asset.definition.ingest as IngestOf<'rest_api'>
  mkdirSync(context.spoolFolder, { recursive: true })
  try {
    const source = restSource(ingest, { backoff: { baseMs: 1, capMs: 2, random: () => 0 }, maxPauseMs: 5000 })
    const { rows, loadId } = await source.fetch(context)
    return { rows, loadId, warnings, error: undefined }
  } catch (error) {
    const { code = 'crash', message } = error as Error & { readonly code?: string }
    return { rows: 0, loadId: '', warnings, error: `${code}: ${message}` }
  } finally {
    rmSync(context.spoolFolder, { recursive: true, force: true })
  }
}

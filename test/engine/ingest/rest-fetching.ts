/** One REST server with 47 records for the tests of a file, and quick ways to fetch from it. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { restSource } from '../../../cli/engine/ingest/rest/rest-source.ts'
import type { FetchContext, IngestOf, SourceWarning } from '../../../cli/engine/ingest/source.ts'
import { type RestServer, startRestServer } from '../../support/rest-server.ts'
import { type ContextChanges, contextFor, type Project, temporaryProject } from './fetching.ts'

export const records = Array.from({ length: 47 }, (_, id) => ({
  id,
  name: `n${id}`,
  tags: ['a', 'b'].slice(0, id % 3),
}))
export const all = records.map(record => record.id)

export let project: Project
export let server: RestServer

/** Call at the top of a test file. */
export function useRestServer(): void {
  beforeAll(async () => {
    project = temporaryProject()
    server = await startRestServer({ records, pageSize: 10 })
  })
  beforeEach(() => server.forget())
  afterAll(async () => {
    await server.close()
    project.remove()
  })
}

/** The ingest block of an asset that reads `resource` from the server. */
export const rest = (resource: string, ...more: string[]) =>
  [
    'ingest:',
    '  type: rest_api',
    `  endpoint: ${server.origin}`,
    `  resource: ${resource}`,
    ...more.map(line => `  ${line}`),
  ].join('\n')

export const ids = (rows: readonly Readonly<Record<string, unknown>>[] | undefined) =>
  rows?.map(row => Number(row['id']))

/** Fetches with waits of a millisecond, so that retries take no time. */
export async function fetchFast(body: string, changes: ContextChanges = {}, into = project) {
  const context = contextFor(into, body, changes)
  const notes: string[] = []
  const warnings: SourceWarning[] = []
  const ingest = context.asset.definition.ingest as IngestOf<'rest_api'>
  const source = restSource(ingest, { backoff: { baseMs: 1, capMs: 2, random: () => 0 }, maxPauseMs: 5000 })
  const onProgress: FetchContext['onProgress'] = progress => {
    if (progress.note !== undefined) notes.push(progress.note)
    context.onProgress(progress)
  }
  const onWarning: FetchContext['onWarning'] = warning => {
    warnings.push(warning)
    context.onWarning?.(warning)
  }
  const fetched = await source.fetch({ ...context, onProgress, onWarning })
  return { fetched, notes, warnings }
}

/** The only module that lists the kinds of source. Each kind is loaded only when it is used. */
import type { Ingest } from '@svc/server/language'
import type { Source } from './source.ts'

/**
 * Returns the implementation of a source. Throws a plain Error for `type: none`, which must never be fetched.
 */
export function sourceFor(ingest: Ingest): Source {
  const load = () => loadSource(ingest)
  return {
    fetch: async context => (await load()).fetch(context),
    peek: async context => (await load()).peek(context),
  }
}

async function loadSource(ingest: Ingest): Promise<Source> {
  if (ingest.type === 'file') return (await import('./file-source.ts')).fileSource(ingest)
  if (ingest.type === 'rows') return (await import('./rows-source.ts')).rowsSource(ingest)
  if (ingest.type === 'rest_api') return (await import('./rest/rest-source.ts')).restSource(ingest)
  throw new Error('an asset without a source has nothing to fetch')
}

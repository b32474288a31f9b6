/** The promises of docs/sources.md. */
import type { PageEntries } from '../held.ts'
import { fetchedPromises } from './sources-fetched.ts'
import { loadedPromises } from './sources-loaded.ts'

export const sourcesPromises: PageEntries = {
  page: 'sources.md',
  held: { ...fetchedPromises, ...loadedPromises },
  explains: ['0c3b2f What was valid once cannot'],
}

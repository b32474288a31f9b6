/** The pages whose sentences say which tests hold them. */
import { join } from 'node:path'
import type { PageEntries } from './held.ts'
import { glossaryPage } from './page-glossary.ts'
import { operationPage } from './page-operation.ts'
import { referencePage } from './page-reference.ts'
import { tokensPage } from './page-tokens.ts'
import { uploadsPage } from './page-uploads.ts'
import { promisePages } from './promise-pages/index.ts'
import { type TiedPromise, tiedPromises } from './promises.ts'

/** Below `docs/hosted`: each of their sentences, as the contract's. */
export const hostedPages: readonly PageEntries[] = [
  glossaryPage,
  operationPage,
  referencePage,
  tokensPage,
  uploadsPage,
]

export { promisePages }

/** The promises of all of these pages, below the root of the repository. */
export function allPromises(root: string): readonly TiedPromise[] {
  const docs = join(root, 'docs')
  return [...tiedPromises(docs, promisePages), ...tiedPromises(join(docs, 'hosted'), hostedPages)]
}

/** The table of routes as a document, a page, and types. */
export { clientTypes } from './client-types.ts'
export { docsPage, docsPolicy } from './docs-page.ts'
export {
  type Json,
  type JsonObject,
  type OpenApi,
  type Operation,
  openApiDocument,
  problemsOf,
} from './document.ts'
export { exampleOf } from './example.ts'

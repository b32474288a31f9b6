/** The table of routes as a document and as a page. */
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

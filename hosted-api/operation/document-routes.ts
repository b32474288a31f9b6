/** The service's own description, for programs and for people. Generated once, from the table of routes. */
import { Type } from '@sinclair/typebox'
import { type AnyRoute, defineRoute, ok } from '../http/index.ts'
import { docsPage, docsPolicy, openApiDocument } from '../openapi/index.ts'

const about = { method: 'GET', tag: 'operation', scope: 'public', project: { from: 'none' } } as const

/** @param routes all other routes; these two are added to the document */
export function documentRoutes(routes: readonly AnyRoute[], version: string): readonly AnyRoute[] {
  const own: readonly AnyRoute[] = [
    defineRoute({
      ...about,
      id: 'getOpenApi',
      path: '/openapi.json',
      summary: 'This description, as OpenAPI 3.1.',
      responses: { 200: Type.Object({}, { additionalProperties: true }) },
      handle: async () => ok(document().json, { 'Content-Type': 'application/json; charset=utf-8' }),
    }),
    defineRoute({
      ...about,
      id: 'getDocs',
      path: '/docs',
      summary: 'This description, as a page.',
      responses: { 200: Type.String() },
      produces: 'text/html',
      handle: async () =>
        ok(document().page, {
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': docsPolicy,
        }),
    }),
  ]
  let made: { readonly json: Buffer; readonly page: Buffer } | undefined
  const document = () => {
    if (made !== undefined) return made
    const described = openApiDocument([...routes, ...own], version)
    made = { json: Buffer.from(JSON.stringify(described)), page: Buffer.from(docsPage(described)) }
    return made
  }
  return own
}

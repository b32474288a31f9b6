/** Links between operations: what makes or lists a record names the operations that take its number. */
import type { TSchema } from '@sinclair/typebox'
import type { AnyRoute } from '../http/index.ts'
import type { JsonObject } from './document.ts'

/** Returns the links of one successful answer by name; empty if it leads nowhere. */
export function linksOf(route: AnyRoute, answer: TSchema, routes: readonly AnyRoute[]): JsonObject {
  const found = sourceOf(route, answer)
  if (found === undefined) return {}
  const targets = routes.filter(each => each !== route && takes(each, found))
  return Object.fromEntries(
    targets.map(target => [
      target.id,
      {
        operationId: target.id,
        parameters: { [`path.${found.parameter}`]: `$response.body#${found.pointer}` },
      },
    ]),
  )
}

interface Source {
  /** Where the number is in the answer. */
  readonly pointer: string
  readonly parameter: string
  /** The beginning of the paths that take it. */
  readonly path: string
}

function sourceOf(route: AnyRoute, answer: TSchema): Source | undefined {
  if (route.path.endsWith('/projects/:project/assets'))
    return { pointer: '/0/id', parameter: 'asset', path: '/api/svc/metadata/assets/:asset' }
  const own = Object.entries((answer['properties'] ?? {}) as Record<string, TSchema>).find(
    ([name, member]) => name !== 'upload' && hasNumber(member),
  )
  const pointer = own === undefined ? '/id' : `/${own[0]}/id`
  if (own === undefined && !hasNumber(answer)) return undefined
  const [path = '', parameter] = /^(.*?\/):(\w+)/.exec(recordPathOf(route))?.slice(1) ?? []
  return parameter === undefined ? undefined : { pointer, parameter, path: `${path}:${parameter}` }
}

function hasNumber(schema: TSchema): boolean {
  return (schema['properties'] as Record<string, unknown> | undefined)?.['id'] !== undefined
}

/** A collection has its records one level below. */
function recordPathOf({ path, method }: AnyRoute): string {
  if (path.includes(':')) return path
  const parameter = path.endsWith('/projects') ? 'project_id' : path.endsWith('/tokens') ? 'id' : 'ref'
  return method === 'POST' ? `${path}/:${parameter}` : path
}

function takes(route: AnyRoute, { path, parameter }: Source): boolean {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  return names.length === 1 && names[0] === parameter && route.path.startsWith(path)
}

/** Links between operations: what makes, shows or lists a record names the operations that take its number. */
import type { TSchema } from '@sinclair/typebox'
import type { AnyRoute } from '../http/index.ts'
import type { JsonObject } from './document.ts'

/** Returns the links of one successful answer by name; empty if it leads nowhere. */
export function linksOf(route: AnyRoute, answer: TSchema, routes: readonly AnyRoute[]): JsonObject {
  // What an old version leads to is what its record leads to.
  if (/\/versions\/:/.test(route.path)) return {}
  const answered = placesOf(route, answer, collectionsOf(routes))
  if (answered.size === 0) return {}
  const links = routes
    .filter(target => target !== route)
    .map(target => [target.id, parametersOf(target, route, answered)] as const)
  return Object.fromEntries(
    links.flatMap(([id, parameters]) =>
      parameters === undefined ? [] : [[id, { operationId: id, parameters }]],
    ),
  )
}

/** Where in an answer the number of a record is (or what else its address ends with), by the collection of the record. */
type Places = ReadonlyMap<string, string>

function placesOf(route: AnyRoute, answer: TSchema, collections: ReadonlySet<string>): Places {
  const parts = route.path.split('/')
  const collection = parts.findLast(part => collections.has(part))
  if (collection === undefined) return new Map()
  if (answer['type'] === 'array') {
    const isOfCollection = parts.at(-1) === collection
    return isOfCollection ? placesIn(collection, answer['items'] as TSchema, '/0', route) : new Map()
  }
  const list = membersOf(answer)[collection]
  if (list?.['type'] === 'array')
    return placesIn(collection, list['items'] as TSchema, `/${collection}/0`, route)
  // The number of an upload is not that of its project.
  const nested = Object.entries(membersOf(answer)).find(
    ([name, member]) => name !== 'upload' && membersOf(member)['id'] !== undefined,
  )
  return nested === undefined
    ? placesIn(collection, answer, '', route)
    : placesIn(collection, nested[1], `/${nested[0]}`, route)
}

function placesIn(collection: string, schema: TSchema, pointer: string, route: AnyRoute): Places {
  const members = membersOf(schema)
  const isVersion = collection === 'versions'
  const owner = isVersion ? ownerOfVersions(route.path) : collection
  const versions = `${owner}/versions`
  const found: [string, string][] = []
  if (members['id'] !== undefined) found.push([owner, `${pointer}/id`])
  if (members['hash'] !== undefined && isVersion) found.push([versions, `${pointer}/hash`])
  else if (members['version'] !== undefined) found.push([versions, `${pointer}/version`])
  return new Map(found)
}

/**
 * The parameters of a link to a route: from the answer, and those of the same records from the address that was asked.
 * Undefined if one is not known, or if none is in the answer.
 */
function parametersOf(target: AnyRoute, asked: AnyRoute, answered: Places): JsonObject | undefined {
  const inAddress = new Map(pathParameters(asked.path).map(([name, collection]) => [collection, name]))
  const parameters: Record<string, string> = {}
  let isAnswered = false
  for (const [name, collection] of takenBy(target)) {
    const pointer = answered.get(collection)
    const own = inAddress.get(collection)
    if (pointer === undefined && own === undefined) return undefined
    isAnswered ||= pointer !== undefined
    parameters[name] = pointer === undefined ? `$request.path.${own}` : `$response.body#${pointer}`
  }
  return isAnswered ? parameters : undefined
}

/** The parameters of the path; of a question that must name its project, that one. */
function takenBy(route: AnyRoute): readonly (readonly [name: string, collection: string])[] {
  const inPath = pathParameters(route.path)
  if (inPath.length > 0) return inPath.map(([name, collection]) => [`path.${name}`, collection])
  return route.query?.required?.includes('project') === true ? [['query.project', 'projects']] : []
}

/** Each parameter of a path with the collection that it stands in. */
function pathParameters(path: string): readonly (readonly [name: string, collection: string])[] {
  return [...path.matchAll(/(\w+)\/:(\w+)/g)].map(([, collection = '', name = '']) => [
    name,
    collection === 'versions' ? `${ownerOfVersions(path)}/versions` : collection,
  ])
}

/** Versions are numbered within their record. */
function ownerOfVersions(path: string): string {
  return /(\w+)\/:\w+\/versions/.exec(path)?.[1] ?? ''
}

function collectionsOf(routes: readonly AnyRoute[]): ReadonlySet<string> {
  return new Set(routes.flatMap(({ path }) => [...path.matchAll(/(\w+)\/:/g)].map(([, name = '']) => name)))
}

function membersOf(schema: TSchema): Readonly<Record<string, TSchema>> {
  return (schema['properties'] ?? {}) as Record<string, TSchema>
}

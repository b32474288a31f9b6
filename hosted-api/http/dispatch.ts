/**
 * Finds the route of a method and a path. There is one router per group of paths, because one with all routes
 * would try them all.
 */
import { Router } from '@koa/router'
import type { Context, Middleware } from 'koa'
import type { AnyRoute, Method } from './route.ts'

export type Dispatch = ReturnType<typeof createDispatch>

export function createDispatch(
  routes: readonly AnyRoute[],
  run: (route: AnyRoute, context: Context) => Promise<void>,
) {
  const routers = new Map<string, Router>()
  for (const route of inOrder(routes)) {
    const group = staticPart(route.path)
    const router = routers.get(group) ?? new Router({ sensitive: true })
    routers.set(group, router)
    const middleware: Middleware = context => run(route, context)
    router.register(route.path, [route.method], middleware)
  }
  const middlewares = new Map([...routers].map(([group, router]) => [group, router.routes() as Middleware]))
  const literals = literalMethods(routes)
  return {
    /** Returns the middleware that runs the route of a path; undefined if there is none for the method. */
    find(path: string, method: string) {
      // `PUT /links/bulk` is not a request to the link "bulk".
      const methods = literals.get(withoutSlash(path))
      return methods === undefined || methods.includes(method) ? longest(middlewares, path) : undefined
    },
    /** Returns the methods of the path, for 405 and OPTIONS; empty if the path does not exist. */
    methodsOf(path: string) {
      const own = literals.get(withoutSlash(path))
      if (own !== undefined) return [...own, 'OPTIONS'].sort()
      const layers = longest(routers, path)?.match(path, 'GET').path ?? []
      const methods = new Set(layers.flatMap(layer => layer.methods as (Method | 'HEAD')[]))
      return methods.size === 0 ? [] : [...methods, 'OPTIONS'].sort()
    },
  }
}

/** Returns the methods of each path without parameters. */
function literalMethods(routes: readonly AnyRoute[]): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>()
  for (const { path, method } of routes) {
    if (path.includes(':')) continue
    const known = methods.get(path) ?? []
    methods.set(path, [...known, method, ...(method === 'GET' ? ['HEAD'] : [])])
  }
  return methods
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** `/terms/bulk` comes before `/terms/:ref`, because a literal path takes precedence. */
function inOrder(routes: readonly AnyRoute[]): readonly AnyRoute[] {
  const key = (route: AnyRoute) => route.path.replace(/:/g, '~')
  return [...routes].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
}

/** Returns `/api/svc/glossary/terms` for `/api/svc/glossary/terms/:ref/versions`. */
function staticPart(path: string): string {
  const start = path.indexOf('/:')
  return leading(start < 0 ? path : path.slice(0, start), 4)
}

/** Returns the group with the longest common prefix of the path. */
function longest<T>(groups: ReadonlyMap<string, T>, path: string): T | undefined {
  return groups.get(leading(path, 4)) ?? groups.get(leading(path, 3)) ?? groups.get(leading(path, 1))
}

/** Returns the first `count` segments of a path, without a final slash. */
function leading(path: string, count: number): string {
  let end = 0
  for (let segment = 0; segment < count; segment++) {
    const next = path.indexOf('/', end + 1)
    if (next < 0) return path
    end = next
  }
  return path.slice(0, end)
}

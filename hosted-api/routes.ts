/** The table of all routes. */
import type { TokenReader } from './access/index.ts'
import { glossaryRoutes } from './glossary/index.ts'
import type { AnyRoute } from './http/index.ts'

export interface RouteParts {
  readonly tokens: TokenReader
}

export function allRoutes(_parts: RouteParts): readonly AnyRoute[] {
  return [...glossaryRoutes()]
}

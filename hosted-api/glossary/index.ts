/** The business glossary (interface.md 4.1). */
import type { AnyRoute } from '../http/index.ts'
import { kinds } from './kinds.ts'
import { kindRoutes } from './routes.ts'

export function glossaryRoutes(): readonly AnyRoute[] {
  return kindRoutes(kinds.term)
}

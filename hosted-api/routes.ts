/** The table of all routes. */
import { auditRoutes, type TokenReader, tokenRoutes } from './access/index.ts'
import { glossaryRoutes } from './glossary/index.ts'
import { type AnyRoute, type CursorSigner, createCursorSigner } from './http/index.ts'
import { metadataRoutes } from './metadata/index.ts'
import { documentRoutes, type Health, healthRoutes } from './operation/index.ts'
import { projectRoutes } from './projects/index.ts'

export interface RouteParts extends Health {
  readonly signer: CursorSigner
  readonly tokens: Pick<TokenReader, 'forget'>
}

export function allRoutes(parts: RouteParts): readonly AnyRoute[] {
  const routes = [
    ...glossaryRoutes(parts.signer),
    ...projectRoutes(parts.signer),
    ...metadataRoutes(parts.signer),
    ...tokenRoutes(parts.tokens),
    ...auditRoutes(),
    ...healthRoutes(parts),
  ]
  return [...routes, ...documentRoutes(routes, parts.version)]
}

/** Returns the table for documentation; its handlers are never called. */
export function describedRoutes(version: string): readonly AnyRoute[] {
  return allRoutes({
    signer: createCursorSigner(Buffer.alloc(32)),
    version,
    tokens: { forget: () => {} },
    isStopping: () => false,
    metrics: { contentType: 'text/plain', observe: () => {}, read: async () => '' },
  })
}

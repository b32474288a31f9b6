/** Who asks, and what he may. How a token becomes a principal is the business of `access`. */
import type { IncomingMessage } from 'node:http'

export const scopes = [
  'glossary:read',
  'glossary:write',
  'metadata:read',
  'metadata:upload',
  'projects:admin',
  'tokens:admin',
  'audit:read',
] as const
export type Scope = (typeof scopes)[number]

/** What each of them allows, for the documentation. */
export const scopeMeanings: Readonly<Record<Scope, string>> = {
  'glossary:read': 'read terms, metrics, dimensions, policies, links, versions, exports; search',
  'glossary:write': 'create, change, delete, restore and import glossary records',
  'metadata:read': 'read manifests, assets, lineage, versions and tests',
  'metadata:upload': 'upload context packs and test results',
  'projects:admin': 'create, change and delete projects; purge records',
  'tokens:admin': 'make, list, rotate and revoke tokens',
  'audit:read': 'read the audit log',
}

export interface Principal {
  /** The record of the token. */
  readonly tokenId: number
  /** As it stands in the audit log and in `created_by`: `token:ci`. */
  readonly actor: string
  readonly scopes: ReadonlySet<Scope>
  readonly projects: 'all' | ReadonlySet<number>
}

export function maySee(principal: Principal, project: number): boolean {
  return principal.projects === 'all' || principal.projects.has(project)
}

/**
 * Reads who asks from the `Authorization` header. A promise only when the database had to be asked: a known token costs no turn.
 * @throws Problem `unauthorized`, the same one whatever is wrong
 */
export type Authenticate = (request: IncomingMessage) => Principal | Promise<Principal>

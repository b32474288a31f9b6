/** The authenticated caller and its rights. `access` turns tokens into principals. */
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

/** The meaning of each scope, for the documentation. */
export const scopeMeanings: Readonly<Record<Scope, string>> = {
  'glossary:read': 'read terms, metrics, dimensions, policies, links, versions, exports; search them',
  'glossary:write': 'create, change, delete, restore and import glossary records',
  'metadata:read':
    'read manifests, assets, lineage, versions and tests; find assets by search (with `glossary:read`)',
  'metadata:upload':
    'upload context packs and test results; glossary records in packs, but for those that people edited here',
  'projects:admin': 'create, change and delete projects; purge records',
  'tokens:admin': 'make, list, rotate and revoke tokens',
  'audit:read': 'read the audit log',
}

export interface Principal {
  /** The record number of the token. */
  readonly tokenId: number
  /** The name in the audit log and in `created_by`: `token:ci`. */
  readonly actor: string
  readonly scopes: ReadonlySet<Scope>
  readonly projects: 'all' | ReadonlySet<number>
  /** When the token ends, as wall-clock time in milliseconds; infinite if it never does. */
  readonly expiresAt: number
}

export function maySee(principal: Principal, project: number): boolean {
  return principal.projects === 'all' || principal.projects.has(project)
}

/**
 * Authenticates the `Authorization` header. Returns a promise only if the database had to be queried, so that
 * a cached token costs no turn of the event loop.
 * @throws Problem `unauthorized`, the same for every cause
 */
export type Authenticate = (request: IncomingMessage) => Principal | Promise<Principal>

/** What a token may do, and in which projects. Pure: the one place that decides. */
/** Every scope, with what it allows in the words of the documentation. */
export declare const scopeTexts: {
  readonly 'glossary:read': 'read terms, metrics, dimensions, policies, links and exports'
  readonly 'glossary:write': 'create, change, delete, import glossary records'
  readonly 'metadata:read': 'read manifest, assets, lineage, versions, tests'
  readonly 'metadata:upload': 'upload context packs and test results'
  readonly 'projects:admin': 'create, change, delete projects; purge records'
  readonly 'tokens:admin': 'create, list, rotate, revoke tokens'
  readonly 'audit:read': 'read the audit log'
}
export type Scope = keyof typeof scopeTexts
export declare const scopes: readonly Scope[]
/** Names for bundles of scopes, so that a command line stays short. */
export declare const roles: {
  readonly reader: readonly ['glossary:read', 'metadata:read']
  readonly editor: readonly ['glossary:read', 'glossary:write', 'metadata:read']
  readonly ci: readonly ['glossary:read', 'metadata:read', 'metadata:upload']
  readonly admin: readonly (
    | 'audit:read'
    | 'glossary:read'
    | 'glossary:write'
    | 'metadata:read'
    | 'metadata:upload'
    | 'projects:admin'
    | 'tokens:admin'
  )[]
}
export type Role = keyof typeof roles
export declare function isScope(text: string): text is Scope
/** Scopes and roles as a person writes them; gives the scopes in their one order, or the first word that is neither. */
export declare function expandScopes(words: readonly string[]):
  | readonly Scope[]
  | {
      readonly unknown: string
    }
/** What every decision needs to know of a token. */
export interface Rights {
  readonly scopes: readonly Scope[]
  /** Undefined: all projects, also those that are made later. */
  readonly projects: readonly number[] | undefined
}
export declare function mayUse(rights: Rights, scope: Scope): boolean
/** A project that a token does not see does not exist for it. */
export declare function mayName(rights: Rights, project: number): boolean
/** What `wanted` has beyond `own`: nobody gives away what he does not have. Empty: all is well. */
export declare function beyond(own: Rights, wanted: Rights): readonly string[]

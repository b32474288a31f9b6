/** The rights of a token, and which of them it may pass on. Pure. */
import { type Principal, type Scope, scopes } from '../http/principal.ts'

export type Rights = Pick<Principal, 'scopes' | 'projects'>

/** Roles: names for bundles of scopes, so that a command line stays short. */
export const roles = {
  reader: ['glossary:read', 'metadata:read'],
  editor: ['glossary:read', 'glossary:write', 'metadata:read'],
  ci: ['glossary:read', 'metadata:read', 'metadata:upload'],
  admin: scopes,
} as const satisfies Readonly<Record<string, readonly Scope[]>>

type Role = keyof typeof roles

function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text)
}

function isRole(text: string): text is Role {
  return Object.hasOwn(roles, text)
}

/** Expands scopes and roles; returns scopes in a fixed order, or the first word that is neither. */
export function expandScopes(words: readonly string[]): readonly Scope[] | { readonly unknown: string } {
  const unknown = words.find(word => !isScope(word) && !isRole(word))
  if (unknown !== undefined) return { unknown }
  const wanted = new Set<string>(words.flatMap(word => (isRole(word) ? roles[word] : [word])))
  return scopes.filter(scope => wanted.has(scope))
}

/**
 * Returns the rights in `wanted` that are not in `own`, because a token cannot pass on what it does not have.
 * Empty if there are none.
 */
export function beyond(own: Rights, wanted: Rights): readonly string[] {
  const more = [...wanted.scopes].filter(scope => !own.scopes.has(scope)).map(scope => `scope ${scope}`)
  return [...more, ...projectsBeyond(own.projects, wanted.projects)]
}

function projectsBeyond(own: Rights['projects'], wanted: Rights['projects']): readonly string[] {
  if (own === 'all') return []
  if (wanted === 'all') return ['all projects']
  return [...wanted].filter(project => !own.has(project)).map(project => `project ${project}`)
}

import { describe, expect, it } from 'vitest'
import { beyond, expandScopes, type Rights, roles } from '../../../hosted-api/access/rights.ts'
import { type Scope, scopes } from '../../../hosted-api/http/principal.ts'

const reader = rights(['glossary:read'], [1, 2])
const all = rights(scopes, 'all')

describe('giving rights away', () => {
  it('stays within the own ones', () => {
    expect(beyond(reader, rights(['glossary:read'], [2]))).toEqual([])
    expect(beyond(all, reader)).toEqual([])
    expect(beyond(all, all)).toEqual([])
  })

  it('names everything that goes beyond', () => {
    expect(beyond(reader, rights(['glossary:read', 'audit:read'], [2, 9]))).toEqual([
      'scope audit:read',
      'project 9',
    ])
    expect(beyond(reader, rights([], 'all'))).toEqual(['all projects'])
  })
})

describe('scopes as people write them', () => {
  it('may be roles', () => {
    expect(expandScopes(['ci', 'glossary:write'])).toEqual(
      scopes.filter(scope => scope === 'glossary:write' || (roles.ci as readonly string[]).includes(scope)),
    )
    expect(expandScopes(['admin'])).toEqual(scopes)
  })

  it('are refused by the first unknown word', () => {
    expect(expandScopes(['reader', 'glosary:read', 'x'])).toEqual({ unknown: 'glosary:read' })
    expect(expandScopes(['constructor'])).toEqual({ unknown: 'constructor' })
  })
})

function rights(scopes: readonly Scope[], projects: readonly number[] | 'all'): Rights {
  return { scopes: new Set(scopes), projects: projects === 'all' ? 'all' : new Set(projects) }
}

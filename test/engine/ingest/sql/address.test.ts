/** Which address a database has, whose password it takes, and what of it a person sees. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { collectSecrets } from '../../../../cli/engine/ingest/credentials.ts'
import type { IngestOf } from '../../../../cli/engine/ingest/source.ts'
import { databaseAddress } from '../../../../cli/engine/ingest/sql/address.ts'
import { contextFor, type Project, temporaryProject } from '../fetching.ts'

let project: Project
beforeEach(() => {
  project = temporaryProject()
})
afterEach(() => project.remove())

function addressOf(endpoint: string, env: Readonly<Record<string, string>> = {}) {
  const context = contextFor(project, `ingest: {type: sql, endpoint: "${endpoint}", resource: t}`, { env })
  const secrets = collectSecrets()
  const ingest = context.asset.definition.ingest as IngestOf<'sql'>
  return { address: databaseAddress(ingest, context, secrets), hide: secrets.hide }
}

it('an address in the file is shown without user and options', () => {
  const { address } = addressOf('postgres://reader@db.example.com:5433/shop?sslmode=require')
  expect(address.shown).toBe('postgres://db.example.com:5433/shop')
})

it('an address of a variable is a secret as a whole, and its password by itself', () => {
  const { address, hide } = addressOf('env:PLACE', { PLACE: 'mysql://reader:open%20sesame@db/shop' })
  expect(address.shown).toBe('the database of env:PLACE')
  expect(hide('at mysql://reader:open%20sesame@db/shop with open sesame')).toBe('at *** with ***')
})

it('the credentials are the password of an address that has none', () => {
  const env = { SOURCE__ORDERS__CREDENTIALS: 'sesame' }
  expect(addressOf('postgres://reader@db/shop', env).address.password).toBe('sesame')
  expect(
    addressOf('env:PLACE', { ...env, PLACE: 'postgres://reader:own@db/shop' }).address.password,
  ).toBeUndefined()
})

it('what is no address is refused without being shown', () => {
  expect(() => addressOf('env:PLACE', { PLACE: 'my secret' })).toThrow(
    'the value of PLACE is no address of a database',
  )
})

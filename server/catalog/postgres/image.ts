/** What a prepared image of PostgreSQL has beyond a new cluster. */
import type { PGlite } from '@electric-sql/pglite'
import { closeFunctions } from './closed-functions.ts'
import { makeServer } from './shadow-table.ts'
import { makeUnknownType } from './unknown-type.ts'

export const imageName = 'postgres.image'

export async function setUp(database: PGlite): Promise<PGlite> {
  await database.exec([...makeServer, ...makeUnknownType(), ...closeFunctions].join(';\n'))
  return database
}

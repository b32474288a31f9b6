/** What a prepared image of PostgreSQL has beyond a new cluster. */
import type { PGlite } from '@electric-sql/pglite'
import { makeUnknownType } from './unknown-type.ts'

export const imageName = 'postgres.image'

export async function setUp(database: PGlite): Promise<PGlite> {
  await database.exec(makeUnknownType.join(';\n'))
  return database
}

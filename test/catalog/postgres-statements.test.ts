/** A sample of the long suite of the same name: statements are judged as a server judges them. */
import { expect, it } from 'vitest'
import { canStartPostgres } from '../support/postgres.ts'
import { compareStatements } from '../support/postgres-statements/compare.ts'

it.runIf(canStartPostgres())(
  'the catalogue accepts what a server accepts, with the same types',
  async () => {
    const { wrong, accepted } = await compareStatements(all => all.filter((_, index) => index % 17 === 0))
    expect(wrong.join('\n')).toBe('')
    expect(accepted).toBeGreaterThan(10)
  },
  60_000,
)

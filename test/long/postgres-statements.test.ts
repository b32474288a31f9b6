/** PostgreSQL statements: the catalogue accepts exactly what a server accepts, and tells the types that the server gives. */
import { expect, it } from 'vitest'
import { figure } from '../support/figure.ts'
import { canStartPostgres } from '../support/postgres.ts'
import { compareStatements } from '../support/postgres-statements/compare.ts'

it.runIf(canStartPostgres())(
  'statements are accepted by the catalogue and by the server alike, with the same types',
  async () => {
    const { version, statements, accepted, wrong } = await compareStatements()
    figure(
      'postgres-statements',
      `${statements} statements, ${accepted} accepted by PostgreSQL ${version}, ${wrong.length} judged otherwise`,
    )
    expect(wrong.join('\n')).toBe('')
    expect(statements).toBeGreaterThanOrEqual(600)
  },
  600_000,
)

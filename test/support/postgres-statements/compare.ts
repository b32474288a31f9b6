/** Counts the statements of which the catalogue and a server say different things. */
import { startPostgres } from '../postgres.ts'
import { type Outcome, openServer, openStatementCatalog, statementsFor } from './judge.ts'

export interface Tally {
  readonly version: number
  readonly statements: number
  /** By the server. */
  readonly accepted: number
  /** A statement and what is wrong about it each. */
  readonly wrong: readonly string[]
}

/** Asks about all statements, or about those that `chosen` returns of them. */
export async function compareStatements(
  chosen: (all: readonly string[]) => readonly string[] = all => all,
): Promise<Tally> {
  const started = await startPostgres()
  const server = await openServer(await started.createDatabase())
  const catalog = await openStatementCatalog()
  const wrong: string[] = []
  let accepted = 0
  try {
    const statements = chosen(statementsFor(server.version))
    for (const sql of statements) {
      const wanted = await server.judge(sql)
      if ('columns' in wanted) accepted++
      const problem = difference(wanted, await catalog.judge(sql))
      if (problem !== undefined) wrong.push(`${sql}\n  ${problem}`)
    }
    return { version: server.version, statements: statements.length, accepted, wrong }
  } finally {
    catalog.close()
    await server.close()
    await started.stop()
  }
}

function difference(server: Outcome, catalog: Outcome): string | undefined {
  if ('error' in server) return 'error' in catalog ? undefined : `accepted, but: ${server.error}`
  if ('error' in catalog) return `refused: ${catalog.error}`
  const [wanted, found] = [server.columns.join(', '), catalog.columns.join(', ')]
  return wanted === found ? undefined : `has ${found}, not ${wanted}`
}

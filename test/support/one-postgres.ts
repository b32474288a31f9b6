/** One PostgreSQL server for all files of a vitest project, each of whose tests makes its own databases. */
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  const address = new URL(await server.createDatabase())
  address.pathname = '/postgres'
  project.provide('postgresServer', address.href)
  return () => server.stop()
}

/** Works out the difference in a local database, which is open for as long as somebody looks at it. */
import { type LocalReader, openLocalReader } from '@svc/server/catalog'
import { type Difference, findDifference } from './difference.ts'
import { keysIn, spoolIn } from './journal.ts'
import type { Publishing } from './publish-asset.ts'
import type { Production } from './read-production.ts'

export async function findIn<T>(
  {
    workspace,
    target,
    destination,
    folder,
    attempt,
  }: Pick<Publishing, 'workspace' | 'target' | 'destination' | 'folder' | 'attempt'>,
  { fields, rowsPath, knownPath }: Production,
  work: (difference: Difference, local: LocalReader) => Promise<T>,
): Promise<T> {
  const { signal, world } = workspace
  const local = await openLocalReader({ temporaryFolder: folder, threads: world.cores, signal })
  try {
    const textOf = destination.textOf === undefined ? undefined : destination.textOf.bind(destination)
    const request = {
      local,
      rowsPath,
      knownPath,
      fields,
      target,
      textOf,
      at: attempt.startedAt.toISOString(),
    }
    return await work(
      await findDifference({ ...request, spoolPath: spoolIn(folder), keysPath: keysIn(folder) }),
      local,
    )
  } finally {
    local.close()
  }
}

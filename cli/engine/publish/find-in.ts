/** Works out the difference in a local database, which is open for as long as somebody looks at it. */
import { type LocalReader, quoteLiteral, withLocalReader } from '@svc/server/catalog'
import { type Difference, findDifference } from './difference.ts'
import { keysIn, spoolIn } from './journal.ts'
import type { Publishing } from './publish-asset.ts'
import type { Production } from './read-production.ts'

/** What does not fit goes to files of the folder, so that ten million rows take little more than one. */
const memory = '140MB'

export async function findIn<T>(
  { workspace, target, destination, folder, attempt }: Publishing,
  { fields, rowsPath, knownPath }: Production,
  work: (difference: Difference, local: LocalReader) => Promise<T>,
): Promise<T> {
  const { signal, world } = workspace
  const reading = { temporaryFolder: folder, threads: world.cores, memory, signal }
  return withLocalReader(reading, async local => {
    const request = {
      ...{ local, rowsPath, knownPath, fields, target },
      textOf: destination.textOf,
      unheld: destination.unheld,
      roundsJson: destination.roundsJson,
      isIdempotent: destination.isIdempotent,
      at: attempt.startedAt.toISOString(),
      spoolPath: spoolIn(folder),
      keysPath: keysIn(folder),
    }
    return work(await inMemory(local, () => findDifference(request)), local)
  })
}

/** Does the work again with all that the machine has where the limit is too little, for rows as long as books. */
export async function inMemory<T>(local: LocalReader, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('Out of Memory Error'))) throw error
    // RESET alone shows the usual limit and keeps the small one.
    await local.rows('RESET GLOBAL memory_limit')
    const [usual] = await local.rows("SELECT current_setting('memory_limit') AS most")
    await local.rows(`SET GLOBAL memory_limit = ${quoteLiteral(String(usual?.['most']))}`)
    return work()
  }
}

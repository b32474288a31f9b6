/** Works out the difference in a local database, which is open for as long as somebody looks at it. */
import { join } from 'node:path'
import { type LocalReader, quoteLiteral, withLocalReader } from '@svc/server/catalog'
import { type Difference, findDifference } from './difference.ts'
import { type Left, routeOf } from './doubts.ts'
import { keysIn, spoolIn } from './journal.ts'
import type { Publishing } from './publishing.ts'
import type { Production } from './read-production.ts'

/** What does not fit goes to files of the folder, so that ten million rows take little more than one. */
const memory = '140MB'

export interface FindRequest {
  readonly production: Production
  /** What an earlier publish left. */
  readonly left: Left | undefined
}

export async function findIn<T>(
  { workspace, target, destination, folder, attempt }: Publishing,
  { production: { fields, rowsPath, knownPath }, left }: FindRequest,
  work: (difference: Difference, local: LocalReader) => Promise<T>,
): Promise<T> {
  const { signal, world } = workspace
  const reading = { temporaryFolder: folder, threads: world.cores, memory, signal }
  const doubts = left?.doubts
  const isSameRoute = doubts?.route === routeOf(target, destination.place, fields)
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
      overlay: left?.overlay,
      doubtful: doubts !== undefined && isSameRoute ? doubts.batches : [],
      doubtfulPath: join(folder, 'doubtful.ndjson'),
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

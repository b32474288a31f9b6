/** What the conformance suite runs in another process. Speaks in lines: one a step, then waits for a line to go on. */
import { hostname } from 'node:os'
import { createInterface } from 'node:readline'
import type { Warehouse } from '../../../cli/engine/warehouse/warehouse.ts'
import { engineUnderTest } from './engines.ts'
import { buildAndDie, buildLoop, change, flipLoop, liveGeneration, promote } from './generations.ts'

const [action, engine = '', url = '', root = '', ...rest] = process.argv.slice(2)
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]()

async function main(): Promise<void> {
  const warehouse = await engineUnderTest(engine).open(url, root, 'shop')
  if (action === 'hold') {
    const session = rest[0] === 'read' ? await warehouse.open('read') : await warehouse.open('write')
    say('holding')
    await input.next()
    await session?.close()
    say('closed')
    return
  }
  if (action === 'run') {
    await warehouse.acquireLease('prod', holder(rest[0] ?? ''))
    await warehouse.open('write')
    say('holding')
    await input.next()
    return
  }
  if (action === 'lease') return race(warehouse, rest[0] ?? '')
  const session = await warehouse.open('write')
  if (action === 'flip') await flipLoop(session, say)
  if (action === 'flip-few') {
    const next = change(await liveGeneration(session))
    say('flipping')
    await promote(session, { ...next, views: next.views.slice(0, 10) })
    say('flipped')
  }
  if (action === 'build') await buildLoop(session, say)
  if (action === 'build-and-die') await buildAndDie(session, say)
  if (action === 'fill') {
    try {
      await session.execute([rest[0] ?? ''])
      say('filled')
    } catch (error) {
      say(`${(error as { code?: string }).code} ${(error as Error).message}`)
    }
  }
}

/** Tries to get the lease each time that it is told to; a winner holds it until it is told to go on. */
async function race(warehouse: Warehouse, runId: string): Promise<void> {
  say('ready')
  while ((await input.next()).done !== true) {
    try {
      const lease = await warehouse.acquireLease('prod', holder(runId))
      say(`won ${lease.tookOverFrom?.runId ?? '-'}`)
      await input.next()
      await lease.release()
      say('released')
    } catch (error) {
      say(`lost ${(error as { code?: string }).code} ${String(error)}`)
    }
  }
}

function holder(runId: string) {
  return {
    runId,
    command: 'run',
    user: 'someone',
    host: hostname(),
    pid: process.pid,
    since: new Date().toISOString(),
  }
}

/** Written at once: a line still in a buffer would die with the process. */
function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

main().then(
  () => process.exit(0),
  error => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exit(1)
  },
)

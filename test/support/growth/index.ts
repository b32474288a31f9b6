/** All dimensions, and what one costs at a size. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'
import { openDatabase } from '../../../server/catalog/worker/databases.ts'
import { createGround } from '../../cli/bad-input/command-line.ts'
import { besideDimensions } from './beside.ts'
import { dataDimensions } from './data.ts'
import type { Dimension, EngineWork } from './dimension.ts'
import { listDimensions } from './lists.ts'
import { sqlDimensions } from './sql.ts'
import { tableDimensions } from './tables.ts'

export const dimensions: readonly Dimension[] = [
  ...tableDimensions,
  ...sqlDimensions,
  ...dataDimensions,
  ...listDimensions,
  ...besideDimensions,
]

setFlagsFromString('--expose-gc')
/** What was measured before must not have its memory tidied at the cost of what is measured now. */
const collectGarbage = runInNewContext('gc') as () => void

/** The CPU of this process for the lines and the work of a dimension; each of them must do what it is asked for. */
export async function cpuMs(dimension: Dimension, size: number): Promise<number> {
  const { files, lines, env, beside, work } = dimension
  const more = await beside?.(size)
  const ground = createGround(
    { 'svc.yaml': 'name: grown\n', ...files(size), ...more?.files },
    { program: 'tests', env: { ...env?.(size), ...more?.env } },
  )
  try {
    collectGarbage()
    const before = process.cpuUsage()
    for (const words of typeof lines === 'function' ? lines(size) : lines) {
      const { code, stdout, stderr } = await ground.line(words)
      expect(code, `${words.join(' ')}\n${stdout.slice(0, 1500)}\n${stderr.slice(0, 1500)}`).toBe(0)
    }
    await work?.(ground.root, size)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  } finally {
    ground.dispose()
    await more?.dispose()
  }
}

/** The CPU that the engine of the catalogue takes without svc, in this process as the catalogue of the tests. */
export async function engineMs({
  tables,
  statements = [],
  query,
  isPlanned = false,
}: EngineWork): Promise<number> {
  const database = await openDatabase({ engine: 'duckdb', kind: 'binder', memoryBytes: 1e9, load: [] })
  expect(await database.call('run', [tables])).toBeUndefined()
  collectGarbage()
  const before = process.cpuUsage()
  if (statements.length > 0) expect(await database.call('run', [statements])).toBeUndefined()
  expect(await database.call('bind', [query])).toHaveProperty('columns')
  if (isPlanned) await database.call('plan', [query])
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

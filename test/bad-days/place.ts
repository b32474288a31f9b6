/** A folder with the deployed project in which a day takes place. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openWarehouse } from '../../cli/engine/warehouse/open.ts'
import type { WarehouseSession } from '../../cli/engine/warehouse/warehouse.ts'
import { lineIn } from '../cli/bad-input/command-line.ts'
import { svcIn } from '../support/cli.ts'
import type { Place, Row, Rows } from './day.ts'

export function openPlace(root: string, origin: string, answer: Place['answer']): Place {
  return {
    root,
    origin,
    answer,
    write(path, text) {
      if (text === null) return rmSync(join(root, path), { recursive: true, force: true })
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    },
    read: path => readFileSync(join(root, path)),
    line: (words, options) => lineIn(root, words, { program: 'bad days', ...options }),
    process: (words, options = {}) => svcIn(root, words, options),
    interrupted: (words, signal, text) => interrupted(root, words, signal, text),
    sql: (...statements) => withWarehouse(root, 'write', session => session.execute(statements)),
  }
}

function interrupted(root: string, words: readonly string[], signal: NodeJS.Signals, text: string) {
  let seen = ''
  let isSent = false
  return svcIn(root, words, {
    onStart: child =>
      child.onOutput(output => {
        seen += output
        if (isSent || !seen.includes(text)) return
        isSent = true
        child.kill(signal)
      }),
  })
}

export interface Deployed {
  readonly generation: unknown
  readonly rows: Rows
}

/** Every row of every view of production, and which generation it is; undefined: nobody can read it. */
export async function readProduction(root: string): Promise<Deployed | undefined> {
  try {
    return await withWarehouse(root, 'read', async session => {
      const [live] = await session.query(
        "SELECT CAST(generation AS VARCHAR) AS generation FROM svc.svc_live WHERE environment = 'prod'",
      )
      const names = (await session.relations('analytics')).map(({ name }) => name).sort()
      const rows: [string, readonly Row[]][] = []
      for (const name of names) rows.push([name, await rowsOf(session, name)])
      return { generation: live?.['generation'], rows: Object.fromEntries(rows) }
    })
  } catch {
    return undefined
  }
}

async function rowsOf(session: WarehouseSession, name: string): Promise<readonly Row[]> {
  const found = await session.query(
    `SELECT CAST(to_json(v) AS VARCHAR) AS row FROM analytics."${name}" AS v ORDER BY ALL`,
  )
  return found.map(each => JSON.parse(String(each['row'])) as Row)
}

async function withWarehouse<T>(
  root: string,
  mode: 'read' | 'write',
  work: (session: WarehouseSession) => Promise<T>,
): Promise<T> {
  const warehouse = await openWarehouse('duckdb:./warehouse.duckdb', { root, project: 'shop' })
  const session = mode === 'write' ? await warehouse.open(mode) : await warehouse.open(mode)
  if (session === undefined) throw new Error('there is no warehouse')
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

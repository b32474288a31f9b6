/** A time is worth nothing when the rows are wrong: holds what svc built against what DuckDB alone built. */
import { DuckDBInstance } from '@duckdb/node-api'
import { layeredModels } from './layered-project.ts'

/** Names of models whose rows differ between the two database files; both are only read. */
export async function differingModels(
  files: { readonly svc: string; readonly floor: string },
  count: number,
): Promise<readonly string[]> {
  const names = layeredModels(count).map(model => model.name)
  const [svc, floor] = [await digests(files.svc, names), await digests(files.floor, names)]
  return names.filter((_, at) => !sameDigest(svc[at], floor[at]))
}

interface Digest {
  readonly rows: bigint
  readonly exact: bigint
  readonly amount: number
}

async function digests(file: string, names: readonly string[]): Promise<readonly Digest[]> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  try {
    const found: Digest[] = []
    for (const name of names) {
      const sql = `SELECT count(*), bit_xor(hash(id, k1, k2, name, status, qty, ts)), sum(amount) FROM mart.${name}`
      const [row] = (await connection.runAndReadAll(sql)).getRowsJS()
      found.push({ rows: row?.[0] as bigint, exact: row?.[1] as bigint, amount: row?.[2] as number })
    }
    return found
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** Sums of floating-point numbers depend on their order. */
function sameDigest(a: Digest | undefined, b: Digest | undefined): boolean {
  if (a === undefined || b === undefined) return false
  const near = Math.abs(a.amount - b.amount) <= 1e-9 * Math.max(1, Math.abs(b.amount))
  return a.rows === b.rows && a.exact === b.exact && near
}

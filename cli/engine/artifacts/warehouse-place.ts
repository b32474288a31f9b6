/**
 * Returns kind and place of a warehouse for written files, never a user, a password or a query (decisions 2).
 */
import { engineOf, kindOf } from '@svc/server/language'

/**
 * Returns `duckdb: warehouse.duckdb` or `postgres: db.example.com`, and only the kind if the address cannot
 * be parsed.
 */
export function warehousePlace(url: string): string {
  const kind = kindOf(url)
  if (kind === undefined) return 'unknown'
  const engine = engineOf(url)
  const isFile = engine.kind === kind && engine.address.file !== undefined
  const place = isFile ? engine.address.place(url) : hostOf(url)
  return place === undefined ? kind : `${kind}: ${place}`
}

function hostOf(url: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#:]+)/i.exec(url)?.[1]
}

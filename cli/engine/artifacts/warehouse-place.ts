/** Kind and place of a warehouse for written files: never a user, a password or a query (decisions 2). */

/** `duckdb: warehouse.duckdb`, `postgres: db.example.com`, and only the kind where the address cannot be read. */
export function warehousePlace(url: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined) return 'unknown'
  if (scheme === 'duckdb') return `duckdb: ${lastSegment(url.slice('duckdb:'.length))}`
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#:]+)/i.exec(url)?.[1]
  return host === undefined ? scheme : `${scheme}: ${host}`
}

function lastSegment(path: string): string {
  const clean = path.replace(/[?#].*$/s, '')
  return clean.split(/[\\/]/).at(-1) ?? ''
}

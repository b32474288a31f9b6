/** Small assets for the scenarios of hints. */

/** A file of an asset without a source. */
export function model(name: string, sql: string, more = ''): string {
  return `name: ${name}\ningest: none\n${more}transform: ${sql}\n`
}

/** A file of the asset `orders`, which reads CSV files. `ingest`: more keys, as `write: append`. */
export function fromFiles(ingest = '', sql = 'SELECT * FROM {{ source }}', more = ''): string {
  return source(['type: file', 'endpoint: data', 'resource: "*.csv"'], ingest, sql, more)
}

/** A file of the asset `orders`, which asks the service for `/orders`. */
export function fromService(ingest = '', sql = 'SELECT * FROM {{ source }}', more = ''): string {
  return source(['type: rest_api', 'endpoint: "<origin>"', 'resource: /orders'], ingest, sql, more)
}

function source(keys: readonly string[], ingest: string, sql: string, more: string): string {
  const given = new Set([...ingest.matchAll(/(?:^|, )(\w+):/g)].map(([, key]) => key))
  const own = keys.filter(key => !given.has(key.split(':')[0]))
  const all = [...own, ...(ingest === '' ? [] : [ingest])].join(', ')
  return `name: orders\ningest: {${all}}\n${more}transform: ${sql}\n`
}

export const orders = 'models/orders.svc'

/**
 * Packages with parts that cannot be bundled: native modules and WebAssembly. The bundle asks for them by name, and what
 * `npm run package` makes brings them along.
 */
export const externalPackages = ['@duckdb/node-bindings', '@astral-sh/ruff-wasm-nodejs']

/** The same of the hosted service: native, and optional. */
export const hostedPackages = ['sqlite3', 'better-sqlite3']

/** What knex and pg ask for and this project never uses. */
export const unusedDrivers = [
  'mysql',
  'mysql2',
  'mariadb',
  'mariadb/callback',
  'oracledb',
  'tedious',
  'pg-native',
  'pg-query-stream',
  'pg-cloudflare',
]

/**
 * Packages that cannot be bundled, because they contain native modules or WebAssembly. The bundle imports
 * them by name, and `npm run package` includes them.
 */
export const externalPackages = [
  '@duckdb/node-bindings',
  '@astral-sh/ruff-wasm-nodejs',
  '@electric-sql/pglite',
  'libsql',
]

/**
 * Packages that few commands need. Each is a bundle beside that of the command, because reading the bundle is most of the
 * time of a short command.
 */
export const separatePackages = [
  '@ai-sdk/anthropic',
  '@ai-sdk/google',
  '@ai-sdk/openai',
  'mysql2',
  'nodemailer',
  'ollama',
  'pg',
  'pg-copy-streams',
  're2js',
  'ssh2',
  'undici',
]

/** Files of svc that are bundles of their own, for the same reason, by the names of those. */
export const separateFiles = { mcp: 'cli/mcp/serve-stdio.ts' }

/** The same for the hosted service: its drivers of SQLite. */
export const hostedPackages = ['sqlite3', 'libsql']

/** Native parts that ssh2 uses where they are compiled, and does without where not: nobody need compile anything. */
export const optionalNatives = ['cpu-features', '*/sshcrypto.node']

/** Database drivers that knex and pg may import and this project never uses. */
export const unusedDrivers = [
  'better-sqlite3',
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

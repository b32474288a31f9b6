// Finds DuckDB's native part for this machine. npm leaves it out without a word where a registry does not have
// it, or with --omit=optional; `svc --version`, with which an installation is checked, says so.
'use strict'
const { existsSync } = require('node:fs')
const { createRequire } = require('node:module')
const { join } = require('node:path')

/** Returns the text of the error, or undefined if the native part is there. */
function missingNativePart() {
  const { platform, arch } = process
  const name = `@duckdb/node-bindings-${platform}-${arch}`
  const names = platform === 'linux' ? [name, `${name}-musl`] : [name]
  // The usual place is found in a tenth of the time that resolving takes.
  if (module.paths.some(folder => names.some(each => existsSync(join(folder, each))))) return undefined
  try {
    const near = createRequire(require.resolve('@duckdb/node-bindings'))
    if (names.some(each => canResolve(near, `${each}/duckdb.node`))) return undefined
  } catch {
    // DuckDB is missing altogether, which the same installation brings back.
  }
  return [
    `error: DuckDB's native part for this machine is not installed: ${names.join(' or ')}`,
    '       Install svc again without --omit=optional. If the part is still missing, your npm registry',
    `       does not have it, or DuckDB has none for ${platform} on ${arch}.`,
    '',
  ].join('\n')
}

function canResolve(near, path) {
  try {
    near.resolve(path)
    return true
  } catch {
    return false
  }
}

module.exports = { missingNativePart }

/**
 * Packages with parts that cannot be bundled: native modules and WebAssembly. The bundle asks for them by name, and what
 * `npm run package` makes brings them along.
 */
export const externalPackages = ['@duckdb/node-bindings', '@astral-sh/ruff-wasm-nodejs']

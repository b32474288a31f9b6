// Builds every bundle of the product. `--watch` rebuilds on change.
import { chmodSync } from 'node:fs'
import { build, context } from 'esbuild'

const node = {
  bundle: true,
  platform: 'node',
  target: 'node20.17',
  format: 'cjs',
  sourcemap: true,
  minifySyntax: true,
  logLevel: 'warning',
  // Only the native part stays outside; its JavaScript is bundled (a third off the start of a command).
  external: ['@duckdb/node-bindings'],
}

const bundles = [{ ...node, entryPoints: ['cli/main.ts'], outfile: 'cli/dist/svc.cjs' }]

if (process.argv.includes('--watch')) {
  for (const bundle of bundles) await (await context({ ...bundle, logLevel: 'info' })).watch()
} else {
  const started = performance.now()
  // What is wrong has been printed by then, with its place; a stack of the builder itself would only hide it.
  await Promise.all(bundles.map(bundle => build(bundle))).catch(() => process.exit(1))
  chmodSync('cli/bin/svc.cjs', 0o755)
  console.log(
    `Built ${bundles.length} bundle in ${Math.round(performance.now() - started)} ms: node_modules/.bin/svc`,
  )
}

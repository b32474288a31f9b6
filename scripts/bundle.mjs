// Bundles a TypeScript program of the tests for a script that runs it in plain Node.
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const serverParts = ['language', 'catalog', 'python', 'workspace', 'contract']

/**
 * Writes `.cache/<name>.mjs` (`.cjs` with the format `cjs`) and returns its path. `source`: from the project's root. Packages
 * stay outside; the parts of the server are read from their sources.
 * @param {{ format?: 'esm' | 'cjs' }} [options]
 */
export async function bundle(source, name, { format = 'esm' } = {}) {
  const outfile = join(root, '.cache', `${name}.${format === 'esm' ? 'mjs' : 'cjs'}`)
  mkdirSync(dirname(outfile), { recursive: true })
  await build({
    entryPoints: [join(root, source)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20.17',
    format,
    packages: 'external',
    alias: {
      ...Object.fromEntries(
        serverParts.map(part => [`@svc/server/${part}`, join(root, `server/${part}/index.ts`)]),
      ),
      '@svc/server/verdicts': join(root, 'server/contract/verdicts.ts'),
    },
    logLevel: 'warning',
  })
  return outfile
}

/**
 * The product as JavaScript, a module for each source, beside the packages that it asks for. Vitest would transform every
 * source again for each of its projects and hand it to each of its processes: of sixteen files of tests that took a quarter
 * of the CPU time (47 s, now 34 s). A stack names the compiled module, whose text is that of its source without types.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { build, type OnResolveArgs, type OnResolveResult } from 'esbuild'
import type { Plugin } from 'vite'

const repository = join(import.meta.dirname, '..', '..')
const workspaces = ['server', 'cli', 'webview', 'hosted-api']
const compiledFolder = join('.cache', 'tests')
/** Of module ids: what vitest leaves to Node. */
export const isCompiled = /[\\/]\.cache[\\/]tests[\\/]/

/** The sources behind the names that other workspaces use: `@svc/server/language`. */
const exported = new Map(workspaces.flatMap(workspace => exportsOf(workspace)))

function exportsOf(workspace: string): [string, string][] {
  const text = readFileSync(join(repository, workspace, 'package.json'), 'utf8')
  const { exports = {} } = JSON.parse(text) as { exports?: Readonly<Record<string, string>> }
  return Object.entries(exports).map(([name, path]) => [
    `@svc/${workspace}${name.slice(1)}`,
    join(repository, workspace, path),
  ])
}

/** Where the JavaScript of a source is; undefined for what is no source of the product. */
function compiledPath(source: string): string | undefined {
  const [workspace = '', ...path] = relative(repository, source).split(sep)
  if (!workspaces.includes(workspace) || !source.endsWith('.ts')) return undefined
  return join(repository, workspace, compiledFolder, ...path).replace(/\.ts$/, '.js')
}

/** The file that an import names; undefined for a package. */
function named(name: string, folder: string): string | undefined {
  return name.startsWith('.') ? resolve(folder, name) : exported.get(name)
}

/** Called by vitest before the tests. Other runs may be reading the files: one that has changed is replaced as a whole. */
export async function setup(): Promise<void> {
  for (const { path, contents } of (await Promise.all(workspaces.map(compiled))).flat()) {
    if (existsSync(path) && readFileSync(path).equals(contents)) continue
    mkdirSync(dirname(path), { recursive: true })
    const draft = `${path}.${process.pid}`
    writeFileSync(draft, contents)
    renameSync(draft, path)
  }
}

async function compiled(workspace: string): Promise<readonly { path: string; contents: Uint8Array }[]> {
  const folder = join(repository, workspace)
  // What lies beside the bundle does not lie beside a module.
  const beside = JSON.stringify(join(repository, workspace === 'hosted-api' ? workspace : 'cli', 'dist'))
  const { outputFiles } = await build({
    absWorkingDir: repository,
    entryPoints: sourcesIn(folder),
    outbase: folder,
    outdir: join(folder, compiledFolder),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.17',
    write: false,
    logLevel: 'warning',
    define: { 'import.meta.dirname': beside, __dirname: beside },
    plugins: [{ name: 'a-module-each', setup: ({ onResolve }) => onResolve({ filter: /./ }, placeOf) }],
  })
  return outputFiles
}

/** What a compiled module imports instead; data is taken into the module. */
function placeOf({ path, kind, importer, resolveDir }: OnResolveArgs): OnResolveResult | undefined {
  if (kind === 'entry-point') return undefined
  const source = named(path, resolveDir)
  if (source === undefined) return { path, external: true }
  const [from, to] = [compiledPath(importer), compiledPath(source)]
  if (from === undefined || to === undefined) return undefined
  const way = relative(dirname(from), to)
  return { path: way.startsWith('.') ? way : `./${way}`, external: true }
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory())
      return ['node_modules', 'dist', '.cache'].includes(entry.name) ? [] : sourcesIn(path)
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.d.ts') ? [path] : []
  })
}

/** Leads the imports of tests to the compiled modules. */
export const fromCompiledProduct: Plugin = {
  name: 'from-compiled-product',
  enforce: 'pre',
  resolveId(name, importer) {
    if (importer === undefined) return undefined
    const source = named(name, dirname(importer))
    return source === undefined ? undefined : compiledPath(source)
  },
}

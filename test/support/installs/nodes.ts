/** The releases of Node on which the packages are installed, each with an npm that came with it or later. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const tools = join(import.meta.dirname, '..', '..', '..', '.tools')

export interface NodeRelease {
  readonly node: string
  readonly npm: string
}

/** The oldest that svc runs on is the first; npm 12 runs no install scripts by itself. */
export const nodeReleases: readonly NodeRelease[] = [
  { node: '20.17.0', npm: '10.9.9' },
  { node: '22.23.3', npm: '11.21.2' },
  { node: '24.21.0', npm: '12.2.2' },
]

/** Where `node` and `npm` of a release are: first on the PATH of whoever uses it. */
export interface PreparedNode extends NodeRelease {
  readonly path: string
  /** With its headers, against which the install script of sqlite3 compiles where it finds no binary to fetch. */
  readonly folder: string
}

/** Installs both from npm's registry into the git-ignored folder .tools, once. */
export async function prepareNode(release: NodeRelease): Promise<PreparedNode> {
  const folder = join(tools, `node-${release.node}`)
  const platform = `node-${process.platform}-${process.arch}`
  const modules = join(folder, 'node_modules')
  const own = join(modules, platform)
  const bin = join(own, 'bin')
  const ownNpm = join(modules, '.bin')
  if (!existsSync(join(bin, 'node')) || !existsSync(join(ownNpm, 'npm'))) {
    mkdirSync(folder, { recursive: true })
    const packages = [`${platform}@${release.node}`, `npm@${release.npm}`]
    const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    await run('npm', ['install', ...options, ...packages], { cwd: folder, env: withoutNpmSettings() })
  }
  return { ...release, folder: own, path: [bin, ownNpm, process.env['PATH'] ?? ''].join(delimiter) }
}

/** `npm run` sets variables about this project, which mean nothing in another folder. Those of the user's npm stay. */
export function withoutNpmSettings(): NodeJS.ProcessEnv {
  const foreign = /^npm_(package|lifecycle|command|config_(local_prefix|prefix|workspace))/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))
}

// Makes what is installed elsewhere, in the git-ignored folder `packages`:
//   svc-<version>-<platform>.vsix   the extension with the CLI, the language server and DuckDB for one platform
//   svc-cli-<version>.tgz           the CLI as npm installs it: `npm install svc-cli-<version>.tgz`
//   svc-hosted-<version>.tgz        the hosted service in the same way
// `npm run package -- --target darwin-arm64,win32-x64` makes the extension for other platforms.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildSync } from 'esbuild'
import { externalPackages, hostedPackages, unusedDrivers } from './external-packages.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const output = join(root, 'packages')
const tools = join(root, '.tools')
const vsceVersion = '3.9.2'

/** The npm options for the native packages of other platforms. */
const platforms = {
  'linux-x64': { os: 'linux', cpu: 'x64', libc: 'glibc' },
  'linux-arm64': { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  'alpine-x64': { os: 'linux', cpu: 'x64', libc: 'musl' },
  'alpine-arm64': { os: 'linux', cpu: 'arm64', libc: 'musl' },
  'darwin-x64': { os: 'darwin', cpu: 'x64' },
  'darwin-arm64': { os: 'darwin', cpu: 'arm64' },
  'win32-x64': { os: 'win32', cpu: 'x64' },
  'win32-arm64': { os: 'win32', cpu: 'arm64' },
}

/** The parts of the folder `extension` that are shipped. */
const extensionFiles = [
  'package.json',
  'README.md',
  'dist',
  'media',
  'syntaxes',
  'snippets',
  'language-configuration.json',
  'walkthrough',
]

const usage = `npm run package -- [options]

  --target <list>   platforms of the extension, separated by commas (default: this one)
                    ${Object.keys(platforms).join(', ')}
  --only <what>     vsix, cli or hosted (default: all)
`

process.chdir(root)
const options = readOptions()
build()
mkdirSync(output, { recursive: true })
const made = []
const makes = what => options.only === undefined || options.only === what
if (makes('cli')) made.push(pack(stageCli(join(output, 'stage', 'cli'))))
if (makes('hosted')) made.push(pack(stageHosted(join(output, 'stage', 'hosted'))))
if (makes('vsix')) for (const target of options.targets) made.push(packExtension(target))
for (const path of made) console.log(`${path}  ${(statSync(path).size / 1e6).toFixed(1)} MB`)

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        target: { type: 'string' },
        only: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help) {
      console.log(usage)
      process.exit(0)
    }
    const targets = (values.target ?? thisPlatform()).split(',')
    const unknown = targets.find(target => !(target in platforms))
    if (unknown !== undefined) fail(`there is no platform "${unknown}"\n\n${usage}`, 2)
    if (values.only !== undefined && !['vsix', 'cli', 'hosted'].includes(values.only))
      fail(`--only takes vsix, cli or hosted`, 2)
    return { targets, only: values.only }
  } catch (error) {
    return fail(`${error.message}\n\n${usage}`, 2)
  }
}

/** Detects Alpine by the missing glibc version in Node's report. */
function thisPlatform() {
  const { platform, arch, report } = process
  const isMusl = platform === 'linux' && report.getReport().header.glibcVersionRuntime === undefined
  return `${isMusl ? 'alpine' : platform}-${arch}`
}

function build() {
  if (run(process.execPath, ['esbuild.mjs'], root).status !== 0)
    fail('the build failed; what it says is above', 1)
}

// ---------------------------------------------------------------- packages for npm

function pack(stage) {
  const { status, stdout } = npm(['pack', '--silent', '--pack-destination', output], stage)
  if (status !== 0) fail('npm pack failed; what it says is above', 1)
  return join('packages', stdout.trim().split('\n').at(-1))
}

/**
 * Creates a folder with the CLI as a package: the bundle, its launcher, and dependencies that cannot be
 * bundled.
 */
function stageCli(folder) {
  const dependencies = Object.fromEntries(externalPackages.map(name => [name, installedVersion(name)]))
  const needs = { name: 'svc-cli', readme: 'docs/install.md', pages: 'docs', dependencies }
  stagePackage(folder, 'cli', needs)
  for (const part of ['build-id', 'dashboard', 'packages', 'postgres.image'])
    cpSync(join('cli/dist', part), join(folder, 'dist', part), { recursive: true, filter: isShipped })
  dropMapReferences(join(folder, 'dist'))
  return folder
}

/**
 * Creates the package of the hosted service: one bundle, the worker that reads large packs, and SQLite's two drivers: the
 * one that an install script brings is optional.
 */
function stageHosted(folder) {
  const { optionalDependencies } = readJson('hosted-api/package.json')
  const readme = 'docs/hosted/operation.md'
  const dependencies = { libsql: installedVersion('libsql') }
  const needs = { name: 'svc-hosted', readme, pages: 'docs/hosted', dependencies, optionalDependencies }
  stagePackage(folder, 'hosted-api', needs)
  dropMapReferences(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist', 'openapi.json'), `${JSON.stringify(openApi(), undefined, 2)}\n`)
  return folder
}

/** Returns the same document as `/openapi.json` of a running service, from which clients are generated. */
function openApi() {
  const contents = `
    import { openApiDocument } from './hosted-api/openapi/index.ts'
    import { version } from './hosted-api/package.json'
    import { describedRoutes } from './hosted-api/routes.ts'
    console.log(JSON.stringify(openApiDocument(describedRoutes(version), version)))`
  const external = [...hostedPackages, ...unusedDrivers]
  const options = { bundle: true, write: false, platform: 'node', format: 'cjs', external }
  const [bundle] = buildSync({ ...options, stdin: { contents, resolveDir: root } }).outputFiles
  const { status, stdout } = spawnSync(process.execPath, ['-'], {
    input: bundle.text,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  if (status !== 0) fail('the service could not be described; what it says is above', 1)
  return JSON.parse(stdout)
}

/** `pages`: the folder of the documentation that the package brings, below the same path. */
function stagePackage(folder, workspace, { name, readme, pages, ...needs }) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'dist'), { recursive: true })
  cpSync(join(workspace, 'bin'), join(folder, 'bin'), { recursive: true })
  for (const file of readdirSync(join(workspace, 'dist')).filter(each => each.endsWith('.cjs')))
    cpSync(join(workspace, 'dist', file), join(folder, 'dist', file))
  cpSync('LICENSE', join(folder, 'LICENSE'))
  cpSync(join(workspace, 'dist', 'THIRD-PARTY-LICENSES.txt'), join(folder, 'THIRD-PARTY-LICENSES.txt'))
  cpSync(pages, join(folder, pages), { recursive: true })
  writeFileSync(join(folder, 'README.md'), shippedPage(readme, 'README.md', folder))
  for (const name of readdirSync(pages, { recursive: true }).filter(each => each.endsWith('.md'))) {
    const page = join(pages, name)
    writeFileSync(join(folder, page), shippedPage(page, page, folder))
  }
  const { version, description, license, bin } = readJson(join(workspace, 'package.json'))
  const described = {
    name,
    version,
    description,
    license,
    bin,
    files: ['bin', 'dist', 'docs', 'LICENSE', 'THIRD-PARTY-LICENSES.txt', 'README.md'],
    engines: readJson('package.json').engines,
    ...needs,
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(described, undefined, 2)}\n`)
  return folder
}

/**
 * Returns a page as it is shipped at `place` of a folder: without the comments that its tests read, and with links to what is
 * there; those that lead nowhere are text.
 */
function shippedPage(page, place, folder) {
  const text = readFileSync(page, 'utf8').replace(/^<!--.*?-->\n/gms, '')
  return text.replace(
    /(?<!!)\[([^\]]+)\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)/g,
    (_, words, target, anchor = '') => {
      const path = posix.join(posix.dirname(slashes(page)), target)
      if (!existsSync(join(folder, path))) return words
      return `[${words}](${posix.relative(posix.dirname(slashes(place)), path)}${anchor})`
    },
  )
}

function slashes(path) {
  return path.replaceAll('\\', '/')
}

/** The maps stay here: a debugger would look for files that are not there. What is shipped as it came stays as it is. */
function dropMapReferences(folder) {
  for (const name of readdirSync(folder, { recursive: true }).filter(
    each => /\.c?js$/.test(each) && !basename(each).startsWith('elk-worker'),
  )) {
    const path = join(folder, name)
    const text = readFileSync(path, 'utf8')
    const bare = text.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n')
    if (bare !== text) writeFileSync(path, bare)
  }
}

function installedVersion(name) {
  return readJson(join('node_modules', name, 'package.json')).version
}

// ---------------------------------------------------------------- the extension

function packExtension(target) {
  const stage = join(output, 'stage', `vsix-${target}`)
  rmSync(stage, { recursive: true, force: true })
  mkdirSync(stage, { recursive: true })
  const copied = extensionFiles.filter(name => existsSync(join('extension', name)))
  for (const name of copied)
    cpSync(join('extension', name), join(stage, name), { recursive: true, filter: isShipped })
  cpSync('LICENSE', join(stage, 'LICENSE'))
  writeFileSync(join(stage, 'CHANGELOG.md'), shippedPage('CHANGELOG.md', 'CHANGELOG.md', stage))
  dropMapReferences(join(stage, 'dist'))
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(shippedManifest(), undefined, 2)}\n`)
  // Everything in the stage is shipped; vsce needs an ignore file to accept that.
  writeFileSync(join(stage, '.vscodeignore'), '**/.package-lock.json\n')
  installCli(stageCli(join(stage, 'cli')), platforms[target])
  for (const name of ['docs', 'README.md']) rmSync(join(stage, 'cli', name), { recursive: true })
  const path = join('packages', `svc-${readJson('extension/package.json').version}-${target}.vsix`)
  const vsceOptions = [
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--skip-license',
    '--no-rewrite-relative-links',
    '--target',
    target,
  ]
  const { status } = run(process.execPath, [vsce(), ...vsceOptions, '-o', join(root, path)], stage)
  if (status !== 0) fail(`the extension for ${target} cannot be packed; what vsce says is above`, 1)
  return path
}

function isShipped(path) {
  return !['.map', '.tsbuildinfo', '.cache'].some(ending => path.endsWith(ending))
}

/** Returns the manifest without the parts that only the workspace needs. */
function shippedManifest() {
  const {
    devDependencies,
    dependencies,
    scripts,
    private: _,
    type,
    ...manifest
  } = readJson('extension/package.json')
  return manifest
}

/** npm installs the native packages of the given platform only. */
function installCli(folder, { os, cpu, libc }) {
  const platform = [`--os=${os}`, `--cpu=${cpu}`, ...(libc === undefined ? [] : [`--libc=${libc}`])]
  const options = [
    'install',
    '--omit=dev',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    ...platform,
  ]
  const { status } = npm(options, folder)
  if (status !== 0) fail(`the native parts for ${os}-${cpu} cannot be fetched; what npm says is above`, 3)
  removeOtherLibc(join(folder, 'node_modules', '@libsql'), libc)
  addLicence(join(folder, 'node_modules'))
  removeExtras(join(folder, 'node_modules', '@electric-sql', 'pglite'))
  // npm silently skips an optional package that a registry lacks, so this checks that it is installed.
  const native = readdirSync(join(folder, 'node_modules', '@duckdb')).filter(name =>
    name.startsWith('node-bindings-'),
  )
  const wanted = `node-bindings-${os}-${cpu}${libc === 'musl' ? '-musl' : ''}`
  if (!native.includes(wanted))
    fail(`the npm registry has no @duckdb/${wanted}, DuckDB's part for that platform`, 3)
}

/** The native parts of libsql do not say which C library they are for, so npm brings those of both: 9 MB too much. */
function removeOtherLibc(folder, libc) {
  const unwanted = libc === 'musl' ? /-gnu/ : /-musl/
  const present = existsSync(folder) ? readdirSync(folder) : []
  for (const name of present) if (unwanted.test(name)) rmSync(join(folder, name), { recursive: true })
}

/** The native parts of libsql come without the text of its licence. */
function addLicence(modules) {
  const parts = existsSync(join(modules, '@libsql')) ? readdirSync(join(modules, '@libsql')) : []
  for (const part of parts)
    cpSync(join(modules, 'libsql', 'LICENSE'), join(modules, '@libsql', part, 'LICENSE'))
}

/** PGlite brings extensions of PostgreSQL that nobody loads here, and what only its own developers need: 7 MB. */
function removeExtras(folder) {
  const list = join(root, 'server/language/engines/postgres/extension-names.generated.ts')
  const loaded = new Set(
    [...readFileSync(list, 'utf8').matchAll(/^ {2}'?([a-z_-]+)'?: /gm)].map(([, name]) => `${name}.tar.gz`),
  )
  const present = readdirSync(folder, { recursive: true })
  const lacking = [...loaded].filter(name => !present.some(path => basename(path) === name))
  if (loaded.size === 0 || lacking.length > 0)
    fail(`PGlite lacks extensions that ${list} names: ${lacking.join(', ') || 'it names none'}`, 1)
  for (const name of present)
    if (/\.(tar\.gz|map|d\.c?ts)$/.test(name) && !loaded.has(basename(name))) rmSync(join(folder, name))
}

/**
 * Returns the path of vsce, which packs extensions; it is installed on first use, because only this script
 * needs it.
 */
function vsce() {
  const folder = join(tools, `vsce-${vsceVersion}`)
  const program = join(folder, 'node_modules', '@vscode', 'vsce', 'vsce')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  const { status } = npm(
    [
      'install',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--prefix',
      folder,
      `@vscode/vsce@${vsceVersion}`,
    ],
    folder,
  )
  if (status !== 0) fail('vsce cannot be installed; what npm says is above', 3)
  return program
}

// ---------------------------------------------------------------- programs

function npm(options, cwd) {
  const script = process.env.npm_execpath
  const env = withoutNpmSettings()
  return script?.endsWith('.js')
    ? run(process.execPath, [script, ...options, '--loglevel=error'], cwd, env)
    : run('npm', [...options, '--loglevel=error'], cwd, env)
}

/**
 * Removes the variables that `npm run` sets about this project, because they do not apply to another folder.
 */
function withoutNpmSettings() {
  const foreign = /^npm_(package|lifecycle|command|config_(local_prefix|prefix|workspace))/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))
}

function run(program, programOptions, cwd, env = process.env) {
  return spawnSync(program, programOptions, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32' && program === 'npm',
  })
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

function fail(message, exitCode) {
  process.stderr.write(`error: ${message}\n`)
  process.exit(exitCode)
}

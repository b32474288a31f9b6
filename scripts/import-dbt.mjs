/**
 * Builds dbt projects with dbt and, after `svc import dbt`, with svc, and compares all rows of all models and seeds:
 *
 *   node scripts/import-dbt.mjs [--dbt dbt] [--package NAME=FOLDER] [--replace 'FROM=>TO'] [--rows FILE] FOLDER...
 *
 * dbt with dbt-duckdb has to be installed. Nothing is written into the folders. `--package` puts an installed package
 * into a project in place of `dbt deps`; `--replace` changes the SQL that dbt alone gets, for models that are written
 * for another warehouse. `--rows FILE` writes the rows that dbt built. Ends with 1 if anything differs.
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    dbt: { type: 'string', default: 'dbt' },
    package: { type: 'string', multiple: true, default: [] },
    replace: { type: 'string', multiple: true, default: [] },
    rows: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
})
const svc = resolve(import.meta.dirname, '..', 'cli', 'bin', 'svc.cjs')
if (folders.length === 0) {
  console.error(
    "usage: node scripts/import-dbt.mjs [--dbt dbt] [--package NAME=FOLDER] [--replace 'FROM=>TO'] FOLDER...",
  )
  process.exit(2)
}

const work = mkdtempSync(join(tmpdir(), 'svc-import-dbt-'))
let isSame = true
try {
  for (const folder of folders) isSame = (await compareProject(resolve(folder))) && isSame
} finally {
  if (options.keep) console.log(`Kept in ${work}`)
  else rmSync(work, { recursive: true, force: true })
}
process.exit(isSame ? 0 : 1)

async function compareProject(folder) {
  const name = basename(folder)
  const place = join(work, name)
  const dbtFolder = join(place, 'dbt')
  const svcFolder = join(place, 'svc')
  prepare(folder, dbtFolder)
  const dbtWords = ['--profiles-dir', dbtFolder, '--project-dir', dbtFolder]
  if (options.package.length > 0) execute(options.dbt, ['deps', ...dbtWords], dbtFolder)
  execute(options.dbt, ['seed', ...dbtWords], dbtFolder)
  execute(options.dbt, ['run', ...dbtWords], dbtFolder)
  const isolated = join(place, 'source')
  prepare(folder, isolated, false)
  const report = JSON.parse(
    execute(process.execPath, [svc, 'import', 'dbt', isolated, '-o', svcFolder, '--json'], place, [0, 1]),
  )
  execute(process.execPath, [svc, 'validate', '--quiet'], svcFolder)
  execute(process.execPath, [svc, 'run', '--env', 'prod'], svcFolder)
  console.log(`${name}: ${counted(report)}`)
  for (const { level, path, line, message } of report.notes)
    console.log(`  ${level}: ${path}:${line} ${message}`)
  const manifest = JSON.parse(readFileSync(join(dbtFolder, 'target', 'manifest.json'), 'utf8'))
  const hasTests = compareTests(manifest, report)
  return (await compareRows(manifest, dbtFolder, svcFolder)) && hasTests
}

/** Each test of the project has come over, or is among what is to be done by hand. */
function compareTests({ nodes, unit_tests: unitTests = {} }, { counts, notes, project }) {
  const own = Object.values(nodes).filter(
    each => each.resource_type === 'test' && each.package_name === project,
  )
  const units = Object.values(unitTests).filter(each => each.package_name === project)
  const open = notes.filter(({ level, message }) => level === 'todo' && /\btest\b/.test(message)).length
  const [theirs, ours] = [own.length + units.length, counts.tests + counts.unit_tests + open]
  console.log(
    `  ${ours >= theirs ? 'same' : 'DIFFERENT'}  ${theirs} tests of dbt, ${ours - open} here, ${open} by hand`,
  )
  return ours >= theirs
}

/** Copies the project; for dbt with a profile for DuckDB, the packages and the changes that were asked for. */
function prepare(from, to, isForDbt = true) {
  const left = new Set(['.git', 'target', 'logs', 'dbt_packages', 'dbt_modules', 'node_modules'])
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from))
    if (!left.has(entry)) cpSync(join(from, entry), join(to, entry), { recursive: true })
  if (!isForDbt) return
  for (const file of ['packages.yml', 'package-lock.yml', 'dependencies.yml'])
    rmSync(join(to, file), { force: true })
  const packages = options.package.map(given => {
    const [name, from] = given.split('=')
    const local = join(to, '..', 'packages', name)
    cpSync(resolve(from), local, { recursive: true, filter: path => !path.includes('/.git') })
    return { local }
  })
  writeFileSync(join(to, 'packages.yml'), JSON.stringify({ packages }))
  const settings = join(to, 'dbt_project.yml')
  // Names of settings that newer versions of dbt no longer know.
  const renamed = readFileSync(settings, 'utf8')
    .replace(/^source-paths:/m, 'model-paths:')
    .replace(/^data-paths:/m, 'seed-paths:')
  writeFileSync(settings, renamed)
  const profile = /^profile:\s*['"]?([\w-]+)/m.exec(renamed)?.[1] ?? 'default'
  const output = `type: duckdb, path: ${JSON.stringify(join(to, 'dbt.duckdb'))}, schema: main, threads: 1`
  writeFileSync(join(to, 'profiles.yml'), `${profile}: {target: dev, outputs: {dev: {${output}}}}\n`)
  for (const change of options.replace) replaceAll(join(to, 'models'), ...change.split('=>'))
}

function replaceAll(folder, from, to) {
  if (!existsSync(folder)) return
  for (const path of readdirSync(folder, { recursive: true }).filter(each => each.endsWith('.sql'))) {
    const file = join(folder, path)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to))
  }
}

function counted({ counts }) {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind.replace('_', ' ')}`)
    .join(', ')
}

async function compareRows({ nodes }, dbtFolder, svcFolder) {
  const wanted = Object.values(nodes).filter(
    ({ resource_type: type, config }) =>
      ['model', 'seed'].includes(type) && config.materialized !== 'ephemeral',
  )
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const rows = async sql => (await connection.runAndReadAll(sql)).getRowObjectsJson()
  // Views of dbt may read files below the project.
  process.chdir(dbtFolder)
  // Views of dbt name the database by the name of its file.
  await connection.run(`ATTACH '${join(dbtFolder, 'dbt.duckdb')}' AS dbt (READ_ONLY)`)
  await connection.run(`ATTACH '${join(svcFolder, 'warehouse.duckdb')}' AS warehouse (READ_ONLY)`)
  let isEqual = true
  const built = {}
  for (const { alias, schema, resource_type: type } of wanted.sort((a, b) => (a.alias < b.alias ? -1 : 1))) {
    const line = await compareTable(rows, { alias, schema })
    isEqual &&= line.isEqual
    built[alias] = await rows(`SELECT * FROM dbt."${schema}"."${alias}" ORDER BY ALL`)
    console.log(`  ${line.isEqual ? 'same' : 'DIFFERENT'}  ${type} ${alias}: ${line.text}`)
  }
  if (options.rows !== undefined) writeFileSync(options.rows, `${JSON.stringify(built, undefined, 2)}\n`)
  connection.closeSync()
  instance.closeSync()
  return isEqual
}

async function compareTable(rows, { alias, schema }) {
  const [place] = await rows(
    `SELECT schema_name FROM duckdb_views() WHERE database_name = 'warehouse' AND view_name = '${alias}'
     AND schema_name LIKE 'analytics%'`,
  )
  if (place === undefined) return { isEqual: false, text: 'did not come over' }
  const ours = `warehouse."${place.schema_name}"."${alias}"`
  const theirs = `dbt."${schema}"."${alias}"`
  const columnsOf = async table =>
    new Map((await rows(`DESCRIBE ${table}`)).map(each => [each.column_name, each.column_type]))
  const [here, there] = [await columnsOf(ours), await columnsOf(theirs)]
  const names = [...there.keys()]
  if (names.join() !== [...here.keys()].join()) {
    return { isEqual: false, text: `columns ${[...here.keys()].join(', ')} instead of ${names.join(', ')}` }
  }
  const list = names.map(name => `"${name}"`).join(', ')
  const [{ n }] = await rows(`SELECT count(*) AS n FROM ${theirs}`)
  const missing = await rows(`SELECT ${list} FROM ${theirs} EXCEPT ALL SELECT ${list} FROM ${ours}`)
  const extra = await rows(`SELECT ${list} FROM ${ours} EXCEPT ALL SELECT ${list} FROM ${theirs}`)
  const retyped = names.filter(name => here.get(name) !== there.get(name))
  const types = retyped.map(name => `${name} is ${here.get(name)}, not ${there.get(name)}`)
  const isEqual = missing.length === 0 && extra.length === 0
  const text = [`${n} rows, ${missing.length} missing, ${extra.length} extra`, ...types].join('; ')
  return { isEqual, text }
}

function execute(command, words, cwd, good = [0]) {
  const env = { ...process.env, DBT_SEND_ANONYMOUS_USAGE_STATS: 'false', NO_COLOR: '1' }
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    cwd,
    encoding: 'utf8',
    env,
    maxBuffer: 2 ** 28,
  })
  if (error !== undefined) throw error
  if (good.includes(status)) return stdout
  throw new Error(
    `${command} ${words.join(' ')} ended with ${status}:\n${stdout.slice(-4000)}${stderr.slice(-2000)}`,
  )
}

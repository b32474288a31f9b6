/**
 * The corpus of small dbt projects in test/fixtures/import-corpus: one item of dbt's language, of its settings or of the arguments
 * of a test each. Makes `expected.ndjson` beside them anew, with what dbt builds of each:
 *
 *   node scripts/import-corpus.mjs --dbt dbt --packages FOLDER [--only FILE]
 *
 * Needs dbt-core 1.10 with dbt-duckdb (`pip install 'dbt-core~=1.10.0' dbt-duckdb`), and a folder that holds the packages dbt_utils
 * and dbt_expectations, each in a folder of its name, as `dbt deps` installs them. The suite that compares needs neither.
 *
 * An item is written into a project with the others of its file, or, with `settings` (lines of dbt_project.yml) or `profile`, into
 * one of its own. NAME in its texts is its name. `model` is `models/NAME.sql`, `macro` is `macros/NAME.sql`, `seed` is
 * `seeds/NAME.csv`, `yml` is `models/NAME.yml`, `files` has others. `noted: true`: svc says in a note what it does otherwise.
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
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { parse } from 'yaml'

const folder = resolve(import.meta.dirname, '..', 'test/fixtures/import-corpus')
const expectedFile = join(folder, 'expected.ndjson')

/** Returns the tables and the verdicts that dbt made, by the name of the item. */
export function expectedItems() {
  if (!existsSync(expectedFile)) return {}
  const lines = readFileSync(expectedFile, 'utf8').split('\n').filter(Boolean)
  return Object.fromEntries(lines.map(line => JSON.parse(line)).map(({ item, ...built }) => [item, built]))
}

/** Returns the projects of the corpus: their files, and the items in each. `every`: only each so manieth item. */
export function corpusProjects(every = 1) {
  return readdirSync(folder)
    .filter(name => name.endsWith('.yaml'))
    .sort()
    .flatMap(name =>
      projectsOf(
        name.slice(0, -'.yaml'.length),
        itemsIn(name).filter((_, index) => index % every === 0),
      ),
    )
}

function itemsIn(name) {
  const {
    expressions = {},
    tests = [],
    items = [],
    noted = [],
  } = parse(readFileSync(join(folder, name), 'utf8'))
  const all = [
    // One line of a template each, whose text is the value of a column.
    ...Object.entries(expressions).map(([own, text]) => ({
      name: own,
      model: `select $$${text}$$ as v\n`,
      noted: noted.includes(own),
    })),
    ...tests.map(testItem),
    ...items,
  ]
  return all.map(item => ({
    ...JSON.parse(JSON.stringify(item).replaceAll('NAME', item.name)),
    name: item.name,
  }))
}

/** A generic test on two seeds: one whose rows it passes, and one that it fails. */
function testItem({ name, test, args, column, good, bad, noted }) {
  const body = args === undefined ? test : { [test]: { arguments: args } }
  const entry = kind => ({
    name: `${name}_${kind}`,
    ...(column === undefined ? { data_tests: [body] } : { columns: [{ name: column, data_tests: [body] }] }),
    config: {
      column_types: {
        id: 'integer',
        grp: 'varchar',
        low: 'integer',
        high: 'integer',
        word: 'varchar',
        day: 'date',
      },
    },
  })
  const rows = text => `id,grp,low,high,word,day\n${text.trim().replaceAll(' | ', '\n')}\n`
  return {
    name,
    noted,
    files: {
      [`seeds/${name}.yml`]: `${JSON.stringify({ seeds: [entry('good'), entry('bad')] })}\n`,
      [`seeds/${name}_good.csv`]: rows(good),
      [`seeds/${name}_bad.csv`]: rows(bad),
    },
  }
}

function projectsOf(name, items) {
  const isAlone = item => item.settings !== undefined || item.profile !== undefined
  const shared = items.filter(item => !isAlone(item))
  const projects = items.filter(isAlone).map(item => projectOf(item.name, [item], item))
  return shared.length === 0 ? projects : [projectOf(name, shared, {}), ...projects]
}

function projectOf(name, items, { settings = '', profile = '' }) {
  const usual =
    settings.includes('\ndata_tests:') || settings.startsWith('data_tests:')
      ? ''
      : 'data_tests: {+severity: warn}\n'
  const files = {
    'dbt_project.yml': `name: corpus\nprofile: corpus\n${usual}${settings}`,
    'profiles.yml': `corpus: {target: dev, outputs: {dev: {type: duckdb, path: dbt.duckdb, schema: main, threads: 1}}}\n`,
    ...(profile !== '' && { 'profiles.yml': profile }),
    // Every project has this model, which others read.
    'seeds/other.csv': 'id,grp,low,high,word,day\n1,a,1,2,x,2024-01-01\n2,b,2,3,y,2024-01-02\n',
    'seeds/other.yml':
      'seeds: [{name: other, config: {column_types: {id: integer, grp: varchar, low: integer, high: integer, word: varchar, day: date}}}]\n',
  }
  for (const item of items) {
    for (const [key, path] of Object.entries(places)) {
      if (item[key] !== undefined) files[path(item.name)] = item[key]
    }
    Object.assign(files, item.files)
  }
  return { name, files, items: items.map(item => ({ name: item.name, noted: item.noted === true })) }
}

const places = {
  model: name => `models/${name}.sql`,
  macro: name => `macros/${name}.sql`,
  seed: name => `seeds/${name}.csv`,
  yml: name => `models/${name}.yml`,
}

export function writeFiles(to, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    writeFileSync(join(to, path), text)
  }
}

/** The item that a relation or a file belongs to: that with the longest name which it begins with. */
export function ownerOf(items, name) {
  const found = items.filter(item => name === item || name.startsWith(`${item}_`))
  return found.sort((a, b) => b.length - a.length)[0]
}

/** The columns with their types and the rows, as texts, of a relation. */
export async function relationOf(connection, table) {
  const rows = async sql => (await connection.runAndReadAll(sql)).getRowsJson()
  const columns = (await rows(`DESCRIBE ${table}`)).map(([name, type]) => [name, type])
  const texts = columns.map(([name]) => `CAST("${name.replaceAll('"', '""')}" AS VARCHAR)`).join(', ')
  const all = await rows(`SELECT ${texts} FROM ${table}`)
  return {
    columns,
    rows: all
      .map(row => JSON.stringify(row))
      .sort()
      .map(row => JSON.parse(row)),
  }
}

// ---------------------------------------------------------------- with dbt

async function main() {
  const { values: options } = parseArgs({
    options: {
      dbt: { type: 'string', default: 'dbt' },
      packages: { type: 'string' },
      only: { type: 'string' },
    },
  })
  const expected = expectedItems()
  const projects = corpusProjects()
  let isWhole = true
  for (const project of projects.filter(({ name }) => options.only === undefined || name === options.only)) {
    const { built, problem } = await builtByDbt(project, options)
    if (problem !== undefined) {
      console.error(`${project.name}: ${problem}`)
      isWhole = false
    } else Object.assign(expected, built)
  }
  const names = projects.flatMap(({ items }) => items.map(({ name }) => name))
  const kept = names.filter(name => expected[name] !== undefined)
  const lines = kept.map(item => `${JSON.stringify({ item, ...expected[item] })}\n`)
  writeFileSync(expectedFile, lines.join(''))
  console.log(`${kept.length} of ${names.length} items`)
  process.exit(isWhole && kept.length === names.length ? 0 : 1)
}

async function builtByDbt({ files, items }, { dbt, packages }) {
  const to = mkdtempSync(join(tmpdir(), 'svc-corpus-'))
  try {
    writeFiles(to, files)
    if (packages !== undefined) cpSync(resolve(packages), join(to, 'dbt_packages'), { recursive: true })
    const env = { ...process.env, DBT_SEND_ANONYMOUS_USAGE_STATS: 'false', NO_COLOR: '1' }
    const words = ['build', '--profiles-dir', to, '--project-dir', to, '--quiet']
    const said = spawnSync(dbt, words, { cwd: to, encoding: 'utf8', env, maxBuffer: 2 ** 28 })
    if (said.error !== undefined) throw said.error
    const results = join(to, 'target', 'run_results.json')
    if (!existsSync(results)) return { problem: said.stdout.slice(-3000) + said.stderr.slice(-1000) }
    return { built: await itemsBuilt(to, items, said.stdout) }
  } finally {
    rmSync(to, { recursive: true, force: true })
  }
}

async function itemsBuilt(to, items, said) {
  const read = name => JSON.parse(readFileSync(join(to, 'target', name), 'utf8'))
  const [{ nodes }, { results }] = [read('manifest.json'), read('run_results.json')]
  const instance = await DuckDBInstance.create(join(to, 'dbt.duckdb'), { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  const names = items.map(({ name }) => name)
  const built = {}
  const of = name => {
    built[name] ??= { relations: {}, tests: {} }
    return built[name]
  }
  try {
    for (const { unique_id: id, status, message } of results) {
      const node = nodes[id]
      if (node === undefined || node.package_name !== 'corpus') continue
      if (node.resource_type === 'test') {
        // One that is a query is told of the item.
        const subject = nodes[node.attached_node]?.alias ?? ownerOf(names, node.name) ?? node.name
        const owner = ownerOf(names, subject)
        const verdict = status === 'pass' ? 'pass' : status === 'warn' || status === 'fail' ? 'fail' : status
        if (owner === undefined) continue
        if (verdict === 'error') console.error(`${owner}: ${message}`)
        const { tests } = of(owner)
        tests[subject] = [...(tests[subject] ?? []), verdict]
        continue
      }
      const owner = ownerOf(names, node.alias) ?? ownerOf(names, node.name)
      if (owner === undefined || node.config.materialized === 'ephemeral') continue
      if (status !== 'success') {
        console.error(`${owner}: ${node.name} ended with ${status}: ${message}`)
        continue
      }
      of(owner).relations[node.alias] = await relationOf(connection, `"${node.schema}"."${node.alias}"`)
    }
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
  for (const each of Object.values(built)) for (const list of Object.values(each.tests)) list.sort()
  if (Object.keys(built).length === 0) console.error(said.slice(-2000))
  return built
}

if (process.argv[1] === import.meta.filename) await main()

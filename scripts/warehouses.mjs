// `npm run warehouses`: how many tests of `test/engine` run on DuckDB, how many of them on PostgreSQL too, and why the others
// do not. Runs none of them.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { createVitest } from 'vitest/node'

const root = join(fileURLToPath(import.meta.url), '..', '..')
const onPostgres = 'on PostgreSQL'
/** What `duckdbOnly` puts between the name of a test and its reason. */
const leftOutWord = ', on DuckDB only: '

process.env.SVC_TEST_WAREHOUSE = 'postgres'
const { onOne } = await registry()
const tests = await collect()
const files = new Set(tests.map(({ file }) => file))
const run = tests.filter(({ isSkipped }) => !isSkipped)
const [postgres, duckdb] = split(run, ({ project }) => project === onPostgres)
const leftOut = tests.filter(({ project, name }) => project === onPostgres && name.includes(leftOutWord))

say(`On DuckDB: ${duckdb.length} tests in ${files.size} files of test/engine.`)
say(`On PostgreSQL: ${postgres.length} of them, in ${new Set(postgres.map(({ file }) => file)).size} files.`)
say(`Left out of these files on PostgreSQL: ${leftOut.length}.`)
for (const { file, name } of leftOut) say(`  ${file}: ${name.replace(leftOutWord, '\n    because: ')}`)
const once = duckdb.filter(({ file }) => onOne.has(file))
say(`In files that run once: ${once.length}.`)
for (const reason of new Set(onOne.values())) {
  const theirs = once.filter(({ file }) => onOne.get(file) === reason)
  const count = new Set(theirs.map(({ file }) => file)).size
  say(`  ${theirs.length} in ${count} ${count === 1 ? 'file' : 'files'}: ${reason}`)
}

/** The list of files is TypeScript, which Node does not read. */
async function registry() {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test', 'support', 'both-warehouses.ts')],
    bundle: true,
    format: 'esm',
    write: false,
  })
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`)
}

/** Reads every test of the folder, those that are skipped too. */
async function collect() {
  const vitest = await createVitest('test', { root, watch: false, reporters: [{}] })
  try {
    const { testModules, unhandledErrors } = await vitest.collect(['test/engine'])
    const broken = testModules.flatMap(module => module.errors())
    if (broken.length + unhandledErrors.length > 0) throw broken[0] ?? unhandledErrors[0]
    return testModules.flatMap(module =>
      [...module.children.allTests()].map(test => ({
        project: module.project.name,
        file: module.relativeModuleId,
        name: test.fullName,
        isSkipped: test.options.mode === 'skip',
      })),
    )
  } finally {
    await vitest.close()
  }
}

function split(list, isFirst) {
  return [list.filter(isFirst), list.filter(each => !isFirst(each))]
}

function say(line) {
  process.stdout.write(`${line}\n`)
}

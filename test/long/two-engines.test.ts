/**
 * Dev on a DuckDB file and prod on a PostgreSQL server in one `svc.yaml` (decisions 9, "The engine is the environment's"): SQL is
 * taken for an environment exactly when its engine takes it, by every command and in the editor; projects have the same rows on
 * both, and a lock that stays as it is by turns.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareExample } from '../../scripts/compare-example.mjs'
import { copyExample } from '../../scripts/example.mjs'
import { startExampleServer } from '../../scripts/example-server.mjs'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'
import { type EditorHere, editorHere } from '../support/editor-here.ts'
import { engineStatements, foundByRuns } from '../support/engine-statements.ts'
import { figure } from '../support/figure.ts'
import { type MixedProject, mixedProjects } from '../support/mixed-projects.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

const examples = join(import.meta.dirname, '..', '..', 'examples')
const nameOf = (index: number) => `s${index}`
const pathOf = (index: number) => `models/${nameOf(index)}.svc`
const environments = ['dev', 'prod'] as const
type Environment = (typeof environments)[number]

interface FileProblems {
  readonly path: string
  readonly diagnostics: readonly { readonly severity: string; readonly message: string }[]
}

async function takenBy(explain: (sql: string) => Promise<unknown>): Promise<ReadonlySet<number>> {
  const taken = new Set<number>()
  for (const [index, sql] of engineStatements.entries())
    await explain(sql).then(
      () => taken.add(index),
      () => undefined,
    )
  return taken
}

async function takenByDuckdb(): Promise<ReadonlySet<number>> {
  const connection = await (await DuckDBInstance.create()).connect()
  const taken = await takenBy(sql => connection.run(sql))
  connection.closeSync()
  return taken
}

async function takenByPostgres(address: string): Promise<ReadonlySet<number>> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const taken = await takenBy(sql => client.query(sql))
  await client.end()
  return taken
}

describe.runIf(canStartPostgres())('dev on a file and prod on a server', { timeout: 1_800_000 }, () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  }, 120_000)
  afterAll(() => server.stop())

  it('takes a statement exactly where the engine of the environment does, in every command', async () => {
    const PROD = await server.createDatabase()
    const wanted = { dev: await takenByDuckdb(), prod: await takenByPostgres(PROD) }
    const project = createProjectHere({
      'svc.yaml':
        'name: shop\nwarehouse: duckdb:./dev.duckdb\nenvironments:\n  prod: {warehouse: env:PROD}\n',
    })
    for (const [index, sql] of engineStatements.entries()) {
      const lines = sql.split('\n').map(line => `  ${line}`)
      project.write(
        pathOf(index),
        `name: ${nameOf(index)}\ningest: none\ntransform: |\n${lines.join('\n')}\n`,
      )
    }
    const answers = await answersOf(project, { PROD })
    const wrong = answers.flatMap(({ door, environment, taken }) =>
      engineStatements.flatMap((sql, index) =>
        taken.has(index) === wanted[environment].has(index) || (door !== 'run' && foundByRuns.has(sql))
          ? []
          : [`${door} of ${environment} ${taken.has(index) ? 'takes' : 'refuses'} ${sql}`],
      ),
    )
    const alone = engineStatements.filter((_, index) => wanted.dev.has(index) !== wanted.prod.has(index))
    figure(
      'two-engines',
      `${engineStatements.length} statements, ${alone.length} of one engine alone, through ${answers.length} doors: ${wrong.length} wrong`,
    )
    project.dispose()
    expect(alone.length).toBeGreaterThanOrEqual(engineStatements.length / 2)
    expect(wrong).toEqual([])
  })

  it.each(mixedProjects(examples))('$name has the same rows on both, and one lock', async mixed => {
    const PROD = await server.createDatabase()
    const told = await compare(mixed, PROD)
    figure('two-engines', `${mixed.name}: ${told.rows} rows of ${told.tables} tables, the same on both`)
    expect(told.rows).toBeGreaterThan(0)
  })

  it('the example has the same rows on both, as DuckDB computes them from the raw files, and one lock', async () => {
    const PROD = await server.createDatabase()
    const quakes = await startExampleServer()
    const project = createProjectHere({})
    copyExample(project.root)
    const settings = join(project.root, 'svc.yaml')
    const text = readFileSync(settings, 'utf8')
    writeFileSync(
      settings,
      text.replace('environments:', 'environments:\n  prod: {warehouse: env:PROD, schema: analytics}'),
    )
    const env = { PROD, QUAKES_URL: quakes.url }
    const locks = [
      await run(project, 'dev', env),
      await run(project, 'prod', env),
      await run(project, 'dev', env),
    ]
    // Columns whose contract says `varchar` are of another type on PostgreSQL than texts are by themselves: the lock learns it there, once.
    expect(JSON.parse(locks[1] ?? '')).toMatchObject(JSON.parse(locks[0] ?? ''))
    expect(locks[2]).toBe(locks[1])
    const database = join(project.root, 'warehouse.duckdb')
    const compared = await Promise.all([
      compareExample({ database, schema: 'analytics_dev' }),
      compareExample({ server: PROD, schema: 'analytics' }),
    ])
    expect(compared.flat().flatMap(({ problems }) => problems)).toEqual([])
    const [onFile = [], onServer = []] = compared
    expect(onServer.map(({ table, rows }) => [table, rows])).toEqual(
      onFile.map(({ table, rows }) => [table, rows]),
    )
    const rows = onFile.reduce((sum, each) => sum + each.rows, 0)
    figure('two-engines', `the example: ${rows} rows of ${onFile.length} tables, the same on both`)
    project.dispose()
    await quakes.close()
  })
})

interface Answer {
  readonly door: string
  readonly environment: Environment
  readonly taken: ReadonlySet<number>
}

async function answersOf(project: ProjectHere, env: Record<string, string>): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  const whole = await problemsOf(project, env, [])
  const typed = await inEditor(project, env)
  for (const environment of environments) {
    const add = (door: string, taken: ReadonlySet<number>) => answers.push({ door, environment, taken })
    add('validate --env', takenIn(await problemsOf(project, env, ['--env', environment]), environment))
    add('validate', takenIn(whole, environment))
    add('the editor', takenIn(typed, environment))
    add('plan', await planned(project, env, environment))
    add('run', await built(project, env, environment))
  }
  return answers
}

async function problemsOf(
  project: ProjectHere,
  env: Record<string, string>,
  words: readonly string[],
): Promise<readonly FileProblems[]> {
  const { value } = await project.json(['validate', '--json', ...words], { env })
  return (value as { files: readonly FileProblems[] }).files
}

/** A problem of one engine alone says at its end of which environments it is; one of all of them says nothing. */
function takenIn(files: readonly FileProblems[], environment: Environment): ReadonlySet<number> {
  const isOf = (message: string) => {
    const [, of] = /\(in (.+) on \w+\)$/.exec(message.split('\n')[0] ?? '') ?? []
    return of === undefined || of.split(/, | and /).includes(environment)
  }
  const right = files.filter(({ diagnostics }) =>
    diagnostics.every(({ severity, message }) => severity !== 'error' || !isOf(message)),
  )
  return new Set(
    [...engineStatements.keys()].filter(index => right.some(({ path }) => path === pathOf(index))),
  )
}

async function inEditor(project: ProjectHere, env: Record<string, string>): Promise<readonly FileProblems[]> {
  const editor = await editorHere(project.root, undefined, env)
  try {
    for (const index of engineStatements.keys())
      editor.open(pathOf(index), readFileSync(join(project.root, pathOf(index)), 'utf8'))
    // What another engine says comes a moment after what the chosen one does.
    for (let last = ''; ; ) {
      const files = await askAll(editor)
      if (JSON.stringify(files) === last) return files
      last = JSON.stringify(files)
      await wait(2000)
    }
  } finally {
    await editor.close()
  }
}

async function askAll(editor: EditorHere): Promise<readonly FileProblems[]> {
  const files: FileProblems[] = []
  for (const index of engineStatements.keys()) {
    const path = pathOf(index)
    const report = await editor.ask<{ items: { message: string; severity: number }[] }>('diagnostic', path)
    const errors = report.items.filter(({ severity }) => severity === 1)
    files.push({ path, diagnostics: errors.map(({ message }) => ({ severity: 'error', message })) })
  }
  return files
}

async function planned(project: ProjectHere, env: Record<string, string>, environment: Environment) {
  const taken = new Set<number>()
  for (const index of engineStatements.keys()) {
    const { code } = await project.svc(['plan', nameOf(index), '--env', environment], { env })
    if (code === 0) taken.add(index)
  }
  return taken
}

async function built(project: ProjectHere, env: Record<string, string>, environment: Environment) {
  const { stdout } = await project.svc(['run', '--env', environment, '--log-format', 'json'], { env })
  const events = stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as { type: string; asset?: string })
  const names = new Set(events.flatMap(({ type, asset }) => (type === 'build-finished' ? [asset] : [])))
  return new Set([...engineStatements.keys()].filter(index => names.has(nameOf(index))))
}

// ---------------------------------------------------------------- whole projects

async function compare(mixed: MixedProject, PROD: string): Promise<{ tables: number; rows: number }> {
  const project = createProjectHere(mixed.files)
  if (mixed.folder !== undefined) cpSync(mixed.folder, project.root, { recursive: true })
  if (mixed.settings !== undefined) {
    const text = readFileSync(join(project.root, 'svc.yaml'), 'utf8')
    writeFileSync(join(project.root, 'svc.yaml'), mixed.settings(text))
  }
  const env = { PROD }
  const locks = [
    await run(project, 'dev', env),
    await run(project, 'prod', env),
    await run(project, 'dev', env),
  ]
  for (const lock of locks) expect(lock).toBe(locks[0])
  let rows = 0
  for (const table of mixed.tables) {
    const films = await Promise.all(environments.map(each => filmOf(project, table, each, env)))
    expect(films[1]).toEqual(films[0])
    rows += films[0]?.length ?? 0
  }
  project.dispose()
  return { tables: mixed.tables.length, rows }
}

/** Returns the lock as the run leaves it. */
async function run(project: ProjectHere, environment: string, env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await project.svc(['run', '--env', environment, '--full-refresh'], { env })
  const told = code === 0 ? '' : stderr + stdout
  expect({ environment, code, told }).toEqual({ environment, code: 0, told: '' })
  return readFileSync(join(project.root, 'schemas.lock.json'), 'utf8')
}

/** Numbers by their value: each engine writes them in its own way. */
async function filmOf(project: ProjectHere, table: string, environment: string, env: Record<string, string>) {
  const words = ['sample', table, '--limit', '1000', '--env', environment, '--json']
  const { value } = await project.json(words, { env })
  const { rows } = value as { rows: readonly Readonly<Record<string, unknown>>[] }
  const plain = (each: unknown) =>
    typeof each === 'string' && /^-?\d+(\.\d+)?$/.test(each) ? Number(each) : each
  return rows
    .map(row => JSON.stringify(Object.entries(row).map(([name, each]) => [name, plain(each)])))
    .sort()
}

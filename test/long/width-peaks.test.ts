/**
 * Memory of whole commands over wide tables, and their CPU beside what the database alone takes. Each command is a process of its
 * own, as a user starts it. What is asserted are memory and growth; the line of the suite has the times.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { measure, type Sample } from '../bench/measure.ts'
import { createGround, type Ground } from '../cli/bad-input/command-line.ts'
import { buildCommand, svcLauncher } from '../support/cli.ts'
import { figure } from '../support/figure.ts'
import { canStartPostgres, startPostgres } from '../support/postgres.ts'
import { wideKinds, wideProject } from '../support/wide-project.ts'

const timeout = 600_000
const told: string[] = []
let largest = { what: 'none', rssBytes: 0 }

beforeAll(buildCommand, timeout)
afterAll(() =>
  figure('width peaks', `most memory ${megabytes(largest.rssBytes)} (${largest.what}); ${told.join('; ')}`),
)

const probe = join(import.meta.dirname, '..', 'bench', 'usage-probe.cjs')
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
const seconds = ({ cpuMs }: Sample) => `${(cpuMs / 1000).toFixed(1)} s`

async function processOf(root: string, command: readonly string[], program = svcLauncher): Promise<Sample> {
  const runner = [process.execPath, '--require', probe, program]
  const { sample } = await measure({ runner, command, cwd: root, env: { HOME: root } }, timeout)
  return sample
}

async function svc(ground: Ground, what: string, ...command: readonly string[]): Promise<Sample> {
  const sample = await processOf(ground.root, command)
  const title = `${command[0]} ${what}`
  process.stdout.write(`  ${title}: ${megabytes(sample.rssBytes)}, ${seconds(sample)} of CPU\n`)
  if (sample.rssBytes > largest.rssBytes) largest = { what: title, rssBytes: sample.rssBytes }
  expect(sample.rssBytes, title).toBeLessThan(1e9)
  return sample
}

test.each(wideKinds)('1,200 columns from %s', { timeout }, async kind => {
  const ground = await wideProject({ kind, columns: 1200 })
  for (const command of ['validate', 'run']) await svc(ground, `1,200 columns from ${kind}`, command)
  ground.dispose()
})

test.runIf(canStartPostgres())('900 columns in PostgreSQL', { timeout }, async () => {
  const server = await startPostgres()
  try {
    const warehouse = () => server.createDatabase()
    const ground = await wideProject({ kind: 'csv', columns: 900, warehouse })
    await svc(ground, '900 columns in PostgreSQL', 'run')
    ground.dispose()
  } finally {
    await server.stop()
  }
})

/** A peak depends on when the system takes back what was freed: one run alone says little. */
const runs = 10

test('2,000 columns from CSV to production, ten times, and beside CREATE TABLE AS', { timeout }, async () => {
  const peaks: number[] = []
  for (let run = 1; run < runs; run++) {
    const again = await wideProject({ kind: 'csv', columns: 2000 })
    peaks.push((await svc(again, '2,000 columns from CSV', 'run')).rssBytes)
    again.dispose()
  }
  const ground = await wideProject({ kind: 'csv', columns: 2000 })
  ground.write(
    'ctas.cjs',
    `const { DuckDBInstance } = require(${JSON.stringify(createRequire(import.meta.url).resolve('@duckdb/node-api'))})
async function create() {
  const database = await DuckDBInstance.create('ctas.duckdb')
  const connection = await database.connect()
  await connection.run("CREATE TABLE wide AS FROM read_csv('data/wide.csv')")
  connection.closeSync()
  database.closeSync()
}
create()
`,
  )
  const alone = await processOf(ground.root, [], join(ground.root, 'ctas.cjs'))
  const ours = await svc(ground, '2,000 columns from CSV', 'run')
  peaks.push(ours.rssBytes)
  told.push(`2,000 columns from CSV to production ${seconds(ours)}, CREATE TABLE AS ${seconds(alone)}`)
  told.push(`peaks of ${runs} runs ${peaks.map(megabytes).join(', ')}`)
  expect(ours.cpuMs / alone.cpuMs).toBeLessThan(5)
  ground.dispose()
})

test('a chain of ten over 2,000 columns, validated cold', { timeout }, async () => {
  const taken: Sample[] = []
  for (const columns of [500, 2000]) {
    const ground = await wideProject({ kind: 'csv', columns, chain: 10 })
    taken.push(await svc(ground, `a chain of ten of ${columns} columns`, 'validate'))
    ground.dispose()
  }
  told.push(`chain of ten validated at 500 and 2,000 columns ${taken.map(seconds).join(', ')}`)
  expectLinear(taken)
})

test.each(['csv', 'json'] as const)('%s files with a column of their own each', { timeout }, async kind => {
  const taken: Sample[] = []
  const counts = kind === 'csv' ? [100, 400] : [200, 800]
  for (const count of counts) {
    const ground = createGround({
      'svc.yaml': 'name: layouts\n',
      'models/x.svc': `name: x\ningest: {type: file, endpoint: ./data, resource: "*.${kind}"}\ntransform: SELECT * FROM {{ source }}\n`,
    })
    for (let file = 0; file < count; file++) {
      const text =
        kind === 'csv' ? `id,own${file}\n${file},${file}\n` : `[{"id":${file},"own${file}":${file}}]`
      ground.write(`data/f${file}.${kind}`, text)
    }
    taken.push(await svc(ground, `${count} ${kind} files of as many layouts`, 'run'))
    ground.dispose()
  }
  told.push(
    `${counts.join(' and ')} ${kind} layouts ${taken.map(seconds).join(', ')}, ${megabytes(taken.at(-1)?.rssBytes ?? 0)}`,
  )
  expectLinear(taken)
})

/** Six times the CPU at four times the size, as in the other suites of width; starting takes part of both. */
function expectLinear([small, large]: readonly Sample[]): void {
  expect((large?.cpuMs ?? 0) / (small?.cpuMs ?? 1)).toBeLessThan(6)
}

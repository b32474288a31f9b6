/**
 * Work on 1,200 columns costs at most six times the CPU of work on 300 (four is linear), stage by stage, and stays below a
 * gigabyte. CPU of this process is measured, so that a busy machine changes little.
 */
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { measure } from '../bench/measure.ts'
import type { Ground } from '../cli/bad-input/command-line.ts'
import { buildCommand, svcLauncher } from '../support/cli.ts'
import { figure } from '../support/figure.ts'
import { type Wide, wideKinds, wideProject } from '../support/wide-project.ts'

const [few, many] = [300, 1200]
const mostTimes = 6
/** Less work than this is measured too coarsely to say how it grows. */
const leastMs = 200
const ratios: { readonly stage: string; readonly times: number }[] = []

afterAll(() => {
  const worst = ratios.reduce((a, b) => (b.times > a.times ? b : a), { stage: 'none', times: 0 })
  const wrong = ratios.filter(({ times }) => times > mostTimes).length
  figure(
    'width',
    `${ratios.length} stages at ${few} and ${many} columns, ${wrong} above ${mostTimes} times, most ${worst.times.toFixed(1)} (${worst.stage})`,
  )
})

const list = (names: readonly string[], line: (name: string) => string) => names.map(line).join('')
const projects: readonly (readonly [string, Omit<Wide, 'columns'>])[] = [
  ...wideKinds.map(kind => [`from ${kind}`, { kind }] as const),
  ['a chain of ten', { kind: 'parquet', chain: 10 }],
  [
    'not_null of each',
    { kind: 'parquet', more: names => `tests:\n${list(names, name => `  - not_null: ${name}\n`)}` },
  ],
  [
    'unique of each',
    {
      kind: 'parquet',
      more: names => `tests:\n${list(names, name => `  - unique: ${name}\n    severity: warn\n`)}`,
    },
  ],
  [
    'range of each',
    {
      kind: 'parquet',
      more: names => `tests:\n${list(names, name => `  - range: {${name}: {min: 0, max: 2000}}\n`)}`,
    },
  ],
  [
    'range of each, failing',
    {
      kind: 'parquet',
      more: names =>
        `tests:\n${list(names, name => `  - range: {${name}: {min: -9, max: -1}}\n    severity: warn\n`)}`,
    },
  ],
  [
    'a contract of each',
    {
      kind: 'parquet',
      more: names =>
        `contract:\n  columns:\n${list(names, name => `    ${name}: {type: bigint, description: The ${name}.}\n`)}`,
    },
  ],
  ['a unit test', { kind: 'parquet', more: unitTest }],
  [
    'published',
    {
      kind: 'parquet',
      more: () =>
        'publish:\n  out:\n    type: duckdb\n    endpoint: duckdb:./out.duckdb\n    resource: wide\n    key: c0\n    environments: [dev]\n',
    },
  ],
]

function unitTest(names: readonly string[]): string {
  const row = (more: number) =>
    `{${names.map((name, index) => `${name}: ${index === 0 ? 1 : 1 + more}`).join(', ')}}`
  return `tests:\n  - unit:\n      given: {star: [${row(0)}]}\n      expect: [${row(1)}]\n`
}

const stages: readonly (readonly string[])[] = [
  ['validate'],
  ['plan'],
  ['run'],
  ['run'],
  ['test'],
  ['sample', 'wide', '--csv'],
  ['manifest'],
]

test.each(projects)('%s', { timeout: 900_000 }, async (name, wide) => {
  await cpuOfStages({ ...wide, columns: 40 })
  const [small, large] = [
    await cpuOfStages({ ...wide, columns: few }),
    await cpuOfStages({ ...wide, columns: many }),
  ]
  for (const [index, words] of stages.entries()) {
    ratios.push({ stage: `${words.join(' ')}, ${name}`, times: timesOf(small[index], large[index]) })
  }
  const table = stages.map(
    (words, index) => `${words[0]} ${Math.round(small[index] ?? 0)} → ${Math.round(large[index] ?? 0)} ms`,
  )
  process.stdout.write(`  ${name}: ${table.join(', ')}\n`)
  const above = stages.filter((_, index) => timesOf(small[index], large[index]) > mostTimes)
  expect(above.map(words => words.join(' '))).toEqual([])
})

function timesOf(small = 1, large = 0): number {
  return large < leastMs ? 1 : large / small
}

async function cpuOfStages(wide: Wide): Promise<number[]> {
  const ground = await wideProject(wide)
  try {
    const taken: number[] = []
    for (const words of stages) taken.push(await cpuOf(ground, words))
    return taken
  } finally {
    ground.dispose()
  }
}

async function cpuOf(ground: Ground, words: readonly string[]): Promise<number> {
  const before = process.cpuUsage()
  const { code, stdout, stderr } = await ground.line(words)
  const { user, system } = process.cpuUsage(before)
  expect(code, `${words.join(' ')}\n${stdout.slice(0, 2000)}\n${stderr.slice(0, 2000)}`).toBe(0)
  return (user + system) / 1000
}

test('memory of 1,200 columns stays below a gigabyte', { timeout: 600_000 }, async () => {
  buildCommand()
  const probe = join(import.meta.dirname, '..', 'bench', 'usage-probe.cjs')
  for (const kind of wideKinds) {
    const ground = await wideProject({ kind, columns: many })
    for (const command of [['validate'], ['run']]) {
      const runner = [process.execPath, '--require', probe, svcLauncher]
      const { sample } = await measure(
        { runner, command, cwd: ground.root, env: { HOME: ground.root } },
        300_000,
      )
      process.stdout.write(
        `  ${command[0]} from ${kind}: ${Math.round(sample.rssBytes / 1e6)} MB, ${Math.round(sample.cpuMs)} ms of CPU\n`,
      )
      expect(sample.rssBytes, `${command[0]} from ${kind}`).toBeLessThan(1e9)
    }
    ground.dispose()
  }
})

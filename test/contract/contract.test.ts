/** Runs every command and option of the contract in the example, and holds docs/contract.md to what came of it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allCommands } from '../../cli/commands/index.ts'
import { copyExample } from '../../scripts/example.mjs'
import { startExampleServer } from '../../scripts/example-server.mjs'
import type { Result } from '../support/cli.ts'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'
import { type ContractLine, contract, lines, withoutLines } from './command-lines.ts'

const page = join(import.meta.dirname, '..', '..', 'docs', 'contract.md')
const codes = new Map<ContractLine, number | null>()

let project: ProjectHere
let server: Awaited<ReturnType<typeof startExampleServer>>

beforeAll(async () => {
  server = await startExampleServer({})
  project = createProjectHere({})
  copyExample(project.root)
  const database = await DuckDBInstance.create(join(project.root, 'other.duckdb'))
  const connection = await database.connect()
  await connection.run('CREATE TABLE things AS SELECT 1 AS id')
  connection.closeSync()
  database.closeSync()
})
afterAll(async () => {
  await server.close()
  project.dispose()
})

function commandOf({ words }: ContractLine): string {
  const found = contract.filter(({ command }) => `${words} `.startsWith(`${command} `))
  return found.toSorted((a, b) => b.command.length - a.command.length)[0]?.command ?? ''
}

function has({ words, has = [] }: ContractLine, part: string): boolean {
  return has.includes(part) || words.split(' ').includes(part)
}

async function outcomeOf({ words, serves }: ContractLine): Promise<Result> {
  const given = words.replace('QUAKES', `${server.url}/earthquakes`).split(' ')
  const there = { type: 'duckdb', endpoint: 'duckdb:./published.duckdb', key: 'position' }
  const env = { QUAKES_URL: server.url, DESTINATION__THERE__CREDENTIALS: JSON.stringify(there) }
  if (serves !== true) return project.svc(given, { env })
  return project.alone(given, {
    env,
    onStart: child => child.onOutput(text => /http:\/\/127/.test(text) && child.kill('SIGINT')),
  })
}

describe('the commands of the contract', () => {
  it('are all there but for those that the page names', () => {
    const names = new Set(allCommands.map(({ name }) => name))
    const absent = contract.map(({ command }) => command).filter(command => !names.has(command))
    expect(absent.filter(command => !withoutLines.has(command))).toEqual([])
  })

  it('have each part in a line that is run', () => {
    const missing = contract
      .filter(({ command }) => !withoutLines.has(command))
      .flatMap(({ command, parts }) => {
        const own = lines.filter(line => commandOf(line) === command)
        const left = parts.filter(part => !own.some(line => has(line, part)))
        return own.length === 0 ? [command] : left.map(part => `${command} ${part}`)
      })
    expect(missing).toEqual([])
  })

  it.each(lines)(
    'svc $words',
    async line => {
      const { code, stdout, stderr } = await outcomeOf(line)
      codes.set(line, code)
      expect(`${stdout}\n${stderr}`).toMatch(line.says)
      expect(code, stderr).toBe(line.code ?? 0)
    },
    300_000,
  )

  it('are told on the page as they ended', () => {
    const text = pageOf()
    if (process.env['UPDATE'] === '1') writeFileSync(page, text)
    expect(readFileSync(page, 'utf8')).toBe(text)
  })
})

function pageOf(): string {
  const rows = contract.flatMap(({ command, parts }) => {
    if (withoutLines.has(command)) return [`| \`${command}\` | ${listed(parts)} | not run | |`]
    return lines
      .filter(line => commandOf(line) === command)
      .map(line => {
        const shown = parts.filter(part => has(line, part))
        return `| \`${command}\` | ${listed(shown)} | \`svc ${line.words}\` | ${codes.get(line) ?? 'none'} |`
      })
  })
  return [
    '# Commands of the contract',
    '',
    '*Each command and option of the contract, and the exit code of a line that has it.*',
    '',
    'A test runs these lines, in this order within a command, in the example `examples/flights` and writes this page.',
    '`QUAKES` stands for the address of a web service; what serves is ended',
    'by Ctrl-C. "not run" is what no line has tried yet.',
    '',
    '| command | arguments and options | line | exit code |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function listed(parts: readonly string[]): string {
  return parts.map(part => `\`${part}\``).join(' ')
}

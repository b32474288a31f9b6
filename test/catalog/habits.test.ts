/**
 * Every habit of other databases, on both engines: exactly one problem at its place, or none where it is valid; the correction, if
 * there is one, validates and gives what the habit means where it is from.
 */
import { DuckDBInstance } from '@duckdb/node-api'
import { openCatalog } from '@svc/server/catalog'
import {
  type Catalog,
  checkProject,
  createProject,
  type Diagnostic,
  type Engine,
  parseSettings,
} from '@svc/server/language'
import { afterAll, expect, test } from 'vitest'
import type { Habit } from '../../server/language/engines/habits/habit.ts'
import { habits } from '../../server/language/engines/habits/index.ts'
import { engines } from '../../server/language/engines/index.ts'
import { lazyPostgres } from '../support/pglite.ts'
import { assetText, sha256 } from '../support/sql-lab.ts'

const open: Catalog[] = []
const postgres = lazyPostgres()
afterAll(async () => {
  for (const catalog of open) catalog.close()
  await postgres.close()
})

const pathOf = (index: number) => `models/habit_${index}.svc`

function sqlOf({ example }: Habit): string {
  const sql = example.replaceAll('@t', "(SELECT 3 AS id, 'ab' AS name) AS t")
  return /^SELECT\b/.test(sql) ? sql : `SELECT ${sql} AS v`
}

function textOf(habit: Habit, index: number): string {
  return assetText(`habit_${index}`, sqlOf(habit).replaceAll(/[‹›]/g, ''))
}

/** The place of the problem in the file. */
function placeOf(habit: Habit, index: number): string {
  const marked = assetText(`habit_${index}`, sqlOf(habit))
  return `${marked.indexOf('‹')} ${marked.slice(marked.indexOf('‹') + 1, marked.indexOf('›'))}`
}

async function problemsIn(engine: Engine, texts: readonly string[]): Promise<readonly Diagnostic[][]> {
  const catalog = await openCatalog(engine)
  open.push(catalog)
  const files = texts.map((text, index) => ({ path: pathOf(index), text }))
  const settings = parseSettings(`name: habits\nwarehouse: ${engine.address.example}\n`)
  const project = createProject({ settings, files, hash: sha256 })
  const analysis = await catalog.analyze(project, new Map())
  const found = checkProject(project, analysis, new Map())
  return texts.map((_, index) => [...(found.get(pathOf(index)) ?? [])])
}

function corrected(text: string, { fixes: [fix] = [] }: Diagnostic): string {
  return [...(fix?.edits ?? [])]
    .sort((a, b) => b.range.start - a.range.start)
    .reduce((now, { range, newText }) => now.slice(0, range.start) + newText + now.slice(range.end), text)
}

function sqlIn(text: string): string {
  return text.slice(text.indexOf('|\n') + 2).trim()
}

async function firstValues(engine: Engine, queries: readonly string[]): Promise<readonly string[]> {
  const values: string[] = []
  if (engine.kind === 'postgres') {
    for (const query of queries)
      values.push(await textOfValue(async () => (await postgres.rows(query))[0]?.[0], query))
    return values
  }
  const database = await DuckDBInstance.create(':memory:')
  const connection = await database.connect()
  for (const query of queries)
    values.push(
      await textOfValue(async () => (await connection.runAndReadAll(query)).getRowsJson()[0]?.[0], query),
    )
  connection.closeSync()
  database.closeSync()
  return values
}

async function textOfValue(ask: () => Promise<unknown>, query: string): Promise<string> {
  try {
    const value = await ask()
    if (value instanceof Date) return value.toISOString().slice(0, 10)
    return value === null || value === undefined
      ? 'null'
      : String(value)
          .replace(/(\.\d*?)0+$/, '$1')
          .replace(/\.$/, '')
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)} in ${query}`
  }
}

test('the names of habits are told apart', () => {
  expect(habits.length).toBeGreaterThanOrEqual(120)
  expect(new Set(habits.map(({ name, from }) => `${from} ${name}`)).size).toBe(habits.length)
})

test.each(engines.map(engine => [engine.label, engine] as const))('on %s', async (_, engine) => {
  const texts = habits.map(textOf)
  const problems = await problemsIn(engine, texts)
  const wrong: string[] = []
  const fixed = texts.map((text, index) => {
    const [habit, found = []] = [habits[index] as Habit, problems[index]]
    const meaning = habit.on[engine.kind]
    const told = found.map(({ code, message, range, hint, fixes = [] }) =>
      [
        `${range.start} ${text.slice(range.start, range.end)}`,
        code,
        message,
        hint,
        ...fixes.map(each => each.title),
      ].join(' | '),
    )
    const [only] = found
    const isRight =
      meaning === undefined
        ? found.length === 0
        : found.length === 1 &&
          only?.hint === meaning.hint &&
          `${only.range.start} ${text.slice(only.range.start, only.range.end)}` === placeOf(habit, index) &&
          (only.fixes?.length ?? 0) === (meaning.isSure ? 1 : 0)
    if (!isRight)
      wrong.push(
        `${habit.from} ${habit.name}: ${placeOf(habit, index)}${meaning === undefined ? ' is valid' : ''}\n    ${told.join('\n    ')}`,
      )
    return only === undefined ? text : corrected(text, only)
  })
  expect(wrong.join('\n')).toBe('')
  const left = await problemsIn(engine, fixed)
  const values = await firstValues(
    engine,
    fixed.map(text => sqlIn(text)),
  )
  for (const [index, habit] of habits.entries()) {
    const meaning = habit.on[engine.kind]
    if (meaning !== undefined && !meaning.isSure) continue
    const told = left[index]?.map(({ message }) => message) ?? []
    if (told.length > 0)
      wrong.push(`${habit.name} corrected: ${sqlIn(fixed[index] ?? '')}: ${told.join('; ')}`)
    if (habit.gives !== undefined && values[index] !== habit.gives)
      wrong.push(`${habit.name} gives ${values[index]}, not ${habit.gives}: ${sqlIn(fixed[index] ?? '')}`)
  }
  expect(wrong.join('\n')).toBe('')
})

/** Lives through the days of a group: each in a copy of one deployed project, and then the next day, when all is well. */
import { appendFileSync, cpSync, realpathSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGround, expectNoStack, type Ground, type Said } from '../cli/bad-input/command-line.ts'
import { buildCommand } from '../support/cli.ts'
import { isLong, sample } from '../support/long.ts'
import { type RestHandler, type RestServer, sendJson, startRestServer } from '../support/rest-server.ts'
import type { Day, Group, Place, Production, Rows } from './day.ts'
import { messageOf } from './message.ts'
import { readRows, rowOf, writeRows } from './page.ts'
import { type Deployed, openPlace, readProduction } from './place.ts'
import { customersOf, dataOf, project, rowsOf } from './shop.ts'

const well: RestHandler = (_request, response) => sendJson(response, customersOf['day 2'])
const usual = 'run --env prod'
const hour = 3_600_000

interface Stage {
  readonly server: RestServer
  readonly ground: Ground
  readonly answer: Place['answer']
  readonly deployed: Deployed | undefined
}

/** In `npm test` every eighth day is lived through. */
const every = 8

/** The title is the heading in docs/bad-days.md. */
export function testDays({ title, days: all }: Group): void {
  const days = sample(all, every)
  describe(title, () => {
    let stage: Stage
    const rows = new Map<Day, string>()
    beforeAll(async () => {
      buildCommand()
      stage = await deploy()
    })
    afterAll(async () => {
      for (const { root } of new Set(places.values())) rmSync(root, { recursive: true, force: true })
      stage.ground.dispose()
      await stage.server.close()
    })

    const places = new Map<number, Place>()
    it.each(days.map((day, index) => [day.name, day, index] as const))('%s', async (_name, day, index) => {
      const place = places.get(index) ?? copyOf(stage)
      places.set(index, place)
      rows.set(day, await live(day, place))
      if (isShared(days, index)) places.set(index + 1, place)
      else await nextDay(day, place)
    })

    it('is in docs/bad-days.md as it happens (npm run bad-days)', () => {
      const wanted = days.map(day => rows.get(day) ?? '')
      if (process.env['UPDATE'] === '1' && isLong) writeRows(title, wanted)
      expect(readRows(title)).toHaveLength(all.length)
      expect(sample(readRows(title), every)).toEqual(wanted)
    })
  })
}

const mostShared = 6

/**
 * Whether the next bad day begins where this one ends: a few that are refused come in a row, and then one day when all is
 * well. That takes half of the time.
 */
function isShared(days: readonly Day[], index: number): boolean {
  return (
    [days[index], days[index + 1]].every(isQuiet) &&
    days[index + 1]?.alone !== true &&
    index % mostShared !== mostShared - 1
  )
}

/** It leaves nothing but a failed command. */
function isQuiet(day: Day | undefined): boolean {
  return (
    day !== undefined &&
    day.code !== 0 &&
    !('production' in day || 'run' in day || 'after' in day || 'clock' in day)
  )
}

/** Production as it is after the first day. */
async function deploy(): Promise<Stage> {
  const server = await startRestServer()
  let handler: RestHandler = (_request, response) => sendJson(response, customersOf['day 1'])
  server.route('/customers', (request, response) => handler(request, response))
  const ground = createGround({ ...project(server.origin), ...dataOf['day 1'] })
  const said = await ground.line(usual.split(' '), { program: 'bad days' })
  expect(said.code, said.stdout + said.stderr).toBe(0)
  const deployed = await readProduction(ground.root)
  expect(deployed?.rows).toEqual(rowsOf['day 1'])
  return { server, ground, answer: next => (handler = next), deployed }
}

/** Production as it was read last in a place: only its days change it, and each is followed by a look. */
const seen = new WeakMap<Place, Deployed | undefined>()

let copies = 0

function copyOf({ ground, answer, server, deployed }: Stage): Place {
  const root = `${ground.root}-${++copies}`
  cpSync(ground.root, root, { recursive: true, preserveTimestamps: true })
  const place = openPlace(realpathSync(root), server.origin, answer)
  seen.set(place, deployed)
  return place
}

/** The second day as it should be. */
function makeWell(place: Place): void {
  place.answer(well)
  const files: Readonly<Record<string, string>> = { ...project(place.origin), ...dataOf['day 2'] }
  for (const folder of ['models', 'data']) place.write(folder, null)
  for (const [path, text] of Object.entries(files)) place.write(path, text)
}

/** Returns the row of the page. */
async function live(day: Day, place: Place): Promise<string> {
  makeWell(place)
  const before = seen.get(place)
  for (const [path, text] of Object.entries(day.files ?? {})) {
    place.write(path, typeof text === 'string' ? text.replaceAll('<origin>', place.origin) : text)
  }
  if (day.answer !== undefined) place.answer(day.answer)
  const word = String(await day.before?.(place))
  const words = (day.command ?? usual).replaceAll('<run>', word).match(/"[^"]*"|\S+/g) ?? []
  const run = day.run ?? ((where, line) => where.line(line, optionsOf(day)))
  const said = await run(
    place,
    words.map(each => each.replace(/^"(.*)"$/, '$1')),
  )
  const message = messageOf(said, place.root)
  if (process.env['SHOW'] !== undefined) show(day, said, message)
  await day.after?.(place)
  expectNoStack(said)
  expect(said.code, said.stdout + said.stderr).toBe(day.code)
  const found = await readProduction(place.root)
  seen.set(place, found)
  expectProduction(found, day.production ?? 'day 1', before)
  return rowOf(day, said.code, message)
}

function show(day: Day, said: Said, message: string): void {
  appendFileSync(
    process.env['SHOW'] ?? '',
    `### ${day.name}\n${said.code} ${message}\n${said.stdout}\n${said.stderr}`,
  )
}

function optionsOf({ env, clock }: Day) {
  const now = () => new Date(Date.now() + (clock ?? 0) * hour)
  return { ...(env !== undefined && { env }), ...(clock !== undefined && { now }) }
}

/** All is well again: production becomes what it should be. */
async function nextDay(day: Day, place: Place): Promise<void> {
  makeWell(place)
  const said = await place.line((day.next ?? usual).split(' '))
  expect(said.code, said.stdout + said.stderr).toBe(0)
  const wanted = day.then ?? 'day 2'
  expectProduction(await readProduction(place.root), wanted, undefined)
}

function expectProduction(
  found: Deployed | undefined,
  wanted: Production,
  before: Deployed | undefined,
): void {
  expect(found?.rows).toEqual(wanted === 'unreadable' ? undefined : rowsIn(wanted))
  if (wanted === 'day 1' && before !== undefined) expect(found?.generation).toEqual(before?.generation)
}

function rowsIn(wanted: Exclude<Production, 'unreadable'>): Rows {
  if (typeof wanted === 'string') return rowsOf[wanted]
  const rows = { ...rowsOf[wanted.like], ...wanted.but }
  return Object.fromEntries(
    Object.entries(rows).flatMap(([name, each]) => (each === null ? [] : [[name, each]])),
  )
}

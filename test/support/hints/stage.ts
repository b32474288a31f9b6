/**
 * A hint as a scenario: a small project, the act that prints the hint, what the hint says, done as it stands, and what is there
 * then. The tables of test/long/hints have them, by the code of the error or of the warning.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type ErrorCode, errorCodes } from '../../../cli/engine/errors.ts'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import type { WarningCode } from '../../../server/contract/warnings.ts'
import { createGround, expectNoStack, type Ground, type Said } from '../../cli/bad-input/command-line.ts'
import { type RestHandler, type RestServer, sendJson, startRestServer } from '../rest-server.ts'

export type Words = string | readonly string[]
type Rows = readonly Readonly<Record<string, unknown>>[]

export interface Stage extends Omit<Ground, 'line'> {
  readonly server: RestServer
  /** What the environment holds from now on. */
  readonly env: Record<string, string>
  /** What an act has printed, for those after it. */
  readonly notes: Record<string, string>
  /** The clock of svc is that many hours ahead from now on. */
  clock(hours: number): void
  svc(words: Words): Promise<Said>
  /** Runs a command that has to end with 0. */
  works(words: Words): Promise<Said>
  read(path: string): string
  /** Replaces a text that stands in a file. */
  edit(path: string, from: string, to: string): void
  /** The service answers so at a path: with a value as JSON, or as the function does. */
  answer(path: string, answer: unknown): void
  /** Happens when the scenario is over. */
  atEnd(act: () => unknown): void
  /** Changes the warehouse behind the back of svc. */
  sql(...statements: readonly string[]): Promise<void>
}

export interface Scenario {
  /** As it is printed, with `…` for what differs from project to project. */
  readonly hint: string
  /** `<origin>` in a file is the address of the service. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  readonly env?: Readonly<Record<string, string>>
  readonly answers?: Readonly<Record<string, unknown>>
  /** Happens before the act. */
  readonly before?: (stage: Stage) => unknown
  /** The words behind `svc` of the act that prints the hint; absent: `run`. */
  readonly act?: Words | ((stage: Stage) => Words)
  /** The command has no `--json`. */
  readonly inWords?: true
  /** Does what the hint says. */
  readonly follow: (stage: Stage) => unknown
  /** What has to work then; absent: the same act. `null`: what was followed has shown it. */
  readonly works?: Words | null
  /** The rows of assets then. */
  readonly rows?: Readonly<Record<string, Rows>>
  /** Stands in what the command then prints. */
  readonly shows?: string
  /** The hint says why the warning is right, which is therefore told again. */
  readonly isToldAgain?: true
}

export type Table<Code extends string> = Readonly<Partial<Record<Code, readonly Scenario[]>>>
export type ErrorTable = Table<ErrorCode>
export type WarningTable = Table<WarningCode>

export interface CodedScenario {
  readonly kind: 'error' | 'warning'
  readonly code: string
  readonly scenario: Scenario
}

/** Plays a scenario; throws if the hint is not printed, or does not lead to what it promises. */
export async function play({ kind, code, scenario }: CodedScenario): Promise<void> {
  const stage = await openStage(scenario)
  try {
    await scenario.before?.(stage)
    const act = actOf(scenario, stage)
    const said = await stage.svc(scenario.inWords === true ? act : [...act, '--json'])
    expectHint(said, code, scenario)
    expect(said.code, allOf(said)).toBe(kind === 'error' ? errorCodes[code as ErrorCode] : 0)
    await scenario.follow(stage)
    await expectPromised(stage, code, scenario, act)
  } finally {
    stage.dispose()
    for (const act of stage.ends) await act()
  }
}

async function openStage({
  files = {},
  env = {},
  answers = {},
}: Scenario): Promise<Stage & { readonly ends: readonly (() => unknown)[] }> {
  const server = await startRestServer()
  const ground = createGround({})
  let ahead = 0
  const ends: (() => unknown)[] = [() => server.close()]
  const stage: Stage & { readonly ends: readonly (() => unknown)[] } = {
    ...ground,
    ends,
    atEnd: act => void ends.push(act),
    server,
    env: { ...env },
    notes: {},
    clock: hours => {
      ahead = hours * 3_600_000
    },
    write: (path, text) =>
      ground.write(path, typeof text === 'string' ? text.replaceAll('<origin>', server.origin) : text),
    svc: words =>
      ground.line(wordsOf(words), {
        env: stage.env,
        ...(ahead !== 0 && { now: () => new Date(Date.now() + ahead) }),
      }),
    works: async words => {
      const said = await stage.svc(words)
      expect(said.code, allOf(said)).toBe(0)
      return said
    },
    read: path => readFileSync(join(ground.root, path), 'utf8'),
    edit(path, from, to) {
      const text = stage.read(path)
      expect(text).toContain(from.replaceAll('<origin>', server.origin))
      stage.write(path, text.replace(from.replaceAll('<origin>', server.origin), to))
    },
    answer(path, answer) {
      const handler: RestHandler =
        typeof answer === 'function'
          ? (answer as RestHandler)
          : (_request, response) => sendJson(response, answer)
      server.route(path, handler)
    },
    sql: (...statements) => changeWarehouse(ground.root, statements),
  }
  for (const [path, text] of Object.entries({ 'svc.yaml': 'name: shop\n', ...files })) stage.write(path, text)
  for (const [path, answer] of Object.entries(answers)) stage.answer(path, answer)
  return stage
}

async function changeWarehouse(root: string, statements: readonly string[]): Promise<void> {
  const warehouse = await openWarehouse('duckdb:./warehouse.duckdb', { root, project: 'shop' })
  const session = await warehouse.open('write')
  try {
    await session.execute(statements)
  } finally {
    await session.close()
  }
}

function actOf({ act = 'run' }: Scenario, stage: Stage): readonly string[] {
  return wordsOf(typeof act === 'function' ? act(stage) : act)
}

function wordsOf(words: Words): readonly string[] {
  return typeof words === 'string' ? words.split(' ') : words
}

const allOf = ({ stdout, stderr }: Said) => `${stdout}\n${stderr}`

interface Told {
  readonly code: string
  readonly hint: string
}

/** The hint stands there, with its code. */
function expectHint(said: Said, code: string, { hint, inWords }: Scenario): void {
  expectNoStack(said)
  const wanted = pattern(hint)
  if (inWords === true) {
    expect(allOf(said).replace(/\s+/g, ' ')).toMatch(wanted)
  } else {
    const told = toldIn(said).filter(each => each.code === code)
    expect(
      told.map(each => each.hint).filter(text => wanted.test(text)),
      allOf(said),
    ).not.toEqual([])
  }
}

/** The promised state: the command works, tells no more of it, and the rows are there. */
async function expectPromised(
  stage: Stage,
  code: string,
  scenario: Scenario,
  act: readonly string[],
): Promise<void> {
  if (scenario.works !== null) {
    const words = scenario.works === undefined ? act : wordsOf(scenario.works)
    const said = await stage.works(scenario.inWords === true ? words : [...words, '--json'])
    const again = scenario.inWords === true ? [] : toldIn(said).filter(each => each.code === code)
    if (scenario.isToldAgain !== true) expect(again, allOf(said)).toEqual([])
    if (scenario.shows !== undefined) expect(allOf(said)).toContain(scenario.shows)
  }
  for (const [asset, rows] of Object.entries(scenario.rows ?? {})) {
    const sample = await stage.works(['sample', asset, '--json', '--limit', '100'])
    expect((JSON.parse(sample.stdout) as { rows: Rows }).rows).toEqual(rows)
  }
}

function pattern(hint: string): RegExp {
  const literal = hint
    .split('…')
    .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^]*')
  return new RegExp(literal)
}

/** Every code with its hint in the JSON that a command has printed. */
function toldIn({ stdout }: Said): readonly Told[] {
  const found: Told[] = []
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { code, hint } = value as Partial<Told>
    if (typeof code === 'string') found.push({ code, hint: hint ?? '' })
    for (const member of Object.values(value)) look(member)
  }
  look(stdout.trim() === '' ? {} : JSON.parse(stdout))
  return found
}

/** Where and how svc is started: folders that are no project, streams that are closed, screens that are too small. */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { runCommandLine } from '../../../cli/commands/run-command-line.ts'
import { realWorld } from '../../../cli/commands/world.ts'
import { displayWidth } from '../../../cli/render/width.ts'
import { svcLauncher } from '../../support/cli.ts'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'
import { shop } from '../shop-project.ts'
import { expectNoStack, expectRefusal } from './command-line.ts'

const made: ProjectHere[] = []

function project(files: Readonly<Record<string, string>> = shop): ProjectHere {
  const one = createProjectHere(files)
  made.push(one)
  return one
}

afterEach(() => {
  for (const one of made.splice(0)) one.dispose()
})

describe('outside a project', () => {
  it('every command that needs one says so, and makes nothing', async () => {
    const one = project({})
    mkdirSync(join(one.root, 'empty/models'), { recursive: true })
    const words = [['plan'], ['run'], ['validate'], ['status'], ['sample', 'x'], ['versions', 'x'], ['test']]
    for (const line of [
      ...words,
      ['rollback'],
      ['freshness'],
      ['manifest'],
      ['doctor'],
      ['create', 'asset', 'x'],
    ]) {
      const said = await one.svc(line, { cwd: 'empty' })
      expectNoStack(said)
      expect(said.code, line.join(' ')).toBe(2)
      expect(said.stdout + said.stderr).toContain('no project here')
      expect((said.stdout + said.stderr).replace(/\s+/g, ' ')).toContain('svc init')
    }
  })

  it('in a folder that is gone', async () => {
    const one = project({ 'gone/x': '' })
    const through = ['bash', '-c', 'rm -rf ../gone; exec "$@"', '-']
    const said = await one.svc(['status'], { cwd: 'gone', through })
    expectNoStack(said)
    expect(said.code).not.toBe(0)
    expect(said.stderr).toMatch(/folder|directory|project/)
  })
})

describe('streams', () => {
  const closings: readonly (readonly [string, string])[] = [
    ['stdin is closed', 'exec "$@" <&-'],
    ['stdout is closed', 'exec "$@" >&-'],
    ['stderr is closed', 'exec "$@" 2>&-'],
    ['all are closed', 'exec "$@" <&- >&- 2>&-'],
    ['stdout is full', 'exec "$@" >/dev/full'],
  ]
  it.each(closings)('%s', async (what, script) => {
    const one = project()
    const through = ['bash', '-c', script, '-']
    for (const words of [['validate'], ['run'], ['status', '--format', 'json'], ['--help'], ['--version']]) {
      const said = await one.svc(words, { through })
      expectNoStack(said)
      const isFull = what === 'stdout is full'
      expect(isFull ? [0, 3] : [0], `${words.join(' ')} ${said.stderr}`).toContain(said.code)
    }
    // Whatever could be printed, what was to be done is done.
    expect((await one.svc(['sample', 'orders', '--json'])).code).toBe(0)
  })

  it('a reader that goes away is no error', async () => {
    const one = project()
    const code = await new Promise(resolve => {
      const child = spawn(process.execPath, [svcLauncher, 'schema'], {
        cwd: one.root,
        env: { PATH: process.env['PATH'] ?? '', HOME: one.root },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      child.stdout.once('data', () => child.stdout.destroy())
      child.on('close', resolve)
    })
    expect(code).toBe(0)
  })
})

const broken = {
  ...shop,
  'models/orders.svc': `name: orders
ingest: {type: file, endpoint: data, resource: "*.csv"}
transform: |
  SELECT id, custmer_id AS customer_id, 'a very long text that no narrow terminal can hold' AS note, amount, day FROM {{ source }}
`,
}

describe('screens', () => {
  it.each([1, 20, 40, 300])('%i columns wide', async columns => {
    const one = project(broken)
    for (const words of [
      ['validate'],
      ['plan'],
      ['run', 'customers'],
      ['status'],
      ['sample', 'customers'],
      ['--help'],
      ['run', '--help'],
      ['nonsense'],
    ]) {
      const { code, text } = await onTerminal(one.root, words, columns)
      expect(code, words.join(' ')).not.toBe(70)
      expect(text.length).toBeGreaterThan(0)
      // What is redrawn may never be wider than the screen: it could not be erased.
      for (const line of redrawn(text))
        expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(columns - 1, 1))
    }
  })

  it('colours only where they are wanted', async () => {
    const one = project(broken)
    const coloured = await onTerminal(one.root, ['validate'], 80)
    expect(coloured.text).toContain('\u001b[31m')
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
      expect((await onTerminal(one.root, ['validate'], 80, env)).text).not.toMatch(/\[\d+m/)
    }
    expect((await onTerminal(one.root, ['validate', '--no-color'], 80)).text).not.toMatch(/\[\d+m/)
    expect((await one.alone(['validate'])).stdout).not.toMatch(/\[\d+m/)
    expect((await one.alone(['validate'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })).stdout).not.toMatch(
      /\[\d+m/,
    )
  })

  it('what files and servers say never moves the cursor', async () => {
    const evil = '\u001b[2J\u001b]0;title\u0007\u001b[1A'
    const one = project({
      'svc.yaml': 'name: evil\n',
      'models/a.svc': `name: a\ningest: {type: rows, rows: [{id: 1, text: ${JSON.stringify(evil)}}]}\ntransform: SELECT id, text FROM {{ source }}\ntests: [{accepted_values: {text: [x]}}]\n`,
      'models/b.svc': `name: b\ningest: none\nowner: ${JSON.stringify(evil)}\ntransform: SELECT ${JSON.stringify(evil)} AS x\n`,
    })
    for (const words of [
      ['validate'],
      ['run', 'a'],
      ['sample', 'a'],
      ['inspect', 'b'],
      ['run', evil],
      ['inspect', evil],
      [evil],
    ]) {
      const said = await one.svc(words)
      expectNoStack(said)
      expect(said.stdout + said.stderr, words.join(' ')).not.toContain('\u001b')
      expect(said.stdout + said.stderr).not.toContain('\u0007')
    }
  })
})

describe('languages, zones and clocks', () => {
  it('change nothing in what is computed', async () => {
    const one = project({
      ...shop,
      'models/times.svc': `name: times
ingest: {type: rows, rows: [{id: 1, seen: "2026-03-29T01:30:00Z", on: "2026-10-25", price: "1,5"}]}
transform: SELECT id, seen, CAST(seen AS TIMESTAMP) AS t, CAST("on" AS DATE) AS d, lower('I') AS i, price FROM {{ source }}
`,
    })
    const places = [
      {},
      { TZ: 'Pacific/Kiritimati' },
      { TZ: 'America/St_Johns', LANG: 'C', LC_ALL: 'C' },
      { TZ: 'Nonsense/Nowhere', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
    ]
    const samples: string[] = []
    const plans: string[] = []
    for (const env of places) {
      const run = await one.alone(['run'], { env })
      expectNoStack(run)
      expect(run.code, run.stderr).toBe(0)
      samples.push((await one.alone(['sample', 'times', '--json'], { env })).stdout)
      plans.push(
        (await one.alone(['plan', '--json', '--offline'], { env })).stdout.replace(
          /"(run_?\w*|at|\w+_at)": .*/g,
          '',
        ),
      )
    }
    expect(new Set(samples).size).toBe(1)
    expect(plans[0]).toContain('"reused"')
    expect(new Set(plans).size).toBe(1)
  })

  it('a clock that goes backwards confuses nobody', async () => {
    const one = project()
    let time = Date.parse('2026-06-01T12:00:00Z')
    const line = async (...words: string[]) => {
      let stdout = ''
      let stderr = ''
      const now = () => new Date(time)
      let runs = 0
      const world = {
        ...realWorld(),
        cwd: one.root,
        env: {},
        now,
        newRunId: () => `r${time}${runs++}`.slice(-10),
      }
      const sink = (add: (text: string) => void) => ({ write: add })
      const code = await runCommandLine(words, {
        version: '0.0.0',
        world,
        signal: new AbortController().signal,
        out: sink(text => {
          stdout += text
        }),
        err: sink(text => {
          stderr += text
        }),
      })
      expectNoStack({ code, stdout, stderr })
      return { code, stdout, stderr }
    }
    const orders = shop['models/orders.svc'] ?? ''
    expect((await line('run')).code).toBe(0)
    for (const [days, more] of [
      [-40, 1],
      [-80, 2],
      [10, 3],
    ] as const) {
      time += days * 86_400_000
      one.write('models/orders.svc', orders.replace('amount, day', `amount, day, ${more} AS more`))
      const said = await line('run')
      expect(said.code, said.stderr).toBe(0)
      const { rows } = JSON.parse((await line('sample', 'orders', '--json')).stdout) as {
        rows: { more: number }[]
      }
      expect(rows[0]?.more).toBe(more)
      expect((await line('status')).code).toBe(0)
      expect((await line('versions', 'orders')).code).toBe(0)
    }
    const back = await line('rollback')
    expect(back.code, back.stderr).toBe(0)
    const { rows } = JSON.parse((await line('sample', 'orders', '--json')).stdout) as {
      rows: { more: number }[]
    }
    expect(rows[0]?.more).toBe(2)
    expectNoStack(await line('freshness'))
    expectRefusal(await line('versions', 'nothing'), 2, 'no asset is called "nothing"')
  })
})

interface Screen {
  readonly code: number
  readonly text: string
}

async function onTerminal(
  root: string,
  words: readonly string[],
  columns: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Screen> {
  let text = ''
  const sink = {
    isTTY: true,
    columns,
    rows: 10,
    write: (more: string) => {
      text += more
    },
  }
  const world = { ...realWorld('tests'), cwd: root, env }
  const code = await runCommandLine(words, {
    version: '0.0.0',
    world,
    signal: new AbortController().signal,
    out: sink,
    err: sink,
  })
  return { code, text }
}

/** The cursor goes up so many lines. */
const up = '\u001b\\[\\d+A'

/** Lines that the next frame erases: those behind which the cursor goes up again. */
function redrawn(text: string): string[] {
  const frames = text.split(new RegExp(`(?=${up})`))
  return frames.flatMap((frame, index) => {
    const erased = Number(/\d+/.exec(new RegExp(`^${up}`).exec(frames[index + 1] ?? '')?.[0] ?? '0')?.[0])
    const lines = frame.split('\n')
    return lines
      .slice(Math.max(0, lines.length - 1 - erased), -1)
      .map(line => line.replace(new RegExp(`^${up}\u001b\\[0J`), ''))
  })
}

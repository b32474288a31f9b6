/** What the tab key offers: by the rules alone, and through the shells that are installed here. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { complete } from '../../cli/commands/complete.ts'
import { completionScripts } from '../../cli/commands/completion-scripts.ts'
import { completionFacts } from '../../cli/engine/workspace/completion-facts.ts'
import { buildCommand, svcLauncher } from '../support/cli.ts'
import { createGround, expectRefusal, type Ground } from './bad-input/command-line.ts'
import { shop } from './shop-project.ts'

let ground: Ground
let bin = ''

beforeAll(async () => {
  buildCommand()
  ground = createGround({
    ...shop,
    'svc.yaml': 'name: shop\nvars: {smallest: 0}\nenvironments: {staging: {}}\n',
  })
  expect((await ground.line(['run'], { program: 'svc test' })).code).toBe(0)
  ground.write('models/brand_new.svc', 'name: brand_new\ningest: none\ntransform: SELECT 1 AS id\n')
  bin = join(ground.root, '.bin')
  mkdirSync(bin)
  symlinkSync(svcLauncher, join(bin, 'svc'))
})

afterAll(() => ground.dispose())

const offered = (...words: string[]) =>
  complete(words, completionFacts(ground.root)).map(({ value }) => value)

describe('the words after svc', () => {
  it.each([
    [['ro'], ['rollback']],
    [['create', ''], ['asset']],
    [
      ['asset', 's'],
      ['status', 'sample'],
    ],
    [['help', 'vers'], ['versions']],
    [['nonsense', ''], []],
    [['sample', 'or'], ['orders']],
    [['sample', 'brand'], ['brand_new']],
    [
      ['sample', 'orders', '--source', ''],
      ['raw', 'model', 'view'],
    ],
    [['sample', 'orders', '--source=m'], ['--source=model']],
    [['sample', 'orders', 'x', ''], []],
    [
      ['run', '--env', ''],
      ['dev', 'prod', 'staging'],
    ],
    [['run', '--env', 'prod', '--env'], []],
    [
      ['run', '--no-'],
      ['--no-ingest', '--no-color'],
    ],
    [['run', '+dai'], ['+daily_sales']],
    [
      ['run', 'orders,@b'],
      ['orders,@best_customers', 'orders,@brand_new'],
    ],
    [['run', 'tag:'], ['tag:core']],
    [['run', '+exposure:B'], ['+exposure:Board']],
    [['run', 'st'], ['state:']],
    [
      ['run', 'state:'],
      ['state:modified', 'state:new'],
    ],
    [['run', '-s', '2+or'], ['2+orders']],
    [['run', '--exclude', 'path:models/m'], ['path:models/marts']],
    [['rollback', 'orders,cus'], ['orders,customers']],
    [['validate', ''], [':files']],
    [['schema', 'man'], ['manifest']],
    [['completion', 'z'], ['zsh']],
    [['explain', 'ingest.au'], ['ingest.auth']],
    [['explain', 'warehouse-l'], ['warehouse-locked']],
    [['--no-color', 'stat'], ['status']],
  ])('%j', (words, expected) => {
    expect(offered(...words)).toEqual(expected)
  })

  it('every command, every option of a command, and the ids of runs', () => {
    expect(offered('')).toEqual(expect.arrayContaining(['init', 'run', 'asset', 'completion', '--help']))
    expect(offered('plan', '--')).toEqual(expect.arrayContaining(['--env', '--offline', '--json', '--help']))
    expect(offered('logs', '')).toHaveLength(1)
    expect(offered('sample', 'orders', '--run', '')).toEqual(offered('logs', ''))
  })

  it('outside a project the commands are still offered', () => {
    const facts = completionFacts('/')
    expect(complete(['run', '--env', 'p'], facts)).toEqual([{ value: 'prod', says: 'environment' }])
    expect(complete(['sample', ''], facts)).toEqual([])
  })
})

describe('svc completion', () => {
  it('prints a script for each shell', async () => {
    for (const [shell, script] of Object.entries(completionScripts))
      expect((await ground.line(['completion', shell])).stdout).toBe(script)
    expectRefusal(await ground.line(['completion', 'bsh']), 2, 'did you mean "bash"?')
    expectRefusal(await ground.line(['completion', 'constructor']), 2, 'no completion for')
  })

  it('answers a shell in words and descriptions, also to nonsense', async () => {
    const said = await ground.line(['__complete', '--', 'roll'])
    expect(said).toEqual({ code: 0, stdout: 'rollback\tproduction as it was before\n', stderr: '' })
    expect((await ground.line(['__complete'])).code).toBe(0)
    expect((await ground.line(['__complete', '--', '--env', '--', '\u0000'])).code).toBe(0)
  })
})

function has(shell: string): boolean {
  const found = spawnSync(shell, ['-c', 'true']).status === 0
  if (!found) console.log(`${shell} is not installed here: its completion is not tried`)
  return found
}

function inShell(shell: string, script: string, env: Readonly<Record<string, string>> = {}): string[] {
  const path = `${bin}:${process.env['PATH'] ?? ''}`
  const result = spawnSync(shell, ['-c', script], {
    cwd: ground.root,
    encoding: 'utf8',
    env: { PATH: path, HOME: ground.root, ...env },
  })
  expect(result.stderr).toBe('')
  return result.stdout.split('\n').filter(Boolean)
}

describe.runIf(has('bash'))('bash', () => {
  const tab = (line: string) =>
    inShell(
      'bash',
      `source <(svc completion bash)
      COMP_LINE="$LINE" COMP_POINT=\${#LINE} COMP_TYPE=9
      $(complete -p svc | sed -E 's/.*-F ([^ ]+).*/\\1/') svc "" ""
      printf '%s\\n' "\${COMPREPLY[@]}"`,
      { LINE: line },
    )

  it.each([
    ['svc ro', ['rollback']],
    ['svc run +dai', ['+daily_sales']],
    ['svc run --env ', ['dev', 'prod', 'staging']],
    // Bash itself keeps what stands before the last colon.
    ['svc run +tag:co', ['core']],
    ['svc sample orders --source=m', ['model']],
    ['svc validate mod', ['models']],
    ['svc sample orders x', []],
  ])('%s', (line, expected) => {
    expect(tab(line)).toEqual(expected)
  })

  it('names with spaces in the folder do no harm', () => {
    writeFileSync(join(ground.root, 'mod el'), '')
    expect(tab('svc validate mod')).toEqual(expect.arrayContaining(['models', 'mod el']))
  })
})

describe.runIf(has('zsh'))('zsh', () => {
  it('completes', () => {
    const script = `autoload -U compinit; compinit -u -D; _describe() { print -l -- "\${(@P)2}" }
      source <(svc completion zsh)
      words=(svc run +dai); CURRENT=3; _svc`
    expect(inShell('zsh', script)).toEqual(['+daily_sales:asset'])
  })
})

describe.runIf(has('fish'))('fish', () => {
  it('completes', () => {
    const lines = inShell('fish', `svc completion fish | source; complete -C 'svc run +dai'`)
    expect(lines).toEqual(['+daily_sales\tasset'])
  })
})

/** Every option of every command, given wrongly. The options come from the commands' own descriptions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Command, globalOptions } from '../../../cli/commands/command.ts'
import { allCommands } from '../../../cli/commands/index.ts'
import type { OptionHelp } from '../../../cli/render/help.ts'
import { shop } from '../shop-project.ts'
import { createGround, expectNoStack, expectRefusal, type Ground } from './command-line.ts'

let ground: Ground

beforeAll(async () => {
  ground = createGround(shop, { program: 'tests' })
  expect((await ground.line(['run'])).code).toBe(0)
})

afterAll(() => ground.dispose())

/** The command with what it cannot do without. */
function wordsOf(command: Command): string[] {
  const needed = command.arguments.filter(argument => argument.required).map(() => 'orders')
  return [...command.name.split(' '), ...needed]
}

const wrongCounts = ['-1', '0', '1.5', '1e3', '0x10', '١', 'many', 'NaN', 'Infinity', '9'.repeat(30)]

function isCount(option: OptionHelp): boolean {
  return option.value === 'number' && option.name !== 'port'
}

const wrongPorts = wrongCounts.filter(wrong => wrong !== '0')

/** Given all that they need, these go on until somebody ends them. */
function serves({ name }: Command): boolean {
  return name === 'ui' || name === 'lineage' || name === 'mcp'
}

describe.each(allCommands.map(command => [command.name, command] as const))('svc %s', (_name, command) => {
  const valued = command.options.filter(option => option.value !== undefined && option.valueOptional !== true)
  const flags = [...command.options, ...globalOptions].filter(option => option.value === undefined)

  it('refuses an option that it does not have', async () => {
    for (const option of ['--nonsense', '-z', '--', '---', '-']) {
      // To svc fmt it is stdin, which here is that of the tests; test/cli/fmt.test.ts has it.
      if (command.name === 'fmt' && option === '-') continue
      // Nothing stands behind it.
      if (serves(command) && option === '--') continue
      const words = [...wordsOf(command), option]
      const said = await ground.line(words)
      expectNoStack(said)
      if (option === '--nonsense' || option === '-z') {
        expectRefusal(said, 2, `svc ${command.name} has no option "${option}"`)
      }
    }
  })

  it.each(valued.map(option => [option.name, option] as const))(
    '--%s needs a value',
    async (name, option) => {
      for (const rest of [[`--${name}`], [`--${name}`, ''], [`--${name}=`], [`--${name}`, '--no-color']]) {
        expectRefusal(
          await ground.line([...wordsOf(command), ...rest]),
          2,
          `the option "--${name}" needs a value`,
          `svc ${command.name} --help lists the options.`,
        )
      }
      if (isCount(option)) {
        for (const wrong of wrongCounts) {
          const said = await ground.line([...wordsOf(command), `--${name}`, wrong])
          expectRefusal(said, 2, `--${name} takes a whole number from 1 on, not "${wrong}"`)
        }
      }
      if (name === 'port') {
        for (const wrong of [...wrongPorts, '65536']) {
          const said = await ground.line([...wordsOf(command), '--port', wrong])
          expectRefusal(said, 2, `--port takes a number from 0 to 65535, not "${wrong}"`)
        }
      }
      for (const wrong of ['constructor', '😀', "'; DROP", '../..', 'a\u001b[2Jb', 'x'.repeat(5000)]) {
        // It may name an environment, and a folder.
        if (serves(command) && wrong === 'constructor' && name !== 'port') continue
        const said = await ground.line([...wordsOf(command), `--${name}`, wrong])
        expectNoStack(said)
        if (option.choices !== undefined) expectRefusal(said, 2, `--${name} cannot be`, 'It is one of')
        expect(said.stdout + said.stderr).not.toContain('\u001b[2J')
        expect(said.stderr.length).toBeLessThan(4000)
      }
    },
  )

  it('refuses a value for a flag', async () => {
    for (const { name } of flags) {
      const said = await ground.line([...wordsOf(command), `--${name}=yes`])
      expectRefusal(said, 2, `the option "--${name}" takes no value`)
    }
  })

  it('says what it needs, and what is too much', async () => {
    const required = command.arguments.filter(argument => argument.required)
    if (required.length > 0) {
      const said = await ground.line(command.name.split(' '))
      expectRefusal(said, 2, `svc ${command.name} needs <${required[0]?.name}>`)
    }
    if (command.arguments.some(argument => argument.variadic === true)) return
    const many = [...command.name.split(' '), ...command.arguments.map(() => 'orders'), 'surplus']
    expectRefusal(await ground.line(many), 2, `svc ${command.name} does not know what to do with "surplus"`)
  })
})

describe('options that do not go together', () => {
  it.each([
    [['run', '--all', 'orders'], '--all cannot be combined with an asset selector'],
    [['preview', 'orders+', '--all'], '--all cannot be combined with an asset selector'],
    [['asset', 'run', '--all', ''], '--all cannot be combined with an asset selector'],
    [['rollback', '--all', 'orders'], '--all cannot be combined with asset names'],
    [['run', '--json', '--log-format=json'], '--json cannot be combined with --log-format json'],
    [['sample', 'orders', '--child', 'lines'], '--child needs --source raw'],
  ])('svc %j', async (words, message) => {
    expectRefusal(await ground.line(words), 2, message)
  })
})

describe('before the command', () => {
  it('says where options stand', async () => {
    const said = await ground.line(['--env', 'prod', 'run'])
    expectRefusal(said, 2, 'svc has no option "--env" before the command', 'Options go after the command')
    expectRefusal(await ground.line(['']), 2, 'svc has no command ""')
    expectRefusal(await ground.line(['x'.repeat(100_000)]), 2, 'more characters)')
    for (const word of ['constructor', '__proto__', 'toString', '\u0000', '\ud800']) {
      expectRefusal(await ground.line([word]), 2, 'svc has no command')
      expectRefusal(await ground.line(['asset', word]), 2, 'svc asset has no command')
      expectRefusal(await ground.line(['schema', word]), 2, 'no schema is called')
      expectRefusal(await ground.line(['help', word]), 2, 'svc has no command')
    }
  })
})

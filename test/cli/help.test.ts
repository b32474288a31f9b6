import { describe, expect, it } from 'vitest'
import { globalOptions } from '../../cli/commands/command.ts'
import { allCommands, assetGroup, commandSections } from '../../cli/commands/index.ts'
import { parseLine } from '../../cli/commands/options.ts'
import { SvcError } from '../../cli/engine/errors.ts'
import { renderCommandHelp, renderOverview } from '../../cli/render/help.ts'
import { createStyle } from '../../cli/render/style.ts'
import { displayWidth } from '../../cli/render/width.ts'
import { shellWords } from '../support/shell-words.ts'

const style = createStyle({ color: false, width: 80 })
const commands = commandSections.flatMap(section => section.commands)

describe('help', () => {
  it.each(commands.map(command => [command.name, command] as const))('%s', async (name, command) => {
    const lines = renderCommandHelp({ ...command, options: [...command.options, ...globalOptions] }, style)
    expect(lines.length).toBeLessThanOrEqual(40)
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(80)
    expect(command.examples).toHaveLength(2)
    expect(command.summary).toMatch(/^[A-Z].*\.$/)
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`goldens/help/${name.replace(' ', '-')}.txt`)
  })

  it('svc', async () => {
    const lines = renderOverview(commandSections, style)
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('goldens/help/svc.txt')
  })

  it('every example can be parsed', () => {
    for (const command of commands) {
      for (const { line } of command.examples) {
        const words = shellWords(line.split(/ [>|] /)[0] ?? '')
        const name = command.name.split(' ')
        expect(words.slice(0, name.length + 1)).toEqual(['svc', ...name])
        expect(() => parseLine(command, words.slice(name.length + 1))).not.toThrow()
      }
    }
  })
})

describe('the contract of the command line', () => {
  it('has the options and defaults of interface.md 4.4', () => {
    const defaults = (name: string) =>
      Object.fromEntries(
        (allCommands.find(command => command.name === name)?.options ?? []).map(option => [
          option.name,
          option.default ?? null,
        ]),
      )
    expect(defaults('sample')).toMatchObject({ limit: 10, size: null, env: 'dev', source: 'view' })
    expect(defaults('run')).toMatchObject({ env: 'dev', debug: null, 'dry-run': null, all: null })
    // How much is promoted, and over which views, is no question of a preview.
    expect({ ...defaults('preview'), promote: null, 'replace-views': null }).toEqual(defaults('run'))
    expect(defaults('rollback')).toMatchObject({ env: 'dev', all: null })
    expect(defaults('status')).toMatchObject({ format: 'table' })
    expect(defaults('plan')).toMatchObject({ env: 'dev' })
    expect(defaults('inspect')).toMatchObject({ json: null })
    expect(defaults('manifest')).toMatchObject({ json: null, update: null })
    expect(defaults('ui')).toMatchObject({ port: 3000 })
  })

  it('has dev as the environment of every command of interface.md 4.4 that has --env', () => {
    const others = allCommands.flatMap(({ name, options }) =>
      options.filter(option => option.name === 'env' && option.default !== 'dev').map(() => name),
    )
    // It has none there: without one it looks at all environments.
    expect(others).toEqual(['validate'])
  })

  it('has the group asset with the same commands', () => {
    expect(assetGroup.map(command => command.name).sort()).toEqual(
      ['rollback', 'run', 'sample', 'status', 'versions'].map(name => `asset ${name}`),
    )
    for (const command of assetGroup) {
      const alone = allCommands.find(each => `asset ${each.name}` === command.name)
      expect({ ...command, name: '' }).toEqual({ ...alone, name: '' })
    }
  })
})

describe('parsing', () => {
  const command = allCommands.find(each => each.name === 'sample')
  if (command === undefined) throw new Error('svc sample is gone')
  const messageOf = (words: string[]) => {
    try {
      parseLine(command, words)
    } catch (error) {
      return error instanceof SvcError ? `${error.code}: ${error.message}` : String(error)
    }
    return 'no error'
  }

  it('takes options anywhere, with = or a space', () => {
    const { values, options } = parseLine(command, ['--limit=3', 'x', '--env', 'prod', '--json'])
    expect(values).toEqual(['x'])
    expect(options.count('limit')).toBe(3)
    expect(options.text('env')).toBe('prod')
    expect(options.flag('json')).toBe(true)
    expect(options.flag('no-color')).toBe(false)
    expect(options.text('source')).toBe('view')
    expect(options.count('size')).toBeUndefined()
  })

  it('answers wrong usage with the nearest right name', () => {
    expect(messageOf(['x', '--limt', '3'])).toBe(
      'wrong-usage: svc sample has no option "--limt"; did you mean "--limit"?',
    )
    expect(messageOf(['x', '--source', 'veiw'])).toBe(
      'wrong-usage: --source cannot be "veiw"; did you mean "view"?',
    )
    expect(messageOf(['x', '--env'])).toBe('wrong-usage: the option "--env" needs a value')
    expect(messageOf([])).toBe('wrong-usage: svc sample needs <asset_name>: name of the asset')
    expect(messageOf(['x', 'y'])).toBe('wrong-usage: svc sample does not know what to do with "y"')
    expect(messageOf(['x'])).toBe('no error')
  })

  it('refuses numbers that are none', () => {
    for (const limit of ['0', '-1', '1.5', 'ten', '1e3', '９']) {
      const { options } = parseLine(command, ['x', `--limit=${limit}`])
      expect(() => options.count('limit')).toThrow('whole number')
    }
  })

  it('asks only for options that the command describes', () => {
    const { options } = parseLine(command, ['x'])
    expect(() => options.flag('nonsense')).toThrow('describes no option --nonsense')
    expect(options.has('debug')).toBe(false)
  })
})

import Ajv2020 from 'ajv/dist/2020.js'
import { afterEach, describe, expect, it } from 'vitest'
import { allCommands } from '../../cli/commands/index.ts'
import { outputSchemas } from '../../server/contract/index.ts'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'
import { shop } from './shop-project.ts'

const ajv = new Ajv2020({ strict: true, allErrors: true })
const projects: ProjectHere[] = []

function project(files: Readonly<Record<string, string>> = shop): ProjectHere {
  const made = createProjectHere(files)
  projects.push(made)
  return made
}

afterEach(() => {
  for (const made of projects.splice(0)) made.dispose()
})

describe('machines', () => {
  it('get one event a line, each in its schema, and nothing else on stdout', async () => {
    const made = project()
    const result = await made.alone(['run', '--log-format', 'json'])
    const events = result.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { type: string })
    const schemas = (outputSchemas['event'] as { anyOf: { properties: { type: { enum: string[] } } }[] })
      .anyOf
    for (const event of events) {
      const schema = schemas.find(each => each.properties.type.enum.includes(event.type))
      ajv.validate(schema ?? false, event)
      expect(ajv.errors ?? [], JSON.stringify(event)).toEqual([])
    }
    expect(events[0]?.type).toBe('run-started')
    expect(events.at(-1)).toMatchObject({ type: 'run-finished', status: 'deployed', promoted: true })
    expect(result).toMatchObject({ code: 0, stderr: '' })
  })

  it('get the schemas, every one of them valid', async () => {
    const made = project({})
    const names = (await made.svc(['schema', 'list'])).stdout.trim().split('\n')
    expect(names.slice(0, 2)).toEqual(['asset', 'settings'])
    for (const command of allCommands.filter(each => each.options.some(option => option.name === 'json'))) {
      expect(names).toContain(command.name.replace(/^asset /, '').replace(' ', '-'))
    }
    for (const name of ['asset', 'settings', 'plan']) {
      const { value } = await made.json(['schema', name])
      expect(() => new Ajv2020({ strict: false }).compile(value as object)).not.toThrow()
    }
    for (const schema of Object.values(outputSchemas)) expect(() => ajv.compile(schema)).not.toThrow()
  })

  it('--debug tells every statement on stderr', async () => {
    const made = project()
    const result = await made.svc(['run', 'customers', '--debug'])
    expect(result.stderr).toMatch(/^-- \d+ ms$/m)
    expect(result.stderr).toContain('SELECT id, name FROM')
    expect(result.stdout).not.toContain('SELECT')
  })
})

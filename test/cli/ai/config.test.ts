/** `svc config ai`: what it writes where, what it refuses, and which key goes where. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, describe, expect, it } from 'vitest'
import { outputSchemas } from '../../../server/contract/index.ts'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'

const key = 'sk-test-0123456789abcdef'
const files = {
  'svc.yaml': '# The shop.\nname: shop # its name\n',
  'models/a.svc': 'name: a\ningest: none\ntransform: SELECT 1 AS id\n',
}

let project: ProjectHere
afterEach(() => project?.dispose())

function open(settings = files['svc.yaml']): ProjectHere {
  project = createProjectHere({ ...files, 'svc.yaml': settings })
  return project
}

const config = (...words: string[]) => project.svc(['config', 'ai', ...words])
const globalPath = () => join(project.root, '.svc', 'config')
const settings = () => readFileSync(join(project.root, 'svc.yaml'), 'utf8')

describe('svc config ai', () => {
  it('keeps a key in the file of the home, which only its owner reads', async () => {
    open()
    const saved = await config('--provider', 'openai', '--model', 'm1', '--api-key', key)
    expect(saved.code, saved.stderr).toBe(0)
    expect(saved.stdout + saved.stderr).not.toContain(key)
    expect(readFileSync(globalPath(), 'utf8')).toBe(
      `ai:\n  provider: openai\n  model: m1\n  api_key: ${key}\n`,
    )
    expect(statSync(globalPath()).mode & 0o777).toBe(0o600)
    expect(settings()).toBe(files['svc.yaml'])
    const shown = await project.json(['config', 'ai', '--json'])
    const ajv = new Ajv2020({ strict: false })
    expect(ajv.validate(outputSchemas['config-ai'] ?? false, shown.value), ajv.errorsText()).toBe(true)
    expect(shown.value).toEqual({
      saved_to: null,
      provider: 'openai',
      model: 'm1',
      endpoint: null,
      api_key: { from: '~/.svc/config', says: 'a key', is_set: true },
    })
  })

  it('keeps comments of svc.yaml, and forgets what belongs to another provider', async () => {
    open()
    expect((await config('--project', '--provider', 'ollama', '--model', 'm1')).code).toBe(0)
    expect(settings()).toBe('# The shop.\nname: shop # its name\nai:\n  provider: ollama\n  model: m1\n')
    expect((await config('--project', '--endpoint', 'http://127.0.0.1:1')).code).toBe(0)
    expect((await config('--project', '--model', 'm2')).code).toBe(0)
    expect(settings()).toContain('  model: m2\n  endpoint: "http://127.0.0.1:1"\n')
    expect((await config('--project', '--provider', 'gemini', '--api-key', 'env:K')).code).toBe(0)
    expect(settings()).toBe(
      '# The shop.\nname: shop # its name\nai:\n  provider: gemini\n  api_key: "env:K"\n',
    )
  })

  it('changes a mapping on one line, and an empty one', async () => {
    open('name: shop\nai: {provider: ollama, model: a} # local\n')
    expect((await config('--project', '--model', 'b, c')).code).toBe(0)
    expect(settings()).toBe('name: shop\nai: {provider: ollama, model: "b, c"} # local\n')
    project.dispose()
    open('name: shop\nai:\n')
    expect((await config('--project', '--provider', 'ollama')).code).toBe(0)
    expect(settings()).toBe('name: shop\nai:\n  provider: ollama\n')
  })

  it.each([
    [['--provider', 'opnai'], /did you mean "openai"/],
    [['--project', '--provider', 'openai', '--api-key', key], /does not go into svc.yaml/],
    [['--global', '--project', '--model', 'x'], /cannot be combined/],
    [['--project'], /there is nothing to save/],
    [['--model', 'x'], /no provider is chosen there yet/],
    [['--provider', 'ollama', '--endpoint', 'localhost:11434'], /begins with https/],
    [['--provider', 'openai', '--api-key', 'env:1 2'], /env: is followed by/],
    [['--provider', 'openai', '--model', ''], /needs a value/],
  ])('refuses %j and writes nothing', async (words, reason) => {
    open()
    const { code, stdout, stderr } = await config(...words)
    expect(code).toBe(2)
    expect(stderr.replace(/\s+/g, ' ')).toMatch(reason)
    expect(stdout + stderr).not.toContain(key)
    expect(settings()).toBe(files['svc.yaml'])
    expect(existsSync(globalPath())).toBe(false)
  })

  it('names the mistake in a file that somebody else wrote', async () => {
    open()
    project.write('.svc/config', 'ai: {provider: ollama, modle: x}\n')
    const { code, stderr } = await config()
    expect(code).toBe(2)
    expect(stderr).toContain('modle')
    expect(stderr).toContain('config:1:')
  })
})

describe('what is missing', () => {
  const explain = (env: Readonly<Record<string, string>> = {}) => project.svc(['ai', 'explain', 'a'], { env })

  it.each([
    ['', 2, /no language model is configured/],
    ['ai: {provider: openai}\n', 2, /no model of openai is chosen/],
    ['ai: {provider: openai, model: m}\n', 3, /no key for openai.*OPENAI_API_KEY/],
    ['ai: {provider: gemini, model: m, api_key: env:NOT_THERE}\n', 3, /NOT_THERE is not set/],
    [
      'ai: {provider: transformers, model: m}\n',
      3,
      /needs the package @huggingface\/transformers.*npm install/,
    ],
    ['ai: {provider: openai, model: m, api_key: plain-text}\n', 2, /in svc.yaml a key is env:NAME/],
  ])('is told in one line: %s', async (ai, exitCode, words) => {
    open(`${files['svc.yaml']}${ai}`)
    const { code, stderr } = await explain()
    expect(code, stderr).toBe(exitCode)
    expect(stderr.replace(/\s+/g, ' ')).toMatch(words)
  })

  it("never lets a project's address have the user's own key", async () => {
    open(`${files['svc.yaml']}ai: {endpoint: "http://127.0.0.1:9"}\n`)
    project.write('.svc/config', `ai: {provider: openai, model: m, api_key: ${key}}\n`)
    const { code, stderr } = await explain({ OPENAI_API_KEY: key })
    expect(code).toBe(2)
    expect(stderr.replace(/\s+/g, ' ')).toContain('svc.yaml names an endpoint of its own and no key for it')
  })

  it.each([
    ["a provider's variable", 'openai', 'OPENAI_API_KEY', ''],
    ['that of another provider', 'openai', 'anthropic_api_key', ''],
    ['that of another program of a provider', 'gemini', 'GOOGLE_API_KEY', ''],
    ['one beside a provider that needs no key', 'ollama', 'OPENAI_API_KEY', ''],
    [
      'the variable of your own file',
      'openai',
      'MY_KEY',
      'ai: {provider: anthropic, model: m, api_key: env:MY_KEY}\n',
    ],
    ['another name of the same key', 'openai', 'COPY', ''],
  ])('nor the key of %s, though svc.yaml names it', async (_, provider, variable, own) => {
    open(
      `${files['svc.yaml']}ai: {provider: ${provider}, model: m, endpoint: "http://127.0.0.1:9", api_key: env:${variable}}\n`,
    )
    if (own !== '') project.write('.svc/config', own)
    const { code, stdout, stderr } = await explain({ [variable]: key, OPENAI_API_KEY: key })
    expect(code, stdout + stderr).toBe(2)
    const told = stderr.replace(/\s+/g, ' ')
    expect(told).toContain(`svc.yaml would send your own key (${variable}) to an endpoint of its own`)
    expect(told).toContain('svc config ai --provider')
    expect(told).not.toContain(key)
  })

  it('but a key that was made for it, and your own where your own file has that address', async () => {
    const ai = (name: string) =>
      `${files['svc.yaml']}ai: {provider: openai, model: m, endpoint: "http://127.0.0.1:9/", api_key: env:${name}}\n`
    open(ai('SHOP_MODEL_KEY'))
    const shop = await explain({ SHOP_MODEL_KEY: 'sk-shop', OPENAI_API_KEY: key })
    expect(shop.code, shop.stderr).not.toBe(2)
    project.dispose()
    open(ai('OPENAI_API_KEY'))
    project.write('.svc/config', 'ai: {provider: openai, model: x, endpoint: "http://127.0.0.1:9"}\n')
    const own = await explain({ OPENAI_API_KEY: key })
    expect(own.code, own.stderr).not.toBe(2)
  })
})

/** Shapes of secrets. Their key-based kin are in specs/hard-coded-credentials.md. */
import { checkProject } from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { blocksOf } from '../../cli/engine/artifacts/blocks.ts'
import { renderDiagnostics } from '../../cli/render/diagnostics.ts'
import { createStyle } from '../../cli/render/style.ts'
import { findCredentials, maskCredentials } from '../../server/language/checks/credentials.ts'
import { projectOf } from '../support/spec-project.ts'

const path = 'models/orders.svc'

// Put together here so that no scanner takes this file for a leak.
const shapes: Readonly<Record<string, string>> = {
  aws: `AKIA${'IOSFODNN7ABCDEFG'}`,
  github: `ghp_${'a1B2'.repeat(9)}`,
  githubFineGrained: `github_pat_${'11ABCDEFG0'.repeat(4)}`,
  gitlab: `glpat-${'x9Y8'.repeat(5)}`,
  slack: `xoxb-${'123456789012'}-${'abcDEF123'}`,
  stripe: `sk_live_${'4eC39HqLyjWDarjtT1'}`,
  openAi: `sk-${'proj-Ab3dEf6hIj9kLmN0pQrS'}`,
  google: `AIza${'SyA1234567890abcdefghijklmnopqrstuv'}`,
  jwt: `eyJ${'hbGciOiJIUzI1NiJ9'}.${'eyJzdWIiOiIxMjM0NTY3ODkwIn0'}.${'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P'}`,
}

function diagnose(text: string) {
  const diagnostics = checkProject(projectOf(new Map([[path, text]])), undefined).get(path) ?? []
  return diagnostics.filter(diagnostic => diagnostic.code === 'hard-coded-credentials')
}

const asset = (line: string) => `name: orders\n${line}\ningest: none\ntransform: SELECT 1 AS id\n`

describe('hard-coded-credentials', () => {
  it.each(Object.entries(shapes))(
    'finds a secret of shape %s anywhere and never repeats it',
    (_name, secret) => {
      for (const line of [`# old: ${secret}`, `description: "use ${secret} for now"`]) {
        const text = asset(line)
        const [found, ...rest] = diagnose(text)
        expect(rest).toEqual([])
        expect(found && text.slice(found.range.start, found.range.end)).toBe(secret)
        expect(JSON.stringify(found)).not.toContain(secret)
      }
    },
  )

  it.each([
    ['a Python block', 'transform:\n  python: |\n    def transform(svc):\n        password = "hunter2x"\n'],
    ['a keyword of Python', "transform:\n  python: |\n    open(user='a', api_key='hunter2x')\n"],
    ['a comment of SQL', "transform: |\n  -- the old password = 'hunter2x'\n  SELECT 1\n"],
    ['a long comment of SQL', 'transform: |\n  /* token: "hunter2x" */\n  SELECT 1\n'],
    ['a comment below a pattern', "tags: [data/*.csv]\ntransform: |\n  -- token: 'hunter2x'\n  SELECT 1\n"],
  ])('finds a quoted password in %s', (_, block) => {
    const text = `name: orders\ningest: none\n${block}`
    const [found, ...rest] = diagnose(text)
    expect(rest).toEqual([])
    expect(found && text.slice(found.range.start, found.range.end)).toBe('hunter2x')
  })

  it.each([
    "transform: |\n  SELECT 1 AS id WHERE token = 'abcdef'\n",
    'transform: |\n  -- the token: see the wiki\n  SELECT 1\n',
    'transform:\n  python: |\n    password = svc.secret("NAME")\n    token_url = "https://example.com"\n',
  ])('takes no column, prose or name of a secret for one', block => {
    expect(diagnose(`name: orders\ningest: none\n${block}`)).toEqual([])
  })

  it('looks through a text with thousands of beginnings of comments once', () => {
    const text = `token: x\n${'/* '.repeat(300_000)}`
    const start = performance.now()
    expect(findCredentials(text, undefined)).toEqual([])
    expect(performance.now() - start).toBeLessThan(5000)
  })

  it('finds a private key in several lines', () => {
    const [found] = diagnose(
      asset('description: |\n  -----BEGIN PRIVATE KEY-----\n  MIIE\n  -----END PRIVATE KEY-----'),
    )
    expect(found?.message).toContain('a private key')
  })

  it('hides the secret in what other checks say of it', () => {
    const text =
      'name: orders\ningest: {type: rest_api, endpoint: "x", resource: y, auth: {type: bearer, token: [hunter2]}}\ntransform: SELECT 1\n'
    const found = checkProject(projectOf(new Map([[path, text]])), undefined).get(path) ?? []
    expect(found.map(diagnostic => diagnostic.code)).toContain('hard-coded-credentials')
    expect(JSON.stringify(found)).not.toContain('hunter2')
  })

  it('is shown beside its line without the secret, and so are its neighbours', () => {
    const text =
      'name: orders\ningest: {type: rest_api, endpoint: https://x.org, resource: y, credentials: hunter2, colour: red}\ntransform: SELECT 1 FROM {{ source }}\n'
    const found = checkProject(projectOf(new Map([[path, text]])), undefined).get(path) ?? []
    expect(found.map(diagnostic => diagnostic.code)).toEqual(['hard-coded-credentials', 'unknown-key'])
    const lines = renderDiagnostics(found, () => text, createStyle({ color: false, width: 120 }))
    expect(lines.join('\n')).toContain('credentials: *******, colour')
    expect(lines.join('\n')).not.toContain('hunter2')
  })

  it('is in no block that is written to a file', () => {
    const text =
      'name: orders\ningest: {type: rest_api, endpoint: "https://bob:hunter2@x.org", resource: y, credentials: hunter3, auth: {type: basic, username: env:USER, password: 4711}}\ntransform: SELECT 1 FROM {{ source }}\n'
    const asset = projectOf(new Map([[path, text]])).assets.get(path)
    expect(asset && blocksOf(asset)).toEqual({
      name: 'orders',
      ingest: {
        type: 'rest_api',
        endpoint: 'https://bob:***@x.org',
        resource: 'y',
        credentials: '***',
        auth: { type: 'basic', username: 'env:USER', password: '***' },
      },
      transform: 'SELECT 1 FROM {{ source }}',
    })
  })

  it('masks the secret in the text and leaves every other place where it was', () => {
    const text = 'name: orders\n# postgres://bob:hunter2@db/x\ningest: none\ntransform: SELECT 1 AS id\n'
    const masked = maskCredentials(text, diagnose(text))
    expect(masked).toBe(text.replace('hunter2', '*******'))
  })
})

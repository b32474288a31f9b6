/** The pages of docs/hosted are followed to the letter, beside a service of their own: commands, outputs and requests. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommandLine } from '../../hosted-api/commands/run-command-line.ts'
import { lineIn } from '../cli/bad-input/command-line.ts'
import { bootstrapToken, engines, hasSqlite3, useHosted } from '../hosted/support/engines.ts'
import { shellWords } from '../support/shell-words.ts'
import { type PageStep, stepsOf } from './page-steps.ts'

const folder = join(import.meta.dirname, '..', '..', 'docs', 'hosted')
const read = (page: string) => readFileSync(join(folder, page), 'utf8')
/** The reference is made from the program, see pages.ts. */
const pages = readdirSync(folder).filter(name => name.endsWith('.md') && name !== 'reference.md')

const [engine] = engines
if (engine === undefined) throw new Error('there is no engine to test on')

describe.skipIf(!hasSqlite3)('a reader who types what a page of docs/hosted says', () => {
  const hosted = useHosted(engine)
  let home = ''
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'svc-hosted-pages-'))
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  it.each(pages)('%s', async page => {
    const reader = await newReader(join(home, page), hosted.service.url)
    const faults: string[] = []
    for (const step of stepsOf(read(page))) {
      const output = await take(reader, step)
      if (output === undefined) continue
      if (output.code !== step.exitCode)
        faults.push(`$ ${step.what}\nended with ${output.code} instead of ${step.exitCode}:\n${output.text}`)
      else if (step.shown !== undefined && comparable(output.text) !== comparable(step.shown.text))
        faults.push(`$ ${step.what}\nprinted:\n${output.text}\nthe page has:\n${step.shown.text}`)
    }
    expect(faults.join('\n\n')).toBe('')
  })
})

describe.skipIf(!hasSqlite3)('the requests of a page of docs/hosted', () => {
  const hosted = useHosted(engine)

  it('get the answers that glossary.md shows', async () => {
    const page = read('glossary.md')
    const [, method = '', path = '', body = '', status, wanted = ''] =
      /```http\n(\w+) (\S+)\n(.*)\n\n(\d+) .*\n(?:[\w-]+: .*\n)*(.*)\n```/.exec(page) ?? []
    const send = (text: string) =>
      hosted.admin.send(method, path, { body: text, headers: { 'content-type': 'application/json' } })
    const made = await send(body)
    expect(made.status).toBe(Number(status))
    expect(made.body).toMatchObject(JSON.parse(wanted.replace(', …', '')))
    expect([made.headers.get('location'), made.headers.get('etag')]).toEqual([
      /^Location: (.*)$/m.exec(page)?.[1],
      /^ETag: (.*)$/m.exec(page)?.[1],
    ])
    const refused = await send(body.replace('synonyms', 'synonims'))
    expect(refused.body).toMatchObject(JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? ''))
  })
})

// ---------------------------------------------------------------- a reader

interface Reader {
  readonly home: string
  readonly url: string
  readonly env: Record<string, string>
}

interface Output {
  readonly code: number | null
  readonly text: string
}

/** Has the project that uploads.md uploads, and a database in which something has happened. */
async function newReader(home: string, url: string): Promise<Reader> {
  for (const [path, text] of Object.entries(shop)) write(home, path, text)
  const reader = { home, url, env: { SVC_HOSTED_URL: url, SVC_HOSTED_TOKEN: bootstrapToken } }
  mkdirSync(join(home, 'backups'), { recursive: true })
  await svcHosted(reader, `serve --db sqlite://${join(home, database)} --create --port 0`, {
    SVC_HOSTED_BOOTSTRAP_TOKEN: bootstrapToken,
  })
  return reader
}

const database = 'var/lib/svc-hosted/svc.db'

const shop = {
  'svc.yaml': 'name: shop\nenvironments: {prod: {}}\n',
  'models/customers.svc':
    'name: customers\ningest: {type: rows, rows: [{id: 1, email: a@b.co}]}\ntransform: SELECT id, email FROM {{ source }}\ncolumns: {email: {pii: true}}\ntests: [{unique: id}, {not_null: id}]\n',
  'models/orders.svc':
    "name: orders\ningest: none\ntransform: SELECT id, email AS contact, id::VARCHAR AS name FROM {{ ref('customers') }}\n",
  'models/revenue.svc':
    "name: revenue\ningest: none\ntransform: SELECT id, contact AS who FROM {{ ref('orders') }}\nexposures: [{name: Board, type: dashboard}]\n",
  'models/report.svc': "name: report\ningest: none\ntransform: SELECT id, name FROM {{ ref('orders') }}\n",
  'glossary.yaml':
    'terms:\n  - {name: Customer, description: Who buys.}\n  - {name: Order, description: What is bought.}\npolicies:\n  - {name: No people in reports, rule: Reports name nobody., pii_columns: [email], applies_to: [report], enforcement: warn}\n',
}

function write(home: string, path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}

async function take(reader: Reader, step: PageStep): Promise<Output | undefined> {
  const { home } = reader
  if (step.kind === 'file') write(home, step.what, step.text)
  else if (step.kind === 'edit') {
    const text = readFileSync(join(home, step.what), 'utf8')
    if (!text.includes(step.text)) throw new Error(`${step.what} has no "${step.text}"`)
    write(home, step.what, text.replace(step.text, step.replacement))
  } else if (step.kind === 'command') return runLine(reader, step.what)
  return undefined
}

/** Nothing of a page may reach beyond its folder and its service. */
async function runLine(reader: Reader, line: string): Promise<Output> {
  const { home, url, env } = reader
  const [, name = '', value = ''] = /^export (\w+)=(.*)$/.exec(line) ?? []
  if (name !== '') {
    // Where the service is, and who asks, stays what this test has.
    if (value.includes('openssl rand')) env[name] = randomBytes(32).toString('hex')
    else if (env[name] === undefined) throw new Error(`a page must not set "${name}"`)
    return { code: 0, text: '' }
  }
  if (line.startsWith('svc-hosted '))
    return svcHosted(reader, line.slice('svc-hosted '.length), line.includes(' serve ') ? env : {})
  if (line.startsWith('svc ')) {
    const { code, stdout, stderr } = await lineIn(home, shellWords(line).slice(1), { env, program: 'tests' })
    return { code, text: stderr + stdout }
  }
  if (line.startsWith('curl ') && line.includes('$SVC_HOSTED_URL/'))
    return curl(line, home, { ...env, PATH: process.env['PATH'] ?? '', SVC_HOSTED_URL: url })
  throw new Error(`a page must not run "${line}": put "not run" and the reason before its block`)
}

/** A service that is started ends as soon as it has said where it is, as after Ctrl-C. */
async function svcHosted(
  { home }: Reader,
  line: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Output> {
  const here = line
    .replace(/sqlite:\/\/(?=\/var\/)/g, `sqlite://${home}`)
    .replace(/(?<= )(?=\/backups\/)/g, home)
    .replace('postgres://svc@db/svc', `sqlite://${join(home, 'other.db')}`)
    .replace(/--port \d+/, '--port 0 --log-level error')
  const lines: string[] = []
  const say = (text: string) => void lines.push(text)
  const code = await runCommandLine(shellWords(here), '0.0.0', {
    environment,
    clock: () => new Date(),
    say,
    warn: say,
    interrupted: Promise.resolve(),
  })
  const text = lines.join('\n').replaceAll(home, '').replace('sqlite /other.db', 'postgres db/svc')
  return { code, text: `${text}\n` }
}

function curl(line: string, cwd: string, env: Record<string, string>): Promise<Output> {
  return new Promise(resolve => {
    execFile(
      'bash',
      ['--norc', '-c', `${line} --silent --fail-with-body`],
      { cwd, env },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), text: stderr + stdout }),
    )
  })
}

/** What differs from service to service and from day to day is masked. */
function comparable(text: string): string {
  return text
    .replace(/\bsvc_[\w…]+|\b[\w-]{4,8}…\w{4}\b/g, '<token>')
    .replace(/\b\d{4}-\d\d-\d\d(T[\d:]+Z)?/g, '<date>')
    .replace(/(never used|used <date>)$/gm, '<use>')
    .replace(/\bat \S+$/gm, 'at <host>')
    .replace(/\d+/g, '<n>')
    .replace(/ {2,}/g, '  ')
    .trim()
}

/** What `svc validate` says is what the editor shows: same files, codes, messages, places. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DiagnosticSeverity, type DocumentDiagnosticReport } from 'vscode-languageserver-protocol/node'
import { runCommandLine } from '../../cli/commands/run-command-line.ts'
import { realWorld } from '../../cli/commands/world.ts'
import { buildCommand, svcLauncher } from '../support/cli.ts'
import { sample, times } from '../support/long.ts'
import { readSpecFile } from '../support/spec.ts'
import { filesOf } from '../support/spec-project.ts'
import { type Editor, pullCapabilities, startEditor } from './editor.ts'

const repository = join(import.meta.dirname, '..', '..')
const specs = join(repository, 'test', 'language', 'specs')

let folder = ''
let editor: Editor
/** Folders of projects by what they are. */
const projects = new Map<string, string>()

beforeAll(async () => {
  buildCommand()
  folder = mkdtempSync(join(tmpdir(), 'svc-parity-'))
  for (const [name, source] of [
    ['shop', 'test/fixtures/shop'],
    ['flights', 'examples/flights'],
  ] as const) {
    cpSync(join(repository, source), join(folder, name), { recursive: true })
    projects.set(name, join(folder, name))
  }
  for (const name of readdirSync(specs)) if (name.endsWith('.md')) addSpecs(name)
  addWrongBytes()
  editor = await startEditor({ folders: [folder], capabilities: pullCapabilities })
}, 240_000)
afterAll(async () => {
  expect(await editor.quit()).toBe(0)
  expect(editor.log).toEqual([])
  rmSync(folder, { recursive: true, force: true })
})

/** The first fixture of each kind of mistake, and every fixture where there is time, as a project of its own. */
function addSpecs(name: string): void {
  const { specs: found } = readSpecFile(join(specs, name))
  for (const [index, spec] of sample([...found.entries()], 6)) {
    const files = filesOf(spec)
    if (files.size === 0) continue
    put(`${name} ${spec.title}`, join(name.replace('.md', ''), String(index)), files)
  }
}

function put(title: string, path: string, files: ReadonlyMap<string, string | Buffer>): void {
  const root = join(folder, path)
  const all = files.has('svc.yaml') ? files : new Map([...files, ['svc.yaml', 'name: spec\n']])
  for (const [file, text] of all) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  projects.set(title, root)
}

function addWrongBytes(): void {
  const text = 'name: latin\ningest: none\ntransform: SELECT 1 AS a -- gr\xfcn\n'
  put(
    'bytes',
    'bytes',
    new Map<string, string | Buffer>([
      ['models/latin.svc', Buffer.from(text, 'latin1')],
      ['models/wide.svc', Buffer.from(`\ufeff${text}`, 'utf16le')],
      ['models/mark.svc', '\ufeffname: mark\ningest: none\ntransform: SELECT nope AS a\n'],
      ['models/first.svc', '\ufeffnme: first\ningest: none\ntransform: SELECT 1 AS a\n'],
      [
        'models/lines.svc',
        'name: lines\r\ningest: none\r\ntransform: |\r\n  SELECT 1 AS a,\r\n    nope AS b\r\n',
      ],
      ['models/empty.svc', ''],
    ]),
  )
}

interface Shown {
  readonly path: string
  readonly code: string
  readonly severity: string
  readonly message: string
  readonly from: string
  readonly to: string
}

interface Report {
  readonly files: readonly {
    readonly path: string
    readonly diagnostics: readonly {
      readonly code: string
      readonly severity: string
      readonly message: string
      readonly hint: string | null
      readonly start: { readonly line: number; readonly column: number }
      readonly end: { readonly line: number; readonly column: number }
    }[]
  }[]
}

/** Within this process SQL has no limits: what has no end is asked of the command itself. */
async function validated(
  title: string,
  root: string,
): Promise<{ readonly paths: readonly string[]; readonly shown: readonly Shown[] }> {
  const isEndless = title.startsWith('sql-too-expensive.md')
  const { files } = JSON.parse(isEndless ? validatedByCommand(root) : await validatedHere(root)) as Report
  const shown = files.flatMap(({ path, diagnostics }) =>
    diagnostics.map(each => ({
      path,
      code: each.code,
      severity: each.severity,
      message: each.hint === null ? each.message : `${each.message}\n${each.hint}`,
      from: `${each.start.line - 1}:${each.start.column - 1 - hiddenMark(root, path, each.start.line)}`,
      to: `${each.end.line - 1}:${each.end.column - 1 - hiddenMark(root, path, each.end.line)}`,
    })),
  )
  return { paths: files.map(({ path }) => path), shown }
}

function validatedByCommand(root: string): string {
  return spawnSync(process.execPath, [svcLauncher, 'validate', '--json'], { cwd: root, encoding: 'utf8' })
    .stdout
}

async function validatedHere(root: string): Promise<string> {
  let out = ''
  const write = (text: string) => {
    out += text
    return true
  }
  await runCommandLine(['validate', '--json'], {
    version: '0',
    world: { ...realWorld(), cwd: root },
    signal: new AbortController().signal,
    out: { write },
    err: { write: () => true },
  })
  return out
}

/** An editor does not count the mark of byte order at the beginning of a file. */
function hiddenMark(root: string, path: string, line: number): number {
  return line === 1 && readFileSync(join(root, path), 'utf8').startsWith('\ufeff') ? 1 : 0
}

const severities: Readonly<Record<number, string>> = {
  [DiagnosticSeverity.Error]: 'error',
  [DiagnosticSeverity.Warning]: 'warning',
  [DiagnosticSeverity.Information]: 'information',
  [DiagnosticSeverity.Hint]: 'hint',
}

async function seen(root: string, paths: readonly string[]): Promise<Shown[]> {
  const found: Shown[] = []
  for (const path of paths) {
    const uri = pathToFileURL(join(root, path)).href
    const report = await editor.connection.sendRequest<DocumentDiagnosticReport>('textDocument/diagnostic', {
      textDocument: { uri },
    })
    if (report.kind !== 'full') throw new Error(`no full report of ${path}`)
    for (const { range, code, severity, message } of report.items) {
      found.push({
        path,
        code: String(code),
        severity: severities[severity ?? 0] ?? '',
        message: String(message),
        from: `${range.start.line}:${range.start.character}`,
        to: `${range.end.line}:${range.end.character}`,
      })
    }
  }
  return found
}

describe('the editor and svc validate say the same', () => {
  it('of the example, the fixtures and every spec of a mistake', async () => {
    let problems = 0
    for (const [title, root] of projects) {
      const { paths, shown } = await validated(title, root)
      const others = ['svc.yaml', 'glossary.yaml'].filter(path => !paths.includes(path))
      // Unit tests come after all else.
      const inEditor = async () => ({ title, shown: (await seen(root, [...paths, ...others])).sort(byPlace) })
      await expect.poll(inEditor).toEqual({ title, shown: [...shown].sort(byPlace) })
      problems += shown.length
    }
    // That there is something to compare.
    expect(problems).toBeGreaterThan(times(60, 200))
    expect(projects.size).toBeGreaterThan(times(50, 100))
  }, 300_000)
})

function byPlace(a: Shown, b: Shown): number {
  const key = (each: Shown) => [each.path, each.from, each.to, each.code, each.message].join('\n')
  return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0
}

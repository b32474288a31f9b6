/**
 * Types at random into the files of a project, as fast as a program can: keys, pasted lines, names swapped, files
 * opened and closed, made, changed and deleted on disk, and questions in between, some taken back. Then asks whether the
 * server says what a fresh one says of the same texts.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  CancellationTokenSource,
  type Diagnostic,
  type DocumentDiagnosticReport,
  DocumentDiagnosticRequest,
  type Range,
} from 'vscode-languageserver-protocol/node'
import { type Editor, pullCapabilities, startEditor } from '../lsp/editor.ts'
import { mayRemember } from './half-typed.ts'
import { seeded } from './mutations.ts'

export interface FuzzEditor {
  /** The folder of the repository, with the command built. */
  readonly root: string
  readonly count: number
  readonly seed: number
  /** Edits between two looks at a fresh server. */
  readonly every: number
  /** Writes the project into an empty folder; by default the example. */
  readonly write?: (folder: string) => void
}

export interface EditorOutcome {
  readonly edits: number
  readonly comparisons: number
  readonly problems: number
  readonly failures: readonly string[]
  /** How long each request waited that was not taken back. */
  readonly answers: readonly { readonly method: string; readonly ms: number }[]
}

/** Only a server that never answers lets a request wait for so long. */
const neverMs = 120_000

export async function fuzzEditor({ root, count, seed, every, write }: FuzzEditor): Promise<EditorOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-fuzz-editor-'))
  if (write === undefined) cpSync(join(root, 'examples', 'flights'), folder, { recursive: true })
  else write(folder)
  const launcher = join(root, 'cli', 'bin', 'svc.cjs')
  const desk = newSession(folder, seeded(seed), launcher)
  const failures: string[] = []
  let edits = 0
  let comparisons = 0
  let problems = 0
  try {
    await desk.begin()
    while (edits < count && failures.length === 0) {
      for (let burst = 0; burst < every && edits < count && !desk.hasEnded(); burst++, edits++) desk.edit()
      if (desk.hasEnded()) failures.push(`the server ended after ${edits} edits`)
      else {
        const silent = await desk.unanswered()
        if (silent !== undefined) {
          failures.push(`${silent} is not answered after ${edits} edits`)
          break
        }
        const compared = await desk.compare()
        problems += compared.problems
        failures.push(...compared.failures)
        comparisons += 1
      }
    }
    if (failures.length === 0) {
      desk.restore()
      const compared = await desk.compare()
      failures.push(...compared.failures)
      if (compared.remembered > 0) failures.push('columns are remembered where all binds')
    }
    if (failures.length === 0) failures.push(...(await desk.end()))
  } finally {
    desk.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  return { edits, comparisons, problems, failures, answers: desk.answers }
}

function newSession(folder: string, random: () => number, launcher: string) {
  const originals = new Map(files(folder).map(path => [path, readFileSync(join(folder, path), 'utf8')]))
  const open = new Map<string, string>()
  const paths = [...originals.keys(), 'models/new_one.svc', 'models/marts/new_two.svc']
  let editor: Editor
  let isGone = false
  const answers: EditorOutcome['answers'][number][] = []
  const asked = new Map<string, Promise<unknown>>()
  let questionsAsked = 0

  const below = (end: number) => Math.floor(random() * end)
  const pick = <T>(list: readonly T[]): T | undefined => list[below(list.length)]
  const uriOf = (path: string) => pathToFileURL(join(folder, path)).href
  const onDisk = (path: string) =>
    existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : undefined

  function openOne(): void {
    const path = pick(paths) ?? ''
    if (open.has(path)) return
    const text =
      onDisk(path) ?? originals.get(path) ?? 'name: new_one\ningest: none\ntransform: SELECT 1 AS a\n'
    open.set(path, text)
    editor.open(uriOf(path), text)
  }

  function closeOne(): void {
    const path = pick([...open.keys()])
    if (path === undefined) return
    open.delete(path)
    editor.close(uriOf(path))
  }

  function type(): void {
    const path = pick([...open.keys()])
    if (path === undefined) openOne()
    else {
      const text = open.get(path) ?? ''
      const [from, to, newText] = randomChange(path, text)
      change(path, text, outOfBreak(text, from), outOfBreak(text, to), newText)
    }
  }

  function randomChange(path: string, text: string): readonly [from: number, to: number, newText: string] {
    // Texts that are garbage all over would say little.
    if (random() < 0.03) return [0, text.length, originals.get(path) ?? '']
    const start = below(text.length + 1)
    const words = [...text.matchAll(/[A-Za-z_]{3,}/g)]
    const word = pick(words)
    const kind = random()
    if (kind < 0.35) return [start, start, pick(keys) ?? '']
    if (kind < 0.6) return [start, Math.min(text.length, start + 1 + below(3)), '']
    if (kind < 0.8 && word !== undefined)
      return [word.index, word.index + word[0].length, pick(words)?.[0] ?? '']
    if (kind < 0.9) return [start, start, `\n${pick(text.split('\n')) ?? ''}`]
    return [start, Math.min(text.length, start + below(200)), '']
  }

  function change(path: string, text: string, from: number, to: number, newText: string): void {
    const next = text.slice(0, from) + newText + text.slice(to)
    open.set(path, next)
    editor.change(uriOf(path), { range: rangeIn(text, from, to), text: newText })
  }

  function onDiskOnly(): void {
    const path = pick(paths) ?? ''
    const text = onDisk(path)
    if (text !== undefined && random() < 0.3) {
      rmSync(join(folder, path))
      editor.filesChanged([uriOf(path)], 3)
      return
    }
    const base = originals.get(path) ?? 'name: new_two\ningest: none\ntransform: SELECT 1 AS b\n'
    const at = below(base.length)
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), random() < 0.5 ? base : base.slice(0, at) + base.slice(at + 1))
    editor.filesChanged([uriOf(path)], text === undefined ? 1 : 2)
  }

  /** The answer does not matter, only that there is one, and that it may be taken back. */
  function question(): void {
    const path = pick([...open.keys()])
    if (path === undefined) return
    const position = rangeIn(open.get(path) ?? '', below((open.get(path) ?? '').length + 1), 0).start
    const [method, params] = pick(questions) ?? ['textDocument/hover', {}]
    const stop = new CancellationTokenSource()
    const startMs = performance.now()
    const answer = editor.connection
      .sendRequest(
        method,
        { uri: uriOf(path), textDocument: { uri: uriOf(path) }, position, ...params },
        stop.token,
      )
      .catch(() => undefined)
    const name = `${method} (${++questionsAsked})`
    asked.set(
      name,
      answer.then(() => {
        asked.delete(name)
        if (!stop.token.isCancellationRequested) answers.push({ method, ms: performance.now() - startMs })
      }),
    )
    if (random() < 0.3) stop.cancel()
  }

  const textNow = (path: string) => open.get(path) ?? onDisk(path)

  /** All files as they were: nothing is broken, and nothing that was typed before may show. */
  function restore(): void {
    for (const path of paths) {
      const original = originals.get(path)
      if (original !== undefined) writeFileSync(join(folder, path), original)
      else rmSync(join(folder, path), { force: true })
    }
    for (const path of open.keys()) editor.close(uriOf(path))
    open.clear()
    editor.filesChanged(paths.map(uriOf))
  }

  async function seenBy(editor: Editor): Promise<ReadonlyMap<string, readonly string[]>> {
    const seen = new Map<string, readonly string[]>()
    // Nobody opens it, and of a closed file nothing is said before all unit tests have run.
    await editor.connection.sendRequest(DocumentDiagnosticRequest.type, {
      textDocument: { uri: uriOf('svc.yaml') },
    })
    for (const path of ['svc.yaml', ...new Set([...paths, ...open.keys()])].sort()) {
      const report: DocumentDiagnosticReport = await editor.connection.sendRequest(
        DocumentDiagnosticRequest.type,
        {
          textDocument: { uri: uriOf(path) },
        },
      )
      seen.set(path, report.kind === 'full' ? report.items.map(lineOf) : [report.kind])
    }
    return seen
  }

  /** The name of a request that has no answer; undefined when all have theirs. */
  async function unanswered(): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined
    const never = new Promise<string>(resolve => {
      timer = setTimeout(() => resolve([...asked.keys()].join(', ')), neverMs)
    })
    try {
      return await Promise.race([Promise.all(asked.values()).then(() => undefined), never])
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    answers,
    unanswered,
    async begin() {
      editor = await startEditor({
        folders: [folder],
        capabilities: pullCapabilities,
        launcher,
        name: 'Visual Studio Code',
      })
      void editor.ended.then(() => {
        isGone = true
      })
      for (let index = 0; index < 4; index++) openOne()
    },
    hasEnded: () => isGone,
    edit() {
      const kind = random()
      if (kind < 0.04) openOne()
      else if (kind < 0.06) closeOne()
      else if (kind < 0.1) onDiskOnly()
      else type()
      if (random() < 0.3) question()
    },
    async compare() {
      const failures: string[] = []
      let remembered = 0
      const now = await seenBy(editor)
      const fresh = await startEditor({ folders: [folder], capabilities: pullCapabilities, launcher })
      try {
        for (const [path, text] of open) fresh.open(uriOf(path), text)
        // What was told before all files were read may be less.
        await seenBy(fresh)
        const expected = await seenBy(fresh)
        for (const [path, lines] of expected) {
          const got = now.get(path) ?? []
          if (got.join('\n') === lines.join('\n')) continue
          if (mayRemember(path, { now, fresh: expected }, textNow)) {
            remembered += 1
            continue
          }
          failures.push(
            `${path}: stale\n  says:  ${got.join('\n         ')}\n  fresh: ${lines.join('\n         ')}\n${textNow(path)}`,
          )
        }
      } finally {
        await fresh.quit()
      }
      return { failures, remembered, problems: [...now.values()].flat().length }
    },
    restore,
    async end() {
      const code = await editor.quit()
      const logged = editor.log.map(line => `logged: ${line}`)
      return code === 0 ? logged : [...logged, `ended with ${code}`]
    },
    kill: () => editor?.child.kill('SIGKILL'),
  }
}

const keys = [
  'a',
  '_',
  ' ',
  '\n',
  '.',
  ',',
  '(',
  ')',
  "'",
  '"',
  ':',
  '- ',
  '{{ ',
  ' }}',
  '#',
  '--',
  'é',
  '🛒',
  '\r\n',
  '\t',
]

const questions: readonly (readonly [string, object])[] = [
  ['textDocument/hover', {}],
  ['textDocument/completion', {}],
  ['textDocument/definition', {}],
  ['textDocument/references', { context: { includeDeclaration: true } }],
  ['textDocument/documentHighlight', {}],
  ['textDocument/signatureHelp', {}],
  ['textDocument/prepareRename', {}],
  ['textDocument/rename', { newName: 'renamed' }],
  ['textDocument/documentSymbol', {}],
  ['textDocument/foldingRange', {}],
  ['textDocument/selectionRange', { positions: [{ line: 3, character: 2 }] }],
  ['textDocument/semanticTokens/full', {}],
  [
    'textDocument/inlayHint',
    { range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } } },
  ],
  ['textDocument/codeLens', {}],
  ['textDocument/documentLink', {}],
  ['textDocument/formatting', { options: { tabSize: 2, insertSpaces: true } }],
  [
    'textDocument/codeAction',
    {
      range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } },
      context: { diagnostics: [] },
    },
  ],
  ['workspace/symbol', { query: 'a' }],
  ['svc/projects', {}],
  ['svc/tests', {}],
]

function files(folder: string): string[] {
  return readdirSync(join(folder, 'models'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.svc'))
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
}

/** There is no position between the two characters of a line break. */
function outOfBreak(text: string, offset: number): number {
  return text[offset - 1] === '\r' && text[offset] === '\n' ? offset - 1 : offset
}

/** Positions as an editor counts them: lines end at \n, \r\n or \r. */
function rangeIn(text: string, from: number, to: number): Range {
  return { start: positionIn(text, from), end: positionIn(text, Math.max(from, to)) }
}

function positionIn(text: string, offset: number): Range['start'] {
  const before = text.slice(0, offset)
  const breaks = [...before.matchAll(/\r\n|\n|\r/g)]
  const last = breaks.at(-1)
  return { line: breaks.length, character: offset - (last === undefined ? 0 : last.index + last[0].length) }
}

function lineOf({ range, code, severity, message }: Diagnostic): string {
  const { start, end } = range
  return `${start.line}:${start.character}-${end.line}:${end.character} ${severity} ${code} ${message}`
}

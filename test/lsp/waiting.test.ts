/** What a request waits for, and what it says while not everything is known: with a server around it that never gets on. */
import { readFunctionBook } from '@svc/server/catalog'
import { beforeAll, expect, it } from 'vitest'
import type { CompletionList, Hover, MarkupContent } from 'vscode-languageserver-protocol/node'
import type { FunctionBook, Knowledge } from '../../server/language/features/knowledge.ts'
import type { Context } from '../../server/lsp/context.ts'
import type { Feature } from '../../server/lsp/feature.ts'
import { completionFeature } from '../../server/lsp/requests/completion.ts'
import { hoverFeature } from '../../server/lsp/requests/hover.ts'
import { signatureFeature } from '../../server/lsp/requests/signature-help.ts'
import { engine } from '../support/engine.ts'
import { projectOf } from '../support/spec-project.ts'

const path = 'models/a.svc'
const uri = `file:///p/${path}`
const text = `name: a\ningest: none\ntransform: SELECT upper(1) AS x FROM {{ ref('b') }}\n`

let functionBook: FunctionBook
beforeAll(async () => {
  functionBook = await readFunctionBook(engine)
})

type Handler = (params: object, token: object) => Promise<unknown>

interface Known {
  readonly isKnown?: boolean
  readonly isWhole?: boolean
  readonly functionsRead?: () => Promise<void>
}

/** The handlers of a feature by their names, over a project of one file. */
function handlersOf(feature: Feature, known: Known) {
  let functions: FunctionBook = new Map()
  const knowledge: Knowledge = {
    project: projectOf(new Map([[path, text]])),
    analysis: { of: () => undefined },
    sources: new Map(),
    glossary: projectOf(new Map()).glossary,
    get functions() {
      return functions
    },
    isWhole: known.isWhole ?? true,
    diagnostics: () => [],
    environmentVariables: [],
    lastRuns: new Map(),
  }
  const project = { textOf: () => text, knowledge: () => knowledge, isKnown: known.isKnown ?? true }
  const handlers = new Map<string, Handler>()
  const register = (name: string) => (handler: Handler) => {
    handlers.set(name, handler)
  }
  const read = async () => {
    functions = functionBook
  }
  const context = {
    connection: new Proxy({}, { get: (_target, name) => register(String(name)) }),
    session: { homeOf: () => ({ project, path }) },
    log: { error: (...words: unknown[]) => expect.fail(words.join(' ')) },
    capabilities: {},
    functionsRead: known.functionsRead ?? read,
  } as unknown as Context
  feature.register(context)
  const ask = (name: string, line: number, character: number) =>
    handlers.get(name)?.({ textDocument: { uri }, position: { line, character } }, {})
  return { ask, read }
}

const never = () => new Promise<void>(() => undefined)

it('a hover that needs no function waits for none', async () => {
  const { ask } = handlersOf(hoverFeature, { functionsRead: never })
  const hover = (await ask('onHover', 1, 2)) as Hover
  expect((hover.contents as MarkupContent).value).toContain('ingest')
})

it('a hover on a function waits until they are read', async () => {
  const { ask } = handlersOf(hoverFeature, {})
  const hover = (await ask('onHover', 2, 'transform: SELECT up'.length)) as Hover
  expect((hover.contents as MarkupContent).value).toContain('upper')
})

it('signatures outside of a call wait for nothing, in a call until functions are read', async () => {
  const waiting = handlersOf(signatureFeature, { functionsRead: never })
  expect(await waiting.ask('onSignatureHelp', 0, 3)).toBeNull()
  const reading = handlersOf(signatureFeature, {})
  expect(await reading.ask('onSignatureHelp', 2, 'transform: SELECT upper('.length)).toMatchObject({
    activeSignature: 0,
  })
})

it.each([
  [false, 'the project is still being read, or this file is in none'],
  [true, 'There is no asset `b` in this project.'],
])('a ref that leads nowhere, all files read: %s', async (isWhole, expected) => {
  const { ask } = handlersOf(hoverFeature, { isWhole, functionsRead: never })
  const hover = (await ask('onHover', 2, text.split('\n')[2]?.indexOf("b')") ?? 0)) as Hover
  expect((hover.contents as MarkupContent).value).toContain(expected)
})

it('a list that offers no functions has none read, and is to be asked for again', async () => {
  const { ask } = handlersOf(completionFeature, { functionsRead: () => expect.fail('they are read') })
  expect(await ask('onCompletion', 3, 0)).toMatchObject({ isIncomplete: true })
})

it.each([
  ['transform: SELECT up', 'upper'],
  ['transform: SELECT upper(1) AS x FROM ', 'unnest'],
])('a list of functions that are not read has them read: %s', async (before, name) => {
  const { ask } = handlersOf(completionFeature, {})
  const offered = async () => (await ask('onCompletion', 2, before.length)) as CompletionList
  const first = await offered()
  expect(first.isIncomplete).toBe(true)
  expect(first.items.map(({ label }) => label)).not.toContain(name)
  expect((await offered()).items.map(({ label }) => label)).toContain(name)
})

it.each([
  [false, true],
  [true, false],
])('a list while everything is known: %s is to be asked for again: %s', async (isKnown, isIncomplete) => {
  const { ask, read } = handlersOf(completionFeature, { isKnown })
  await read()
  const list = (await ask('onCompletion', 3, 0)) as CompletionList
  expect(list.items.length).toBeGreaterThan(0)
  expect(list.isIncomplete).toBe(isIncomplete)
})

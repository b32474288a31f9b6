/**
 * Many files that change at once under an open editor, as a checkout of another branch does: how long until all
 * problems are told, how long until the first of them are, and what memory is left with the server after many times.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Diagnostic, WorkspaceDiagnosticReportPartialResult } from 'vscode-languageserver-protocol/node'
import { type Editor, pullCapabilities, startEditor } from '../lsp/editor.ts'
import { type Bench, keepSamples } from './bench.ts'
import { newProject } from './bench-project.ts'
import { modelPath } from './flavours.ts'
import { layeredModels, type Model } from './layered-project.ts'
import type { Sample } from './measure.ts'
import { newMeter } from './server-meter.ts'

const assets = 3000
const changed = 1600
const times = 12

const works = {
  start: 'editor: start of the server to the problems of all files',
  well: '1,600 files change at once, nothing is wrong: to all that is known',
  broken: '1,600 files change at once, each with an error: to all problems',
  first: '1,600 files change at once: to the first problems that are told',
  repaired: '1,600 files change back at once: to no problems',
  before: 'memory of the server after its start',
  after: 'memory of the server after twelve such changes',
} as const

type Figure = keyof typeof works
export type MassTimes = Record<Figure, Sample[]>

export async function benchMass(bench: Bench): Promise<void> {
  const folder = newProject(bench, assets)
  let found: MassTimes | undefined
  let problem: string | undefined
  try {
    found = await massChanges(join(bench.folder, 'svc', 'bin', 'svc.cjs'), folder)
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error)
  }
  for (const [figure, work] of Object.entries(works) as [Figure, string][])
    keepSamples(bench, { id: `mass-${figure}/${assets}`, work, assets }, found?.[figure] ?? [], problem)
  rmSync(folder, { recursive: true })
}

export async function massChanges(launcher: string, folder: string): Promise<MassTimes> {
  const models = layeredModels(assets).filter(({ aggregates }) => !aggregates)
  const files = models.slice(0, changed).map(model => fileOf(folder, model))
  const found: MassTimes = { start: [], well: [], broken: [], first: [], repaired: [], before: [], after: [] }
  const startedMs = performance.now()
  const editor = await startEditor({ folders: [folder], capabilities: pullCapabilities, launcher })
  const meter = newMeter(editor)
  const problems = followProblems(editor)
  const last = files.at(-1)?.uri ?? ''
  try {
    await settled(editor, last)
    found.start.push(meter.since(startedMs))
    found.before.push(await meter.atRest())
    for (let index = 0; index < times; index++) {
      const kind = (['well', 'broken', 'repaired'] as const)[index % 3] ?? 'well'
      for (const file of files) writeFileSync(file.path, texts[kind](file.text, index))
      const wanted = kind === 'broken' ? files.length : 0
      const before = meter.now()
      problems.begin()
      editor.filesChanged(files.map(({ uri }) => uri))
      await Promise.all([settled(editor, last), problems.count(wanted)])
      found[kind].push(before.taken())
      if (kind === 'broken') found.first.push({ ...before.taken(), wallMs: problems.firstMs() })
    }
    found.after.push(await meter.atRest())
    return found
  } finally {
    problems.end()
    if (editor.child.exitCode === null) await editor.quit()
    for (const { path, text } of files) writeFileSync(path, text)
  }
}

interface File {
  readonly path: string
  readonly uri: string
  readonly text: string
}

function fileOf(folder: string, model: Model): File {
  const path = modelPath(folder, model)
  return { path, uri: pathToFileURL(path).href, text: readFileSync(path, 'utf8') }
}

/** The SQL of all is another each time, and what they give to others is the same. */
const texts: Readonly<Record<'well' | 'broken' | 'repaired', (text: string, index: number) => string>> = {
  well: (text, index) => text.replace(/qty >= -?\d+/, `qty >= -${index + 100}`),
  broken: (text, index) => text.replace('b.k1 AS k1', `b.kk${index} AS k1`),
  repaired: text => text,
}

/** All is known of the files as they are. */
async function settled(editor: Editor, uri: string): Promise<void> {
  await editor.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } })
}

interface Problems {
  begin(): void
  /** Resolves when the client has been told of so many problems. */
  count(wanted: number): Promise<void>
  /** From `begin` to the first that was told. */
  firstMs(): number
  end(): void
}

/** Holds one request for the diagnostics of the workspace open, as VS Code does. */
function followProblems(editor: Editor): Problems {
  const known = new Map<string, readonly Diagnostic[]>()
  let [startedMs, firstMs] = [0, 0]
  let tell = (): void => {}
  const take = ({ items }: WorkspaceDiagnosticReportPartialResult): void => {
    for (const report of items) if (report.kind === 'full') known.set(report.uri, report.items)
    if (firstMs === 0 && items.length > 0) firstMs = performance.now() - startedMs
    tell()
  }
  const total = (): number => [...known.values()].reduce((sum, list) => sum + list.length, 0)
  const token = 'all-problems'
  editor.connection.onNotification('$/progress', (params: { token: string; value: unknown }) => {
    if (params.token === token) take(params.value as WorkspaceDiagnosticReportPartialResult)
  })
  editor.connection
    .sendRequest('workspace/diagnostic', { previousResultIds: [], partialResultToken: token })
    .catch(() => undefined)
  return {
    begin() {
      startedMs = performance.now()
      firstMs = 0
    },
    count: wanted =>
      new Promise(resolve => {
        tell = () => {
          if (total() === wanted) resolve()
        }
        tell()
      }),
    firstMs: () => firstMs,
    end() {
      tell = () => {}
    },
  }
}

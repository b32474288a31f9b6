/**
 * A session of an editor with the language server over stdio, on the synthetic projects: from the start of the process
 * to the diagnostics of the open file and to all, then keystrokes, completion and rename.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type {
  CompletionList,
  DocumentDiagnosticReport,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol/node'
import { type Editor, pullCapabilities, startEditor } from '../lsp/editor.ts'
import { type Bench, keepSamples } from './bench.ts'
import { newProject } from './bench-project.ts'
import { modelPath } from './flavours.ts'
import { layeredModels, type Model } from './layered-project.ts'
import { medianOf, type Sample } from './measure.ts'
import type { Goal } from './measurement.ts'
import { type Meter, newMeter } from './server-meter.ts'

const sessions = 3
const keystrokes = 60
const renames = 3

/** Seconds, and memory while somebody types, where that was set as a goal. */
const goals: Readonly<Record<string, Readonly<Record<number, Goal>>>> = {
  open: { 1000: { seconds: 0.5 }, 10000: { seconds: 1 } },
  all: { 1000: { seconds: 1.5 } },
  key: { 1000: { seconds: 0.03, megabytes: 300 }, 10000: { seconds: 0.06, megabytes: 1000 } },
  completion: { 1000: { seconds: 0.02 } },
}

export const works = {
  open: 'editor: start of the server to the problems of the open file',
  all: 'editor: start of the server to the problems of all files',
  key: 'editor: a keystroke in a leaf to its problems, median',
  'key-p95': 'editor: a keystroke in a leaf to its problems, 95th of 100',
  readers: 'editor: a column renamed by typing, to the problems of all its readers, median',
  completion: 'editor: columns behind an alias, median',
  rename: 'editor: a column and all that reads it, median',
} as const

type Figure = keyof typeof works
type Times = Record<Figure, Sample[]>

export async function benchEditor(bench: Bench, size: number): Promise<void> {
  const folder = newProject(bench, size)
  await measureEditor(bench, folder, size, figure => ({
    id: `editor-${figure}/${size}`,
    work: works[figure],
    goal: goals[figure]?.[size],
  }))
  rmSync(folder, { recursive: true })
}

interface Row {
  readonly id: string
  readonly work: string
  readonly goal?: Goal | undefined
}

/** Takes sessions in a project of models that `layeredModels` describes, and keeps a row of each figure. */
export async function measureEditor(
  bench: Bench,
  folder: string,
  size: number,
  rowOf: (figure: Figure) => Row,
): Promise<void> {
  const figures = Object.keys(works) as Figure[]
  const times: Times = { open: [], all: [], key: [], 'key-p95': [], readers: [], completion: [], rename: [] }
  let problem: string | undefined
  try {
    for (let index = 0; index < (bench.repeat ?? sessions); index++) {
      const of = await session(bench, folder, size)
      for (const figure of figures) times[figure].push(...of[figure])
    }
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error)
  }
  for (const figure of figures) {
    const { id, work, goal } = rowOf(figure)
    keepSamples(bench, { id, work, assets: size, ...(goal && { goal }) }, times[figure], problem)
  }
}

/** What one session took; the figures of many keystrokes come to one each. */
async function session(bench: Bench, folder: string, size: number): Promise<Times> {
  const models = layeredModels(size)
  const [leaf, middle] = [models.findLast(({ aggregates }) => !aggregates), busiest(models)]
  if (leaf === undefined || middle === undefined) throw new Error('there is nothing to open')
  const desk = newSession(folder)
  const started = performance.now()
  const editor = await startEditor({
    folders: [folder],
    capabilities: pullCapabilities,
    launcher: join(bench.folder, 'svc', 'bin', 'svc.cjs'),
  })
  const meter = newMeter(editor)
  try {
    const leafText = desk.read(leaf).replace('b.k1 AS k1', 'b.kk1 AS k1')
    editor.open(desk.uri(leaf), leafText)
    expectProblems(await ask(editor, desk.uri(leaf)), 1)
    const open = meter.since(started)
    expectProblems(await ask(editor, desk.uri(models[0] ?? leaf)), 0)
    const all = meter.since(started)
    const keys = await typing(editor, meter, desk.uri(leaf), leafText)
    const readers = await upstream(editor, meter, desk, middle, models)
    const completion = await completing(editor, meter, desk.uri(leaf), leafText)
    const rename = await renaming(editor, meter, desk, middle)
    return {
      open: [open],
      all: [all],
      key: [medianOf(keys)],
      'key-p95': [percentile(keys, 0.95)],
      readers: [medianOf(readers)],
      completion: [medianOf(completion)],
      rename: [medianOf(rename)],
    }
  } finally {
    if (editor.child.exitCode === null) await editor.quit()
  }
}

interface Desk {
  uri(model: Model): string
  read(model: Model): string
}

function newSession(folder: string): Desk {
  return {
    uri: model => pathToFileURL(modelPath(folder, model)).href,
    read: model => readFileSync(modelPath(folder, model), 'utf8'),
  }
}

/** In the middle of the project, the one that most others build on. */
function busiest(models: readonly Model[]): Model | undefined {
  const readers = new Map<string, number>()
  for (const { reads } of models) readers.set(reads[0] ?? '', (readers.get(reads[0] ?? '') ?? 0) + 1)
  return models
    .filter(({ layer, aggregates }) => layer === 2 && !aggregates)
    .sort((a, b) => (readers.get(b.name) ?? 0) - (readers.get(a.name) ?? 0))[0]
}

async function typing(editor: Editor, meter: Meter, uri: string, text: string): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let index = 0; index < keystrokes; index++) {
    const typed = text.replace('b.kk1 AS k1', `b.kk${'x'.repeat((index % 7) + 1)} AS k1`)
    samples.push(
      await meter.time(async () => {
        editor.change(uri, { text: typed })
        expectProblems(await ask(editor, uri), 1)
      }),
    )
  }
  return samples
}

/** A column vanishes under its readers and comes back. */
async function upstream(
  editor: Editor,
  meter: Meter,
  desk: Desk,
  middle: Model,
  models: readonly Model[],
): Promise<Sample[]> {
  const text = desk.read(middle)
  const reader = models.find(({ reads }) => reads[0] === middle.name) ?? middle
  const samples: Sample[] = []
  editor.open(desk.uri(middle), text)
  for (let index = 0; index < 10; index++) {
    const isGone = index % 2 === 0
    samples.push(
      await meter.time(async () => {
        editor.change(desk.uri(middle), { text: isGone ? text.replace('AS k2', 'AS k3') : text })
        expectProblems(await ask(editor, desk.uri(reader)), isGone ? 1 : 0)
      }),
    )
  }
  editor.close(desk.uri(middle))
  await ask(editor, desk.uri(reader))
  return samples
}

async function completing(editor: Editor, meter: Meter, uri: string, text: string): Promise<Sample[]> {
  const typed = text.replace('b.kk1 AS k1', 'b. AS k1')
  editor.change(uri, { text: typed })
  await ask(editor, uri)
  const before = typed.slice(0, typed.indexOf('b. AS k1') + 2).split('\n')
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
  const samples: Sample[] = []
  for (let index = 0; index < 20; index++) {
    samples.push(
      await meter.time(async () => {
        const list = await editor.connection.sendRequest<CompletionList>('textDocument/completion', {
          textDocument: { uri },
          position,
        })
        if (!list.items.some(({ label }) => label === 'k1')) throw new Error('completion does not offer k1')
      }),
    )
  }
  return samples
}

async function renaming(editor: Editor, meter: Meter, desk: Desk, middle: Model): Promise<Sample[]> {
  const text = desk.read(middle)
  const before = text.slice(0, text.indexOf('AS k2') + 3).split('\n')
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
  const samples: Sample[] = []
  for (let index = 0; index < renames; index++) {
    samples.push(
      await meter.time(async () => {
        const edit = await editor.connection.sendRequest<WorkspaceEdit>('textDocument/rename', {
          textDocument: { uri: desk.uri(middle) },
          position,
          newName: 'k9',
        })
        if (Object.keys(edit.changes ?? {}).length < 2) throw new Error('a rename that changes no reader')
      }),
    )
  }
  return samples
}

function ask(editor: Editor, uri: string): Promise<DocumentDiagnosticReport> {
  return editor.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } })
}

/** A time for a wrong answer says nothing. */
function expectProblems(report: DocumentDiagnosticReport, count: number): void {
  const items = report.kind === 'full' ? report.items : undefined
  if (items?.length === count) return
  const said = items?.map(({ message }) => String(message).split('\n')[0]).join('; ') ?? 'nothing new'
  throw new Error(`the server tells of ${items?.length ?? 0} problems where there are ${count}: ${said}`)
}

function percentile(samples: readonly Sample[], part: number): Sample {
  const sorted = [...samples].sort((a, b) => a.wallMs - b.wallMs)
  const found = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)]
  if (found === undefined) throw new Error('nothing was measured')
  return found
}

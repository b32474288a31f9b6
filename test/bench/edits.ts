/**
 * Started as a program: `edits <project> <number of models>` holds a project in memory as an editor does, makes edits of
 * a few kinds to files of it, one keystroke each, and prints what each took until all problems of the project are known:
 * the new snapshot, the catalogue and the checks of all files.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { openCatalog, readSourceShapes } from '../../server/catalog/index.ts'
import { checkProject, createProject, type Project, parseSettings } from '../../server/language/index.ts'
import { engine } from '../support/engine.ts'
import { descendants, layeredModels, type Model } from './layered-project.ts'

export interface EditTimes {
  readonly edit: string
  /** Most errors of the project after an edit; the same on every machine. */
  readonly errors: number
  /** It breaks files that read the edited one, and what is wrong in each of them takes its time. */
  readonly breaks: boolean
  readonly samples: readonly { readonly wallMs: number; readonly cpuMs: number; readonly rssBytes: number }[]
}

const rounds = 40
const breaking = new Set(['a column renamed under its readers', 'the name of an asset that others read'])

const [folder = '', count = '0'] = process.argv.slice(2)
const models = layeredModels(Number(count))
const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const files = readdirSync(join(folder, 'models'), { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(entry => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  .map(path => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
const settings = parseSettings(readFileSync(join(folder, 'svc.yaml'), 'utf8'))
const catalog = await openCatalog(engine)
let project: Project = createProject({ settings, files, hash })
const { shapes } = await readSourceShapes(project, { root: folder, lockText: undefined })

const started = usage()
let errors = await look()
const times: EditTimes[] = [{ edit: 'the first look', errors, breaks: true, samples: [since(started)] }]
for (const [edit, change] of Object.entries(edits())) times.push(await measured(edit, change))
console.log(JSON.stringify(times))
catalog.close()

/** The path of the file and its text after the edit; undefined: the file is gone. */
type Change = (round: number) => { readonly path: string; readonly text: string | undefined }

function edits(): Readonly<Record<string, Change>> {
  const [middle, leaf] = [busiest(), models.at(-1)]
  if (middle === undefined || leaf === undefined) throw new Error('there is nothing to edit')
  const edited = (model: Model, from: RegExp, to: (round: number) => string): Change => {
    const { path, text } = fileOf(model)
    return round => ({ path, text: text.replace(from, to(round)) })
  }
  const added = 'models/added/new_model.svc'
  return {
    'a number in SQL': edited(middle, /qty >= -?\d+/, round => `qty >= -${round + 100}`),
    'a description': edited(middle, /synthetic/, round => `synthetic ${'x'.repeat(round)}`),
    'a column misspelt, and right again': edited(leaf, /b\.k1/, round =>
      round % 2 === 0 ? 'b.kk1' : 'b.k1',
    ),
    'a column renamed under its readers': edited(middle, /AS k2/, round =>
      round % 2 === 0 ? 'AS k3' : 'AS k2',
    ),
    'a ref that leads nowhere yet': edited(
      middle,
      /ref\('m_\d+'\)/,
      round => `ref('m_${'9'.repeat(round % 8)}')`,
    ),
    'a ref to another asset': edited(
      leaf,
      /ref\('m_\d+'\)/,
      round => `ref('m_${String(round).padStart(5, '0')}')`,
    ),
    'the name of an asset that others read': edited(
      middle,
      /name: m_/,
      round => `name: m${'_'.repeat(1 + (round % 3))}`,
    ),
    'a test': edited(middle, /- not_null: id/, round =>
      round % 2 === 0 ? '- not_null: idd' : '- not_null: id',
    ),
    'a file come or gone': round => ({
      path: added,
      text: round % 2 === 0 ? fileOf(leaf).text.replace(leaf.name, 'new_model') : undefined,
    }),
  }
}

/** The model in the middle of the project that most others rest on. */
function busiest(): Model | undefined {
  const readers = (model: Model) => descendants(models, model.index).size
  return models
    .slice(Math.floor(models.length / 2), Math.floor(models.length / 2) + 20)
    .sort((a, b) => readers(b) - readers(a))[0]
}

function fileOf(model: Model): { path: string; text: string } {
  const path = project.byName.get(model.name)?.path ?? ''
  return { path, text: project.assets.get(path)?.text ?? '' }
}

async function measured(edit: string, change: Change): Promise<EditTimes> {
  const samples: EditTimes['samples'][number][] = []
  let errorsMost = 0
  for (let round = 1; round <= rounds; round++) {
    const { path, text } = change(round)
    const before = usage()
    project = project.with(path, text)
    errors = await look()
    samples.push(since(before))
    errorsMost = Math.max(errorsMost, errors)
  }
  return { edit, errors: errorsMost, breaks: breaking.has(edit), samples }
}

async function look(): Promise<number> {
  const problems = checkProject(project, await catalog.analyze(project, shapes), shapes)
  let found = 0
  for (const list of problems.values()) for (const { severity } of list) if (severity === 'error') found++
  return found
}

function usage(): { readonly at: number; readonly cpu: NodeJS.CpuUsage } {
  return { at: performance.now(), cpu: process.cpuUsage() }
}

function since(before: ReturnType<typeof usage>): EditTimes['samples'][number] {
  const { user, system } = process.cpuUsage(before.cpu)
  return {
    wallMs: performance.now() - before.at,
    cpuMs: (user + system) / 1000,
    rssBytes: process.memoryUsage.rss(),
  }
}

/**
 * Judges completion at marked places. A file has numbered cursors, each asked on its own with the others taken out:
 *
 *     ⟦1⟧              the cursor stands here, nothing is typed
 *     ⟦2 c.⟧           `c.` is typed here, for this question only; the cursor stands behind it
 *     ⟦3 sum(|)⟧       the same with the cursor within what is typed
 *
 * A block `offers` has a line for each: `2 offers full_name, email; not order_id; first customer_id`. `offers` must all be
 * there, `not` must not, `first` must be the first ones in that order, and `only` means these and no others.
 */
import { join } from 'node:path'
import { readFunctionBook } from '@svc/server/catalog'
import type { FunctionBook } from '@svc/server/language'
import { completionsAt } from '../../../server/language/features/completion/complete-at.ts'
import type { CompletionItem } from '../../../server/language/features/completion/completion.ts'
import { isSubsequence, sorted } from '../../support/editor-answers.ts'
import { engine } from '../../support/engine.ts'
import { knowledgeOf } from '../../support/knowledge.ts'
import { blockOf } from '../../support/spec.ts'
import { type CorpusFile, type CorpusProject, openCorpusProject, readCorpus } from './corpus-project.ts'

export interface CompletionCounts {
  readonly files: number
  readonly places: number
  readonly right: number
}

export interface JudgedCompletions {
  readonly title: string
  readonly counts: CompletionCounts
  readonly misses: readonly string[]
}

export async function judgeCompletions(
  root: string,
  from = 0,
  before: (silent: JudgedCompletions) => void = () => undefined,
  after: (judged: JudgedCompletions) => void = () => undefined,
): Promise<readonly JudgedCompletions[]> {
  const project = await openCorpusProject(root)
  const functions = await readFunctionBook(engine)
  try {
    const judged: JudgedCompletions[] = []
    for (const file of readCorpus(join(root, 'completions')).slice(from)) {
      const places = placesOf(file)
      before(judgedFile(file, places, new Map(places.map(place => [place, ['never answered']]))))
      const misses = new Map<Place, readonly string[]>()
      for (const place of places) misses.set(place, await missesAt(project, functions, file, place))
      const result = judgedFile(file, places, misses)
      after(result)
      judged.push(result)
    }
    return judged
  } finally {
    project.close()
  }
}

export function countCompletions(judged: readonly JudgedCompletions[]): CompletionCounts {
  const sum = (key: keyof CompletionCounts) => judged.reduce((total, { counts }) => total + counts[key], 0)
  return { files: sum('files'), places: sum('places'), right: sum('right') }
}

function judgedFile(
  file: CorpusFile,
  places: readonly Place[],
  misses: ReadonlyMap<Place, readonly string[]>,
): JudgedCompletions {
  const of = (place: Place) => misses.get(place) ?? []
  return {
    title: `${file.name}: ${file.title}`,
    counts: { files: 1, places: places.length, right: places.filter(place => of(place).length === 0).length },
    misses: places.flatMap(place => of(place).map(miss => `${place.number} |${place.line}| ${miss}`)),
  }
}

// ---------------------------------------------------------------- places

interface Place {
  readonly number: string
  readonly text: string
  readonly offset: number
  /** The line of the cursor, `‸` in its place. */
  readonly line: string
  readonly expected: ReadonlyMap<string, readonly string[]>
}

const cursorPattern = /⟦(\d+)(?: ([^⟧]*))?⟧/g

function placesOf(file: CorpusFile): readonly Place[] {
  const lines = blockOf(file.spec, 'offers').text.trim().split('\n')
  const numbers = [...file.text.matchAll(cursorPattern)].map(match => match[1] ?? '')
  const asked = lines.map(line => /^(\d+) /.exec(line)?.[1] ?? '')
  if ([...numbers].sort().join() !== [...asked].sort().join() || new Set(numbers).size < numbers.length) {
    throw new Error(`${file.title}: cursors ${numbers.join()} but answers ${asked.join()}`)
  }
  return lines.map((line, index) => placeOf(file, asked[index] ?? '', line))
}

function placeOf(file: CorpusFile, number: string, expectation: string): Place {
  let text = ''
  let offset = 0
  let end = 0
  for (const match of file.text.matchAll(cursorPattern)) {
    text += file.text.slice(end, match.index)
    end = match.index + match[0].length
    if (match[1] !== number) continue
    const typed = match[2] ?? ''
    const bar = typed.includes('|') ? typed.indexOf('|') : typed.length
    offset = text.length + bar
    text += typed.replace('|', '')
  }
  text += file.text.slice(end)
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const lineEnd = text.indexOf('\n', offset)
  const line = `${text.slice(start, offset)}‸${text.slice(offset, lineEnd)}`.trim()
  return { number, text, offset, line, expected: expectedOf(file, expectation.replace(/^\d+ /, '')) }
}

function expectedOf(file: CorpusFile, line: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    line.split('; ').map(part => {
      const [, verb = '', labels = ''] = /^(offers|not|first|only) (.+)$/.exec(part) ?? []
      if (verb === '') throw new Error(`${file.title}: "${part}" is no expectation`)
      return [verb, labels.split(', ')]
    }),
  )
}

// ---------------------------------------------------------------- answers

async function missesAt(
  { project, sources, catalog }: CorpusProject,
  functions: FunctionBook,
  file: CorpusFile,
  { text, offset, expected }: Place,
): Promise<readonly string[]> {
  const known = new Map([...sources, ...file.sources])
  const knowledge = await knowledgeOf(catalog, project.with(file.path, text), known)
  const { items } = completionsAt({ ...knowledge, functions }, file.path, offset)
  const labels = sorted(items)
    .filter(item => isShown(item, text, offset))
    .map(item => item.label)
  const wanted = (verb: string): readonly string[] => expected.get(verb) ?? []
  const lacking = [...wanted('offers'), ...wanted('only')].filter(each => !labels.includes(each))
  const unwanted = wanted('not').filter(each => labels.includes(each))
  const others = expected.has('only') ? labels.filter(each => !wanted('only').includes(each)) : []
  const first = labels.slice(0, wanted('first').length)
  return [
    ...(lacking.length > 0 ? [`does not offer ${lacking.join(', ')}`] : []),
    ...(unwanted.length > 0 ? [`offers ${unwanted.join(', ')}`] : []),
    ...(others.length > 0 ? [`also offers ${others.slice(0, 5).join(', ')} (${others.length})`] : []),
    ...(first.join() === wanted('first').join() ? [] : [`begins with ${first.join(', ')}`]),
  ]
}

/** An editor hides what does not fit the letters that are typed. */
function isShown(item: CompletionItem, text: string, offset: number): boolean {
  const typed = text.slice(item.range.start, offset).toLowerCase()
  return isSubsequence(typed, (item.filter ?? item.label).toLowerCase())
}

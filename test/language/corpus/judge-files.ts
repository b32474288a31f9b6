/** Judges every file of the corpus of mistakes: broken, corrected, and with each of its mistakes alone. */
import { join } from 'node:path'
import { type Diagnostic, lineIndex } from '@svc/server/language'
import { type CorpusFile, type CorpusProject, openCorpusProject, readCorpus } from './corpus-project.ts'
import { type Engine, openEngine } from './engine.ts'
import { type Judgement, judge } from './judge-mistakes.ts'
import { type Mark, type MarkedText, parseMarkedText } from './marked-text.ts'

export interface MistakeCounts {
  readonly files: number
  readonly mistakes: number
  readonly besideSlip: number
  readonly shown: number
  readonly shownBesideSlip: number
  readonly exact: number
  readonly slips: number
  readonly shownSlips: number
  readonly falseOnes: number
  /** Problems of the valid twins. */
  readonly noise: number
}

/** Plain data: it goes from one process to another. */
export interface JudgedFile {
  readonly title: string
  readonly counts: MistakeCounts
  /** A line for each thing that is not as it should be. */
  readonly misses: readonly string[]
}

/** `before` is told what would be said of a file of which nothing is shown, `after` what is said of it. */
export async function judgeFiles(
  root: string,
  from = 0,
  before: (silent: JudgedFile) => void = () => undefined,
  after: (judged: JudgedFile) => void = () => undefined,
): Promise<readonly JudgedFile[]> {
  const project = await openCorpusProject(root)
  try {
    const judged: JudgedFile[] = []
    for (const file of readCorpus(join(root, 'mistakes')).slice(from)) {
      const text = parseMarkedText(file.text)
      before(judgedFile(file, text, judge(text, []), []))
      const judgement = judge(text, await project.problems(file, text.broken))
      const result = judgedFile(file, text, judgement, await project.problems(file, text.valid))
      after(result)
      judged.push(result)
    }
    return judged
  } finally {
    project.close()
  }
}

/** What is said about the valid twins. */
export async function noiseOfTwins(root: string): Promise<readonly string[]> {
  const project = await openCorpusProject(root)
  try {
    const found: string[] = []
    for (const file of readCorpus(join(root, 'mistakes'))) {
      const { valid } = parseMarkedText(file.text)
      const noise = await project.problems(file, valid)
      found.push(...noise.map(each => `${file.name}: ${file.title}: ${problemText(file, valid, each)}`))
    }
    return found
  } finally {
    project.close()
  }
}

export function countMistakes(judged: readonly JudgedFile[]): MistakeCounts {
  const sum = (key: keyof MistakeCounts) => judged.reduce((total, { counts }) => total + counts[key], 0)
  return {
    files: sum('files'),
    mistakes: sum('mistakes'),
    besideSlip: sum('besideSlip'),
    shown: sum('shown'),
    shownBesideSlip: sum('shownBesideSlip'),
    exact: sum('exact'),
    slips: sum('slips'),
    shownSlips: sum('shownSlips'),
    falseOnes: sum('falseOnes'),
    noise: sum('noise'),
  }
}

function judgedFile(
  file: CorpusFile,
  text: MarkedText,
  judgement: Judgement,
  noise: readonly Diagnostic[],
): JudgedFile {
  const hasSlip = text.marks.some(isSlip)
  const mistakes = judgement.verdicts.filter(({ mark }) => !isSlip(mark))
  const slips = judgement.verdicts.filter(({ mark }) => isSlip(mark))
  const shown = mistakes.filter(each => each.isShown).length
  return {
    title: `${file.name}: ${file.title}`,
    counts: {
      files: 1,
      mistakes: mistakes.length,
      besideSlip: hasSlip ? mistakes.length : 0,
      shown,
      shownBesideSlip: hasSlip ? shown : 0,
      exact: mistakes.filter(each => each.isExact).length,
      slips: slips.length,
      shownSlips: slips.filter(each => each.isShown).length,
      falseOnes: judgement.falseOnes.length,
      noise: noise.length,
    },
    misses: missesOf(file, text, judgement, noise),
  }
}

function isSlip({ kind }: Mark): boolean {
  return kind === 'slip'
}

// ---------------------------------------------------------------- what is a mistake

/**
 * What is wrong with the corpus itself: twins that the engine refuses, and marks whose text, with all others corrected,
 * the engine takes. Places outside of `transform` the engine never sees: there a problem of ours has to do.
 */
export async function untrueMarks(root: string): Promise<readonly string[]> {
  const project = await openCorpusProject(root)
  try {
    const found: string[] = []
    for (const file of readCorpus(join(root, 'mistakes'))) found.push(...(await untrueIn(project, file)))
    return found
  } finally {
    project.close()
  }
}

async function untrueIn(project: CorpusProject, file: CorpusFile): Promise<readonly string[]> {
  const text = parseMarkedText(file.text)
  const engine = await openEngine(project.project, new Map([...project.sources, ...file.sources]))
  try {
    const found: string[] = []
    const twin = await refusal(engine, project, file, text.valid)
    if (twin !== undefined) found.push(`${file.title}: the twin is refused: ${twin.slice(0, 300)}`)
    for (const mark of text.marks) {
      const single = text.with(mark)
      if ((await refusal(engine, project, file, single)) !== undefined) continue
      if (isSeenByEngine(project, file, text.valid, single) && mark.kind !== 'literal') {
        found.push(`${file.title}: the engine takes ${markText(mark)}`)
      } else if ((await project.problems(file, single)).length === 0) {
        found.push(`${file.title}: alone nobody objects to ${markText(mark)}`)
      }
    }
    return found
  } finally {
    engine.close()
  }
}

async function refusal(
  engine: Engine,
  { project }: CorpusProject,
  { path }: CorpusFile,
  text: string,
): Promise<string | undefined> {
  const asset = project.with(path, text).assets.get(path)
  return asset?.sql === undefined ? undefined : await engine.refusal(asset)
}

function isSeenByEngine({ project }: CorpusProject, { path }: CorpusFile, a: string, b: string): boolean {
  const sqlOf = (text: string) => project.with(path, text).assets.get(path)?.sql?.text
  return sqlOf(a) !== sqlOf(b)
}

// ---------------------------------------------------------------- words

function markText({ kind, wrong, right }: Mark): string {
  return `${kind} "${wrong}" → "${right}"`
}

function missesOf(
  file: CorpusFile,
  text: MarkedText,
  judgement: Judgement,
  noise: readonly Diagnostic[],
): readonly string[] {
  const misses = judgement.verdicts.flatMap(({ mark, isShown, isExact, by }) => {
    if (isExact || (isShown && isSlip(mark))) return []
    const at = `${place(text.broken, mark.range.start)} ${markText(mark)}`
    return [by === undefined ? `missed  ${at}` : `inexact ${at}: ${problemText(file, text.broken, by)}`]
  })
  return [
    ...misses,
    ...judgement.falseOnes.map(each => `false   ${problemText(file, text.broken, each)}`),
    ...noise.map(each => `noise   ${problemText(file, text.valid, each)}`),
  ]
}

function problemText(file: CorpusFile, text: string, { code, range, message, path }: Diagnostic): string {
  const at = path === file.path ? place(text, range.start) : path
  const on = text.slice(range.start, range.end).replaceAll('\n', '⏎').slice(0, 50)
  return `${at} ${code} |${on}| ${message}`
}

function place(text: string, offset: number): string {
  const { line, column } = lineIndex(text).position(offset)
  return `${line}:${column}`
}

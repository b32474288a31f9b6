/** What the language says of the queries of a benchmark, as they are and with three slips in each. */
import { DuckDBInstance } from '@duckdb/node-api'
import { openCatalog } from '@svc/server/catalog'
import {
  type AssetAnalysis,
  createProject,
  type Diagnostic,
  type Project,
  parseSettings,
  type Range,
} from '@svc/server/language'
import { projectProblems } from '@svc/server/workspace'
import { engine } from '../../../support/engine.ts'
import { hash } from '../../../support/spec-project.ts'
import { type Slip, slipsIn, type Takes, withSlips } from './slips.ts'
import { type BenchmarkTexts, queryFile, tableFiles, withRefs } from './texts.ts'

const queryName = 'benchmark_query'

interface Bench {
  readonly texts: BenchmarkTexts
  /** Of the query as the only one of the project; `offset` is where its text begins in the file. */
  ask(
    sql: string,
  ): Promise<{ problems: readonly Diagnostic[]; analysis: AssetAnalysis | undefined; text: string }>
  takes: Takes
  close(): void
}

export async function openBenchmark(texts: BenchmarkTexts): Promise<Bench> {
  const catalog = await openCatalog(engine)
  const base = createProject({ settings: parseSettings(undefined), files: tableFiles(texts), hash })
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run('CREATE SCHEMA refs')
  for (const [table, columns] of texts.tables) {
    const list = Array.from(columns, ([name, type]) => `${name} ${type}`).join(', ')
    await connection.run(`CREATE TABLE refs.${table} (${list})`)
  }
  return {
    texts,
    ask: async sql => {
      const { path, text } = queryFile(queryName, sql)
      const project: Project = base.with(path, text)
      const sources = new Map()
      const analysis = await catalog.analyze(project, sources)
      const found = projectProblems({ project, analysis, sources, sourceDiagnostics: [] })
      return { problems: found.get(path) ?? [], analysis: analysis.of(queryName), text }
    },
    takes: async sql => {
      try {
        await connection.run(`EXPLAIN ${sql.replaceAll(/\{\{ ref\('(\w+)'\) \}\}/g, 'refs.$1')}`)
        return 'taken'
      } catch (problem) {
        return problem instanceof Error && problem.message.startsWith('Parser Error')
          ? 'no syntax'
          : 'refused'
      }
    },
    close: () => {
      catalog.close()
      connection.closeSync()
      instance.closeSync()
    },
  }
}

// ---------------------------------------------------------------- as they are

/** A block for each query: its number, the hash of its text, a line for each problem and each column with its lineage. */
export async function snapshotOf(bench: Bench): Promise<string> {
  const blocks: string[] = []
  for (const [index, query] of bench.texts.queries.entries()) {
    const { problems, analysis, text } = await bench.ask(withRefs(query, bench.texts))
    blocks.push(
      [
        `${bench.texts.name} ${index + 1} ${hash(query).slice(0, 12)}`,
        ...problems.map(
          ({ code, severity, range }) =>
            `  ${severity === 'error' ? '!' : '?'} ${code} ${text.slice(range.start, range.end)}`,
        ),
        ...columnLines(analysis),
      ].join('\n'),
    )
  }
  return `${blocks.join('\n\n')}\n`
}

/** `name TYPE = asset.column` where it passes through unchanged, `name TYPE <- origins` where it is computed. */
function columnLines(analysis: AssetAnalysis | undefined): readonly string[] {
  return (analysis?.columns ?? []).map(({ name, type }, index) => {
    const lineage = analysis?.lineage[index]
    const origins = (lineage?.from ?? []).map(each => `${each.asset}.${each.column}`).join(' ')
    return `  ${name} ${type} ${lineage?.kind === 'direct' ? '=' : '<-'} ${origins}`.trimEnd()
  })
}

// ---------------------------------------------------------------- with slips

export interface SlipCounts {
  readonly queries: number
  readonly columns: number
  readonly foundColumns: number
  readonly aliases: number
  readonly foundAliases: number
  readonly slips: number
  readonly foundSlips: number
  /** Problems on none of the three. */
  readonly others: number
}

export interface JudgedSlips {
  readonly title: string
  readonly counts: SlipCounts
  readonly misses: readonly string[]
}

export async function judgeSlips(bench: Bench, seed: number): Promise<readonly JudgedSlips[]> {
  const judged: JudgedSlips[] = []
  for (const [index, text] of bench.texts.queries.entries()) {
    const query = withRefs(text, bench.texts)
    const slips = await slipsIn(query, bench.texts, seed + index, bench.takes)
    judged.push(await judgeQuery(bench, `${bench.texts.name} ${index + 1}`, query, slips))
  }
  return judged
}

async function judgeQuery(
  bench: Bench,
  title: string,
  query: string,
  slips: readonly Slip[],
): Promise<JudgedSlips> {
  const broken = withSlips(query, slips)
  const { problems, text } = await bench.ask(broken.text)
  const rangeOf = (slip: Slip): Range => inFile(broken.text, text, broken.places.get(slip) ?? slip)
  const isFound = (slip: Slip): boolean =>
    slip.kind === 'syntax'
      ? problems.some(({ code, range }) => code === 'sql-syntax' || overlaps(rangeOf(slip), range))
      : problems.some(({ code, range }) => code !== 'sql-syntax' && overlaps(rangeOf(slip), range))
  const of = (kind: Slip['kind']) => slips.filter(slip => slip.kind === kind)
  const count = (kind: Slip['kind']) => of(kind).filter(isFound).length
  const others = problems.filter(
    ({ code, range }) => code !== 'sql-syntax' && !slips.some(slip => overlaps(rangeOf(slip), range)),
  )
  return {
    title,
    counts: {
      queries: 1,
      columns: of('column').length,
      foundColumns: count('column'),
      aliases: of('alias').length,
      foundAliases: count('alias'),
      slips: of('syntax').length,
      foundSlips: count('syntax'),
      others: others.length,
    },
    misses: [
      ...slips
        .filter(slip => !isFound(slip))
        .map(slip => `missed  ${slip.kind} "${query.slice(slip.start, slip.end)}" → "${slip.wrong}"`),
      ...others.map(each => `other   ${each.code} ${each.message}`),
    ],
  }
}

/** Each line of the query is indented by two spaces in the file. */
function inFile(sql: string, text: string, { start, end }: Range): Range {
  const begin = text.indexOf('transform: |\n') + 'transform: |\n  '.length
  const shift = (offset: number): number => begin + offset + 2 * (sql.slice(0, offset).split('\n').length - 1)
  return { start: shift(start), end: shift(end) }
}

function overlaps(a: Range, b: Range): boolean {
  return a.start < b.end && b.start < a.end
}

export function countSlips(judged: readonly JudgedSlips[]): SlipCounts {
  const sum = (key: keyof SlipCounts) => judged.reduce((total, { counts }) => total + counts[key], 0)
  return {
    queries: sum('queries'),
    columns: sum('columns'),
    foundColumns: sum('foundColumns'),
    aliases: sum('aliases'),
    foundAliases: sum('foundAliases'),
    slips: sum('slips'),
    foundSlips: sum('foundSlips'),
    others: sum('others'),
  }
}

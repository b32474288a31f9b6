/** What `svc import dbt` makes of the corpus of small dbt projects, beside what dbt built of them. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import {
  type BuiltItem,
  type BuiltRelation,
  type CorpusProject,
  expectedItems,
  ownerOf,
  relationOf,
} from '../../scripts/import-corpus.mjs'
import { createGround, lineIn } from '../cli/bad-input/command-line.ts'

export interface Compared {
  readonly item: string
  /** `equal`: the same rows, types and verdicts of tests; `noted`: others, and a note says so; `silent`: others without one. */
  readonly verdict: 'equal' | 'noted' | 'silent'
  /** What is not as in dbt. */
  readonly different: readonly string[]
  readonly isNotedWanted: boolean
}

interface Note {
  readonly level: string
  readonly path: string
  readonly message: string
  readonly asset: string | null
}

/** Imports and runs a project of the corpus, and compares each of its items with what dbt built. */
export async function comparedProject({ items, files }: CorpusProject): Promise<readonly Compared[]> {
  const expected = expectedItems()
  const ground = createGround(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`dbt/${path}`, text])),
  )
  const at = join(ground.root, 'new')
  try {
    const imported = await ground.line(['import', 'dbt', 'dbt', '-o', 'new', '--json'])
    const { notes = [] } = JSON.parse(imported.stdout) as { readonly notes?: readonly Note[] }
    const names = items.map(({ name }) => name)
    const broken = existsSync(at) ? await withoutBroken(at, names) : new Map<string, string>()
    const ran = existsSync(at) ? await lineIn(at, ['run']) : imported
    const built = await builtIn(at)
    return items.map(({ name, noted }) => {
      const own = notes.filter(note => isOf(name, names, note))
      const different = differences(expected[name], built)
      const problem =
        broken.get(name) ?? (built.size === 0 ? (ran.stdout + ran.stderr).slice(0, 600) : undefined)
      const all = problem === undefined ? different : [...different, problem]
      const isTold = own.some(({ level }) => level !== 'left_out')
      return {
        item: name,
        verdict: all.length === 0 ? 'equal' : isTold ? 'noted' : 'silent',
        different: [...all, ...own.map(({ level, message }) => `${level}: ${message}`)],
        isNotedWanted: noted,
      }
    })
  } finally {
    ground.dispose()
  }
}

function isOf(name: string, names: readonly string[], { path, asset }: Note): boolean {
  const stem = path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.\w+$/, '')
    .replace(/^sources?_/, '')
  const isOnly = names.length === 1
  return isOnly || [asset ?? '', stem].some(each => ownerOf(names, each) === name)
}

/** Takes out the assets that `validate` refuses, with what it says: those of other items are run all the same. */
async function withoutBroken(at: string, names: readonly string[]): Promise<Map<string, string>> {
  const broken = new Map<string, string>()
  for (let round = 0; round < 5; round++) {
    const { stdout } = await lineIn(at, ['validate', '--format', 'json'])
    const { files } = JSON.parse(stdout) as {
      readonly files: readonly {
        readonly diagnostics: readonly {
          readonly severity: string
          readonly path: string
          readonly message: string
        }[]
      }[]
    }
    const diagnostics = files.flatMap(file => file.diagnostics)
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    if (errors.length === 0) break
    for (const { path, message } of errors) {
      const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.svc$/, '')
      const owner = ownerOf(names, stem) ?? stem
      if (!broken.has(owner)) broken.set(owner, `validate: ${message}`)
      rmSync(join(at, path), { force: true })
    }
  }
  return broken
}

interface Built extends BuiltRelation {
  readonly tests: readonly string[]
}

async function builtIn(at: string): Promise<ReadonlyMap<string, Built>> {
  const file = join(at, 'warehouse.duckdb')
  const built = new Map<string, Built>()
  if (!existsSync(file)) return built
  const results = join(at, '.svc/test_results.json')
  const told = existsSync(results)
    ? (JSON.parse(readFileSync(results, 'utf8')) as Record<
        string,
        { readonly tests: readonly { readonly status: string }[] }
      >)
    : {}
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  try {
    for (const [schema, name] of await viewsIn(connection)) {
      const relation = await relationOf(connection, `"${schema}"."${name}"`)
      built.set(name, { ...relation, tests: (told[name]?.tests ?? []).map(({ status }) => status) })
    }
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
  return built
}

async function viewsIn(connection: DuckDBConnection): Promise<readonly (readonly [string, string])[]> {
  const found = await connection.runAndReadAll(
    "SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal AND schema_name NOT LIKE 'svc%'",
  )
  return found.getRowsJson().map(row => [String(row[0]), String(row[1])] as const)
}

function differences(expected: BuiltItem | undefined, built: ReadonlyMap<string, Built>): readonly string[] {
  if (expected === undefined) return ['dbt has not built it: node scripts/import-corpus.mjs']
  return Object.entries(expected.relations).flatMap(([name, theirs]) => {
    const ours = built.get(name)
    if (ours === undefined) return [`${name} is not there`]
    const lists = (['columns', 'rows'] as const).flatMap(key => {
      const [here, there] = [JSON.stringify(ours[key]), JSON.stringify(theirs[key])]
      return here === there ? [] : [`${key} of ${name}: ${here} instead of ${there}`]
    })
    const [here, there] = [verdictOf(ours.tests), verdictOf(expected.tests[name] ?? [])]
    const isFewer = ours.tests.length < (expected.tests[name]?.length ?? 0)
    if (here === there && !isFewer) return lists
    return [
      ...lists,
      `tests of ${name}: ${ours.tests.join()} instead of ${expected.tests[name]?.join() ?? 'none'}`,
    ]
  })
}

/** One test of dbt may be two here. */
function verdictOf(statuses: readonly string[]): string {
  return statuses.some(each => each !== 'pass') ? 'fail' : 'pass'
}

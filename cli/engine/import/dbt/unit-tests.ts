/** Unit tests: the rows given and expected of a model. */
import { posix } from 'node:path'
import { CallProblem, JinjaProblem } from '../jinja/problem.ts'
import { toData } from '../jinja/values.ts'
import type { Plain, PlainMap } from './asset-draft.ts'
import { described } from './columns.ts'
import { readCsv } from './csv.ts'
import type { DbtProject } from './dbt-project.ts'
import { filesOf } from './packages.ts'
import type { Declared } from './project-index.ts'
import { nodeFor } from './references.ts'
import { renderedPart } from './rendered-part.ts'
import { renderedText } from './unroll.ts'
import type { Part } from './yaml-part.ts'

export function unitTest(project: DbtProject, declared: Declared) {
  const { notes } = project
  const { part, name } = declared
  if (part.get('config')?.get('enabled')?.text === 'false') {
    notes.add('left_out', part.site, 'a disabled unit test')
    part.settle()
    return undefined
  }
  try {
    return read(project, declared)
  } catch (error) {
    const subject = `the unit test ${name} did not come over`
    const hint = 'Write it as a unit test: docs/unit-tests.md.'
    if (error instanceof JinjaProblem) notes.problem(error, subject, hint)
    else if (error instanceof CallProblem)
      notes.add('todo', part.site, `${subject}: ${error.message}`, { hint: error.hint ?? hint })
    else throw error
    part.settle()
    return undefined
  }
}

function read(project: DbtProject, declared: Declared): { readonly asset: string; readonly test: PlainMap } {
  const { of, part, name } = declared
  const model = part.get('model')?.text
  if (model === undefined) throw new CallProblem('it names no model')
  const asset = project.nameOf(nodeFor(project, of, { positional: [model], named: new Map() }))
  const given: Record<string, Plain> = {}
  for (const input of part.get('given')?.items() ?? [])
    given[inputName(project, declared, input)] = rowsOf(project, declared, input)
  const expected = part.get('expect')
  if (expected === undefined) throw new CallProblem('it expects nothing')
  const subject = { project, of, asset, folders: [] }
  const tags = (part.get('config')?.get('tags')?.items() ?? []).flatMap(each => each.text ?? [])
  const test: PlainMap = {
    name: name.replace(/\W+/g, '_'),
    description: described(subject, part),
    unit: { given, ...overrides(project, part), expect: rowsOf(project, declared, expected) },
    tags: tags.length === 0 ? undefined : tags,
  }
  return { asset, test }
}

function inputName(project: DbtProject, { of }: Declared, input: Part): string {
  const text = input.get('input')?.text ?? ''
  if (/^\s*this\s*$/.test(text))
    throw new CallProblem('it gives rows of the model itself, which is not incremental here')
  const written = renderedText(project, of, text, input.site)
  // What is no template itself is an expression, which may have had one in it.
  const isWhole = /^\s*\{\{/.test(written)
  const rendered = isWhole ? written.trim() : renderedText(project, of, `{{ ${written} }}`, input.site)
  const asset = /^\{\{ ref\('(\w+)'\) \}\}$/.exec(rendered)?.[1]
  if (asset === undefined) throw new CallProblem(`"${text}" names no model`)
  return asset
}

function rowsOf(project: DbtProject, declared: Declared, part: Part): Plain {
  const format = part.get('format')?.text ?? 'dict'
  const fixture = part.get('fixture')?.text
  const rows = part.get('rows')
  if (format === 'sql')
    throw new CallProblem('rows in SQL have no counterpart', 'Write them as mappings or as CSV.')
  if (format === 'csv')
    return csvRows(
      fixture === undefined
        ? renderedText(project, declared.of, rows?.text ?? '', part.site)
        : fixtureText(project, declared, fixture),
    )
  return (rows?.items() ?? []).map(row =>
    Object.fromEntries(
      row
        .entries()
        .map(({ key, value }) => [key, toData(renderedPart(project, declared.of, value)) as Plain]),
    ),
  )
}

/** CSV becomes mappings, in which a text is a text. */
function csvRows(text: string): Plain {
  const [header = [], ...records] = readCsv(text.trim(), ',')
  const cell = (value: string): Plain => {
    const plain = value.trim()
    if (plain === '' || plain.toLowerCase() === 'null') return null
    return /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(plain) ? Number(plain) : plain
  }
  return records.map(record =>
    Object.fromEntries(header.map((name, index) => [name.trim(), cell(record[index] ?? '')])),
  )
}

function fixtureText({ files }: DbtProject, { of }: Declared, name: string): string {
  const path = filesOf(files, of, 'tests', ['.csv']).find(each => posix.basename(each) === `${name}.csv`)
  if (path === undefined) throw new CallProblem(`there is no fixture ${name}.csv`)
  return files.read(path).text
}

/** Variables may be given where they came over as variables; macros were unrolled, so they cannot. */
function overrides({ vars }: DbtProject, part: Part): PlainMap {
  const all = part.get('overrides')
  const macros = (all?.get('macros')?.entries() ?? []).filter(
    ({ key, value }) => !(key === 'is_incremental' && value.text === 'false'),
  )
  if (macros.length > 0) throw new CallProblem(`it overrides the macro ${macros[0]?.key}, which was unrolled`)
  if ((all?.get('env_vars')?.entries() ?? []).length > 0)
    throw new CallProblem('it overrides variables of the environment')
  const given = all?.get('vars')?.entries() ?? []
  const lost = given.find(({ key }) => !vars.has(key))
  if (lost !== undefined)
    throw new CallProblem(`it overrides the variable ${lost.key}, which was written into the SQL`)
  if (given.length === 0) return {}
  return { vars: Object.fromEntries(given.map(({ key, value }) => [key, value.data() as Plain])) }
}

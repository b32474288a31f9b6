/** The macros of the project, of its packages and of the library, by package and name. */
import { JinjaProblem, type Template } from '../jinja/problem.ts'
import { type MacroParts, parseTemplate, type Statement } from '../jinja/statements.ts'
import type { DbtDialect } from './dialect.ts'
import type { Notes } from './notes.ts'
import { type DbtPackage, filesOf } from './packages.ts'
import type { ProjectFiles } from './project-files.ts'

export interface Macro extends MacroParts {
  readonly package: string
  readonly template: Template
  readonly at: number
}

export type MacrosByName = ReadonlyMap<string, Macro>

export interface Macros {
  /** Those of the project and of the packages that are installed. */
  readonly own: ReadonlyMap<string, MacrosByName>
  readonly library: ReadonlyMap<string, MacrosByName>
}

const blocks = ['test', 'data_test', 'materialization', 'snapshot', 'docs']

export function readMacros(
  files: ProjectFiles,
  packages: readonly DbtPackage[],
  { library }: DbtDialect,
  notes: Notes,
): Macros {
  const own = new Map<string, MacrosByName>()
  for (const of of packages) {
    const tests = filesOf(files, of, 'tests', ['.sql']).filter(path => path.includes('/generic/'))
    const paths = [...filesOf(files, of, 'macros', ['.sql']), ...tests]
    const found = paths.flatMap(path => readFile(files.read(path), of.name, notes))
    own.set(of.name, new Map(found.map(macro => [macro.name, macro])))
  }
  return { own, library: new Map(library.map(({ name, template }) => [name, libraryOf(name, template)])) }
}

const parsedLibrary = new Map<Template, MacrosByName>()

function libraryOf(name: string, template: Template): MacrosByName {
  const known = parsedLibrary.get(template)
  if (known !== undefined) return known
  const macros = macrosIn(parseTemplate(template, { tidy: false }), template, name)
  const byName = new Map(macros.map(macro => [macro.name, macro]))
  parsedLibrary.set(template, byName)
  return byName
}

/** A file that cannot be read costs only the models that use its macros, which say so. */
function readFile(template: Template, owner: string, notes: Notes): readonly Macro[] {
  try {
    return macrosIn(parseTemplate(template, { tidy: false, blocks }), template, owner)
  } catch (error) {
    if (!(error instanceof JinjaProblem)) throw error
    notes.add('left_out', error.site, `the macros of this file: ${error.message}`, {
      hint: 'What uses them is listed on its own.',
    })
    return []
  }
}

function macrosIn(statements: readonly Statement[], template: Template, owner: string): readonly Macro[] {
  return statements.flatMap((statement): readonly Macro[] => {
    if (statement.kind === 'macro') return [{ ...statement, package: owner, template }]
    if (statement.kind !== 'block' || !statement.word.endsWith('test')) return []
    return [{ ...statement, name: `test_${statement.name}`, package: owner, template }]
  })
}

/** What all parts of an import share. */
import type { Engine } from '@svc/server/language'
import { CallProblem } from '../jinja/problem.ts'
import type { Value } from '../jinja/values.ts'
import { dataValue } from './config.ts'
import type { DbtDialect } from './dialect.ts'
import type { Macros } from './macros.ts'
import type { Notes } from './notes.ts'
import type { AskedPackage, DbtPackage } from './packages.ts'
import type { Profile } from './profile.ts'
import type { ProjectFiles } from './project-files.ts'
import type { DbtIndex, DbtNode, DbtSource } from './project-index.ts'
import type { RelationColumns } from './relation-columns.ts'

export interface DbtProject {
  readonly files: ProjectFiles
  readonly root: DbtPackage
  readonly packages: readonly DbtPackage[]
  /** Those that are listed and not installed. */
  readonly missing: readonly AskedPackage[]
  readonly index: DbtIndex
  readonly macros: Macros
  readonly columns: RelationColumns
  readonly profile: Profile
  readonly notes: Notes
  readonly engine: Engine
  readonly dialect: DbtDialect
  /** The variables of the environment in which the import runs. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** When the import was started, in milliseconds. */
  readonly now: number
  /** The production schema of the new project. */
  readonly schema: string
  nameOf(what: DbtNode | DbtSource): string
  /** Notes that a description has the text of this block of documentation. */
  usesDoc(name: string): void
  /** The variables that the new project has, with their values. */
  readonly vars: Map<string, string | number | boolean>
}

/** Returns the value of a variable as dbt finds it: of the package in the project, of the project, of the package. */
export function variable({ root }: DbtProject, of: DbtPackage, name: string): Value | undefined {
  const owners = of.isRoot ? [root] : [root, of]
  for (const owner of owners) {
    const vars = owner.settings.get('vars')
    // A variable that is set to nothing has a value: none.
    const value = vars?.get(of.name)?.written(name) ?? vars?.written(name)
    if (value !== undefined) return dataValue(value)
  }
  return undefined
}

/** Where the project says that macros of a package are looked for; undefined if it says nothing. */
export function searchOrder({ root }: DbtProject, namespace: string): readonly string[] | undefined {
  const entries = root.settings.get('dispatch')?.items() ?? []
  const entry = entries.find(each => each.get('macro_namespace')?.text === namespace)
  return entry
    ?.get('search_order')
    ?.items()
    .flatMap(each => each.text ?? [])
}

export function packageNamed({ packages }: DbtProject, name: string): DbtPackage | undefined {
  return packages.find(each => each.name === name)
}

/** What is said of a package that is asked for and is not there, wherever it is: at its place in the list of packages. */
export function missingPackage({ missing }: DbtProject, name: string): CallProblem {
  const asked = missing.find(each => each.name === name || each.name === `dbt_${name}`)
  const message = notInstalled(name)
  return new CallProblem(message, installHint, { message, site: asked?.site })
}

export const notInstalled = (name: string) => `the package ${name} is not installed`

export const installHint =
  'Run "dbt deps" in the dbt project, then import again: its models, macros and tests come over, too.'

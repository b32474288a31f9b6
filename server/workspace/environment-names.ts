/**
 * Derives schemas and variables from the name of an environment (decisions 2, "Schemas"). It knows no
 * warehouse.
 */
import { type JsonScalar, type Settings, usualEnvironment } from '../language/index.ts'
import { sha256 } from './sha256.ts'

export interface EnvironmentNames {
  /** The suffix of schema names: '' for `prod`, `_dev_main`, `_staging`. */
  readonly suffix: string
  /** The production schema of assets without `deploy.schema`. */
  readonly schema: string
  /** Returns the production schema for a `deploy.schema` (or `default_schema`) in this environment. */
  readonly schemaFor: (base: string) => string
  readonly vars: Readonly<Record<string, JsonScalar>>
}

export interface EnvironmentNamesInput {
  readonly settings: Settings
  /** The value of `--env`. */
  readonly name: string
  /** The branch of the work tree; undefined if there is none or the head is detached. */
  readonly branch: string | undefined
}

export function environmentNames(input: EnvironmentNamesInput): EnvironmentNames {
  const { settings, name } = input
  const declared = settings.environments[name]
  const suffix = suffixOf(input)
  const schema = declared?.schema ?? settings.defaultSchema + suffix
  return {
    suffix,
    schema,
    schemaFor: base => (base === settings.defaultSchema ? schema : base + suffix),
    vars: { ...settings.vars, ...declared?.vars },
  }
}

/** Returns the name of an environment in the state tables and in `.svc/`: two branches of `dev` are two of them. */
export function stateNameOf(input: Pick<EnvironmentNamesInput, 'name' | 'branch'>): string {
  return input.name === usualEnvironment ? suffixOf(input).slice(1) : input.name
}

/** Returns whether a name in the state tables and in `.svc/` is `dev`, or one of its branches, as far as a name can say. */
export function isStateOfDev(stateName: string, { environments }: Pick<Settings, 'environments'>): boolean {
  const isSo = stateName === usualEnvironment || stateName.startsWith(`${usualEnvironment}_`)
  return isSo && environments[stateName] === undefined
}

function suffixOf({ name, branch }: Pick<EnvironmentNamesInput, 'name' | 'branch'>): string {
  if (name === 'prod') return ''
  if (name !== usualEnvironment || branch === undefined) return `_${name}`
  return `_${name}_${branchSlug(branch)}`
}

const longestSlug = 32

/**
 * Returns `main` for `main`, and `feature_sales_1f3a9c` for `feature/Sales`, so that no two branches collide.
 */
export function branchSlug(branch: string): string {
  const slug = branch
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, longestSlug)
  return slug === branch ? slug : `${slug === '' ? 'branch' : slug}_${sha256(branch).slice(0, 6)}`
}

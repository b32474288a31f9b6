/** What `--env <name>` means: schemas, warehouse and variables (interface.md 4.4, decisions 2 "Schemas"). */
import type { Settings } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { Environment } from '../workspace/workspace.ts'

export interface EnvironmentInput {
  readonly settings: Settings
  /** The value of `--env`. */
  readonly name: string
  /** Branch of the work tree; undefined: none or detached. */
  readonly branch: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** SHA-256 as lower-case hex. */
  readonly hash: (text: string) => string
}

export const defaultEnvironment = 'dev'

/**
 * The environment of that name; one that `svc.yaml` does not declare begins to exist by use. SvcError
 * `unknown-environment` for a name that cannot be part of a schema's name. A missing variable behind `warehouse` is an
 * error only for who asks for the warehouse.
 */
export function resolveEnvironment(input: EnvironmentInput): Environment {
  const { settings, name } = input
  refuseInvalidName(name)
  const declared = settings.environments[name]
  const suffix = suffixOf(input)
  const schema = declared?.schema ?? settings.defaultSchema + suffix
  return {
    name,
    stateName: name === 'dev' ? suffix.slice(1) : name,
    schema,
    schemaFor: base => (base === settings.defaultSchema ? schema : base + suffix),
    get warehouseUrl() {
      return resolveWarehouse(declared?.warehouse ?? settings.warehouse, input.env)
    },
    vars: { ...settings.vars, ...declared?.vars },
    branch: name === 'dev' ? input.branch : undefined,
  }
}

function refuseInvalidName(name: string): void {
  if (/^[a-z][a-z0-9_]{0,31}$/.test(name)) return
  throw new SvcError('unknown-environment', `"${name}" cannot name an environment`, {
    hint: 'A name has small letters, digits and underscores, starts with a letter, and is 32 characters at most.',
  })
}

function suffixOf(input: EnvironmentInput): string {
  if (input.name === 'prod') return ''
  if (input.name !== 'dev') return `_${input.name}`
  return input.branch === undefined ? '_dev' : `_dev_${branchSlug(input.branch, input.hash)}`
}

const longestSlug = 32

/** `main` stays `main`; `feature/Sales` becomes `feature_sales_1f3a9c`, so that no two branches meet. */
export function branchSlug(branch: string, hash: (text: string) => string): string {
  const slug = branch
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, longestSlug)
  return slug === branch ? slug : `${slug === '' ? 'branch' : slug}_${hash(branch).slice(0, 6)}`
}

function resolveWarehouse(value: string, env: EnvironmentInput['env']): string {
  const variable = /^env:(.+)$/.exec(value)?.[1]
  if (variable === undefined) return value
  const url = env[variable]
  if (url !== undefined && url !== '') return url
  throw new SvcError(
    'missing-credentials',
    `the environment variable ${variable}, named as the warehouse, is not set`,
    {
      hint: `Set ${variable} to an address such as duckdb:./warehouse.duckdb.`,
      place: 'svc.yaml',
    },
  )
}

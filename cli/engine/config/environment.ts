/** Resolves `--env <name>` to schemas, warehouse and variables (interface.md 4.4, decisions 2 "Schemas"). */
import {
  environmentNameForm,
  isEnvironmentName,
  type Settings,
  usualEnvironment,
  usualPromotion,
  usualWarehouse,
} from '@svc/server/language'
import { environmentNames, stateNameOf } from '@svc/server/workspace'
import { SvcError } from '../errors.ts'
import type { Environment } from '../workspace/workspace.ts'
import { withGivenVars } from './given-vars.ts'

export interface EnvironmentInput {
  readonly settings: Settings
  /** The value of `--env`. */
  readonly name: string
  /** The checked-out branch; undefined if there is none, or HEAD is detached. */
  readonly branch: string | undefined
  /** Whether a commit is checked out, and no branch. */
  readonly isDetached?: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** The values of `--vars`, as texts. */
  readonly given?: Readonly<Record<string, string>>
}

/**
 * Returns the environment of that name; one that `svc.yaml` does not declare starts to exist when it is used.
 * Throws SvcError `unknown-environment` for a name that cannot be part of a schema's name, and `schema-name-too-long`. A missing variable
 * behind `warehouse` is reported only when the warehouse is needed.
 */
export function resolveEnvironment(input: EnvironmentInput): Environment {
  const { settings, name } = input
  requireEnvironmentName(name)
  const declared = settings.environments[name]
  const { schema, schemaFor, vars } = environmentNames(input)
  return {
    name,
    stateName: stateNameOf(input),
    schema: requireWholeName(schema, input),
    schemaFor: base => requireWholeName(schemaFor(base), input),
    get warehouseUrl() {
      return resolveWarehouse(declared?.warehouse ?? settings.warehouse, input.env)
    },
    vars: withGivenVars(vars, input.given ?? {}),
    promotion: (declared?.promotion ?? usualPromotion).what,
    patience: declared?.promotion ?? usualPromotion,
    warnings: declared?.warnings ?? 'show',
    branch: name === usualEnvironment ? input.branch : undefined,
    isDetached: name === usualEnvironment && declared?.schema === undefined && input.isDetached === true,
  }
}

/** Returns a schema's name that the engine does not cut: two environments could become one. */
function requireWholeName(schema: string, { settings, name, branch }: EnvironmentInput): string {
  if (settings.engine.fold(schema).length === schema.length) return schema
  const isBranch = name === usualEnvironment && branch !== undefined
  const whose = isBranch ? `${name} on the branch "${branch}"` : `"${name}"`
  throw new SvcError(
    'schema-name-too-long',
    `the environment ${whose} needs the schema "${schema}", and the warehouse would cut that name`,
    {
      hint: `Cut to ${settings.engine.fold(schema).length} letters, the schemas of two environments could become one: shorten default_schema or deploy.schema, or give environments.${name}.schema in svc.yaml a shorter name.`,
      place: 'svc.yaml',
    },
  )
}

/** Throws SvcError `unknown-environment`. */
export function requireEnvironmentName(name: string): void {
  if (isEnvironmentName(name)) return
  throw new SvcError('unknown-environment', `"${name}" cannot name an environment`, {
    hint: environmentNameForm,
  })
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
      hint: `Set ${variable} to an address such as ${usualWarehouse}.`,
      place: 'svc.yaml',
    },
  )
}

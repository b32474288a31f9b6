/**
 * What the argument of `svc discover` names: a web service, a database or files. Secrets in it become variables, so that
 * the new file has none.
 */
import { databaseExamples, databaseSchemes } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { defaultVariable, resolveText, variableOf } from '../ingest/credentials.ts'
import { assetName } from './asset-name.ts'
import { fileAddress, namesFiles, type Place } from './file-address.ts'
import { ownWarehouse } from './warehouse-tables.ts'

export interface SourceAddress {
  readonly type: 'rest_api' | 'sql' | 'file'
  /** Whether it is the warehouse of the project, whose tables are read where they are. */
  readonly inWarehouse?: true
  /** As the file has it. */
  readonly endpoint: string
  /** The path below the endpoint of a web service; the name or pattern of files. */
  readonly resource: string | undefined
  readonly params: Readonly<Record<string, string>>
  readonly auth: Readonly<Record<string, string>> | undefined
  /** A name for what stands there: the last part of the path. */
  readonly name: string
  /** The secrets of the argument, by the variables that the file reads them from. */
  readonly variables: Readonly<Record<string, string>>
}

type Environment = Readonly<Record<string, string | undefined>>

interface Known extends Place {
  readonly env: Environment
  readonly warehouse: { readonly warehouseUrl: string }
}

/** Throws `wrong-usage` for what is no address. `name`: that of the asset, if it was given. */
export function sourceAddress(
  argument: string,
  name: string | undefined,
  { env, warehouse, ...place }: Known,
): SourceAddress {
  if (argument === ownWarehouse) {
    const { warehouseUrl: url } = warehouse
    return { ...databaseAt(url, url, name), inWarehouse: true }
  }
  const text = resolveText(argument, env, 'the address')
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase() ?? ''
  if (databaseSchemes.includes(scheme)) return databaseAt(argument, text, name)
  if (namesFiles(text, place)) return fileAddress(argument, text, name, place)
  if (scheme === 'http' || scheme === 'https') return webServiceAt(argument, text, name, env)
  const known = `https://api.example.com/v1/orders, ${databaseExamples}, "data/*.csv", s3://lake/in/orders.parquet, ${ownWarehouse}`
  throw new SvcError(
    'wrong-usage',
    `${shown(argument)} is no address of a web service, a database or files`,
    {
      hint: `Write one such as ${known}; or env:NAME for a variable that has it.`,
    },
  )
}

function databaseAt(argument: string, text: string, name: string | undefined): SourceAddress {
  const bare = { type: 'sql', resource: undefined, params: {}, auth: undefined, variables: {} } as const
  if (!text.includes('://')) return { ...bare, endpoint: argument, name: 'tables' }
  const url = urlOf(text, argument)
  const database = assetName(decodeURIComponent(url.pathname).slice(1), 'tables')
  if (variableOf(argument) !== undefined || url.password === '')
    return { ...bare, endpoint: argument, name: database }
  const password = decodeURIComponent(url.password)
  url.password = ''
  const variables = { [defaultVariable(name ?? database)]: password }
  return { ...bare, endpoint: url.href, name: database, variables }
}

const secretNames = /key|token|secret|password|signature|auth/i

function webServiceAt(
  argument: string,
  text: string,
  given: string | undefined,
  env: Environment,
): SourceAddress {
  const url = urlOf(text, argument)
  if (variableOf(argument) !== undefined) {
    throw new SvcError(
      'wrong-usage',
      'the address of a web service is written out, because its path becomes the resource',
      {
        hint: 'Secrets in it do not reach the new file: they become variables.',
      },
    )
  }
  const steps = url.pathname.split('/').filter(step => step !== '')
  const resource = steps.at(-1) ?? '/'
  const name = given ?? assetName(resource.replace(/\.\w+$/, ''), 'records')
  const variables: Record<string, string> = {}
  const params: Record<string, string> = {}
  for (const [key, value] of url.searchParams) {
    const variable = `SOURCE__${name.toUpperCase()}__${key.toUpperCase().replace(/\W+/g, '_')}`
    if (secretNames.test(key)) variables[variable] = value
    params[key] = secretNames.test(key) ? `env:${variable}` : value
  }
  const credentials = defaultVariable(name)
  if (url.password !== '') variables[credentials] = decodeURIComponent(url.password)
  const isSet = (env[credentials] ?? '') !== ''
  return {
    type: 'rest_api',
    endpoint: [url.origin, ...steps.slice(0, -1)].join('/'),
    resource,
    params,
    auth: authOf(url, isSet),
    name,
    variables,
  }
}

function authOf(url: URL, hasCredentials: boolean): SourceAddress['auth'] {
  if (url.username !== '') return { type: 'basic', username: decodeURIComponent(url.username) }
  return hasCredentials ? { type: 'bearer' } : undefined
}

function urlOf(text: string, argument: string): URL {
  try {
    return new URL(text)
  } catch {
    throw new SvcError('wrong-usage', `${shown(argument)} is no address`, {
      hint: 'Special characters in a password are written %40 and the like.',
    })
  }
}

/** An argument may hold a secret, so no more of it is shown than its beginning. */
function shown(argument: string): string {
  return argument.startsWith('env:') ? argument : `"${argument.slice(0, 8)}${argument.length > 8 ? '…' : ''}"`
}

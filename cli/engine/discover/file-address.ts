/** Files as the argument of `svc discover`: a path, or an address of S3, of SFTP or of a web server that ends like a file. */
import { readdirSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { formatOf, remoteScheme } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { defaultVariable, variableOf } from '../ingest/credentials.ts'
import { assetName } from './asset-name.ts'
import type { SourceAddress } from './source-address.ts'

export interface Place {
  /** The folder that paths are written from. */
  readonly cwd: string
  readonly root: string
}

/** JSON at a web address is what a web service answers. */
export function namesFiles(text: string, { cwd }: Place): boolean {
  const scheme = remoteScheme(text)
  if (scheme === 's3' || scheme === 'sftp') return true
  const format = formatOf(text.replace(/[?#].*$/, ''))
  if (scheme === 'http') return format !== undefined && format !== 'json'
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) return false
  return format !== undefined || statSync(resolve(cwd, text), { throwIfNoEntry: false }) !== undefined
}

const pattern = /[*?[\]{}]/

/** @param given a name for the asset, if there is one */
export function fileAddress(
  argument: string,
  text: string,
  given: string | undefined,
  place: Place,
): SourceAddress {
  if (variableOf(argument) !== undefined) {
    throw new SvcError(
      'wrong-usage',
      'the address of files is written out, because its path goes into the asset',
      { hint: 'A password in it does not reach the new file: it becomes a variable.' },
    )
  }
  const { origin, path, password } =
    remoteScheme(text) === undefined ? localPath(text, place) : remotePath(text)
  const steps = path.split('/')
  const open = steps.findIndex(step => pattern.test(step))
  const first = open === -1 ? steps.length - 1 : open
  const folder = steps.slice(0, first).join('/')
  const resource = steps.slice(first).join('/')
  if (resource === '') throw namesAFolder(text, 'orders.csv')
  const name = given ?? assetName(nameOf(resource) || (steps[first - 1] ?? '') || 'records', 'records')
  return {
    ...{ type: 'file', endpoint: `${origin}${folder}` || '.', resource, params: {}, auth: undefined, name },
    variables: password === undefined ? {} : { [defaultVariable(name)]: password },
  }
}

/** What stands before the ending and before the first part that is left open. */
function nameOf(resource: string): string {
  const base = resource.split('/').at(-1) ?? ''
  return base.replace(/(\.\w+)?(\.gz)?$/i, '').replace(/[^A-Za-z0-9]*[*?[{].*$/, '')
}

interface FilePath {
  /** What stands before the path. */
  readonly origin: string
  readonly path: string
  readonly password?: string
}

function localPath(text: string, { cwd, root }: Place): FilePath {
  const full = resolve(cwd, text)
  if (statSync(full, { throwIfNoEntry: false })?.isDirectory() === true) {
    const example = readdirSync(full).find(name => formatOf(name) !== undefined)
    throw namesAFolder(text, example === undefined ? '*.csv' : example.replace(/^[^.]*/, '*'))
  }
  const inside = relative(root, full).replaceAll('\\', '/')
  return { origin: '', path: inside.startsWith('../') ? full.replaceAll('\\', '/') : inside }
}

function remotePath(text: string): FilePath {
  const [, scheme = '', authority = '', path = ''] = /^([a-z0-9]+:\/\/)([^/]*)(.*)$/i.exec(text) ?? []
  const [, user, password, host = ''] = /^(?:([^:@]*)(?::([^@]*))?@)?(.*)$/.exec(authority) ?? []
  const isWeb = remoteScheme(text) === 'http'
  if (isWeb && (user !== undefined || /[?#]/.test(path))) {
    throw new SvcError('wrong-usage', 'the address of a file of a web server has no user and no parameters', {
      hint: 'Discover it without them. A token of its own goes into ingest.credentials: env:NAME.',
    })
  }
  if (isWeb && pattern.test(path)) {
    throw new SvcError('wrong-usage', 'a web server does not list its files', {
      hint: 'Name one file, and make an asset of each.',
    })
  }
  const origin = `${scheme}${user === undefined ? '' : `${user}@`}${host}`
  return { origin, path, ...(password !== undefined && { password: decodeURIComponent(password) }) }
}

function namesAFolder(text: string, example: string): SvcError {
  const shown = text.replace(/:[^:@/]*@/, '@')
  return new SvcError('wrong-usage', `"${shown}" is a folder`, {
    hint: `Name its files: svc discover "${shown.replace(/\/+$/, '')}/${example}"; * stands for part of a name.`,
  })
}

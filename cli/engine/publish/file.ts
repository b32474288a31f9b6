/** A file, written whole beside its place and then put there: readers see the old one or the new one. */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { quoteLiteral, quoteName } from '@svc/server/catalog'
import { formatOfName, internalName, remoteScheme } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { resolveText } from '../ingest/credentials.ts'
import type { DestinationRequest, Field, OpenDestination } from './destination.ts'
import { draftName, type FilePlace, isDraftOf, remotePlace } from './file-place.ts'
import { jsonObject } from './json-sql.ts'

export async function openFile(request: DestinationRequest): Promise<OpenDestination> {
  const { target, root, env } = request
  const endpoint = resolveText(target.endpoint, env, `publish.${target.name}.endpoint`)
  const scheme = remoteScheme(endpoint)
  const format = target.format ?? formatOfName(target.resource) ?? 'csv'
  refuseOutside(scheme === undefined ? root : '/', scheme === undefined ? endpoint : '.', target.resource)
  const place =
    scheme === undefined
      ? localPlace(root, endpoint, target.resource)
      : await remotePlace(scheme, { request, endpoint })
  return {
    shown: place.shown,
    place: place.place,
    prepare: async () => ({ creates: !(await place.exists()) }),
    async replace({ fields, run }) {
      const draft = await place.draft()
      try {
        await run(
          rows => `COPY (${selectOf(rows, fields, format)}) TO ${quoteLiteral(draft)} ${optionsOf(format)}`,
        )
        await place.put(draft)
      } finally {
        rmSync(draft, { force: true })
      }
    },
    tidy: () => place.tidy(),
    close: () => place.close(),
  }
}

function localPlace(root: string, endpoint: string, resource: string): FilePlace {
  const path = resolve(root, endpoint, resource)
  const shown = relative(root, path).replaceAll('\\', '/')
  return {
    shown,
    place: shown,
    exists: async () => existsSync(path),
    async draft() {
      mkdirSync(dirname(path), { recursive: true })
      return join(dirname(path), draftName(basename(path), process.pid))
    },
    put: async draft => putInPlace(draft, path),
    async tidy() {
      const folder = dirname(path)
      const names = existsSync(folder) ? readdirSync(folder) : []
      for (const name of names.filter(each => isDraftOf(basename(path), each)))
        rmSync(join(folder, name), { force: true })
    },
    close: async () => undefined,
  }
}

/** On the disk before it has its name, and open to those only to whom the file before it was. */
function putInPlace(draft: string, path: string): void {
  const file = openSync(draft, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  const old = statSync(path, { throwIfNoEntry: false })
  if (old !== undefined) chmodSync(draft, old.mode & 0o777)
  renameSync(draft, path)
}

/** A name with `..` in it would leave the folder that the target names. */
function refuseOutside(root: string, endpoint: string, resource: string): void {
  const below = relative(resolve(root, endpoint), resolve(root, endpoint, resource))
  if (below !== '' && !below.startsWith('..')) return
  throw new SvcError('destination-shape', `"${resource}" is not below ${endpoint}`, {
    hint: 'Write the folder as endpoint, and a name below it as resource.',
  })
}

const lineName = internalName('line')

function selectOf(rows: string, fields: readonly Field[], format: string): string {
  if (format === 'ndjson') {
    const own = fields.map(field => ({ ...field, inFile: field.name }))
    return `SELECT ${jsonObject(own)} AS ${lineName} FROM ${rows}`
  }
  return `SELECT ${fields.map(({ name }) => quoteName(name)).join(', ')} FROM ${rows}`
}

function optionsOf(format: string): string {
  if (format === 'parquet') return '(FORMAT parquet)'
  if (format === 'csv') return '(FORMAT csv, HEADER true)'
  return "(FORMAT csv, HEADER false, DELIMITER '\u0001', QUOTE '', ESCAPE '')"
}

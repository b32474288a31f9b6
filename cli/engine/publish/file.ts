/** A local file, written whole beside its place and then renamed: readers see the old one or the new one. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { quoteLiteral, quoteName } from '@svc/server/catalog'
import { formatOfName } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { DestinationRequest, Field, OpenDestination } from './destination.ts'
import { jsonObject } from './difference.ts'

export function openFile({ target, root }: DestinationRequest): OpenDestination {
  const path = resolve(root, target.endpoint, target.resource)
  const shown = relative(root, path).replaceAll('\\', '/')
  const format = target.format ?? formatOfName(target.resource) ?? 'csv'
  refuseOutside(root, path, target.endpoint, target.resource)
  return {
    shown,
    place: shown,
    prepare: async () => ({ creates: !existsSync(path) }),
    async replace({ fields, run }) {
      const draft = join(dirname(path), `.${target.resource.split('/').at(-1)}.${process.pid}.tmp`)
      mkdirSync(dirname(path), { recursive: true })
      try {
        await run(
          rows => `COPY (${selectOf(rows, fields, format)}) TO ${quoteLiteral(draft)} ${optionsOf(format)}`,
        )
        renameSync(draft, path)
      } finally {
        rmSync(draft, { force: true })
      }
    },
    close: async () => undefined,
  }
}

/** A name with `..` in it would leave the folder that the target names. */
function refuseOutside(root: string, path: string, endpoint: string, resource: string): void {
  const below = relative(resolve(root, endpoint), path)
  if (below !== '' && !below.startsWith('..')) return
  throw new SvcError('destination-shape', `"${resource}" is not below ${endpoint}`, {
    hint: 'Write the folder as endpoint, and a name below it as resource.',
  })
}

function selectOf(rows: string, fields: readonly Field[], format: string): string {
  if (format === 'ndjson') {
    const own = fields.map(field => ({ ...field, column: field.name }))
    return `SELECT ${jsonObject(own)} AS line FROM ${rows}`
  }
  return `SELECT ${fields.map(({ name }) => quoteName(name)).join(', ')} FROM ${rows}`
}

function optionsOf(format: string): string {
  if (format === 'parquet') return '(FORMAT parquet)'
  if (format === 'csv') return '(FORMAT csv, HEADER true)'
  return "(FORMAT csv, HEADER false, DELIMITER '\u0001', QUOTE '', ESCAPE '')"
}

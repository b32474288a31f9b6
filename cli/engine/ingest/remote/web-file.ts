/** Downloads the file of a source from a web server into the spool, where it is read like any other. */
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { SvcError } from '../../errors.ts'
import { createHttpClient } from '../rest/http-client.ts'
import { requestTemplate } from '../rest/request-template.ts'
import { usualRest } from '../rest/rest-source.ts'
import type { FetchContext, IngestOf } from '../source.ts'

type FileIngest = IngestOf<'file'>

export interface WebFile {
  readonly path: string
  /** False if only its beginning was fetched. */
  readonly isWhole: boolean
}

/** @param atMost bytes; undefined for the whole file */
export async function fetchWebFile(
  ingest: FileIngest,
  context: FetchContext,
  atMost?: number,
): Promise<WebFile> {
  const { resource } = ingest
  if (/[*[\]{}]/.test(resource)) {
    throw new SvcError(
      'invalid-project',
      `a web server does not list its files: "${resource}" has to name one`,
      {
        hint: 'Name one file in ingest.resource, and make an asset of each.',
      },
    )
  }
  const web = asWebService(ingest)
  const template = requestTemplate(web, context)
  let bytes = 0
  const tell = (note?: string) =>
    context.onProgress({ rows: 0, bytes, pages: 1, ...(note === undefined ? {} : { note }) })
  const client = createHttpClient({ ...usualRest, ingest: web, template, context, note: tell })
  const folder = join(context.spoolFolder, 'files')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, nameOf(template.url))
  const onBytes = (more: number) => {
    bytes += more
    tell()
  }
  try {
    const request = { url: template.url, body: undefined, number: 1, what: 'the file' }
    const isWhole = await client.save(request, { path, atMost, onBytes })
    return { path, isWhole }
  } finally {
    await client.close()
  }
}

/** A line of which only a part has come would look like a broken one. */
export async function dropLastLine(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    const tail = Buffer.alloc(Math.min(size, 1 << 20))
    await file.read(tail, 0, tail.length, size - tail.length)
    const end = tail.lastIndexOf('\n')
    if (end >= 0) await file.truncate(size - tail.length + end + 1)
  } finally {
    await file.close()
  }
}

/** Asking for a file is asking a service for one page. */
function asWebService(ingest: FileIngest): IngestOf<'rest_api'> {
  const { format: _format, options: _options, allowHosts, ...shared } = ingest
  return {
    ...shared,
    type: 'rest_api',
    method: 'GET',
    params: {},
    headers: {},
    auth: { type: 'none' },
    paginate: { type: 'none', in: 'query' },
    onStatus: {},
    allowHosts,
  }
}

/** The ending of a name says how the file is written, so it is kept. */
function nameOf({ pathname }: URL): string {
  const last = decodeURIComponent(pathname.split('/').at(-1) ?? '').replace(/[^\w.-]+/g, '_')
  return last === '' || /^\.+$/.test(last) ? 'file' : last.slice(-100)
}

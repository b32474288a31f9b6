/** The file of a web server: it lists none, so that there is the one that the source names. */
import { SvcError } from '../../errors.ts'
import { createHttpClient } from '../rest/http-client.ts'
import { requestTemplate } from '../rest/request-template.ts'
import { usualRest } from '../rest/rest-source.ts'
import type { IngestOf } from '../source.ts'
import type { FileStore } from './file-store.ts'
import type { StoreRequest } from './open-store.ts'

type FileIngest = IngestOf<'file'>

export async function webStore({ ingest, context, note }: StoreRequest): Promise<FileStore> {
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
  const client = createHttpClient({ ...usualRest, ingest: web, template, context, note })
  return {
    shown: client.show(template.url),
    async *list() {
      yield [{ name: nameOf(template.url), size: undefined, stamp: undefined }]
    },
    save: (_file, target) =>
      client.save({ url: template.url, body: undefined, number: 1, what: 'the file' }, target),
    close: () => client.close(),
  }
}

/** Asking for a file is asking a service for one page. */
function asWebService(ingest: FileIngest): IngestOf<'rest_api'> {
  const { format: _format, options: _options, onlyNew: _onlyNew, ...others } = ingest
  const { s3: _s3, sftp: _sftp, allowHosts, ...shared } = others
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

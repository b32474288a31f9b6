/**
 * Renders the result of `svc lineage`: where the site is, which run it shows, and with `--debug` every file.
 */

import type { CatalogFile } from '@svc/server/contract'
import { svcIn } from '@svc/server/language'
import { countOf, formatBytes } from './numbers.ts'
import type { Style } from './style.ts'
import { wrap } from './width.ts'

export interface SiteStart {
  readonly project: string
  readonly environment: string
  readonly catalog: CatalogFile
  readonly opened: boolean
}

export function renderSiteStart({ project, environment, catalog, opened }: SiteStart, style: Style) {
  const what = `${countOf(catalog.assets.length, 'asset')} as of ${timeOf(catalog)}`
  const notes = `${opened ? 'Opened in your browser.' : 'Open it in a browser.'} Ctrl-C ends it; ${svcIn(environment)('lineage --out site')} keeps it as files.`
  return {
    before: [`Documentation of ${style.bold(project)} (${environment}), ${what}`],
    after: wrap(notes, style.width),
  }
}

export function renderSiteWritten(
  site: { readonly folder: string; readonly files: number; readonly data: { readonly catalog: CatalogFile } },
  style: Style,
): string[] {
  const { catalog } = site.data
  return wrap(
    `Wrote ${site.folder}/index.html and ${site.files - 1} files beside it: ${countOf(catalog.assets.length, 'asset')} as of ${timeOf(catalog)}. Open it, or put the folder on any web server.`,
    style.width,
  )
}

export interface FileTrace {
  readonly did: 'read' | 'wrote'
  readonly path: string
  /** Undefined if the file does not exist. */
  readonly bytes: number | undefined
}

export function traceLine({ did, path, bytes }: FileTrace, style: Style): string {
  return style.dim(`-- ${did} ${path} (${bytes === undefined ? 'not there' : formatBytes(bytes)})`)
}

function timeOf({ generated_at }: CatalogFile): string {
  return generated_at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')
}

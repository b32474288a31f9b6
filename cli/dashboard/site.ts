/**
 * Makes the static documentation site of `svc lineage`: the dashboard's page with the data of the last run,
 * as files. It never reads the warehouse, and contains no values of rows.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../engine/artifacts/write-file.ts'
import { SvcError } from '../engine/errors.ts'
import { fillPage, policyOf } from './page-template.ts'
import type { ProjectFiles } from './project-files.ts'

/** The data in the page: `DashboardData` of `webview/protocol.ts`. */
export interface SiteData {
  readonly catalog: Awaited<ReturnType<ProjectFiles['catalog']>>
  readonly quality: Awaited<ReturnType<ProjectFiles['quality']>>
  readonly history: Awaited<ReturnType<ProjectFiles['history']>>
  readonly glossary: Awaited<ReturnType<ProjectFiles['glossary']>>
  /** A site shows one moment, so it is never outdated. */
  readonly changed: readonly []
}

export async function readSiteData(files: ProjectFiles): Promise<SiteData> {
  const [catalog, quality, history, glossary] = await Promise.all([
    files.catalog(),
    files.quality(),
    files.history(),
    files.glossary(),
  ])
  return { catalog, quality: withoutValues(quality), history: withoutErrors(history), glossary, changed: [] }
}

/** Removes values from messages: databases quote the value that caused an error, and a site may be public. */
function withoutValues(quality: SiteData['quality']): SiteData['quality'] {
  const assets = quality.assets.map(asset => ({
    ...asset,
    tests: asset.tests.map(test => ({ ...test, message: masked(test.message) })),
  }))
  return { ...quality, assets }
}

function withoutErrors(history: SiteData['history']): SiteData['history'] {
  return { ...history, runs: history.runs.map(run => ({ ...run, error: masked(run.error) })) }
}

/** Returns the first line, with quoted parts and values replaced. Exported for its test. */
export function masked(message: string | null): string | null {
  if (message === null) return null
  const [line = ''] = message.split('\n', 1)
  return line
    .replace(/'[^']*'|"[^"]*"/g, quoted => `${quoted.charAt(0)}…${quoted.charAt(0)}`)
    .replace(/\b(value|key) (?!["'])\S+/gi, '$1 …')
}

/** Returns files by name, the page last, so that a page never exists without its parts. */
export function siteFiles(pageFolder: string, data: SiteData): ReadonlyMap<string, string> {
  const names = readdirSync(pageFolder).filter(name => !name.endsWith('.map') && name !== 'index.html')
  const files = new Map(names.map(name => [name, readFileSync(join(pageFolder, name), 'utf8')]))
  const layout = files.get('elk-worker.min.js')
  // Opened as a file, the page may not fetch the layout script, but run one that holds its text.
  if (layout !== undefined)
    files.set('elk-worker.source.js', `globalThis.svcElkSource = ${JSON.stringify(layout)}\n`)
  return files.set('index.html', sitePage(pageFolder, data))
}

export function sitePage(pageFolder: string, data: SiteData): string {
  return fillPage(readFileSync(join(pageFolder, 'index.html'), 'utf8'), {
    mode: 'static',
    project: `${data.catalog.project.id} ${data.catalog.environment}`,
    policy: policyOf("'self'"),
    data: JSON.stringify(data),
  })
}

/**
 * Replaces each file atomically and touches nothing else in the folder. Throws SvcError `file-failed`,
 * `wrong-usage`.
 */
export function writeSite(folder: string, files: ReadonlyMap<string, string>, pid: number): void {
  refuseForeign(join(folder, 'index.html'))
  for (const [name, text] of files) writeWhole(join(folder, name), text, pid)
}

/** Refuses to overwrite the start page of a site that svc did not make. */
function refuseForeign(page: string): void {
  if (!existsSync(page) || /<html[^>]* data-mode="static"/.test(readFileSync(page, 'utf8').slice(0, 1000)))
    return
  throw new SvcError('wrong-usage', `${page} is not a page that svc made`, {
    hint: svc => `Give a folder of its own: ${svc('lineage --out site')}.`,
  })
}

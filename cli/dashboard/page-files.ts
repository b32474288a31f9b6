/**
 * Serves the page and its files from one folder. Only names that existed at the start are served, so that no
 * path leads outside. The page gets a new nonce for each response, and its policy allows no other origin.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fillPage, type PageFill, policyOf } from './page-template.ts'

export interface PageFile {
  readonly body: Buffer | string
  readonly headers: Readonly<Record<string, string>>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
}

/** Returns the files; `/` is the filled-in `index.html`. If `folder` is undefined, there is no page. */
export function createPageFiles(
  folder: string | undefined,
  fill: Pick<PageFill, 'mode' | 'project'>,
): (path: string) => PageFile | undefined {
  const names = new Set(folder !== undefined && existsSync(folder) ? readdirSync(folder) : [])
  return path => {
    const name = path === '/' ? 'index.html' : path.slice(1)
    const type = types[extname(name)]
    if (folder === undefined || type === undefined || !names.has(name)) return undefined
    const body = readFileSync(join(folder, name))
    return name === 'index.html'
      ? withNonce(body.toString('utf8'), fill)
      : { body, headers: { 'content-type': type } }
  }
}

function withNonce(page: string, fill: Pick<PageFill, 'mode' | 'project'>): PageFile {
  const nonce = randomBytes(16).toString('base64')
  const policy = policyOf(`'nonce-${nonce}'`, ["frame-ancestors 'none'"])
  return {
    body: fillPage(page, { ...fill, nonce }),
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  }
}

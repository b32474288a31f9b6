/**
 * The page and its files, out of one folder: only names that were in it at the start are served, so that no path leads
 * out. The page gets a new nonce each time; its policy allows nothing that is not from here.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fillPage, type PageFill } from './page-template.ts'

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

/** `index.html` is `/`, filled in. `folder` undefined: there is no page. Undefined: no such file. */
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
  return {
    body: fillPage(page, { ...fill, nonce }),
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': pagePolicy(nonce) },
  }
}

/** The hash is that of the empty text: a library puts one empty `<style>` into the head. */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
    'worker-src blob:',
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types lit-html fast-html svc-graph 'allow-duplicates'",
  ].join('; ')
}

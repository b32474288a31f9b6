/** Links lead to headings that exist, and the addresses of the hosted service to routes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describedRoutes } from '../../hosted-api/routes.ts'

const root = join(import.meta.dirname, '..', '..')
const pages = ['docs', 'docs/hosted'].flatMap(folder =>
  readdirSync(join(root, folder))
    .filter(name => name.endsWith('.md'))
    .map(name => join(folder, name)),
)
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The anchors that GitHub gives to headings. */
function anchorsOf(path: string): readonly string[] {
  const text = readFileSync(path, 'utf8').replace(/^```[\s\S]*?^```/gm, '')
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe.each([...pages, 'README.md'])('%s', page => {
  it('links to headings that exist', () => {
    const links = [...read(page).matchAll(/\]\(([^)#\s:]*)#([^)\s]+)\)/g)]
    for (const [, file = '', anchor = ''] of links) {
      const target = file === '' ? join(root, page) : resolve(root, dirname(page), file)
      expect(existsSync(target), `${file}#${anchor}`).toBe(true)
      expect(anchorsOf(target), `${file}#${anchor}`).toContain(anchor)
    }
  })
})

describe('docs/hosted', () => {
  const patterns = describedRoutes('0.0.0').map(({ method, path }) => ({
    method: method.toUpperCase(),
    path: new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replace(/\/$/, '')}/?$`),
  }))

  it.each(pages.filter(page => page.includes('hosted')))(
    '%s names requests that the service answers',
    page => {
      const requests = [...read(page).matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[^\s`?]*)/g)]
      for (const [request, method, path = ''] of requests.filter(([text]) => !text.includes('…')))
        expect(
          patterns.some(route => route.method === method && route.path.test(path.replace(/<\w+>/g, '1'))),
          request,
        ).toBe(true)
    },
  )
})

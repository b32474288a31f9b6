import { describe, expect, it } from 'vitest'
import { describedRoutes } from '../../../hosted-api/routes.ts'
import { engines, useHosted } from '../support/engines.ts'
import { makeAsset, makeTerm } from '../support/records.ts'

const cached = describedRoutes('0').filter(route => route.cached === true)

describe.each(engines)('an answer that is kept on $name', engine => {
  const hosted = useHosted(engine)

  it.each(cached.map(route => [route.path, route] as const))(
    '%s is whole for everybody',
    async (path, route) => {
      const term = await makeTerm(hosted)
      const asset = await makeAsset(hosted, `cached_${term.id}`)
      const filled = path
        .replace(/:(project\w*)/g, '1')
        .replace(/:version/g, '1')
        .replace(/:\w+/g, String(path.includes('terms') ? term.id : asset))
      const query = route.project.from === 'query' ? '?project=1' : ''
      const first = await hosted.admin.get(filled + query)
      const tag = first.headers.get('etag')
      if (first.status !== 200 || tag === null) return
      // Who has it is told so; whoever comes after him and has nothing gets all of it.
      await hosted.restart()
      const unchanged = await hosted.admin.get(filled + query, { 'If-None-Match': tag })
      expect([unchanged.status, unchanged.text]).toEqual([304, ''])
      const again = await hosted.admin.get(filled + query)
      expect([again.status, again.text]).toEqual([200, first.text])
      const page = await hosted.admin.get(filled + query, { Accept: 'application/vnd.svc.page+json' })
      expect(page.status).toBe(200)
      expect((await hosted.admin.get(filled + query)).text).toBe(first.text)
    },
  )
})

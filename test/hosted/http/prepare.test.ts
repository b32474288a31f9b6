import { Ajv } from 'ajv'
import { expect, it, vi } from 'vitest'
import { UploadWrapper } from '../../../hosted-api/metadata/pack/pack-schema.ts'
import { ContextPack } from '../../../server/contract/pack.ts'
import { type EngineCase, engines, useHosted } from '../support/engines.ts'
import { glossary, newName } from '../support/records.ts'

const hosted = useHosted(engines[0] as EngineCase)

it('a service that is prepared compiles nothing while somebody waits', async () => {
  const compile = vi.spyOn(Ajv.prototype, 'compile')
  await hosted.service.prepare()
  expect(compile.mock.calls.length).toBeGreaterThan(50)
  // The service does not spend time on this at its start.
  const schemas = [...compile.mock.calls.map(([schema]) => schema), UploadWrapper, ContextPack]
  for (const schema of schemas) expect(new Ajv().validateSchema(schema), JSON.stringify(schema)).toBe(true)
  compile.mockClear()
  const made = await hosted.admin.post(`${glossary}/terms`, { project: 1, name: newName('Term') })
  expect(made.status).toBe(201)
  const term = `${glossary}/terms/${made.body.term.id}`
  const asked = [
    hosted.admin.get(term),
    hosted.admin.get(`${glossary}/terms?limit=3`),
    hosted.admin.post(`${glossary}/metrics/bulk`, {
      project: 1,
      items: [{ name: newName('Metric'), sql_definition: 'count(*)' }],
    }),
    hosted.admin.post(`${glossary}/projects/1/import`, {
      policies: [{ name: newName('Policy'), rule: 'no' }],
    }),
    ...['application/merge-patch+json', 'application/json-patch+json'].map((type, index) =>
      hosted.admin.send('PATCH', term, {
        body: JSON.stringify(
          index === 0 ? { owner: 'a@b' } : [{ op: 'add', path: '/description', value: 'x' }],
        ),
        headers: { 'Content-Type': type },
      }),
    ),
    hosted.admin.get('/api/svc/tokens'),
    hosted.admin.get('/api/svc/audit?limit=3'),
    hosted.admin.get('/api/svc/metadata/projects/1/manifest'),
  ]
  for (const answer of await Promise.all(asked)) expect(answer.status, answer.text).toBe(200)
  expect(compile).not.toHaveBeenCalled()
})

/** A process for long questions that does not do what it should: no question is lost, and all of it is in the log. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { standardLimits } from '../../../hosted-api/limits/index.ts'
import { engines, useHosted } from '../support/engines.ts'
import { makeTerm } from '../support/records.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-questions-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function program(name: string, text: string) {
  const bundle = join(folder, `${name}.cjs`)
  writeFileSync(bundle, text)
  return { bundle, processes: 2 }
}

const onAsk = (text: string) =>
  `process.on('disconnect', () => process.exit(0)); process.on('message', message => {
    if (message.type === 'open') process.send({ type: 'ready' })
    else { ${text} }
  })`

const noRates = { ...standardLimits, reads: 0, writes: 0, uploads: 0, failures: 0 }
const path = '/api/svc/glossary/terms?project=1'

describe.runIf(engines.length > 0)('a process for long questions', () => {
  const engine = engines[0] as (typeof engines)[number]

  describe('that cannot start', () => {
    const questions = program('no-start', `process.stderr.write('no memory for me'); process.exit(3)`)
    const hosted = useHosted(engine, { questions, cacheBytes: 0 })
    beforeAll(() => makeTerm(hosted))

    it('leaves its questions to the service', async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => hosted.admin.get(path)))
      expect(answers.map(({ status, body }) => [status, body.length])).toEqual(answers.map(() => [200, 1]))
      expect(hosted.errors.map(String).join('\n')).toContain('ended: 3 no memory for me')
    })
  })

  describe('that is no program', () => {
    const hosted = useHosted(engine, {
      questions: { bundle: join(folder, 'nothing.cjs'), processes: 1 },
      cacheBytes: 0,
    })

    it('leaves its questions to the service', async () => {
      expect((await hosted.admin.get(path)).status).toBe(200)
      expect(hosted.errors.map(String).join('\n')).toContain('nothing.cjs')
    })
  })

  describe('that crashes at each question', () => {
    const hosted = useHosted(engine, { questions: program('crash', onAsk('process.abort()')), cacheBytes: 0 })

    it('is asked twice, and then the client is told', async () => {
      const answers = await Promise.all([1, 2, 3].map(() => hosted.admin.get(path)))
      for (const { status, body, headers } of answers) {
        expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '10'])
      }
      const told = hosted.errors.map(String)
      expect(told.filter(text => text.includes('listTerms ended its process twice'))).toHaveLength(3)
      expect(told.some(text => text.includes('SIGABRT'))).toBe(true)
      expect((await hosted.admin.get('/healthz')).status).toBe(200)
      expect((await hosted.admin.get('/api/svc/glossary/terms?limit=5')).status).toBe(200)
    })
  })

  describe('that crashes at one question', () => {
    const crashing = onAsk(`if (message.question.query.q === 'crash') process.abort()
      setTimeout(() => process.send({ type: 'answer', id: message.id, status: 200, headers: {} }), 200)`)
    const hosted = useHosted(engine, {
      questions: { ...program('one', crashing), processes: 1 },
      cacheBytes: 0,
    })

    it('answers those beside it all the same', async () => {
      const others = Promise.all([1, 2].map(() => hosted.admin.get(path)))
      const bad = await hosted.admin.get(`${path}&q=crash`)
      expect(bad.status).toBe(503)
      expect((await others).map(({ status }) => status)).toEqual([200, 200])
    })
  })

  describe('that hangs', () => {
    const hanging = onAsk(`if (message.question.query.q === 'hang') for (;;);
      process.send({ type: 'answer', id: message.id, status: 200, headers: {} })`)
    const hosted = useHosted(engine, {
      questions: { ...program('hang', hanging), processes: 1 },
      cacheBytes: 0,
    })
    beforeAll(() => hosted.restart({ limits: { ...noRates, questionTime: 1 } }))

    it('is killed when the time of its question is over, and the next is asked', async () => {
      const hung = hosted.admin.get(`${path}&q=hang`)
      await expect
        .poll(async () => (await hosted.admin.get('/metrics')).text)
        .toMatch(/^svc_questions_running 1$/m)
      const next = hosted.admin.get(path)
      const { status, body } = await hung
      expect([status, body.code]).toEqual([503, 'took_too_long'])
      expect((await next).status).toBe(200)
      expect(hosted.errors.map(String).join('\n')).toContain('listTerms took longer than 1 s without a pause')
    })
  })

  describe('that hangs when the service stops', () => {
    const hosted = useHosted(engine, {
      questions: program('deaf', onAsk('for (;;);')),
      cacheBytes: 0,
      stopTimes: { drain: 0, deadline: 1 },
    })

    it('is ended', async () => {
      const hung = hosted.admin.get(path).then(
        ({ status }) => status,
        () => 'closed',
      )
      await expect
        .poll(async () => (await hosted.admin.get('/metrics')).text)
        .toMatch(/^svc_questions_running 1$/m)
      await hosted.restart()
      expect(await hung).toBe('closed')
    })
  })
})

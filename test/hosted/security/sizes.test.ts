import { describe, expect, it, vi } from 'vitest'
import { applyJsonPatch } from '../../../hosted-api/glossary/patch.ts'
import { boundedSize } from '../../../hosted-api/http/json-size.ts'
import { noLimits } from '../../../hosted-api/limits/index.ts'
import { describeEngines, useHosted } from '../support/engines.ts'
import { makeTerm } from '../support/records.ts'

const terms = '/api/svc/glossary/terms'
const jsonPatch = { 'Content-Type': 'application/json-patch+json' }
const body = 20_000

describeEngines('the size of a record on $name', engine => {
  const hosted = useHosted(engine, { limits: { ...noLimits, body, depth: 16 } })
  const patch = (id: number, operations: unknown, headers: Record<string, string> = jsonPatch) =>
    hosted.admin.patch(`${terms}/${id}`, operations, headers)

  it('is checked between the operations of a patch: doubling it 26 times is refused', async () => {
    const term = await makeTerm(hosted, { metadata: { text: 'x'.repeat(1000) } })
    const copies = Array.from({ length: 26 }, (_, index) => ({
      op: 'copy',
      from: '/metadata',
      path: `/metadata/k${index}`,
    }))
    const answer = await patch(term.id, copies)
    expect([answer.status, answer.body.code]).toEqual([413, 'too_large'])
    expect((await hosted.admin.get(`${terms}/${term.id}`)).body.metadata).toEqual({ text: 'x'.repeat(1000) })
  })

  it('does not grow from patch to patch', async () => {
    const term = await makeTerm(hosted)
    const statuses = []
    for (let round = 0; round < 4; round++)
      statuses.push((await patch(term.id, { metadata: { [`k${round}`]: 'x'.repeat(8000) } }, {})).status)
    expect(statuses).toEqual([200, 200, 413, 413])
    for (let round = 0; round < 4; round++)
      statuses.push(
        (await patch(term.id, [{ op: 'add', path: `/metadata/j${round}`, value: 'x'.repeat(3000) }])).status,
      )
    expect(statuses.slice(4)).toEqual([200, 413, 413, 413])
  })

  it('and its depth does not grow either', async () => {
    const term = await makeTerm(hosted, { metadata: { a: {} } })
    let path = '/metadata/a'
    const statuses = []
    for (let round = 0; round < 3; round++) {
      statuses.push(
        (await patch(term.id, [{ op: 'add', path: `${path}/b`, value: { c: { d: { e: { f: {} } } } } }]))
          .status,
      )
      path += '/b/c/d/e/f'
    }
    expect(statuses).toEqual([200, 200, 413])
  })

  it('a path through __proto__ and a member of that name are refused by name', async () => {
    const term = await makeTerm(hosted, { metadata: { a: 1 } })
    const through = await patch(term.id, [{ op: 'add', path: '/metadata/__proto__/x', value: 1 }])
    expect([through.status, through.body.errors[0].pointer]).toEqual([422, '/0'])
    const merged = await hosted.admin.send('PATCH', `${terms}/${term.id}`, {
      body: '{"metadata":{"__proto__":{"x":1}}}',
      headers: { 'Content-Type': 'application/merge-patch+json' },
    })
    expect([merged.status, merged.body.errors]).toEqual([
      422,
      [
        {
          pointer: '/metadata/__proto__',
          code: 'unknown_member',
          detail: expect.stringContaining('not supported'),
        },
      ],
    ])
  })

  it('cost nobody an error in the log', () => expect(hosted.errors).toEqual([]))
})

describe('many mistakes', () => {
  it('are measured without being written', () => {
    expect(boundedSize({ a: [1, 'é'] }, { body: 0, depth: 0 }).bytes).toBeGreaterThanOrEqual(12)
    expect(boundedSize([[[[]]]], { body: 0, depth: 3 }).isTooDeep).toBe(true)
    expect(boundedSize('x'.repeat(50), { body: 10, depth: 0 }).bytes).toBeGreaterThan(10)
  })
})

describeEngines('a body of many mistakes on $name', engine => {
  const hosted = useHosted(engine)

  const members = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, index) => [`nmae${index}`, 1]))

  it('9,000 unknown members are reported by their first hundred', async () => {
    const answer = await hosted.admin.post(terms, { project: 1, name: 'a', ...members(9000) })
    expect([answer.status, answer.body.errors.length]).toEqual([422, 100])
    expect(answer.body.errors[0].detail).toContain('nmae0')
  })

  it('70,000 are refused before they are parsed', async () => {
    for (const [body, what] of [
      [{ project: 1, name: 'a', ...members(70_000) }, 'The body'],
      [{ project: 1, name: 'a', metadata: members(70_000) }, 'The object at /metadata'],
    ] as const) {
      const answer = await hosted.admin.post(terms, body)
      expect([answer.status, answer.body.detail]).toEqual([413, `${what} has more than 10000 members.`])
    }
  })

  it('a name of 500 kB is not compared with known ones, and not repeated in full', async () => {
    const answer = await hosted.admin.post(terms, { project: 1, name: 'a', ['x'.repeat(500_000)]: 1 })
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0].detail.length).toBeLessThan(1000)
    const status = await hosted.admin.post(terms, { project: 1, name: 'a', status: 'd'.repeat(500_000) })
    expect(status.body.errors[0].detail).not.toContain('did you mean')
  })
})

describe('moves within a large record', () => {
  const target = { metadata: { large: Object.fromEntries([['x', 'y'.repeat(1000)]]), a: 1 } }
  const move = (from: string, to: string) =>
    ({ op: 'move', from: `/metadata/${from}`, path: `/metadata/${to}` }) as const

  it('do not copy it, which would take 20 ms for each of a thousand', () => {
    const texts = vi.spyOn(JSON, 'stringify')
    const moves = Array.from({ length: 100 }, (_, index) =>
      index % 2 === 0 ? move('a', 'b') : move('b', 'a'),
    )
    expect(applyJsonPatch(target, moves, noLimits)).toEqual(target)
    const longest = Math.max(0, ...texts.mock.results.map(({ value }) => String(value).length))
    texts.mockRestore()
    expect(longest).toBeLessThan(1000)
  })

  it('count what they replace, and need something to move', () => {
    const limits = { ...noLimits, body: 3000 }
    const back = [move('a', 'large'), { op: 'copy', from: '/metadata/large', path: '/metadata/a' }] as const
    expect(applyJsonPatch(target, back, limits)).toEqual({ metadata: { large: 1, a: 1 } })
    expect(() => applyJsonPatch(target, back, { ...limits, body: 1500 })).toThrow('more than 1500 bytes')
    for (const op of ['move', 'copy'] as const)
      expect(() => applyJsonPatch(target, [{ ...move('b', 'c'), op }], limits)).toThrow('unresolvable')
  })
})

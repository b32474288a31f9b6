import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { startChild } from './child-process.ts'
import { describeWarehouse } from './conformance.ts'
import { stubUnderTest } from './engines.ts'
import { greensSeen, liveGeneration, makeGreens } from './generations.ts'

describeWarehouse(stubUnderTest)

describe('an engine that cannot commit a relation together with its record', () => {
  let root = ''

  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('finishes a flip whose views moved and whose records did not', async () => {
    root = mkdtempSync(join(tmpdir(), 'svc-stub-'))
    const warehouse = await stubUnderTest.open(stubUnderTest.url, root, 'shop')
    const first = await warehouse.open('write')
    await makeGreens(first)
    await first.close()
    const dying = startChild(['flip', 'stub', stubUnderTest.url, root], {
      shell: 'export STUB_DIES=before-records',
    })
    expect(await dying.ended).toBeNull()
    const session = await warehouse.open('write')
    expect(await greensSeen(session)).toEqual(['odd'])
    expect(await liveGeneration(session)).toBe(0)
    expect(await session.promotion.recover('prod', () => {})).toBe('rolled-forward')
    expect(await liveGeneration(session)).toBe(1)
    expect((await session.state.runs()).map(({ run_id }) => run_id)).toEqual(['run1'])
    expect(await session.promotion.recover('prod', () => {})).toBe('nothing')
    await session.close()
  })
})

/** The schema of `dev` follows what git has checked out: the plan names it, whatever there is to do. */
import { expect, test } from 'vitest'
import { createGround } from './bad-input/command-line.ts'

test('the first run of a branch names its schema; a plan names it also where there is nothing to do, and says when no branch is checked out', async () => {
  const ground = createGround({
    'svc.yaml': 'name: shop\n',
    'models/orders.svc': 'name: orders\ningest: none\ntransform: SELECT 1 AS id\n',
    '.git/HEAD': 'ref: refs/heads/main\n',
  })
  const first = async () => {
    const { stdout } = await ground.line(['plan'])
    return stdout.replace(/\s+/g, ' ')
  }
  try {
    const { stdout } = await ground.line(['run'])
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'The schema of dev is analytics_dev_main, of the branch main.',
    )
    expect((await ground.line(['run'])).stdout).not.toContain('The schema of dev')
    expect(await first()).toMatch(
      /^Nothing to do for dev \(analytics_dev_main in warehouse\.duckdb\): 1 asset /,
    )
    // A CI system checks a commit out, and no branch.
    ground.write('.git/HEAD', `${'0'.repeat(40)}\n`)
    const place = '(analytics_dev in warehouse.duckdb; no git branch is checked out)'
    expect(await first()).toContain(`Plan for dev ${place}, 1 asset`)
    await ground.line(['run'])
    expect(await first()).toContain(`Nothing to do for dev ${place}: 1 asset is as deployed `)
  } finally {
    ground.dispose()
  }
})

// Lives through the bad days of test/bad-days and writes docs/bad-days.md: `npm run bad-days`.
import { spawnSync } from 'node:child_process'

const { status } = spawnSync('vitest', ['run', '--no-file-parallelism', 'test/bad-days'], {
  stdio: 'inherit',
  env: { ...process.env, UPDATE: '1', SVC_TEST_LONG: '1' },
  shell: process.platform === 'win32',
})
process.exit(status ?? 1)

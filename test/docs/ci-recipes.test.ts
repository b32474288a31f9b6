/** The script by which the recipes of docs/ci.md show a plan, with programs in the place of svc and of the minute that it waits. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'ci.md'), 'utf8')
const script = /^```sh ci\/plan\.sh\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? ''

const folder = mkdtempSync(join(tmpdir(), 'svc-ci-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the script; `svc` is a program of the shell that finds in `$asked` how often it was asked. */
function plan(svc: string) {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  program(join(bin, 'npx'), `echo "$*" >> asked; asked=$(grep -c . asked)\n${svc}`)
  program(join(bin, 'sleep'), 'echo "$1" >> slept')
  writeFileSync(join(folder, 'plan.sh'), script)
  const { status, stderr } = spawnSync('sh', ['-e', 'plan.sh'], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: `${bin}:${process.env['PATH']}` },
  })
  const linesOf = (name: string) => {
    const path = join(folder, name)
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
  }
  return { status, stderr, plan: linesOf('plan.md'), asked: linesOf('asked'), slept: linesOf('slept') }
}

function program(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
}

describe.skipIf(process.platform === 'win32')('the plan of a change in CI', () => {
  it('is asked for once, and written as svc prints it', () => {
    const done = plan('echo "### Plan for prod"; echo "a hint" >&2')
    expect(done).toMatchObject({ status: 0, stderr: 'a hint\n', plan: ['### Plan for prod'], slept: [] })
    expect(done.asked).toEqual(['--no -- svc plan --env prod --format markdown'])
  })

  it('has the reason where it fails, with the exit code of svc', () => {
    const done = plan('echo "error: svc.yaml is broken" >&2; exit 2')
    expect(done).toMatchObject({ status: 2, slept: [] })
    expect(done.plan).toEqual(['**svc plan failed** (exit code 2):', '', '    error: svc.yaml is broken'])
  })

  it('is kept where a source could not be asked', () => {
    expect(plan('echo "### Plan for prod"; exit 3')).toMatchObject({
      status: 3,
      plan: ['### Plan for prod'],
      slept: [],
    })
  })

  it('is asked for again each minute while a deployment has the warehouse, and given up after half an hour', () => {
    const held = 'echo "error: the warehouse is locked" >&2; exit 3'
    const later = plan(`test $asked -lt 3 || { echo "### Plan for prod"; exit 0; }\n${held}`)
    expect(later).toMatchObject({ status: 0, plan: ['### Plan for prod'], slept: ['60', '60'] })
    rmSync(folder, { recursive: true })
    const never = plan(held)
    expect(never.status).toBe(3)
    expect(never.slept).toHaveLength(29)
    expect(never.plan.at(-1)).toBe('    error: the warehouse is locked')
  })

  it('is shown by both recipes', () => {
    expect(page.match(/^ *(- |run: )sh ci\/plan\.sh$/gm)).toHaveLength(2)
  })
})

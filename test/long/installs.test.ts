/**
 * The three packages, installed as a user installs them: from nothing to a rollback and to an upload, and the extension in an editor that nobody has used before.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { figure } from '../support/figure.ts'
import { editorSteps, openFreshEditor, unexpectedErrors } from '../support/installs/editor.ts'
import { install, packAll } from '../support/installs/installed.ts'
import { steps } from '../support/installs/life.ts'
import { nodeReleases, prepareNode } from '../support/installs/nodes.ts'
import { danglingReferences } from '../support/installs/references.ts'

/** By itself npm 12 runs no scripts, and earlier ones run them all. Nothing can be compiled on a path with spaces. */
const ways = [
  { way: 'as npm does it by itself', options: [], name: 'svc-installs-' },
  { way: 'without scripts, on a path with spaces', options: ['--ignore-scripts'], name: 'svc installs ' },
] as const

const installations = nodeReleases.flatMap(release => ways.map(each => ({ ...release, ...each })))
const counts = { installed: 0, scripted: 0, tried: 0, inEditor: 0, failed: 0 }

describe.skipIf(process.platform === 'win32')('installed in an empty folder', () => {
  beforeAll(packAll, 1_800_000)
  afterAll(() => {
    const nodes = nodeReleases.map(({ node }) => node).join(', ')
    figure(
      'installs',
      `${counts.installed} installations on Node ${nodes}, with scripts and without (${counts.scripted} with sqlite3, the others with libsql), ${counts.tried} steps from nothing to a rollback and an upload, ${counts.inEditor} in a fresh editor, ${counts.failed} failed`,
    )
  })

  it.each(installations)(
    'svc works on Node $node with npm $npm, $way',
    {
      timeout: 1_800_000,
    },
    async ({ options, name, ...release }) => {
      const folder = mkdtempSync(join(tmpdir(), name))
      try {
        const installed = await install(folder, await prepareNode(release), options)
        counts.installed += 1
        counts.scripted += Number(installed.hasScripted)
        const wrong: string[] = []
        for (const step of steps) {
          counts.tried += 1
          const problem = await step.run(installed)
          if (problem !== undefined) wrong.push(`${step.name}: ${problem}`)
        }
        counts.failed += wrong.length
        expect(wrong).toEqual([])
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  )

  it.each(['cli', 'hosted', `vsix-${process.platform}-${process.arch}`])(
    'the package %s names no file that it does not bring',
    name => {
      const dangling = danglingReferences(join(import.meta.dirname, '../../packages/stage', name))
      counts.failed += dangling.length
      expect(dangling).toEqual([])
    },
  )

  it('the extension works in a fresh profile', { timeout: 1_800_000 }, async () => {
    const editor = await openFreshEditor()
    const wrong: string[] = []
    try {
      for (const { name, run } of editorSteps) {
        counts.inEditor += 1
        const problem = await run(editor).then(
          () => undefined,
          (error: unknown) => String(error),
        )
        if (problem === undefined) continue
        wrong.push(`${name}: ${problem}`)
        await editor.keepTraces(`installs ${name}`)
      }
    } finally {
      await editor.close()
    }
    wrong.push(...unexpectedErrors(editor))
    counts.failed += wrong.length
    expect(wrong).toEqual([])
  })
})

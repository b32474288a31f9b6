/** Writes a patch and dies by SIGKILL at the named step: `<root> <step> <how often before> <verdict file>`. */
import { readFileSync } from 'node:fs'
import { applyPatch } from '../../../../cli/engine/ai/patch/apply-patch.ts'
import type { PatchVerdict } from '../../../../cli/engine/ai/patch/check-patch.ts'

type Workspace = Parameters<typeof applyPatch>[0]

const [root = '', step = '', before = '0', verdictFile = ''] = process.argv.slice(2)
const verdict = JSON.parse(readFileSync(verdictFile, 'utf8')) as PatchVerdict
const world = { pid: process.pid, host: 'here', now: () => new Date() }
const settings = { models: 'models/' }
let left = Number(before)
const workspace = { root, world, project: { settings } } as unknown as Workspace
applyPatch(workspace, verdict, {
  agreed: true,
  onStep(name) {
    if (name === step && left-- === 0) process.kill(process.pid, 'SIGKILL')
  },
})

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { commands } from 'vscode'
import { noProblem, open, problem, replace, revert } from './documents.ts'
import { until } from './until.ts'

/** Process ids of the language servers of this extension host. */
function servers(): readonly number[] {
  const lines = execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' }).split('\n')
  return lines.flatMap(line => {
    const [pid, parent, ...words] = line.trim().split(/\s+/)
    return Number(parent) === process.pid && words.join(' ').includes('lsp --stdio') ? [Number(pid)] : []
  })
}

async function seesMistakes(): Promise<void> {
  const document = await open('models/orders.svc')
  await replace(document, 'o.status,', 'o.statuss,')
  await problem(document, 'statuss')
  await revert(document)
  await noProblem(document)
}

describe('the process of the language server', () => {
  it('is one, and comes back when it is killed', async () => {
    const [before, ...others] = servers()
    assert.ok(before !== undefined)
    assert.deepEqual(others, [])
    process.kill(before, 'SIGKILL')
    await until('another one', () => servers().some(pid => pid !== before))
    await seesMistakes()
  })

  it('is restarted by a command', async () => {
    const [before] = servers()
    await commands.executeCommand('svc.restartServer')
    await until('another one alone', () => servers().length === 1 && servers()[0] !== before)
    await seesMistakes()
  })
})

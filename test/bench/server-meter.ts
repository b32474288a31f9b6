/** CPU and memory of a language server as Linux counts them; 0 elsewhere. */
import { readFileSync } from 'node:fs'
import type { Editor } from '../lsp/editor.ts'
import type { Sample } from './measure.ts'

export interface Meter {
  /** Since a time of `performance.now()`, with all CPU since the start of the server. */
  since(startedMs: number): Sample
  now(): { taken(): Sample }
  time(work: () => Promise<void>): Promise<Sample>
  /** When nothing was asked for a while, so that garbage has been given back. */
  atRest(): Promise<Sample>
}

const restMs = 10_000

export function newMeter(editor: Editor): Meter {
  const pid = editor.child.pid ?? 0
  const cpuMs = (): number => {
    const [, after = ''] = procFile(pid, 'stat').split(') ')
    const fields = after.split(' ')
    return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10
  }
  const rssBytes = (): number => Number(/VmRSS:\s*(\d+)/.exec(procFile(pid, 'status'))?.[1] ?? 0) * 1024
  const since = (startedMs: number): Sample => ({
    wallMs: performance.now() - startedMs,
    cpuMs: cpuMs(),
    rssBytes: rssBytes(),
  })
  const now = () => {
    const [startedMs, startedCpuMs] = [performance.now(), cpuMs()]
    return {
      taken: (): Sample => ({
        wallMs: performance.now() - startedMs,
        cpuMs: cpuMs() - startedCpuMs,
        rssBytes: rssBytes(),
      }),
    }
  }
  return {
    since,
    now,
    async time(work) {
      const before = now()
      await work()
      return before.taken()
    },
    async atRest() {
      const before = now()
      await new Promise(resolve => setTimeout(resolve, restMs))
      return { ...before.taken(), wallMs: 0 }
    },
  }
}

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

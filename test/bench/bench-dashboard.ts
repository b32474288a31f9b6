/**
 * The lineage graph in a browser without a graphics card: what the page takes until the first picture, CPU of all processes
 * of the browser for one frame, and the layout alone. All assets are opened, which is the most that can be asked of it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { instantLayout } from '../../webview/graph/layout/instant-layout.ts'
import { makeGraphModel } from '../../webview/graph/model.ts'
import { makeView } from '../../webview/graph/view.ts'
import { largeCatalog } from '../webview/graph/catalogs.ts'
import { browserProgram, type GraphPages, startGraphPages } from '../webview/graph/graph-page.ts'
import { type Bench, keepSamples } from './bench.ts'
import type { Sample } from './measure.ts'
import type { Goal } from './measurement.ts'

const sizes = [60, 1000, 3000, 10_000]
const sessions = 3
const frames = 60

const works = {
  paint: 'dashboard: CPU of the page until the first picture',
  far: 'dashboard: CPU for a frame of panning, all in view',
  near: 'dashboard: CPU for a frame of panning and zooming, cards readable',
  layout: 'dashboard: the instant layout',
} as const

type Figure = keyof typeof works

/** Seconds, at 3,000 assets. */
const goals: Readonly<Record<Figure, Goal>> = {
  paint: { seconds: 0.15 },
  far: { seconds: 0.016 },
  near: { seconds: 0.016 },
  layout: { seconds: 0.15 },
}

export async function benchDashboard(bench: Bench): Promise<void> {
  const pages = browserProgram === undefined ? undefined : await startGraphPages(bench.root, browserProgram)
  try {
    for (const size of sizes) await benchSize(bench, pages, size)
  } finally {
    await pages?.close()
  }
}

async function benchSize(bench: Bench, pages: GraphPages | undefined, size: number): Promise<void> {
  const times: Record<Figure, Sample[]> = { paint: [], far: [], near: [], layout: [] }
  let problem: string | undefined
  try {
    for (let index = 0; index < (bench.repeat ?? sessions); index++) {
      times.layout.push(layoutSample(size))
      if (pages !== undefined) await session(pages, size, times)
    }
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error)
  }
  for (const [figure, work] of Object.entries(works) as [Figure, string][]) {
    const measured = { id: `dashboard-${figure}/${size}`, work, assets: size }
    const goal = size === 3000 ? { goal: goals[figure] } : {}
    const missing = pages === undefined && figure !== 'layout' ? 'there is no Chromium' : problem
    keepSamples(bench, { ...measured, ...goal }, times[figure], missing)
  }
}

function layoutSample(size: number): Sample {
  const model = makeGraphModel(largeCatalog(size), 0)
  const view = makeView(model, { scope: 'all', focus: null, expanded: ['group:*'], kept: undefined })
  const graph = { ...view, heights: view.nodes.map(() => 52) }
  const before = process.cpuUsage()
  instantLayout(graph)
  const { user, system } = process.cpuUsage(before)
  return sample((user + system) / 1000)
}

async function session(pages: GraphPages, size: number, times: Record<Figure, Sample[]>): Promise<void> {
  const { page } = await pages.open({ count: size, input: { expanded: ['group:*'] } })
  times.paint.push(sample(await loadCpuMs(page)))
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.evaluate('graph.fit()')
  times.far.push(await frameSample(page, '{ deltaX: index % 20 < 10 ? 8 : -8, shiftKey: true }'))
  await page.evaluate('graph.zoomBy(0.7 / graph.camera().zoom)')
  times.near.push(
    await frameSample(page, '{ deltaX: 8, deltaY: 24 * Math.sin(index / 5), shiftKey: index % 2 === 0 }'),
  )
  await page.close()
}

/** Of the page's own thread, loaded once more: with reading the script and with making up the catalogue. */
async function loadCpuMs(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.reload()
  await page.waitForFunction('window.firstPaintMs !== undefined')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  return (metrics.find(metric => metric.name === 'TaskDuration')?.value ?? 0) * 1000
}

/** `wheel` describes the turn of the wheel before frame `index`. */
async function frameSample(page: Page, wheel: string): Promise<Sample> {
  const before = browserCpuMs()
  await page.evaluate(`(async () => {
    const graph = document.querySelector('[role=application]')
    for (let index = 0; index < ${frames}; index++) {
      graph.dispatchEvent(new WheelEvent('wheel', { clientX: 700, clientY: 450, cancelable: true, ...${wheel} }))
      await new Promise(requestAnimationFrame)
    }
  })()`)
  return sample((browserCpuMs() - before) / frames)
}

function sample(ms: number): Sample {
  return { wallMs: ms, cpuMs: ms, rssBytes: 0 }
}

/** The kernel counts in hundredths of a second. */
const tickMs = 10

/** User and system time of all processes that this one has started, and theirs. Linux only. */
function browserCpuMs(): number {
  const children = new Map<number, number[]>()
  const spent = new Map<number, number>()
  for (const id of readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)) {
    const fields = statOf(id)
    const parent = Number(fields[1])
    children.set(parent, [...(children.get(parent) ?? []), id])
    spent.set(id, (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * tickMs)
  }
  let sum = 0
  const open = [...(children.get(process.pid) ?? [])]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    sum += spent.get(id) ?? 0
    open.push(...(children.get(id) ?? []))
  }
  return sum
}

/** The fields behind the name; none of a process that has just ended. */
function statOf(id: number): string[] {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/** Turns measurements into Markdown. */
import type { Sample } from './measure.ts'

export interface Measurement {
  readonly work: string
  readonly assets: number | undefined
  readonly samples: readonly Sample[]
  readonly median: Sample
}

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryBytes: number
  readonly node: string
}

export function markdownReport(machine: Machine, measurements: readonly Measurement[]): string {
  const rows = measurements.map(({ work, assets, median, samples }) => [
    work,
    assets === undefined ? '' : assets.toLocaleString('en-US'),
    seconds(median.wallMs),
    seconds(median.cpuMs),
    `${Math.round(median.rssBytes / 1e6)} MB`,
    String(samples.length),
  ])
  const memory = `${Math.round(machine.memoryBytes / 1e9)} GB`
  return [
    `Medians, each run a process of its own, on ${machine.cores} cores (${machine.cpu}), ${memory}, Node ${machine.node}.`,
    '',
    ...table(['work', 'assets', 'wall', 'CPU', 'peak memory', 'runs'], rows),
    '',
  ].join('\n')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map(row => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`
  const rule = `| ${widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [line(head), rule, ...rows.map(line)]
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 1000 ? 3 : 2)} s`
}

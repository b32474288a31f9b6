/** Turns the figures into Markdown: ours beside floors and goals, the floors, other tools, and what was not measured. */
import { type FindMeasurement, judge, type Measurement, seconds, timesFloor } from './measurement.ts'
import type { Machine, Results } from './results.ts'

/** `taken`: ids of this call; all others are said to be from an earlier one. */
export function markdownReport({ machine, measurements }: Results, taken: ReadonlySet<string>): string {
  const find: FindMeasurement = id => measurements.find(each => each.id === id)
  const measured = measurements.filter(each => each.median !== undefined)
  const ours = measured.filter(({ tool }) => tool === 'svc')
  const floors = measured.filter(({ tool }) => tool === 'floor')
  return [
    machineLine(machine, measured),
    '',
    summaryLine(ours, find),
    ...section('svc', ourTable(ours, find), ours),
    ...section('Floors', floorTable(floors), floors),
    ...section('Other tools, the same work', peerTable(measured), measured.filter(isPeer)),
    ...listed(
      'Not measured',
      measurements
        .filter(each => each.problem !== undefined)
        .map(each => `${each.work}${sizeOf(each)} (\`${each.id}\`): ${each.problem}`),
    ),
    ...listed(
      'From earlier calls',
      measured
        .filter(({ id }) => !taken.has(id))
        .map(({ id, at, commit }) => `\`${id}\`: ${at.slice(0, 16).replace('T', ' ')} UTC, commit ${commit}`),
    ),
    '',
  ].join('\n')
}

function machineLine(machine: Machine, measured: readonly Measurement[]): string {
  const memory = Math.round(machine.memoryBytes / 2 ** 30)
  const commits = [...new Set(measured.map(({ commit }) => commit))].join(', ')
  const days = [...new Set(measured.map(({ at }) => at.slice(0, 10)))].sort().join(', ')
  return `Medians; each run is a process of its own. ${machine.cores} cores, ${memory} GiB, Node ${machine.node}; ${days}, commit ${commits}.`
}

function summaryLine(ours: readonly Measurement[], find: FindMeasurement): string {
  const ratios = ours.flatMap(each => {
    const ratio = judge(each, find)?.ratio
    return ratio === undefined ? [] : [ratio]
  })
  const count = (from: number, to: number) => ratios.filter(ratio => ratio > from && ratio <= to).length
  const [met, missed, far] = [
    ratios.filter(ratio => ratio <= 1).length,
    count(1, 2),
    count(2, Number.POSITIVE_INFINITY),
  ]
  return `Goals: ${ratios.length} judged, ${met} met, ${missed} missed by less than twice, ${far} by more.`
}

function ourTable(ours: readonly Measurement[], find: FindMeasurement): readonly string[] {
  const head = [
    'work',
    'size',
    'wall',
    'CPU',
    'memory',
    'runs',
    'rows/s',
    'floor',
    '× wall',
    '× CPU',
    'goal',
    '',
  ]
  const rows = ours.map(each => {
    const floor = each.floor === undefined ? undefined : find(each.floor)?.median
    const verdict = judge(each, find)
    const times = timesFloor(each, find)
    return [
      ...figures(each),
      rate(each),
      floor === undefined ? '' : seconds(floor.wallMs),
      times?.wall.toFixed(2) ?? '',
      times?.cpu.toFixed(2) ?? '',
      verdict?.goal ?? '',
      verdict?.mark ?? '',
    ]
  })
  return table(head, rows)
}

function floorTable(floors: readonly Measurement[]): readonly string[] {
  return table(
    ['work', 'size', 'wall', 'CPU', 'memory', 'runs', 'rows/s'],
    floors.map(each => [...figures(each), rate(each)]),
  )
}

/** One line a work, one column a tool; what a tool is not made for stays empty. */
function peerTable(measured: readonly Measurement[]): readonly string[] {
  const peers = measured.filter(isPeer)
  const tools = [...new Set(peers.map(({ tool }) => tool))]
  const works = [...new Set(peers.map(({ beside }) => beside ?? ''))]
  const rows = works.map(id => {
    const our = measured.find(each => each.id === id)
    const theirs = tools.map(tool => peers.find(each => each.beside === id && each.tool === tool))
    const floor = measured.find(each => each.id === our?.floor)
    const named = our ?? peers.find(each => each.beside === id)
    return [
      `${named?.work ?? id}${named === undefined ? '' : sizeOf(named)}`,
      ...[our, floor, ...theirs].map(short),
    ]
  })
  return table(['work', 'svc', 'floor', ...tools], rows)
}

function isPeer({ beside }: Measurement): boolean {
  return beside !== undefined
}

function short(measurement: Measurement | undefined): string {
  const median = measurement?.median
  if (measurement === undefined || median === undefined) return ''
  if (measurement.rows !== undefined) return `${rate(measurement)}/s, ${megabytes(median.rssBytes)}`
  return `${seconds(median.wallMs)}, ${seconds(median.cpuMs)} CPU, ${megabytes(median.rssBytes)}`
}

function figures(measurement: Measurement): readonly string[] {
  const { work, median, samples } = measurement
  return [
    work,
    sizeOf(measurement).trim(),
    seconds(median?.wallMs ?? Number.NaN),
    seconds(median?.cpuMs ?? Number.NaN),
    megabytes(median?.rssBytes ?? Number.NaN),
    String(samples.length),
  ]
}

function sizeOf({ assets, rows }: Measurement): string {
  if (rows !== undefined) return ` ${rows.toLocaleString('en-US')} rows`
  return assets === undefined ? '' : ` ${assets.toLocaleString('en-US')} assets`
}

function rate({ rows, median }: Measurement): string {
  if (rows === undefined || median === undefined) return ''
  return Math.round(rows / (median.wallMs / 1000)).toLocaleString('en-US')
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}

function section(
  title: string,
  lines: readonly string[],
  measurements: readonly Measurement[],
): readonly string[] {
  return measurements.length === 0 ? [] : ['', `## ${title}`, '', ...lines]
}

function listed(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines.map(line => `- ${line}`)]
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = head.map((title, at) => Math.max(3, title.length, ...rows.map(row => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`
  const rule = `| ${widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [line(head), rule, ...rows.map(line)]
}

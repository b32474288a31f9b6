/** CPU of commands in projects of many columns, stage by stage, at two widths: linear is as many times as the columns. */
import { expect } from 'vitest'
import type { Ground } from '../../cli/bad-input/command-line.ts'
import { figure } from '../figure.ts'
import { type Wide, wideNames, wideProject } from '../wide-project.ts'

export const widths = [300, 1200] as const
const mostTimes = 6
/** Less work than this is measured too coarsely to say how it grows. */
const leastMs = 200
/** Stages that seem to grow too fast are measured so many times more: noise only adds to what they take. */
const mostLooks = 2

export interface Stage {
  readonly words: readonly string[]
  /** What changes before it. */
  readonly change?: (ground: Ground, names: readonly string[]) => void
  /** How it ends; 0 by default. */
  readonly code?: number
}

export const words = (...lines: readonly string[]): readonly Stage[] =>
  lines.map(line => ({ words: line.split(' ') }))

export const usualStages = words('validate', 'plan', 'run', 'run', 'test', 'sample wide --csv', 'manifest')

export interface WidthCase {
  readonly wide: Omit<Wide, 'columns'>
  readonly stages?: readonly Stage[]
  /** Two widths, the second four times the first. */
  readonly columns?: readonly [number, number]
  readonly env?: Readonly<Record<string, string>>
}

/** Measures cases one after the other, and prints one line for all of them. */
export function widthSuite(name: string) {
  const ratios: { readonly stage: string; readonly times: number }[] = []
  let isWarm = false

  async function cpuOfStages(
    wide: Wide,
    stages: readonly Stage[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<number[]> {
    const ground = await wideProject(wide)
    const names = wideNames(wide.columns)
    try {
      const taken: number[] = []
      for (const stage of stages) {
        stage.change?.(ground, names)
        taken.push(await cpuOf(ground, stage, env))
      }
      return taken
    } finally {
      ground.dispose()
    }
  }

  return {
    async judge(title: string, { wide, stages = usualStages, columns = widths, env }: WidthCase) {
      if (!isWarm) await cpuOfStages({ ...wide, columns: 40 }, stages, env)
      isWarm = true
      const look = () => bothWidths(count => cpuOfStages({ ...wide, columns: count }, stages, env), columns)
      const timesAt = ([small, large]: Measured) => small.map((ms, index) => timesOf(ms, large[index]))
      let measured = await look()
      for (let more = 0; more < mostLooks && timesAt(measured).some(times => times > mostTimes); more++)
        measured = leastOf(measured, await look())
      const [small, large] = measured
      const all = timesAt(measured)
      const found = stages.map((stage, index) => ({
        stage: `${stage.words.join(' ')}, ${title}`,
        times: all[index] ?? 0,
      }))
      ratios.push(...found)
      const table = stages.map(
        (stage, index) =>
          `${stage.words[0]} ${Math.round(small[index] ?? 0)} → ${Math.round(large[index] ?? 0)} ms`,
      )
      process.stdout.write(`  ${title}: ${table.join(', ')}\n`)
      expect(found.filter(({ times }) => times > mostTimes)).toEqual([])
    },
    tell() {
      const worst = ratios.reduce((a, b) => (b.times > a.times ? b : a), { stage: 'none', times: 0 })
      const wrong = ratios.filter(({ times }) => times > mostTimes).length
      figure(
        name,
        `${ratios.length} stages at ${widths.join(' and ')} columns, ${wrong} above ${mostTimes} times, most ${worst.times.toFixed(1)} (${worst.stage})`,
      )
    },
  }
}

/** The CPU of each stage at both widths. */
type Measured = readonly [small: readonly number[], large: readonly number[]]

async function bothWidths(
  cpuAt: (columns: number) => Promise<number[]>,
  [few, many]: readonly [number, number],
): Promise<Measured> {
  return [await cpuAt(few), await cpuAt(many)]
}

function leastOf([small, large]: Measured, [smallAgain, largeAgain]: Measured): Measured {
  const least = (one: readonly number[], other: readonly number[]) =>
    one.map((ms, index) => Math.min(ms, other[index] ?? ms))
  return [least(small, smallAgain), least(large, largeAgain)]
}

function timesOf(small = 1, large = 0): number {
  return large < leastMs ? 1 : large / small
}

async function cpuOf(
  ground: Ground,
  { words: line, code: wanted = 0 }: Stage,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const before = process.cpuUsage()
  const { code, stdout, stderr } = await ground.line(line, { env })
  const { user, system } = process.cpuUsage(before)
  expect(code, `${line.join(' ')}\n${stdout.slice(0, 2000)}\n${stderr.slice(0, 2000)}`).toBe(wanted)
  return (user + system) / 1000
}

/**
 * The figures of all calls so far, kept after each one, so that a call that is broken off loses nothing and a call with
 * `--only` replaces its own.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { dirname } from 'node:path'
import type { Measurement } from './measurement.ts'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryBytes: number
  readonly node: string
}

export interface Results {
  readonly machine: Machine
  readonly measurements: readonly Measurement[]
}

export function thisMachine(): Machine {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    node: process.versions.node,
  }
}

/** Empty where there is no file, or one from another machine or another form of the benchmark. */
export function readResults(file: string, machine: Machine): Results {
  const nothing = { machine, measurements: [] }
  if (!existsSync(file)) return nothing
  try {
    const read = JSON.parse(readFileSync(file, 'utf8')) as Results
    const same = JSON.stringify(read.machine) === JSON.stringify(machine)
    return same && read.measurements.every(each => typeof each.id === 'string') ? read : nothing
  } catch {
    return nothing
  }
}

export function withMeasurement(results: Results, measurement: Measurement): Results {
  const others = results.measurements.filter(each => each.id !== measurement.id)
  return { ...results, measurements: [...others, measurement] }
}

export function writeResults(file: string, results: Results): void {
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(results, undefined, 2)}\n`)
  renameSync(draft, file)
}

// What processes and folders take, looked at in steps, and whether it grew.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** How much more the last third of the steps may take than the one before: a number, and a part of what it took. Linux only. */
export const allowances = {
  megabytes: { number: 32, part: 0.1 },
  descriptors: { number: 4, part: 0 },
  children: { number: 0, part: 0 },
  files: { number: 6, part: 0 },
  kilobytes: { number: 64, part: 0.1 },
}

/** With fewer steps nothing is said of growth: what has just begun still grows. */
const fewestSteps = 9

/** Returns what a process takes: memory with all that it started, open descriptors of its own. */
export function processNow(pid) {
  const children = descendantsOf(pid)
  const kilobytes = [pid, ...children].map(memoryOf).reduce((sum, each) => sum + each, 0)
  return {
    megabytes: Math.round(kilobytes / 1024),
    descriptors: listed(`/proc/${pid}/fd`).length,
    children: children.length,
  }
}

/** Returns how often the threads of a process, and of those that it started, have gone to sleep. */
export function switchesOf(pid) {
  const all = [pid, ...descendantsOf(pid)].flatMap(each =>
    listed(`/proc/${each}/task`).map(task => textOf(`/proc/${each}/task/${task}/status`)),
  )
  const counts = all.map(text => Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(text)?.[1] ?? 0))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Returns what a folder or a file takes. */
export function filesNow(path) {
  const whole = statSync(path)
  if (!whole.isDirectory()) return { kilobytes: Math.round(whole.size / 1024) }
  const sizes = readdirSync(path, { recursive: true }).flatMap(name => {
    const found = statSync(join(path, name), { throwIfNoEntry: false })
    return found?.isFile() ? [found.size] : []
  })
  return {
    files: sizes.length,
    kilobytes: Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1024),
  }
}

/** Returns a line for each thing that grew over the last two thirds of the steps. `steps`: what each thing took, by its name. */
export function growths(steps) {
  if (steps.length < fewestSteps) return []
  const third = Math.floor(steps.length / 3)
  const [before, after] = [steps.slice(-2 * third, -third), steps.slice(-third)]
  return Object.entries(steps.at(-1)).flatMap(([thing, taken]) =>
    Object.keys(taken).flatMap(kind => {
      const middle = some => median(some.map(step => step[thing][kind]))
      const [from, to] = [middle(before), middle(after)]
      const { number, part } = allowances[kind]
      return to - from > number + part * from ? [`${thing} grew from ${from} to ${to} ${kind}`] : []
    }),
  )
}

/** Returns the processes that a process started, and those that these started. */
export function descendantsOf(pid) {
  return listed(`/proc/${pid}/task`).flatMap(task =>
    textOf(`/proc/${pid}/task/${task}/children`)
      .split(' ')
      .filter(Boolean)
      .flatMap(child => [Number(child), ...descendantsOf(Number(child))]),
  )
}

function memoryOf(pid) {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0)
}

/** A process that has ended meanwhile has nothing. */
function listed(path) {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

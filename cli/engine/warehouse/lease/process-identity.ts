/** Identifies a process by pid and start time, because the system reuses pids. */
import { readFileSync } from 'node:fs'

/** Returns the clock tick at which the process started; undefined if the system does not report it. */
export function processStart(pid: number): string | undefined {
  return stat(pid)?.start
}

/** Returns whether the process is alive and started at `start` (undefined: at any time). */
export function isSameProcess(pid: number, start: string | undefined): boolean {
  if (!isAlive(pid)) return false
  const found = stat(pid)
  if (found === undefined) return true
  const isZombie = found.state === 'Z' || found.state === 'X'
  return !isZombie && (start === undefined || start === found.start)
}

/**
 * Returns the program and script of a process as short names: `node svc.cjs`. Its other arguments are left
 * out, because they may contain secrets. Undefined if the system does not report it.
 */
export function programOf(pid: number): string | undefined {
  try {
    const [program, script] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    if (program === undefined || program === '') return undefined
    const isScript = script !== undefined && /\.(c|m)?[jt]s$|\.py$|\.sh$|\/svc$/.test(script)
    return isScript ? `${shortName(program)} ${shortName(script)}` : shortName(program)
  } catch {
    return undefined
  }
}

function shortName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Reads /proc/<pid>/stat. The program's name in it is in brackets, and may itself contain brackets and
 * spaces.
 */
function stat(pid: number): { readonly state: string; readonly start: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [state, start] = [fields[0], fields[19]]
    return state === undefined || start === undefined ? undefined : { state, start }
  } catch {
    return undefined
  }
}

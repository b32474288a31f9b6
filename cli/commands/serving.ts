/** Options and helpers of commands that serve a page on this machine until the user ends them. */
import { SvcError } from '../engine/errors.ts'
import type { OptionHelp } from '../render/help.ts'
import type { Options } from './options.ts'

export const noOpenOption: OptionHelp = {
  name: 'no-open',
  summary: 'open no browser, only print the address',
}

/** Throws SvcError `wrong-usage`. */
export function portOf(options: Options): number {
  const value = options.text('port') ?? ''
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
  if (port <= 65_535) return port
  throw new SvcError('wrong-usage', `--port takes a number from 0 to 65535, not "${value}"`, {
    hint: 'Ports below 1024 need special rights; 0 takes any free port.',
  })
}

/** Throws SvcError `port-unavailable` with an alternative; `command` is as the user typed it. */
export async function onPort<T>(command: string, port: number, begin: () => Promise<T>): Promise<T> {
  try {
    return await begin()
  } catch (cause) {
    throw await portError(cause, command, port)
  }
}

async function portError(cause: unknown, command: string, port: number): Promise<unknown> {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'EACCES') {
    return new SvcError('port-unavailable', `port ${port} needs special rights`, {
      hint: `Take one from 1024 on, or any that is free: ${command} --port 0.`,
      cause,
    })
  }
  if (code !== 'EADDRINUSE') return cause
  const { describePort, nextFreePort } = await import('../dashboard/port.ts')
  const [holder, free] = await Promise.all([describePort(port), nextFreePort(port)])
  return new SvcError('port-unavailable', `port ${port} is taken by ${holder}`, {
    hint: `This one is free: ${command} --port ${free ?? 0}.`,
    cause,
  })
}

/** Returns false if no browser can be expected on this machine. */
export async function openAddress(
  address: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const { openBrowser } = await import('../dashboard/open-browser.ts')
  return openBrowser(address, { platform: process.platform, env })
}

export function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
}

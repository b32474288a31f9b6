/** Opens an address in the user's browser, where there is one to open. Never waits for it, never fails. */
import { spawn } from 'node:child_process'

export interface Surroundings {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
}

/** False: no browser can be expected here, and nothing was started. */
export function openBrowser(address: string, surroundings: Surroundings): boolean {
  const program = browserProgram(surroundings)
  if (program === undefined) return false
  const [command, ...first] = program
  const child = spawn(command, [...first, address], { stdio: 'ignore', detached: true, windowsHide: true })
  // The address is printed too: who has no such program opens it by hand.
  child.on('error', () => {})
  child.unref()
  return true
}

/**
 * The program and its first words. On Linux a screen is asked for first: without one `xdg-open` would start a browser for
 * text in the terminal. `BROWSER` is what editors set in their terminals, also on another machine.
 */
export function browserProgram({ platform, env }: Surroundings): readonly [string, ...string[]] | undefined {
  if (isSet(env['CI'])) return undefined
  const named = env['BROWSER']?.split(':')[0]?.trim()
  if (named === 'none') return undefined
  if (isSet(named) && !/[\s%]/.test(named)) return [named]
  // Not `cmd /c start`: its `&` would cut the address.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  if (platform === 'darwin') return ['open']
  if (isSet(env['WSL_DISTRO_NAME'])) return ['rundll32.exe', 'url.dll,FileProtocolHandler']
  const hasScreen = isSet(env['DISPLAY']) || isSet(env['WAYLAND_DISPLAY'])
  return hasScreen ? ['xdg-open'] : undefined
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== ''
}

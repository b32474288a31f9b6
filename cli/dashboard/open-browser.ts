/** Opens an address in the user's browser, if there is one. Does not wait for it, and never fails. */
import { spawn } from 'node:child_process'

export interface Surroundings {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Returns false if no browser can be expected here; nothing was started then. */
export function openBrowser(address: string, surroundings: Surroundings): boolean {
  const program = browserProgram(surroundings)
  if (program === undefined) return false
  const [command, ...first] = program
  const child = spawn(command, [...first, address], { stdio: 'ignore', detached: true, windowsHide: true })
  // The address is printed too, so a user without such a program can open it by hand.
  child.on('error', () => {})
  child.unref()
  return true
}

/**
 * Returns the program and its first arguments. On Linux a display is required, because without one `xdg-open`
 * would start a text browser in the terminal. `BROWSER` is set by editors in their terminals, also on a
 * remote machine.
 */
export function browserProgram({ platform, env }: Surroundings): readonly [string, ...string[]] | undefined {
  if (isSet(env['CI'])) return undefined
  const named = env['BROWSER']?.split(':')[0]?.trim()
  if (named === 'none') return undefined
  if (isSet(named) && !/[\s%]/.test(named)) return [named]
  // `cmd /c start` is not used, because it would cut the address at `&`.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  if (platform === 'darwin') return ['open']
  if (isSet(env['WSL_DISTRO_NAME'])) return ['rundll32.exe', 'url.dll,FileProtocolHandler']
  const hasScreen = isSet(env['DISPLAY']) || isSet(env['WAYLAND_DISPLAY'])
  return hasScreen ? ['xdg-open'] : undefined
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== ''
}

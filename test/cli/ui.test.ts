/** `svc ui` as a process: what it prints, which browser it opens, how it ends, what it refuses. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { browserProgram } from '../../cli/dashboard/open-browser.ts'
import { createProject, svcLauncher, type TestProject } from '../support/cli.ts'
import { shop } from './shop-project.ts'

let project: TestProject | undefined
afterEach(() => project?.dispose())

interface Running {
  readonly stdout: () => string
  readonly stderr: () => string
  until(fits: () => boolean): Promise<void>
  /** As Ctrl-C does. Gives the exit code. */
  stop(): Promise<number | null>
}

function start(root: string, words: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  return startCommand(root, ['ui', '--port', '0', ...words], env)
}

function startCommand(
  root: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Running {
  const child = spawn(process.execPath, [svcLauncher, ...words], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: root, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr, wake] = ['', '', () => {}]
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    wake()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    wake()
  })
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    async until(fits) {
      while (!fits()) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    },
    stop() {
      child.kill('SIGINT')
      return ended
    },
  }
}

function statusOf(address: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(address, response => {
      response.resume()
      resolve(response.statusCode)
    })
    asked.on('error', reject).end()
  })
}

describe('svc ui', () => {
  it('prints the address alone on stdout, everything else beside it, and ends with Ctrl-C', async () => {
    project = createProject(shop)
    const ui = start(project.root, ['--no-open'])
    // Two pipes: which of them is read first is chance.
    await ui.until(() => ui.stderr().includes('Ctrl-C ends it.') && ui.stdout().includes('\n'))
    expect(ui.stdout()).toMatch(/^ {2}http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}\n$/)
    expect(ui.stderr()).toBe(
      'Dashboard of shop (dev)\nNothing has run in dev yet; svc run --all begins. Open it in a browser. Whoever\nhas the address can run this project: keep it to yourself. Ctrl-C ends it.\n',
    )
    const address = ui.stdout().trim()
    expect([await statusOf(address), await statusOf(address)]).toEqual([303, 303])
    expect(existsSync(join(project.root, '.svc', 'ui.json'))).toBe(true)
    expect(await ui.stop()).toBe(0)
    expect(ui.stderr()).toMatch(/The dashboard has stopped\.\n$/)
    expect(existsSync(join(project.root, '.svc', 'ui.json'))).toBe(false)
  })

  it.skipIf(process.platform === 'win32')(
    'gives the browser an address that works once: others of the machine can read its command line',
    async () => {
      project = createProject({
        ...shop,
        'open.sh': '#!/bin/sh\necho "$1" > opened.txt.part\nmv opened.txt.part opened.txt\n',
      })
      const { root } = project
      chmodSync(join(root, 'open.sh'), 0o755)
      const ui = start(root, ['--read-only'], { BROWSER: join(root, 'open.sh') })
      await ui.until(() => ui.stderr().includes('Opened in your browser.'))
      expect(ui.stderr()).toContain('Dashboard of shop (dev), read-only')
      await expect.poll(() => existsSync(join(root, 'opened.txt')), { timeout: 30_000 }).toBe(true)
      const opened = readFileSync(join(root, 'opened.txt'), 'utf8').trim()
      expect(opened).not.toBe(ui.stdout().trim())
      expect([await statusOf(opened), await statusOf(opened)]).toEqual([303, 403])
      expect(await statusOf(ui.stdout().trim())).toBe(303)
      expect(await ui.stop()).toBe(0)
    },
  )

  it.skipIf(process.platform === 'win32')('svc lineage opens the browser too', async () => {
    project = createProject({
      ...shop,
      'open.sh': '#!/bin/sh\necho "$1" > opened.txt.part\nmv opened.txt.part opened.txt\n',
    })
    const { root } = project
    chmodSync(join(root, 'open.sh'), 0o755)
    expect((await project.svc(['run', 'customers'])).code).toBe(0)
    const site = startCommand(root, ['lineage'], { BROWSER: join(root, 'open.sh') })
    await expect.poll(() => existsSync(join(root, 'opened.txt')), { timeout: 30_000 }).toBe(true)
    expect(readFileSync(join(root, 'opened.txt'), 'utf8')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//)
    expect(await site.stop()).toBe(0)
  })

  it('refuses what cannot be, before it listens', async () => {
    project = createProject(shop)
    const said = async (...words: string[]) => {
      const { code, stderr } = await (project as TestProject).svc(['ui', '--no-open', ...words])
      return [code, stderr.split('\n', 1)[0]]
    }
    expect(await said('--port', 'many')).toEqual([2, expect.stringContaining('not "many"')])
    expect(await said('--port', '65536')).toEqual([2, expect.stringContaining('from 0 to 65535')])
    expect(await said('--env', 'No!')).toEqual([2, expect.stringContaining('cannot name an environment')])
    project.write('svc.yaml', 'nmae: shop\n')
    expect(await said()).toEqual([2, expect.stringContaining('svc.yaml')])
    project.remove('svc.yaml')
    project.remove('models')
    expect(await said()).toEqual([2, expect.stringContaining('no project here')])
  })
})

describe('the browser', () => {
  const linux = (env: Readonly<Record<string, string>>) => browserProgram({ platform: 'linux', env })

  it('is what the system or the user names', () => {
    expect(linux({ DISPLAY: ':0' })).toEqual(['xdg-open'])
    expect(linux({ WAYLAND_DISPLAY: 'wayland-0' })).toEqual(['xdg-open'])
    expect(linux({ BROWSER: '/usr/bin/code-open:firefox' })).toEqual(['/usr/bin/code-open'])
    expect(linux({ WSL_DISTRO_NAME: 'Debian' })?.[0]).toBe('rundll32.exe')
    expect(browserProgram({ platform: 'darwin', env: {} })).toEqual(['open'])
    expect(browserProgram({ platform: 'win32', env: {} })?.[0]).toBe('rundll32')
  })

  it('is not started where nobody would see it, or it would take the terminal', () => {
    expect(linux({})).toBeUndefined()
    expect(linux({ DISPLAY: '' })).toBeUndefined()
    expect(linux({ DISPLAY: ':0', CI: 'true' })).toBeUndefined()
    expect(linux({ DISPLAY: ':0', BROWSER: 'none' })).toBeUndefined()
  })
})

it('ends with the program that started it and held its input, however that ended', async () => {
  project = createProject(shop)
  const child = spawn(process.execPath, [svcLauncher, 'ui', '--no-open', '--port', '0', '--with-input'], {
    cwd: project.root,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  await new Promise(resolve => child.stdout.once('data', resolve))
  child.stdout.resume()
  child.stdin.destroy()
  expect(await ended).toBe(0)
})

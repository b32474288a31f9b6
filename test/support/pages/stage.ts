/** A project in which a state is made: commands run in this process, and those that are killed or stopped in their own. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { realWorld } from '../../../cli/commands/world.ts'
import { renewalWord } from '../../../cli/dashboard/file-renewal.ts'
import { listLogs } from '../../../cli/engine/log/log-files.ts'
import { closeLeftOpen } from '../../../cli/engine/warehouse/duckdb/open-instances.ts'
import { openWorkspace } from '../../../cli/engine/workspace/open-workspace.ts'
import { lineIn, type Said } from '../../cli/bad-input/command-line.ts'
import { buildCommand, svcIn } from '../cli.ts'
import { startRestServer } from '../rest-server.ts'
import { shop } from './shop.ts'

/** How long a process that is to die works on before it does. */
const lastsMs = 2_500

export class Stage {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-pages-')))
  /** The run whose words are compared, and what its command printed; undefined of a process that was killed. */
  runId = ''
  terminal: Said | undefined

  constructor() {
    for (const [path, text] of Object.entries(shop)) this.write(path, text)
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true })
    writeFileSync(join(this.root, path), text)
  }

  remove(path: string): void {
    rmSync(join(this.root, path), { force: true })
  }

  /** Returns the id of its run. */
  async svc(...words: string[]): Promise<string> {
    this.terminal = await this.quiet(...words)
    this.runId = listLogs(this.root)[0]?.runId ?? ''
    return this.runId
  }

  quiet(...words: string[]): Promise<Said> {
    return lineIn(this.root, words, {
      env: { HOME: this.root, PATH: process.env['PATH'] ?? '' },
      program: 'tests',
    })
  }

  /** Brings the files of the page to what the warehouse has, as the page does when it is opened. */
  async renew(): Promise<void> {
    await this.quiet(renewalWord, '--env', 'dev')
  }

  /** `{schema}` is that of production. */
  async sql(text: string): Promise<void> {
    const world = { ...realWorld('tests', undefined, true), cwd: this.root, env: {} }
    const workspace = await openWorkspace({ world, environment: 'dev', signal: new AbortController().signal })
    try {
      const session = await (await workspace.warehouse()).open('write')
      await session
        .execute([text.replace('{schema}', workspace.environment.schema)])
        .finally(() => session.close())
    } finally {
      await workspace.close()
    }
  }

  killed(): Promise<void> {
    return this.#inItsOwn('SIGKILL')
  }

  stopped(): Promise<void> {
    return this.#inItsOwn('SIGINT')
  }

  /** A run that waits for a service, which gets a signal a while later. */
  async #inItsOwn(signal: NodeJS.Signals): Promise<void> {
    buildCommand()
    await closeLeftOpen()
    const server = await startRestServer()
    const asked = new Promise<void>(resolve => server.route('/slow', () => resolve()))
    this.write(
      'models/slow.svc',
      `name: slow\ningest: {type: rest_api, endpoint: ${server.origin}, resource: /slow}\ntransform: SELECT * FROM {{ source }}\n`,
    )
    const said = await svcIn(this.root, ['run'], {
      onStart: child => void asked.then(() => setTimeout(() => child.kill(signal), lastsMs)),
    })
    this.terminal = signal === 'SIGKILL' ? undefined : said
    this.runId = listLogs(this.root)[0]?.runId ?? ''
    this.remove('models/slow.svc')
    await server.close()
  }

  async dispose(): Promise<void> {
    await closeLeftOpen()
    rmSync(this.root, { recursive: true, force: true })
  }
}

/** `svc ui`: the dashboard in a browser, served on this machine alone (interface.md 4.3, 4.4; decisions 6). */
import type { Dashboard, DashboardOptions } from '../dashboard/serve.ts'
import { SvcError } from '../engine/errors.ts'
import { renderCancelling, renderUiEnd, renderUiStart } from '../render/ui.ts'
import { type Command, type CommandContext, environmentOption } from './command.ts'
import type { Options } from './options.ts'
import { ownCommand, pageFolder } from './own-files.ts'

export const uiCommand: Command = {
  name: 'ui',
  brief: 'the dashboard, in a browser',
  summary: 'Serve the dashboard on this machine: lineage, runs, tests, freshness; run and roll back from it.',
  arguments: [],
  options: [
    { name: 'port', value: 'number', summary: 'where it listens; 0: any free port', default: 3000 },
    environmentOption,
    { name: 'no-open', summary: 'open no browser, only print the address' },
    { name: 'read-only', summary: 'to look at only: nothing can be run or rolled back' },
  ],
  examples: [
    { line: 'svc ui', says: 'the dashboard of dev, opened in a browser' },
    { line: 'svc ui --env prod --port 3001 --no-open', says: 'a second one, of prod' },
  ],
  exitCodes: {
    0: 'ended by Ctrl-C',
    2: 'wrong usage or no project',
    3: 'the port or a file cannot be had',
  },
  async run(context) {
    const port = portOf(context.options)
    const guard = context.world.guard ?? (work => work())
    await guard(() => serve(context, port))
    return { exitCode: 0, text: () => [] }
  },
}

/** Until the user ends it. */
async function serve(context: CommandContext, port: number): Promise<void> {
  const { world, options, signal, output } = context
  const { locateProject } = await import('../engine/workspace/locate-project.ts')
  const { projectOutline } = await import('../engine/artifacts/project-outline.ts')
  const place = locateProject(world, options.text('env') ?? '')
  const environment = place.environment.name
  const dashboard = await begin({
    root: place.root,
    models: place.models,
    environment,
    outline: projectOutline(place, world),
    command: ownCommand(),
    env: world.env,
    now: world.now,
    pid: world.pid,
    port,
    readOnly: options.flag('read-only'),
    page: pageFolder(),
  })
  try {
    const opened = !options.flag('no-open') && (await open(dashboard, world.env))
    const hasRun = await dashboard.hasRun()
    const readOnly = options.flag('read-only')
    const start = { project: place.name, environment, address: dashboard.address, readOnly, hasRun, opened }
    const lines = renderUiStart(start, output.err.style)
    output.err.lines(lines.before)
    output.out.lines(lines.address)
    output.err.lines(lines.after)
    await ended(signal)
    output.err.lines(renderCancelling({ environment, run: dashboard.running?.selector }))
  } finally {
    await dashboard.close()
  }
  output.err.lines(renderUiEnd())
}

/** SvcError `port-unavailable` with what to do instead. */
async function begin(options: DashboardOptions): Promise<Dashboard> {
  const { serveDashboard } = await import('../dashboard/serve.ts')
  try {
    return await serveDashboard(options)
  } catch (cause) {
    throw await portError(cause, options.port)
  }
}

async function portError(cause: unknown, port: number): Promise<unknown> {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'EACCES') {
    return new SvcError('port-unavailable', `port ${port} is not for everybody`, {
      hint: 'Choose one from 1024 on: svc ui --port 3000.',
      cause,
    })
  }
  if (code !== 'EADDRINUSE') return cause
  const { describePort, nextFreePort } = await import('../dashboard/port.ts')
  const [holder, free] = await Promise.all([describePort(port), nextFreePort(port)])
  return new SvcError('port-unavailable', `port ${port} is taken by ${holder}`, {
    hint: free === undefined ? 'Choose another one with --port.' : `This one is free: svc ui --port ${free}.`,
    cause,
  })
}

async function open(
  dashboard: Dashboard,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const { openBrowser } = await import('../dashboard/open-browser.ts')
  return openBrowser(dashboard.openingAddress(), { platform: process.platform, env })
}

function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
}

function portOf(options: Options): number {
  const value = options.text('port') ?? ''
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
  if (port <= 65_535) return port
  throw new SvcError('wrong-usage', `--port takes a number from 0 to 65535, not "${value}"`, {
    hint: 'svc ui --port 3000 is the usual one; 0 takes any that is free.',
  })
}

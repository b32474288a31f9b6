/** `svc ui`: serves the dashboard on this machine only (interface.md 4.3, 4.4; decisions 6). */
import { renderCancelling, renderUiEnd, renderUiStart } from '../render/ui.ts'
import { type Command, type CommandContext, environmentOption } from './command.ts'
import { ownCommand, pageFolder } from './own-files.ts'
import { ended, noOpenOption, onPort, openAddress, portOf } from './serving.ts'

export const uiCommand: Command = {
  name: 'ui',
  brief: 'the dashboard, in a browser',
  summary: 'Serve the dashboard on this machine: lineage, runs, tests, freshness; run and roll back from it.',
  arguments: [],
  options: [
    { name: 'port', value: 'number', summary: 'where it listens; 0: any free port', default: 3000 },
    environmentOption,
    noOpenOption,
    { name: 'read-only', summary: 'to look at only: nothing can be run or rolled back' },
    { name: 'with-input', summary: 'end when standard input ends, with the program that started it' },
  ],
  examples: [
    { line: 'svc ui', says: 'the dashboard of dev, opened in a browser' },
    { line: 'svc ui --env prod --port 3001 --no-open', says: 'a second one, of prod' },
  ],
  exitCodes: {
    0: 'ended by Ctrl-C, or with its input',
    2: 'wrong usage or no project',
    3: 'the port is in use, or a file failed',
  },
  async run(context) {
    const port = portOf(context.options)
    const guard = context.world.guard ?? (work => work())
    await guard(() => serve(context, port))
    return { exitCode: 0, text: () => [] }
  },
}

/** An editor that is killed ends nothing itself, and the system closes what it held open. */
function inputEnded(): Promise<void> {
  return new Promise(resolve => {
    for (const event of ['end', 'close', 'error'] as const) process.stdin.once(event, () => resolve())
    process.stdin.resume()
  })
}

/** Serves until the user ends it. */
async function serve(context: CommandContext, port: number): Promise<void> {
  const { world, options, signal, output } = context
  const { locateProject, stateNameNow } = await import('../engine/workspace/locate-project.ts')
  const { projectOutline } = await import('../engine/artifacts/project-outline.ts')
  const place = locateProject(world, options.text('env') ?? '')
  const environment = place.environment.name
  const outline = projectOutline(place, world)
  const { serveDashboard } = await import('../dashboard/serve.ts')
  const begin = () =>
    serveDashboard({
      root: place.root,
      models: place.models,
      engine: place.engine,
      environment,
      stateName: () => stateNameNow(place),
      outline,
      command: ownCommand(),
      env: world.env,
      now: world.now,
      pid: world.pid,
      port,
      readOnly: options.flag('read-only'),
      page: pageFolder(),
    })
  const dashboard = await onPort('svc ui', port, begin)
  try {
    const opened = !options.flag('no-open') && (await openAddress(dashboard.openingAddress(), world.env))
    const hasRun = await dashboard.hasRun()
    const readOnly = options.flag('read-only')
    const start = { project: place.name, environment, address: dashboard.address, readOnly, hasRun, opened }
    const lines = renderUiStart(start, output.err.style)
    output.err.lines(lines.before)
    output.out.lines(lines.address)
    output.err.lines(lines.after)
    // Computed while the browser opens; errors in the files are reported to the page.
    if (!hasRun) void outline().catch(() => undefined)
    await (options.flag('with-input') ? Promise.race([ended(signal), inputEnded()]) : ended(signal))
    output.err.lines(renderCancelling({ environment, run: dashboard.running?.selector }))
  } finally {
    await dashboard.close()
  }
  output.err.lines(renderUiEnd())
}

/** `svc lineage`: serves the documentation site of the last run, or writes it to files (interface.md 4.4). */

import { relative, resolve } from 'node:path'
import { svcIn } from '@svc/server/language'
import type { SiteData } from '../dashboard/site.ts'
import { SvcError } from '../engine/errors.ts'
import type { ProjectPlace } from '../engine/workspace/locate-project.ts'
import { type FileTrace, renderSiteStart, renderSiteWritten, traceLine } from '../render/lineage.ts'
import { type Command, type CommandContext, environmentOption, type Report } from './command.ts'
import { pageFolder } from './own-files.ts'
import { renewFiles } from './renew-files.ts'
import { ended, noOpenOption, onPort, openAddress, portOf } from './serving.ts'

export const lineageCommand: Command = {
  name: 'lineage',
  brief: 'the documentation site of the last run',
  summary:
    'Make a site of the last run (lineage with columns, schemas, tests, sources, glossary) and open it.',
  arguments: [],
  options: [
    environmentOption,
    { name: 'out', value: 'folder', summary: 'write the site there for any web server, and serve nothing' },
    { name: 'port', value: 'number', summary: 'where it listens; 0: any free port', default: 0 },
    noOpenOption,
    { name: 'debug', summary: 'say every file that is read and written' },
  ],
  examples: [
    { line: 'svc lineage', says: 'open the site of dev in a browser' },
    { line: 'svc lineage --env prod --out site', says: 'files to publish, from CI for instance' },
  ],
  exitCodes: {
    0: 'written, or ended by Ctrl-C',
    1: 'nothing has run yet',
    2: 'wrong usage or no project',
    3: 'the port is in use, or a file failed',
  },
  async run(context) {
    const site = await openSite(context)
    const folder = context.options.text('out')
    if (folder !== undefined) return write(context, site, folder)
    const port = portOf(context.options)
    const guard = context.world.guard ?? (work => work())
    await guard(() => serve(context, site, port))
    return { exitCode: 0, text: () => [] }
  },
}

interface Site {
  readonly place: ProjectPlace
  data(): Promise<SiteData>
  close(): void
}

/** Throws SvcError `not-deployed` if nothing has run yet. */
async function openSite(context: CommandContext): Promise<Site> {
  const { world, options, output } = context
  const workspace = await context.openWorkspace({ readSources: false })
  await renewFiles(context, workspace)
  await workspace.close()
  const { locateProject, stateNameNow } = await import('../engine/workspace/locate-project.ts')
  const { openProjectFiles } = await import('../dashboard/project-files.ts')
  const { readSiteData } = await import('../dashboard/site.ts')
  const place = locateProject(world, options.text('env') ?? '')
  const environment = place.environment.name
  const never = neverRun(environment)
  const files = openProjectFiles({
    root: place.root,
    environment,
    stateName: () => stateNameNow(place),
    models: place.models,
    engine: place.engine,
    outline: () => Promise.reject(never),
    ...(options.flag('debug') && {
      onRead: (path: string, bytes: number | undefined) => tell({ did: 'read', path, bytes }),
    }),
  })
  function tell(trace: FileTrace): void {
    output.err.lines([traceLine(trace, output.err.style)])
  }
  if (!(await files.hasRun())) throw never
  return { place, data: () => readSiteData(files), close: () => files.close() }
}

function neverRun(environment: string): SvcError {
  return new SvcError('not-deployed', `nothing has run in ${environment} yet: there is nothing to show`, {
    hint: `Run it first: ${svcIn(environment)('run --all')}.`,
  })
}

async function write(context: CommandContext, site: Site, name: string): Promise<Report> {
  const { world, options, output } = context
  const { siteFiles, writeSite } = await import('../dashboard/site.ts')
  const folder = resolve(world.cwd, name)
  const data = await site.data()
  const files = siteFiles(pageFolder(), data)
  writeSite(folder, files, world.pid)
  const shown = relative(world.cwd, folder) || '.'
  if (options.flag('debug')) {
    for (const [path, text] of files) {
      const trace = { did: 'wrote', path: `${shown}/${path}`, bytes: Buffer.byteLength(text) } as const
      output.err.lines([traceLine(trace, output.err.style)])
    }
  }
  return { exitCode: 0, text: style => renderSiteWritten({ folder: shown, data, files: files.size }, style) }
}

async function serve(context: CommandContext, site: Site, port: number): Promise<void> {
  const { world, options, signal, output } = context
  const { serveSite } = await import('../dashboard/serve-site.ts')
  const { name, environment } = site.place
  const begin = () => serveSite({ port, page: pageFolder(), data: site.data })
  const server = await onPort('svc lineage', port, begin)
  try {
    const opened = !options.flag('no-open') && (await openAddress(server.openingAddress(), world.env))
    const { catalog } = await site.data()
    const lines = renderSiteStart(
      { project: name, environment: environment.name, catalog, opened },
      output.err.style,
    )
    output.err.lines(lines.before)
    output.out.lines([`  ${server.address}`])
    output.err.lines(lines.after)
    await ended(signal)
  } finally {
    server.close()
    site.close()
  }
}

/** `svc fmt [path]`: formats YAML, SQL and Python of a project (interface.md 4.4, decisions 3). */
import { SvcError } from '../engine/errors.ts'
import { engineAround, findTargets } from '../engine/format/find-targets.ts'
import type { FormattedFile } from '../engine/format/format-files.ts'
import { renderDiagnostics } from '../render/diagnostics.ts'
import { type FmtReport, fmtJson, renderFmt } from '../render/fmt.ts'
import { type Command, type CommandContext, jsonOption, type Report, reportOf } from './command.ts'
import { readStdin } from './read-stdin.ts'

export const fmtCommand: Command = {
  name: 'fmt',
  brief: 'one layout for YAML, SQL and Python',
  summary: 'Format files: YAML with 2 spaces, SQL with upper-case keywords, Python as ruff writes it.',
  arguments: [
    {
      name: 'path',
      summary: 'files, folders or assets; all of the project by default; - formats stdin to stdout',
      variadic: true,
    },
  ],
  options: [
    { name: 'check', summary: 'write nothing; exit 1 when a file needs formatting' },
    { name: 'diff', summary: 'as --check, and show the lines that would change' },
    {
      name: 'stdin-path',
      value: 'path',
      summary: 'what the text on stdin is: the kind of file, and its name in messages',
      default: 'stdin.svc',
    },
    jsonOption,
  ],
  examples: [
    { line: 'svc fmt', says: 'all files of the project' },
    { line: 'svc fmt --check', says: 'for CI: writes nothing' },
  ],
  exitCodes: {
    0: 'every file is formatted',
    1: 'a file needs formatting (--check, --diff), or is not YAML',
    2: 'wrong usage or no project',
    3: 'a file cannot be read or written',
  },
  async run(context) {
    return context.rest.includes('-') ? await formatStdin(context) : await formatProject(context)
  },
}

async function openPython() {
  const { openPython: open } = await import('@svc/server/python')
  return await open()
}

async function formatProject(context: CommandContext): Promise<Report> {
  const { world, options, signal } = context
  const started = world.now().getTime()
  const { formatFiles } = await import('../engine/format/format-files.ts')
  const { knownFormatted } = await import('../engine/format/known-formatted.ts')
  const targets = findTargets(world.cwd, context.rest, world.env)
  const known = knownFormatted(targets.root, targets.engine, world.program, world.pid)
  const isCheck = options.flag('check') || options.flag('diff')
  const files = await formatFiles(targets.files, {
    known,
    engine: targets.engine,
    openPython,
    write: !isCheck,
    pid: world.pid,
    signal,
  })
  known.keep(targets.isWhole)
  const seconds = (world.now().getTime() - started) / 1000
  const report: FmtReport = { files, isCheck, showsDiff: options.flag('diff'), seconds }
  const isBad = files.some(file => isWrong(file, isCheck))
  return reportOf(report, renderFmt, fmtJson, isBad ? 1 : 0)
}

/** Writes only the formatted text to stdout; problems go to stderr. */
async function formatStdin(context: CommandContext): Promise<Report> {
  const { world, options, output, rest } = context
  if (rest.length > 1) {
    throw new SvcError('wrong-usage', '"-" stands for stdin and cannot be combined with paths', {
      hint: 'Name the files without it.',
    })
  }
  const { formatText } = await import('../engine/format/format-files.ts')
  const path = options.text('stdin-path') ?? ''
  const engine = engineAround(world.cwd, world.env)
  const file = await formatText(path, await readStdin(), { engine, openPython })
  const isCheck = options.flag('check') || options.flag('diff')
  if (file.status === 'broken')
    output.err.lines(renderDiagnostics(file.problems, () => file.before, output.err.style))
  const report: FmtReport = { files: [file], isCheck, showsDiff: options.flag('diff'), seconds: 0 }
  if (!isCheck && !options.flag('json') && file.status !== 'broken') output.out.raw(file.after)
  return {
    exitCode: isWrong(file, isCheck) ? 1 : 0,
    text: style => (isCheck && file.status === 'formatted' ? renderFmt(report, style) : []),
    json: fmtJson(report),
  }
}

function isWrong({ status }: FormattedFile, isCheck: boolean): boolean {
  return status === 'broken' || (isCheck && status === 'formatted')
}

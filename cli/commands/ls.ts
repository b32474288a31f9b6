/** `svc ls [selector]`: lists the assets that a selector selects, before a run uses it. */
import { type ListReport, listJson, renderList } from '../render/list.ts'
import { type Command, environmentOption, jsonOption } from './command.ts'
import { selectedNames } from './selected-names.ts'
import { selectionOptions, selectorArgument, selectorOf } from './selection.ts'

export const lsCommand: Command = {
  name: 'ls',
  brief: 'the assets that a selector means',
  summary: 'List the assets that a selector means, parents first: one name a line.',
  arguments: [selectorArgument],
  options: [
    ...selectionOptions,
    environmentOption,
    { name: 'long', short: 'l', summary: 'with kind, file and tags' },
    jsonOption,
  ],
  examples: [
    { line: 'svc ls +daily_sales', says: 'what svc run +daily_sales would look at' },
    { line: 'svc ls tag:core --exclude stg_* --json', says: 'for programs' },
  ],
  exitCodes: {
    0: 'done',
    2: 'wrong usage, no project or unknown asset',
    3: 'warehouse failed (state: and result: only)',
  },
  async run(context) {
    const workspace = await context.openWorkspace({ readSources: false })
    const { project } = workspace
    const selector = selectorOf(context)
    const names = await selectedNames(workspace, selector)
    const report: ListReport = { selector, project, names: names ?? project.order }
    const long = context.options.flag('long')
    return { exitCode: 0, text: style => renderList(report, long, style), json: listJson(report) }
  },
}

/** `svc notify test [<name>]`: sends a message that says it is a test. */
import { nearestNames } from '@svc/server/language'
import { SvcError } from '../engine/errors.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { renderNotifyTest } from '../render/notify-test.ts'
import { type Command, environmentOption, jsonOption } from './command.ts'

export const notifyTestCommand: Command = {
  name: 'notify test',
  brief: 'send a test message to the notifiers',
  summary: 'Send a message that says that it is a test to one notifier of svc.yaml, or to all.',
  arguments: [{ name: 'name', summary: 'name of the notifier; all without it' }],
  options: [environmentOption, jsonOption],
  examples: [
    { line: 'svc notify test', says: 'send a test message to all notifiers of svc.yaml' },
    { line: 'svc notify test data-team --env prod', says: 'one of them, as a message from prod' },
  ],
  exitCodes: {
    0: 'all messages were sent',
    2: 'wrong usage, no project, no such notifier',
    3: 'a message could not be sent',
  },
  async run(context) {
    const workspace = await context.openWorkspace({ readSources: false })
    const { refuseInvalid } = await import('../engine/workspace/open-workspace.ts')
    refuseInvalid(workspace.project.settings, workspace.settingsText ?? '')
    const { tryNotifiers } = await import('../engine/notify/notify.ts')
    const tried = await tryNotifiers(workspace, chosen(workspace, context.arguments[0]))
    return {
      exitCode: tried.some(({ problem }) => problem !== null) ? 3 : 0,
      text: style => renderNotifyTest(tried, style),
      json: { environment: workspace.environment.name, notifiers: tried },
    }
  },
}

function chosen({ project }: OpenedWorkspace, name: string | undefined) {
  const all = Object.entries(project.settings.notify)
  const found = name === undefined ? all : all.filter(([each]) => each === name)
  if (found.length > 0) return found
  if (all.length === 0) {
    throw new SvcError('wrong-usage', 'svc.yaml has no notifier', {
      hint: 'Add notify: {data-team: {type: slack, endpoint: env:SLACK_WEBHOOK}} to svc.yaml.',
    })
  }
  const names = all.map(([each]) => each)
  const [near] = nearestNames(name ?? '', names)
  throw new SvcError('wrong-usage', `no notifier is called "${name}"`, {
    hint: near === undefined ? `svc.yaml has ${names.join(', ')}.` : `Did you mean "${near}"?`,
  })
}
